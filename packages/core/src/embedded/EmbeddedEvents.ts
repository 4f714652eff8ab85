/** The feed of events of an embedded engine: a page at a time, or one event after another, for ever. */
import { Effect } from "effect"
import type { Engine } from "../engine/Engine.ts"
import { type FeedEventObject, feedPageObject } from "../feed/FeedJson.ts"
import type { FeedOptions } from "../feed/FeedRequests.ts"
import type { Viewer } from "../value/Tenant.ts"
import type { RunPromise } from "./Faces.ts"

/** What is read, and whether the reader stays for what is to come. */
export interface EventsOptions extends FeedOptions {
  /** Whether to wait for new events, for ever. False: the iterator ends with the last event. Default true. */
  readonly follow?: boolean | undefined
  /** Ends the iterator, also while it waits. One that follows ends with its engine too. */
  readonly signal?: AbortSignal | undefined
}

/** Events behind a place: to be iterated over, or read a page at a time. */
export interface EmbeddedEvents extends AsyncIterable<FeedEventObject> {
  /** The next `limit` events, as `GET /events` answers them. `cursor` is the next page's `after`. */
  readonly page: () => Promise<FeedPageObject>
}

type FeedPageObject = ReturnType<typeof feedPageObject>

/** Reads the events of one organization and mode; each carries the cursor behind it, to go on from another time. */
export const eventsOf =
  ({ feed, settings }: Engine["Service"], viewer: Viewer, run: RunPromise, closing: AbortSignal) =>
  ({ follow = true, signal, ...options }: EventsOptions = {}): EmbeddedEvents => {
    const show = (request: Parameters<typeof feed.page>[1]) =>
      Effect.map(feed.page(viewer, request), (part) => feedPageObject(viewer, part, settings))
    const request = (after: EventsOptions["after"]) => ({ ...options, after })
    // One that does not follow would seem complete.
    const stop = AbortSignal.any([...(signal === undefined ? [] : [signal]), ...(follow ? [closing] : [])])
    const stopped = aborted(stop)
    const waiting = (after: EventsOptions["after"]) => {
      const wait = Math.floor(settings.feed.maxWaitMs / 1000)
      return Effect.flatMap(feed.awaited(viewer, { ...request(after), wait }), show)
    }
    return {
      page: () => run(show(request(options.after))),
      async *[Symbol.asyncIterator]() {
        let after = options.after
        do {
          const page = await run(Effect.raceFirst(stopped, follow ? waiting(after) : show(request(after))))
          if (page === null) return
          for (const event of page.events) {
            yield event
            if (stop.aborted) return
          }
          after = page.cursor
          if (!follow && !page.more) return
        } while (!stop.aborted)
      }
    }
  }

/** Ends with null when the signal says so. */
const aborted = (signal: AbortSignal): Effect.Effect<null> =>
  Effect.callback((resume) => {
    const stop = () => resume(Effect.succeed(null))
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", stop))
  })
