/** Use-cases of organizations and their keys. */
import { Clock, Context, Effect, Layer, Option, type Redacted, Result } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { isGiven, optionalNonEmptyText, optionalPhone } from "../Checks.ts"
import { ConnectionNotFound } from "../connection/ConnectionErrors.ts"
import { ConnectionStore } from "../connection/ConnectionStore.ts"
import { Ids } from "../Ids.ts"
import type { Mode } from "../Mode.ts"
import { FieldRefused } from "../Refusals.ts"
import type { StorageError } from "../StorageError.ts"
import * as ApiKeyText from "./ApiKeyText.ts"
import { type Account, type ApiKey, KeyScope, type Organization } from "./Merchant.ts"
import { MerchantStore, type OrganizationNotFound } from "./MerchantStore.ts"

/** What is asked for a new organization. `ownerPhone` has the form 7XXXXXXXXXX. */
export interface OrganizationRequest {
  readonly name: unknown
  readonly ownerPhone: unknown
  readonly ownerName?: unknown
  readonly legalName?: unknown
  readonly idn?: unknown
  readonly tariff?: string | undefined
}

/** What is asked for a new key. */
export interface KeyRequest {
  readonly organizationId: string
  readonly mode: Mode
  readonly name: unknown
  readonly scopes: unknown
  readonly connectionId?: string | undefined
}

/** A key that was just made. Its text is shown this once and kept nowhere. */
export interface NewKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted
}

/** See the file's head. */
export class Organizations extends Context.Service<
  Organizations,
  {
    /** Opens an organization; its owner's account is made where the phone is new. */
    readonly create: (
      request: OrganizationRequest
    ) => Effect.Effect<{ readonly organization: Organization; readonly owner: Account }, FieldRefused | StorageError>
    /** Makes a key of an existing organization. */
    readonly createKey: (
      request: KeyRequest
    ) => Effect.Effect<NewKey, FieldRefused | OrganizationNotFound | ConnectionNotFound | StorageError>
    /**
     * Binds a key to a cashier of its organization, or to none: from now on it sees this cashier's live invoices only.
     * False where the organization has no such key.
     */
    readonly bindKey: (
      organizationId: string,
      id: string,
      connectionId: string | null
    ) => Effect.Effect<boolean, ConnectionNotFound | StorageError>
    /** Deletes a key at once and for good. False where there is none. */
    readonly deleteKey: (id: string) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/Organizations") {
  /** The use-cases over the store. */
  static readonly layer: Layer.Layer<
    Organizations,
    never,
    MerchantStore | ConnectionStore | Ids | Digest.Digest | SecureRandom.SecureRandom
  > = Layer.effect(
    Organizations,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* MerchantStore
  const connections = yield* ConnectionStore
  const ids = yield* Ids
  const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()

  const create = Effect.fn("Organizations.create")(function* (request: OrganizationRequest) {
    const checked = yield* Effect.fromResult(checkOrganization(request))
    const now = yield* Clock.currentTimeMillis
    const account: Account = {
      id: yield* ids.next("acc"),
      phone: checked.ownerPhone,
      name: checked.ownerName,
      status: "active",
      createdAt: now
    }
    const draft: Organization = {
      id: yield* ids.next("org"),
      name: checked.name,
      legalName: checked.legalName,
      idn: checked.idn,
      tariff: request.tariff ?? "trial",
      status: "active",
      ownerId: account.id,
      createdAt: now
    }
    const owner = yield* store.addOrganization(draft, account)
    return { organization: { ...draft, ownerId: owner.id }, owner }
  })

  const checkConnection = Effect.fnUntraced(function* (organizationId: string, id: string | null) {
    if (id === null) return
    if (Option.isNone(yield* connections.find(organizationId, id))) return yield* new ConnectionNotFound()
  })

  const createKey = Effect.fn("Organizations.createKey")(function* (request: KeyRequest) {
    const { name, scopes } = yield* Effect.fromResult(checkKey(request))
    const connectionId = request.connectionId ?? null
    yield* checkConnection(request.organizationId, connectionId)
    const text = yield* ApiKeyText.generate(request.mode)
    const key: ApiKey = {
      id: yield* ids.next("key"),
      organizationId: request.organizationId,
      mode: request.mode,
      name,
      scopes,
      connectionId,
      digest: yield* ApiKeyText.digestOf(text),
      lastCharacters: ApiKeyText.lastCharacters(text),
      createdAt: yield* Clock.currentTimeMillis
    }
    yield* store.addKey(key)
    return { key, text }
  }, Effect.provideContext(crypto))

  const bindKey = Effect.fn("Organizations.bindKey")(function* (
    organizationId: string,
    id: string,
    connectionId: string | null
  ) {
    yield* checkConnection(organizationId, connectionId)
    return yield* store.bindKey(organizationId, id, connectionId)
  })

  return { create, createKey, bindKey, deleteKey: store.removeKey }
})

const maxName = 200

const requiredName = (value: unknown): Result.Result<string, "invalid_name"> =>
  Result.flatMap(optionalNonEmptyText(value, maxName, "invalid_name"), (name) =>
    name === null || name.trim() === "" ? Result.fail("invalid_name" as const) : Result.succeed(name)
  )

const checkOrganization = (request: OrganizationRequest) =>
  Result.gen(function* () {
    const name = yield* requiredName(request.name)
    const ownerPhone = yield* Result.flatMap(optionalPhone(request.ownerPhone), (phone) =>
      phone === null ? Result.fail("invalid_phone" as const) : Result.succeed(phone)
    )
    const ownerName = yield* optionalNonEmptyText(request.ownerName, maxName, "invalid_name")
    const legalName = yield* optionalNonEmptyText(request.legalName, maxName, "invalid_name")
    const idn = yield* optionalNonEmptyText(request.idn, 12, "invalid_idn")
    return { name, ownerPhone, ownerName, legalName, idn }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const checkKey = (request: KeyRequest) =>
  Result.gen(function* () {
    const name = yield* requiredName(request.name)
    const { scopes } = request
    if (!isGiven(scopes) || !Array.isArray(scopes) || scopes.length === 0) {
      return yield* Result.fail("invalid_scopes" as const)
    }
    const known = KeyScope.literals.filter((scope) => scopes.includes(scope))
    const strange = scopes.some((scope) => !known.includes(scope))
    return strange ? yield* Result.fail("invalid_scopes" as const) : { name, scopes: known }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))
