/** Use-cases of organizations and their keys. */

import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Action, CurrentActor, recordOf } from "../audit/Audit.ts"
import { refusal } from "../error/Refusal.ts"
import { FieldRefused } from "../error/Refusals.ts"
import { TextDigest } from "../secret/Sha256.ts"
import { type AccountId, type ApiKeyId, type ConnectionId, Ids, type OrganizationId } from "../value/Ids.ts"
import * as ApiKeyText from "./ApiKeyText.ts"
import { type Account, type ApiKey, type Organization, referralCodeOf } from "./Merchant.ts"
import { MerchantSettings } from "./MerchantSettings.ts"
import { MerchantStore, OrganizationNotFound } from "./MerchantStore.ts"
import {
  checkConnectionId,
  checkIdempotencyKey,
  checkKey,
  checkOrganization,
  checkReferralCode,
  clientScopes,
  type KeyRequest,
  type OrganizationRequest
} from "./OrganizationRequests.ts"

/** A partner that opens a client: its organization, and its owner, who becomes a developer of the client. */
export interface Patron {
  readonly organizationId: OrganizationId
  readonly ownerId: AccountId
}

/** A key that was just made. Its text is shown this once and kept nowhere. */
export interface NewKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted
}

/** An organization that was just opened. */
export interface NewOrganization {
  readonly organization: Organization
  readonly owner: Account
}

/** A partner's client. `text`: of its first key; null if it was opened before. */
export interface NewClient extends NewOrganization {
  readonly text: Redacted.Redacted | null
}

/** The organization has no such key. */
export class KeyNotFound extends refusal("KeyNotFound", "key_not_found") {}

type AccountStatus = Account["status"]
type OrganizationStatus = Organization["status"]

/** What requests ask for, as it is to be stored. */
const makeDrafts = Effect.gen(function* () {
  const ids = yield* Ids
  const { tariffs } = yield* MerchantSettings
  const digest = yield* TextDigest
  const random = Context.make(SecureRandom.SecureRandom, yield* SecureRandom.SecureRandom)

  const deed = (action: Action, organizationId: OrganizationId | null, subject: string, detail: string | null = null) =>
    recordOf(ids, { action, organizationId, subject, detail })

  const keyDeed = ({ id, organizationId, mode, scopes }: ApiKey) =>
    deed("key.created", organizationId, id, `${mode} ${scopes.join(" ")}`)

  const draftOf = Effect.fnUntraced(function* (request: OrganizationRequest, partnerId: OrganizationId | null) {
    const checked = yield* Effect.fromResult(checkOrganization(request))
    const now = yield* Clock.currentTimeMillis
    const trial = tariffs.catalogue[0]?.code ?? "trial"
    const tariff = request.tariff ?? trial
    const accountId = yield* ids.next("acc")
    const owner: Account = {
      id: accountId,
      phone: checked.ownerPhone,
      name: checked.ownerName,
      email: null,
      status: "active",
      referralCode: referralCodeOf(accountId),
      createdAt: now
    }
    const organization: Organization = {
      id: yield* ids.next("org"),
      name: checked.name,
      legalName: checked.legalName,
      idn: checked.idn,
      mode: "sandbox",
      tariff,
      tariffUntil: tariffs.enforced && tariff === trial ? now + tariffs.trialMs : null,
      status: "active",
      ownerId: owner.id,
      referredBy: null,
      partnerId,
      createdAt: now
    }
    const audit = yield* deed("organization.opened", organization.id, organization.id)
    return { organization, owner, audits: [audit] }
  })

  const keyOf = Effect.fnUntraced(function* (request: KeyRequest) {
    const { name, scopes } = yield* Effect.fromResult(checkKey(request))
    const maker = yield* CurrentActor
    const text = yield* ApiKeyText.generateApiKey(request.mode)
    const key: ApiKey = {
      id: yield* ids.next("key"),
      organizationId: request.organizationId,
      mode: request.mode,
      name,
      scopes,
      connectionId: request.connectionId ?? null,
      digest: ApiKeyText.digestOf(text, digest),
      lastCharacters: ApiKeyText.lastCharacters(text),
      createdAt: yield* Clock.currentTimeMillis,
      lastUsedAt: null,
      madeBy: maker.kind === "account" ? maker.id : null
    }
    const made: NewKey = { key, text }
    return made
  }, Effect.provideContext(random))

  return { draftOf, keyOf, deed, keyDeed }
})

const make = Effect.gen(function* () {
  const store = yield* MerchantStore
  const { maxKeys } = yield* MerchantSettings
  const { draftOf, keyOf, deed, keyDeed } = yield* makeDrafts

  const referred = Effect.fnUntraced(function* (request: OrganizationRequest, maxOwned?: number) {
    const { organization, owner, audits } = yield* draftOf(request, null)
    const code = yield* Effect.fromResult(checkReferralCode(request.referralCode))
    return { organization, owner, opening: { referrer: code === null ? null : { code }, maxOwned, audits } }
  })

  const bindKey = Effect.fn("Organizations.bindKey")(function* (
    organizationId: OrganizationId,
    id: ApiKeyId,
    connectionId: ConnectionId | null
  ) {
    const audit = yield* deed("key.bound", organizationId, id, connectionId)
    return yield* store.bindKey(organizationId, id, connectionId, audit)
  })

  const deleteKey = (id: ApiKeyId) =>
    Effect.flatMap(deed("key.deleted", null, id), (audit) => store.removeKey(id, audit))

  return {
    /** Opens an organization; its owner's account is made if the phone is new. `maxOwned` bounds what they own. */
    create: Effect.fn("Organizations.create")(function* (request: OrganizationRequest, maxOwned?: number) {
      const { organization, owner, opening } = yield* referred(request, maxOwned)
      return yield* store.addOrganization(organization, owner, opening)
    }),
    /** The same; the same key opens one, ever, which is answered as it is now. */
    ensure: Effect.fn("Organizations.ensure")(function* (
      request: OrganizationRequest,
      key: unknown,
      maxOwned?: number
    ) {
      const externalKey = yield* Effect.fromResult(checkIdempotencyKey(key))
      if (externalKey === null) return yield* new FieldRefused({ code: "invalid_idempotency_key" })
      const { organization, owner, opening } = yield* referred(request, maxOwned)
      return yield* store.addOrganization(organization, owner, { ...opening, externalKey })
    }),
    /** One organization. */
    get: Effect.fnUntraced(function* (id: OrganizationId) {
      const found = yield* store.organization(id)
      return Option.isSome(found) ? found.value : yield* new OrganizationNotFound()
    }),
    /**
     * The same for a partner's client, with its first sandbox key, in one step. The same idempotency key opens one
     * client, whose key's text is shown the first time only. The owner's name is the request's.
     */
    createClient: Effect.fn("Organizations.createClient")(function* (
      request: OrganizationRequest,
      patron: Patron,
      wantedKey: unknown
    ) {
      const idempotencyKey = yield* Effect.fromResult(checkIdempotencyKey(wantedKey))
      const draft = yield* draftOf(request, patron.organizationId)
      const { organization, owner } = draft
      const sandbox = { mode: "sandbox", name: "sandbox", scopes: clientScopes } as const
      const made = yield* Effect.orDie(keyOf({ organizationId: organization.id, ...sandbox }))
      const developers = [patron.ownerId]
      const audits = [...draft.audits, yield* keyDeed(made.key)]
      const { key, text } = made
      // Those that come through a partner were brought by its owner.
      const whole = { referrer: { id: patron.ownerId }, developers, key, idempotencyKey, audits }
      const opened = yield* Effect.catchTag(
        store.addOrganization(organization, owner, whole),
        ["InvalidReferralCode", "TooManyOrganizations"],
        Effect.die
      )
      // Knowing a phone number must not reveal its owner's name.
      const named = { ...opened.owner, name: owner.name }
      return { ...opened, owner: named, text: opened.replayed ? null : text }
    }),
    /** The keys of an organization, without their texts, oldest first. */
    keys: store.keys,
    /** Makes a key of an existing organization. */
    createKey: Effect.fn("Organizations.createKey")(function* (request: KeyRequest) {
      const made = yield* keyOf(request)
      yield* store.addKey(made.key, maxKeys, yield* keyDeed(made.key))
      return made
    }),
    /**
     * Binds a key to a cashier of its organization, or to none: from now on it sees this cashier's live invoices only.
     * False if the organization has no such key.
     */
    bindKey,
    /** The same as a request of the cabinet asks for it. Answers the key as it is then. */
    rebindKey: Effect.fn("Organizations.rebindKey")(function* (
      organizationId: OrganizationId,
      id: ApiKeyId,
      wanted: unknown
    ) {
      const connectionId = yield* Effect.fromResult(checkConnectionId(wanted))
      const key = (yield* store.keys(organizationId)).find((each) => each.id === id)
      if (key === undefined) return yield* new KeyNotFound()
      if (!(yield* bindKey(organizationId, id, connectionId))) return yield* new KeyNotFound()
      return { ...key, connectionId }
    }),
    /** Deletes a key at once and for good. False if there is none. */
    deleteKey,
    /** By the operator. False if there is no such account. */
    setAccountStatus: Effect.fn("Organizations.setAccountStatus")(function* (id: AccountId, status: AccountStatus) {
      const action = status === "blocked" ? "account.blocked" : "account.unblocked"
      const audit = yield* deed(action, null, id)
      return yield* store.setStatus({ account: id, status }, yield* Clock.currentTimeMillis, audit)
    }),
    /** By the operator. False if there is no such organization. */
    setStatus: Effect.fn("Organizations.setStatus")(function* (id: OrganizationId, status: OrganizationStatus) {
      const action = status === "archived" ? "organization.archived" : "organization.restored"
      const audit = yield* deed(action, id, id)
      return yield* store.setStatus({ organization: id, status }, yield* Clock.currentTimeMillis, audit)
    })
  }
})

/** The use-cases of organizations, their people and keys. */
export class Organizations extends Context.Service<Organizations, Effect.Success<typeof make>>()(
  "@tolem/core/Organizations"
) {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Organizations, make)
}
