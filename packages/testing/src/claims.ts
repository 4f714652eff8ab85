/** All that can be claimed of deliveries, as agents claim it: for every endpoint, and what was lost as well. */
import type { StorageError } from "@tolem/core/error/StorageError"
import type { Job } from "@tolem/core/webhook/Webhook"
import type { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"

/** What a test claims. `limit`: of each endpoint. `busy`: endpoints that nothing is claimed for. */
export interface Wanted {
  readonly now: number
  readonly until: number
  readonly limit?: number
  readonly lease?: string
  readonly busy?: ReadonlyArray<string>
}

/** Everything that is due, oldest first of each endpoint. */
export const claimDue = Effect.fnUntraced(function* (
  store: WebhookStore["Service"],
  { now, until, limit = 100, lease = "att_a", busy = [] }: Wanted
): Effect.fn.Return<ReadonlyArray<Job>, StorageError> {
  const { endpoints } = yield* store.due({ now, after: null, limit: 1000 })
  const free = endpoints.map(({ id }) => id).filter((id) => !busy.includes(id))
  const claim = { now, until, lease, asideMs: 3_600_000 }
  const fresh = yield* store.claim({ ...claim, endpoints: free, each: limit })
  const lost = yield* store.reclaim({ ...claim, limits: Array.from({ length: 10 }, () => limit) })
  return [...fresh, ...lost]
})
