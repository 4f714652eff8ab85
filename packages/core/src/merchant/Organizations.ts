/** Use-cases of organizations and their keys. */

import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { type Action, recordOf } from "../audit/Audit.ts"
import { refusal } from "../error/Refusal.ts"
import { type ConnectionNotFound, FieldRefused } from "../error/Refusals.ts"
import type { StorageError } from "../error/StorageError.ts"
import { type AccountId, type ApiKeyId, type ConnectionId, Ids, type OrganizationId } from "../value/Ids.ts"
import * as ApiKeyText from "./ApiKeyText.ts"
import { type Account, type ApiKey, type Organization, referralCodeOf } from "./Merchant.ts"
import { MerchantSettings } from "./MerchantSettings.ts"
import { type InvalidReferralCode, MerchantStore, OrganizationNotFound, type TooManyKeys } from "./MerchantStore.ts"
import {
  type ClientRefused,
  checkConnectionId,
  checkIdempotencyKey,
  checkKey,
  checkOrganization,
  checkReferralCode,
  clientScopes,
  type KeyRefused,
  type KeyRequest,
  type OpeningRefused,
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

/** The use-cases of organizations, their people and keys. */
export class Organizations extends Context.Service<
  Organizations,
  {
    /** Opens an organization; its owner's account is made if the phone is new. */
    readonly create: (
      request: OrganizationRequest
    ) => Effect.Effect<NewOrganization, OpeningRefused | InvalidReferralCode | StorageError>
    /** The same; the same key opens one, ever, which is answered as it is now. */
    readonly ensure: (
      request: OrganizationRequest,
      key: unknown
    ) => Effect.Effect<
      NewOrganization,
      OpeningRefused | FieldRefused<"invalid_idempotency_key"> | InvalidReferralCode | StorageError
    >
    /**
     * The same for a partner's client, with its first sandbox key, in one step. The same idempotency key opens one
     * client, whose key's text is shown the first time only. The owner's name is the request's.
     */
    readonly createClient: (
      request: OrganizationRequest,
      patron: Patron,
      idempotencyKey: unknown
    ) => Effect.Effect<NewClient, ClientRefused | StorageError>
    /** One organization. */
    readonly get: (id: OrganizationId) => Effect.Effect<Organization, OrganizationNotFound | StorageError>
    /** The keys of an organization, without their texts, oldest first. */
    readonly keys: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ApiKey>, StorageError>
    /** Makes a key of an existing organization. */
    readonly createKey: (
      request: KeyRequest
    ) => Effect.Effect<NewKey, KeyRefused | OrganizationNotFound | ConnectionNotFound | TooManyKeys | StorageError>
    /**
     * Binds a key to a cashier of its organization, or to none: from now on it sees this cashier's live invoices only.
     * False if the organization has no such key.
     */
    readonly bindKey: (
      organizationId: OrganizationId,
      id: ApiKeyId,
      connectionId: ConnectionId | null
    ) => Effect.Effect<boolean, ConnectionNotFound | StorageError>
    /** The same as a request of the cabinet asks for it. Answers the key as it is then. */
    readonly rebindKey: (
      organizationId: OrganizationId,
      id: ApiKeyId,
      connectionId: unknown
    ) => Effect.Effect<ApiKey, FieldRefused<"invalid_connection_id"> | KeyNotFound | ConnectionNotFound | StorageError>
    /** Deletes a key at once and for good. False if there is none. */
    readonly deleteKey: (id: ApiKeyId) => Effect.Effect<boolean, StorageError>
    /** By the operator. False if there is no such account. */
    readonly setAccountStatus: (id: AccountId, status: Account["status"]) => Effect.Effect<boolean, StorageError>
    /** By the operator. False if there is no such organization. */
    readonly setStatus: (id: OrganizationId, status: Organization["status"]) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/Organizations") {
  /** The use-cases over the store. */
  static readonly layer: Layer.Layer<
    Organizations,
    never,
    MerchantStore | Ids | Digest.Digest | SecureRandom.SecureRandom
  > = Layer.effect(
    Organizations,
    Effect.suspend(() => make)
  )
}

type AccountStatus = Account["status"]
type OrganizationStatus = Organization["status"]

/** What requests ask for, as it is to be stored. */
const makeDrafts = Effect.gen(function* () {
  const ids = yield* Ids
  const { tariffs } = yield* MerchantSettings
  const crypto = Context.make(Digest.Digest, yield* Digest.Digest).pipe(
    Context.add(SecureRandom.SecureRandom, yield* SecureRandom.SecureRandom)
  )

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
    const text = yield* ApiKeyText.generateApiKey(request.mode)
    const key: ApiKey = {
      id: yield* ids.next("key"),
      organizationId: request.organizationId,
      mode: request.mode,
      name,
      scopes,
      connectionId: request.connectionId ?? null,
      digest: yield* ApiKeyText.digestOf(text),
      lastCharacters: ApiKeyText.lastCharacters(text),
      createdAt: yield* Clock.currentTimeMillis,
      lastUsedAt: null
    }
    return { key, text } satisfies NewKey
  }, Effect.provideContext(crypto))

  return { draftOf, keyOf, deed, keyDeed }
})

const make = Effect.gen(function* () {
  const store = yield* MerchantStore
  const { maxKeys } = yield* MerchantSettings
  const { draftOf, keyOf, deed, keyDeed } = yield* makeDrafts

  const referred = Effect.fnUntraced(function* (request: OrganizationRequest) {
    const { organization, owner, audits } = yield* draftOf(request, null)
    const code = yield* Effect.fromResult(checkReferralCode(request.referralCode))
    return { organization, owner, opening: { referrer: code === null ? null : { code }, audits } }
  })

  const create = Effect.fn("Organizations.create")(function* (request: OrganizationRequest) {
    const { organization, owner, opening } = yield* referred(request)
    return yield* store.addOrganization(organization, owner, opening)
  })

  const ensure = Effect.fn("Organizations.ensure")(function* (request: OrganizationRequest, key: unknown) {
    const externalKey = yield* Effect.fromResult(checkIdempotencyKey(key))
    if (externalKey === null) return yield* new FieldRefused({ code: "invalid_idempotency_key" })
    const { organization, owner, opening } = yield* referred(request)
    return yield* store.addOrganization(organization, owner, { ...opening, externalKey })
  })

  const get = Effect.fnUntraced(function* (id: OrganizationId) {
    const found = yield* store.organization(id)
    return Option.isSome(found) ? found.value : yield* new OrganizationNotFound()
  })

  const createClient = Effect.fn("Organizations.createClient")(function* (
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
      "InvalidReferralCode",
      Effect.die
    )
    // Knowing a phone number must not reveal its owner's name.
    const named = { ...opened.owner, name: owner.name }
    return { ...opened, owner: named, text: opened.replayed ? null : text }
  })

  const createKey = Effect.fn("Organizations.createKey")(function* (request: KeyRequest) {
    const made = yield* keyOf(request)
    yield* store.addKey(made.key, maxKeys, yield* keyDeed(made.key))
    return made
  })

  const bindKey = Effect.fn("Organizations.bindKey")(function* (
    organizationId: OrganizationId,
    id: ApiKeyId,
    connectionId: ConnectionId | null
  ) {
    const audit = yield* deed("key.bound", organizationId, id, connectionId)
    return yield* store.bindKey(organizationId, id, connectionId, audit)
  })

  const rebindKey = Effect.fn("Organizations.rebindKey")(function* (
    organizationId: OrganizationId,
    id: ApiKeyId,
    wanted: unknown
  ) {
    const connectionId = yield* Effect.fromResult(checkConnectionId(wanted))
    const key = (yield* store.keys(organizationId)).find((each) => each.id === id)
    if (key === undefined) return yield* new KeyNotFound()
    if (!(yield* bindKey(organizationId, id, connectionId))) return yield* new KeyNotFound()
    return { ...key, connectionId }
  })

  const deleteKey = (id: ApiKeyId) =>
    Effect.flatMap(deed("key.deleted", null, id), (audit) => store.removeKey(id, audit))

  const setAccountStatus = Effect.fn("Organizations.setAccountStatus")(function* (id: AccountId, to: AccountStatus) {
    const action = to === "blocked" ? "account.blocked" : "account.unblocked"
    const audit = yield* deed(action, null, id)
    return yield* store.setStatus({ account: id, status: to }, yield* Clock.currentTimeMillis, audit)
  })

  const setStatus = Effect.fn("Organizations.setStatus")(function* (id: OrganizationId, to: OrganizationStatus) {
    const action = to === "archived" ? "organization.archived" : "organization.restored"
    const audit = yield* deed(action, id, id)
    return yield* store.setStatus({ organization: id, status: to }, yield* Clock.currentTimeMillis, audit)
  })

  return {
    create,
    ensure,
    get,
    createClient,
    keys: store.keys,
    createKey,
    bindKey,
    rebindKey,
    deleteKey,
    setAccountStatus,
    setStatus
  }
})
