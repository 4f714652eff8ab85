/** Use-cases of the feed: its pages, and waiting for what is new. Callers are already authorised; see `Access`. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { Viewer } from "../value/Tenant.ts"
import { cursorText } from "./Cursor.ts"
import { checkFeed, type FeedRequest } from "./FeedRequests.ts"
import { FeedSettings } from "./FeedSettings.ts"
import { type FeedQuery, FeedStore } from "./FeedStore.ts"
import * as FeedWatch from "./FeedWatch.ts"

const make = Effect.gen(function* () {
  const store = yield* FeedStore
  const settings = yield* FeedSettings
  const watch = yield* FeedWatch.make
  const { placedAtOnce, writesOfPage } = settings.feed

  /** Reads after what was committed has its place. More may wait for one than a page has the time for. */
  const read = Effect.fnUntraced(function* (query: FeedQuery) {
    let waits = true
    for (let count = 0; waits && count < writesOfPage; count++) {
      waits = yield* store.place(query.organizationId, placedAtOnce)
    }
    const part = yield* store.read(query)
    return { ...part, more: part.more || waits }
  })

  const page = Effect.fn("Feed.page")(function* (viewer: Viewer, request: FeedRequest) {
    const { query } = yield* Effect.fromResult(checkFeed(viewer, request, settings))
    return yield* read(query)
  })

  const awaited = Effect.fn("Feed.awaited")(function* (viewer: Viewer, request: FeedRequest) {
    const { query, waitMs } = yield* Effect.fromResult(checkFeed(viewer, request, settings))
    const endsAt = (yield* Clock.currentTimeMillis) + waitMs
    let from = request
    // One is enough to know that there are some, however large.
    let next: FeedQuery = { ...query, limit: 1 }
    while (true) {
      const { entries, cursor, more } = yield* read(next)
      const leftMs = endsAt - (yield* Clock.currentTimeMillis)
      if (entries.length > 0) return from
      from = { ...request, after: cursorText(viewer, cursor) }
      if (leftMs <= 0) return from
      next = { ...next, start: { after: cursor } }
      if (more) {
        // A long way to something that is seldom: others have their turn between two reads.
        yield* Effect.yieldNow
        continue
      }
      const wait = watch({ ...query, position: cursor.position })
      yield* Effect.timeoutOption(wait, Duration.millis(leftMs))
    }
  })

  return {
    /**
     * The events behind a place. Its cursor is the next page's `after`, whenever that is asked for: what is committed
     * later comes behind it. Events that are not of the viewer's cashier are left out.
     */
    page,
    /**
     * Waits for the first event that the request asks for, at most as long as it says. Answers the request to read
     * with: from a place behind all that it does not ask for.
     */
    awaited
  }
})

/** What a merchant reads of the feed: every event of an organization and mode once, in the order of commits. */
export class Feed extends Context.Service<Feed, Effect.Success<typeof make>>()("@tolem/core/Feed") {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Feed, make)
}
