/** A system of a merchant that reads the feed all the while, through whichever server answers, and what comes of it. */
import type { Engine } from "@tolem/core/engine/Engine"
import { cursorText } from "@tolem/core/feed/Cursor"
import type { FeedPart } from "@tolem/core/feed/FeedStore"
import type { InvoiceDetail } from "@tolem/core/invoice/InvoiceStore"
import type { EventId } from "@tolem/core/value/Ids"
import { type Tenant, tenantKey } from "@tolem/core/value/Tenant"
import { Effect } from "effect"
import type { Cluster } from "./Cluster.ts"

/** What a follower has seen, and the cursor behind it. */
export interface Followed {
  readonly events: ReadonlyArray<EventId>
  readonly after: string | null
}

/** What followers have seen, by whose feed it is. */
export type FollowedFeeds = Map<string, Followed>

const nothing: Followed = { events: [], after: null }

const viewerOf = ({ organizationId, mode }: Tenant) => ({ organizationId, mode, connectionId: null })

const withPart = (tenant: Tenant, { events }: Followed, part: FeedPart): Followed => ({
  events: [...events, ...part.entries.map(({ event }) => event.id)],
  after: cursorText(tenant, part.cursor)
})

/** Reads on until the trouble is over. An answer that is lost is asked for again, from the same place. */
export const follow = (cluster: Cluster, feeds: FollowedFeeds, tenant: Tenant): Effect.Effect<void> => {
  const { world } = cluster
  const { simulation } = world
  const step = Effect.gen(function* () {
    const seen = feeds.get(tenantKey(tenant)) ?? nothing
    const request = { after: seen.after, limit: simulation.between(1, 8), wait: simulation.between(0, 1) }
    const heard = yield* cluster
      .anyServer()
      ?.call(({ feed }) =>
        Effect.flatMap(feed.awaited(viewerOf(tenant), request), (from) => feed.page(viewerOf(tenant), from))
      ) ?? Effect.succeed("nothing" as const)
    if (heard !== "nothing" && heard._tag === "Success") {
      feeds.set(tenantKey(tenant), withPart(tenant, seen, heard.value))
    }
    yield* Effect.sleep(simulation.between(1, 4000))
  })
  return Effect.asVoid(Effect.repeat(step, { until: () => world.calmed }))
}

/** Reads the rest of what a follower has begun with, and the whole anew. */
export const readFeed = Effect.fnUntraced(function* (
  { feed }: Engine["Service"],
  tenant: Tenant,
  begun: Followed = nothing
) {
  let seen = begun
  while (true) {
    const part = yield* feed.page(viewerOf(tenant), { after: seen.after, limit: 50 })
    seen = withPart(tenant, seen, part)
    if (!part.more) return seen.events
  }
})

/** A feed as its follower has seen it to the end, and as it is read at once. */
export interface FoundFeed {
  readonly tenant: Tenant
  readonly followed: ReadonlyArray<EventId>
  readonly whole: ReadonlyArray<EventId>
}

/** Every committed event is there once, an invoice's in their order, and for all readers alike. */
export const brokenFeed = (
  { tenant, followed, whole }: FoundFeed,
  details: ReadonlyArray<InvoiceDetail>
): ReadonlyArray<string> => {
  const name = tenantKey(tenant)
  const own = details.filter(({ invoice }) => tenantKey(invoice) === name)
  const events = new Map(own.flatMap((detail) => detail.events.map((event) => [event.id, event] as const)))
  const places = new Map(whole.map((id, place) => [id, place]))
  const missing = [...events.keys()].filter((id) => !places.has(id))
  const unordered = own.filter((detail) =>
    detail.events.some(({ id }, index) => {
      const before = detail.events[index - 1]
      return before !== undefined && (places.get(before.id) ?? 0) > (places.get(id) ?? 0)
    })
  )
  return [
    ...missing.map((id) => `feed of ${name}: ${id} is missing`),
    ...whole.filter((id) => !events.has(id)).map((id) => `feed of ${name}: ${id} was never committed`),
    ...(places.size < whole.length ? [`feed of ${name}: an event is there twice`] : []),
    ...unordered.map(({ invoice }) => `feed of ${name}: the events of ${invoice.id} are out of order`),
    ...(followed.join() === whole.join() ? [] : [`feed of ${name}: who followed it has seen it differently`])
  ]
}
