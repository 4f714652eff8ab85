/** Who is calling, and may they: keys, the state of their organization, request rates, scopes, in the decided order. */
import { Clock, Context, Data, Effect, Exit, Layer, type Redacted } from "effect"
import type { Digest } from "effect/crypto"
import * as Batcher from "../Batcher.ts"
import type { Scope } from "../invoice/InvoiceStore.ts"
import { type Hit, RateStore } from "../ratelimit/RateStore.ts"
import { type RequestKind, type Standing, standing, startOf } from "../ratelimit/RateWindow.ts"
import { Settings } from "../Settings.ts"
import { isOneItemsFault, type StorageError } from "../StorageError.ts"
import * as ApiKeyText from "./ApiKeyText.ts"
import type { KeyHolder, KeyScope } from "./Merchant.ts"
import { MerchantStore } from "./MerchantStore.ts"

/** A caller who was let in. */
export interface Principal extends Scope {
  readonly keyId: string
  readonly scopes: ReadonlyArray<KeyScope>
  /** Where the key stands in its request window, this request included. */
  readonly standing: Standing
}

/** The key is missing, unknown or deleted. */
export class Unauthorized extends Data.TaggedError("Unauthorized") {
  readonly code = "unauthorized"
}

/** What was sent as key does not have the form of one. */
export class InvalidApiKey extends Data.TaggedError("InvalidApiKey") {
  readonly code = "invalid_api_key"
}

/** The owner's account is blocked. */
export class AccountBlocked extends Data.TaggedError("AccountBlocked") {
  readonly code = "account_blocked"
}

/** The organization is archived. */
export class OrganizationInactive extends Data.TaggedError("OrganizationInactive") {
  readonly code = "organization_inactive"
}

/** The key has used up its requests of this minute. */
export class RequestRateLimited extends Data.TaggedError("RequestRateLimited")<{ readonly standing: Standing }> {
  readonly code = "request_rate_limited"
}

/** The key lacks the scope. */
export class InsufficientScope extends Data.TaggedError("InsufficientScope") {
  readonly code = "insufficient_scope"
}

/** Why nobody was let in. Only the last of these has consumed a request. */
export type Denial = Unauthorized | InvalidApiKey | AccountBlocked | OrganizationInactive | RequestRateLimited

/** See the file's head. */
export class Access extends Context.Service<
  Access,
  {
    /** Lets the holder of a key in and counts the request, or says why not. */
    readonly enter: (key: Redacted.Redacted, kind: RequestKind) => Effect.Effect<Principal, Denial | StorageError>
  }
>()("@tolem/core/Access") {
  /** Look-ups and counts of concurrent requests share statements. Nothing is cached: a deleted key is refused at once. */
  static readonly layer: Layer.Layer<Access, never, MerchantStore | RateStore | Digest.Digest> = Layer.effect(
    Access,
    Effect.suspend(() => make)
  )
}

/** Passes where the principal has one of the scopes. */
export const requireScope = (
  principal: Principal,
  ...scopes: ReadonlyArray<KeyScope>
): Effect.Effect<void, InsufficientScope> =>
  scopes.some((scope) => principal.scopes.includes(scope)) ? Effect.void : Effect.fail(new InsufficientScope())

const make = Effect.gen(function* () {
  const store = yield* MerchantStore
  const rates = yield* RateStore
  const digests = yield* Effect.context<Digest.Digest>()
  const settings = yield* Settings

  const find = yield* Batcher.make({
    ...settings.batch,
    runAll: Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
      const holders = yield* store.findKeys([...new Set(wanted)])
      const byDigest = new Map<string, KeyHolder>(holders.map((holder) => [holder.key.digest, holder]))
      return wanted.map((digest) => Exit.succeed(byDigest.get(digest)))
    }),
    isolate: isOneItemsFault
  })
  const hit = yield* Batcher.make({
    ...settings.batch,
    runAll: (hits: ReadonlyArray<Hit>) =>
      Effect.map(rates.hitMany(hits), (counts) => counts.map((count) => Exit.succeed(count))),
    isolate: isOneItemsFault
  })

  const enter = Effect.fnUntraced(function* (text: Redacted.Redacted, kind: RequestKind) {
    if (!(yield* ApiKeyText.isWellFormed(text))) return yield* new InvalidApiKey()
    const holder = yield* find(yield* ApiKeyText.digestOf(text))
    if (holder === undefined) return yield* new Unauthorized()
    if (holder.ownerStatus === "blocked") return yield* new AccountBlocked()
    if (holder.organizationStatus === "archived") return yield* new OrganizationInactive()
    const { id, organizationId, mode, connectionId, scopes } = holder.key
    const now = yield* Clock.currentTimeMillis
    const count = yield* hit({ keyId: id, kind, windowAt: startOf(now) })
    const limit = kind === "read" ? settings.readsPerMinute : settings.writesPerMinute
    const stands = standing(count, limit, now)
    if (!stands.allowed) return yield* new RequestRateLimited({ standing: stands })
    return { organizationId, mode, connectionId, keyId: id, scopes, standing: stands } satisfies Principal
  }, Effect.provideContext(digests))

  return { enter }
})
