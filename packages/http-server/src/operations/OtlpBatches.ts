/** Batches of what a collector is sent: bounded, one under way at a time, and lost rather than waited for. */
import { Effect, Metric, Schedule, type Scope, Semaphore } from "effect"
import { type HttpBody, HttpClient, HttpClientRequest } from "effect/http"

/** How batches are made and sent. */
export interface BatchOptions<Item> {
  readonly signal: "traces" | "logs"
  readonly url: string
  readonly client: HttpClient.HttpClient
  readonly encode: (items: ReadonlyArray<Item>) => HttpBody.HttpBody
}

/** How much waits at most; what comes beyond it is lost, and counted. */
const maxItems = 4_096

const intervalMs = 2_000

/** As of metrics: how often a batch is repeated, how long after the last try, and how long there is rest then. */
const [repetitions, pauseMs, restMs] = [3, 1_000, 60_000]

/** How long the last batch may take when the server stops. */
const lastMs = 800

const dropped = (signal: string) =>
  Metric.counter("tolem_telemetry_dropped_total", {
    description: "Spans and lines of the log that were lost because the collector was away, slow or overrun",
    incremental: true,
    attributes: { signal }
  })

/**
 * Answers what takes an item at once. They are sent every two seconds for as long as the scope is open, and once at its
 * end. Memory is bounded whatever the collector does: 4,096 items wait, and as many are under way.
 */
export const make = Effect.fnUntraced(function* <Item>({
  signal,
  url,
  client,
  encode
}: BatchOptions<Item>): Effect.fn.Return<(item: Item) => void, never, Scope.Scope> {
  const lost = dropped(signal)
  let items: Array<Item> = []
  /** What the collector was sent, or is sent again, until it takes it. */
  let underWay: ReadonlyArray<Item> = []
  /** Items that have found no room since that was last counted. */
  let overrun = 0
  const oneAtATime = Semaphore.makeUnsafe(1).withPermit

  const take = () => {
    const taken = items
    items = []
    return taken
  }

  const post = Effect.suspend(() =>
    underWay.length === 0
      ? Effect.void
      : HttpClient.filterStatusOk(client)
          .execute(HttpClientRequest.setBody(HttpClientRequest.post(url), encode(underWay)))
          .pipe(Effect.tap(() => Effect.sync(() => (underWay = []))))
  )

  const drop = (count: number) => (count === 0 ? Effect.void : Metric.update(lost, count))

  const count = Effect.suspend(() => {
    const found = overrun
    overrun = 0
    return drop(found)
  })

  const giveUp = Effect.suspend(() => {
    const { length } = underWay
    underWay = []
    return drop(length)
  })

  const turn = Effect.suspend(() => {
    underWay = take()
    const sent = Effect.retry(oneAtATime(post), { times: repetitions, schedule: Schedule.spaced(pauseMs) })
    return Effect.catchCause(sent, () => Effect.andThen(giveUp, rest))
  })

  // What is measured meanwhile would be old by then.
  const rest = Effect.andThen(
    Effect.sleep(restMs),
    Effect.suspend(() => drop(take().length))
  )

  // Behind the batch that is under way: if that is taken, it is not sent again.
  const last = oneAtATime(
    Effect.suspend(() => {
      underWay = [...underWay, ...take()]
      return Effect.ignore(post)
    })
  ).pipe(Effect.timeoutOption(lastMs))

  // A collector that hangs holds up batches, and not what is known of them.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(intervalMs), count)))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(intervalMs), turn)))
  // Registered after the fork, so it runs before that is interrupted.
  yield* Effect.addFinalizer(() => Effect.interruptible(last))

  return (item) => {
    if (items.length < maxItems) items.push(item)
    else overrun++
  }
}, Effect.withTracerEnabled(false))
