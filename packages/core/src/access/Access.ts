/** Who is calling, and may they: keys, the state of their organization, request rates, scopes, in the decided order. */

import { Clock, Context, Data, Effect, Exit, Layer, type Redacted } from "effect"
import { refusal } from "../error/Refusal.ts"
import { AccountBlocked, OrganizationInactive } from "../error/Refusals.ts"
import { isOneItemsFault, overfull, type StorageError } from "../error/StorageError.ts"
import * as ApiKeyText from "../merchant/ApiKeyText.ts"
import { KeyUses } from "../merchant/KeyUses.ts"
import type { ApiKey, KeyHolder, KeyScope } from "../merchant/Merchant.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { TextDigest } from "../secret/Sha256.ts"
import type { ApiKeyId } from "../value/Ids.ts"
import type { Viewer } from "../value/Tenant.ts"
import * as Batcher from "../work/Batcher.ts"
import { AccessSettings } from "./AccessSettings.ts"
import { type Hit, RateStore } from "./RateStore.ts"
import { type RateStanding, type RequestKind, standing, startOf } from "./RateWindow.ts"

/** A caller who was let in. */
export interface Principal extends Viewer {
  readonly keyId: ApiKeyId
  /** Of the key's text. */
  readonly keyDigest: string
  readonly lastCharacters: string
  readonly scopes: ReadonlyArray<KeyScope>
  /** Where the key stands in its request window, this request included. */
  readonly standing: RateStanding
}

/** The key is missing, unknown or deleted. */
export class Unauthorized extends refusal("Unauthorized", "unauthorized") {}

/** What was sent as key does not have the form of one. */
export class InvalidApiKey extends refusal("InvalidApiKey", "invalid_api_key") {}

/** The key has used up its requests of this minute. */
export class RequestRateLimited extends Data.TaggedError("RequestRateLimited")<{
  readonly standing: RateStanding
  readonly key: Pick<ApiKey, "id" | "organizationId" | "mode" | "lastCharacters">
}> {
  readonly code = "request_rate_limited"
}

/** Why a caller was not let in. Only the last of these has consumed a request. */
export type Denial = Unauthorized | InvalidApiKey | AccountBlocked | OrganizationInactive | RequestRateLimited

interface Arrival {
  readonly digest: string
  /** Who is in already is not counted again, and stands where they stood. */
  readonly kind: RequestKind | RateStanding
  readonly now: number
}

const isCounted = (kind: Arrival["kind"]): kind is RequestKind => typeof kind === "string"

const make = Effect.gen(function* () {
  const store = yield* MerchantStore
  const rates = yield* RateStore
  const uses = yield* KeyUses
  const digestText = yield* TextDigest
  const settings = yield* AccessSettings

  /** Looks up all keys in one step, then counts those that may act in another. */
  const admitAll = Effect.fnUntraced(function* (arrivals: ReadonlyArray<Arrival>) {
    const holders = yield* store.findKeys([...new Set(arrivals.map(({ digest }) => digest))])
    const byDigest = new Map<string, KeyHolder>(holders.map((holder) => [holder.key.digest, holder]))
    const admissions = arrivals.map((arrival) => ({ arrival, ...admission(byDigest.get(arrival.digest)) }))
    const hits = admissions.flatMap(
      ({ arrival, key }): ReadonlyArray<Hit> =>
        key !== null && isCounted(arrival.kind)
          ? [{ subject: key.id, kind: arrival.kind, windowAt: startOf(arrival.now) }]
          : []
    )
    const counts = (yield* rates.hitMany(hits)).values()
    return admissions.map(({ arrival, key, denial }): Exit.Exit<Principal, Denial> => {
      if (key === null) return Exit.fail(denial)
      const { id, organizationId, mode, connectionId, scopes, lastCharacters, digest: keyDigest } = key
      const known = { organizationId, mode, connectionId, keyId: id, keyDigest, lastCharacters, scopes }
      if (!isCounted(arrival.kind)) return Exit.succeed({ ...known, standing: arrival.kind })
      const limit = arrival.kind === "read" ? settings.readsPerMinute : settings.writesPerMinute
      const stands = standing(counts.next().value ?? limit + 1, limit, arrival.now)
      if (!stands.allowed) return Exit.fail(new RequestRateLimited({ standing: stands, key }))
      uses.note(key, arrival.now)
      return Exit.succeed({ ...known, standing: stands })
    })
  })
  const admit = yield* Batcher.make({
    name: "requests",
    ...settings.batch,
    runAll: (
      arrivals: ReadonlyArray<Arrival>
    ): Effect.Effect<ReadonlyArray<Exit.Exit<Principal, Denial | StorageError>>, Denial | StorageError> =>
      admitAll(arrivals),
    // Before a key is known to be one, it is all that is known of its holder.
    lineOf: ({ digest }) => digest,
    full: () => overfull("MerchantStore.findKeys"),
    isolate: (error) => error._tag === "StorageError" && isOneItemsFault(error)
  })

  const enter = (text: Redacted.Redacted, kind: RequestKind): Effect.Effect<Principal, Denial | StorageError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      ApiKeyText.isWellFormed(text, digestText)
        ? admit({ digest: ApiKeyText.digestOf(text, digestText), kind, now })
        : Effect.fail(new InvalidApiKey())
    )

  const again = Effect.fnUntraced(function* ({ keyDigest, standing }: Principal) {
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.catchTag(admit({ digest: keyDigest, kind: standing, now }), "RequestRateLimited", Effect.die)
  })

  return {
    /** Lets the holder of a key in and counts the request, or says why not. */
    enter,
    /** Looks whether who was let in before they waited would still be, and as whom. Counts nothing. */
    again
  }
})

/** Lets the holder of a key in, or says why not. */
export class Access extends Context.Service<Access, Effect.Success<typeof make>>()("@tolem/core/Access") {
  /** Concurrent requests share statements. Nothing is cached: a deleted key is refused at once. */
  static readonly layer = Layer.effect(Access, make)
}

/** The key that may act, or why it may not. */
const admission = (
  holder: KeyHolder | undefined
): { readonly key: ApiKey; readonly denial: null } | { readonly key: null; readonly denial: Denial } => {
  if (holder === undefined) return { key: null, denial: new Unauthorized() }
  if (holder.ownerStatus === "blocked") return { key: null, denial: new AccountBlocked() }
  if (holder.organizationStatus === "archived") return { key: null, denial: new OrganizationInactive() }
  return { key: holder.key, denial: null }
}
