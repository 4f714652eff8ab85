/** Secrets of endpoints: sealed in the database, opened on the way out, the opened ones kept at hand. */
import { SecretBox } from "@tolem/core/secret/SecretBox"
import type { EndpointId } from "@tolem/core/value/Ids"
import type { Endpoint } from "@tolem/core/webhook/Webhook"
import { Effect, type Redacted } from "effect"
import { type EndpointRow, endpointTable } from "./EndpointRow.ts"

// Enough for every endpoint of a busy server; an entry is some 300 bytes.
const maxOpened = 10_000

/** The secrets over the box. */
export const make = Effect.gen(function* () {
  const box = yield* SecretBox
  const opened = new Map<string, Redacted.Redacted>()

  const remember = (key: string, secret: Redacted.Redacted) => {
    const oldest = opened.size >= maxOpened ? opened.keys().next().value : undefined
    if (oldest !== undefined) opened.delete(oldest)
    opened.set(key, secret)
  }

  const seal = (endpointId: EndpointId, secret: Redacted.Redacted) =>
    Effect.tap(box.seal(secret, endpointId), (sealed) =>
      Effect.sync(() => remember(cacheKey(endpointId, sealed), secret))
    )

  const openOne = (endpointId: EndpointId, sealed: string) =>
    Effect.suspend(() => {
      const known = opened.get(cacheKey(endpointId, sealed))
      if (known !== undefined) return Effect.succeed(known)
      return Effect.tap(box.open(sealed, endpointId), (secret) =>
        Effect.sync(() => remember(cacheKey(endpointId, sealed), secret))
      )
    })

  const sealAll = Effect.fnUntraced(function* (endpoint: Endpoint) {
    const { id, secret, previousSecret } = endpoint
    return {
      ...endpoint,
      secret: yield* seal(id, secret),
      previousSecret: previousSecret === null ? null : yield* seal(id, previousSecret.secret),
      previousSecretUntil: previousSecret?.until ?? null
    }
  })

  /** The endpoint of a row. Fails if its secret was sealed with a key that is not configured. */
  const open = Effect.fnUntraced(function* (row: EndpointRow) {
    const { previousSecretUntil: until, ...sealed } = endpointTable.decode(row)
    const secret = yield* openOne(row.id, sealed.secret)
    const { previousSecret: previous } = sealed
    const previousSecret =
      previous === null || until === null ? null : { secret: yield* openOne(row.id, previous), until }
    return { ...sealed, secret, previousSecret }
  })

  return { seal, sealAll, open }
})

/** Seals and opens the secrets of one endpoint. */
export interface WebhookSecrets extends Effect.Success<typeof make> {}

// The sealed text alone is not enough: it opens for its own endpoint only, and must not be found for another.
const cacheKey = (endpointId: EndpointId, sealed: string): string => `${endpointId} ${sealed}`
