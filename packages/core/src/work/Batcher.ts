/**
 * Group commit: concurrent calls of one verb share one write.
 *
 * The first caller's item goes out at once; whatever arrives while that write is in flight
 * forms the next batch. So an idle system adds no delay, a busy one amortises the commit,
 * and there is no timer to tune.
 *
 * What waits for the next batch waits in lines, one for each tenant, and a batch takes from them in turn: however much
 * one has brought, the first item of another is in the next batch but those that are under way.
 *
 * Why not `RequestResolver`: its batch runs as soon as its delay ends, also while the previous
 * batch is still in flight (more, smaller writes), and it runs in the context of the caller that
 * opened it, which includes that caller's open transaction. Here the writers are fibers of the
 * layer: they carry no caller's transaction, span or interruption.
 */
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Metric, Option, Queue, type Scope } from "effect"
import { family } from "../measure/Series.ts"
import * as FairLines from "./FairLines.ts"

/** What is written together, how much of it at once, and who is to blame when a write fails. */
export interface BatchOptions<In, Out, E, R> {
  /** What is written, for metrics. */
  readonly name: string
  /** Most items of one write. PostgreSQL takes 65 535 parameters, SQLite 32 766. */
  readonly maxSize: number
  /** Bytes after which a write takes no more items. By default only their number counts. */
  readonly maxBytes?: number
  /** What an item brings to them; see `maxBytes`. */
  readonly bytesOf?: (item: In) => number
  /** Writes in flight at once: 1 for SQLite (one writer), 2 to 4 for PostgreSQL. */
  readonly writers: number
  /** Items that may wait, half of them of one line alone; see `FairLines`. */
  readonly capacity: number
  /**
   * Turns of the event loop that a write waits for more items, unless it is full: on an idle machine no time at all, on
   * a busy one as long as what brings more items takes. Default 0.
   */
  readonly patience?: number
  /** Whose item it is: each has a line of its own. */
  readonly lineOf: (item: In) => string
  /** What an item is refused with whose line is full. */
  readonly full: () => E
  /** One write. Answers one exit per item, in order; if the write itself fails, every item fails. */
  readonly runAll: (items: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Exit.Exit<Out, E>>, E, R>
  /** Whether a failed write may be one item's fault; then its items are written one by one. */
  readonly isolate: (error: E) => boolean
}

const sizes = family(["batch"], (attributes) =>
  Metric.histogram("tolem_batch_items", {
    description: "Items that were written, or read, together",
    boundaries: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    attributes
  })
)

interface Call<In, Out, E> {
  readonly item: In
  readonly done: Deferred.Deferred<Out, E>
  /** Set when the caller went away before its write began; the item is then dropped unwritten. */
  abandoned: boolean
}

/** How long a closing scope waits for writes: a storage that never answers must not keep the process from ending. */
const drainMs = 5_000

/** See `make`. */
export interface Batcher<In, Out, E> {
  /** Writes one item and answers its outcome. */
  (item: In): Effect.Effect<Out, E>
  /** Writes items of one line in their order, and answers each one's outcome. All of them are refused, or none. */
  readonly all: (items: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Exit.Exit<Out, E>>, E>
}

/**
 * A function that answers each item's own outcome. Interrupting a caller drops its item if its
 * write has not begun, and otherwise only stops the waiting: the write goes on for the others.
 * Closing the scope refuses new calls, writes what waits, and then returns; what the storage has not
 * taken within five seconds is interrupted, as its callers are.
 */
export const make = <In, Out, E, R>(
  options: BatchOptions<In, Out, E, R>
): Effect.Effect<Batcher<In, Out, E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const lines = FairLines.make<Call<In, Out, E>>(options.capacity)
    const arrivals = yield* Queue.sliding<void, Cause.Done>(options.writers)
    let closed = false

    const settle = (calls: ReadonlyArray<Call<In, Out, E>>, exits: ReadonlyArray<Exit.Exit<Out, E>>) => {
      for (const [index, call] of calls.entries()) {
        Deferred.doneUnsafe(call.done, exits[index] ?? Exit.die(new Error("Batcher: no outcome for an item")))
      }
    }

    const write = (calls: ReadonlyArray<Call<In, Out, E>>): Effect.Effect<void, never, R> =>
      Effect.matchCauseEffect(
        Effect.suspend(() => options.runAll(calls.map((call) => call.item))),
        {
          onSuccess: (exits) => Effect.sync(() => settle(calls, exits)),
          onFailure: (cause) => {
            const error = Cause.findErrorOption(cause)
            // One bad item must not fail its neighbours. A lost connection is the fault of no item:
            // every caller learns of it, and decides by itself whether to ask again.
            return calls.length > 1 && Option.isSome(error) && options.isolate(error.value)
              ? Effect.forEach(calls, (call) => write([call]), { discard: true })
              : Effect.sync(() =>
                  settle(
                    calls,
                    calls.map(() => Exit.failCause(cause))
                  )
                )
          }
        }
      )

    const giveUp = (calls: ReadonlyArray<Call<In, Out, E>>) =>
      Effect.sync(() =>
        settle(
          calls,
          calls.map(() => Exit.interrupt())
        )
      )

    const size = sizes({ batch: options.name })
    const { maxSize, maxBytes = Number.POSITIVE_INFINITY, bytesOf = () => 0, patience = 0 } = options
    const nextBatch = (): ReadonlyArray<Call<In, Out, E>> => {
      const calls: Array<Call<In, Out, E>> = []
      let bytes = 0
      while (calls.length < maxSize && bytes < maxBytes) {
        const call = lines.take()
        if (call === undefined) return calls
        if (call.abandoned) continue
        calls.push(call)
        bytes += bytesOf(call.item)
      }
      return calls
    }

    const writeNext = Effect.withFiber((fiber) => {
      const calls = nextBatch()
      if (calls.length === 0) return Effect.void
      size.updateUnsafe(calls.length, fiber.context)
      return Effect.onInterrupt(write(calls), () => giveUp(calls))
    })
    // An arrival is told when it comes, and what it has brought may have been taken with an earlier one's.
    const turn = Effect.gen(function* () {
      if (lines.length() === 0) yield* Queue.take(arrivals)
      for (let turns = 0; turns < patience && lines.length() < maxSize; turns++) yield* Effect.yieldNow
      yield* writeNext
    })
    const writer = turn.pipe(
      Effect.forever,
      Effect.ignore // the only failure is `Done`: no more will come, and nothing waits
    )
    // Detached: no caller's interruption reaches a write, and the finalizer below waits for its end.
    const writers = yield* Effect.forEach(Array.from({ length: options.writers }), () => Effect.forkDetach(writer))
    const drain = Effect.suspend(() => {
      closed = true
      return Effect.andThen(Queue.end(arrivals), Fiber.awaitAll(writers))
    })
    const abandon = Effect.gen(function* () {
      yield* Fiber.interruptAll(writers)
      while (lines.length() > 0) yield* giveUp(nextBatch())
    })
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Effect.timeoutOption(drain, Duration.millis(drainMs)), (drained) =>
        Option.isSome(drained) ? Effect.void : abandon
      )
    )

    const enter = (line: string, calls: ReadonlyArray<Call<In, Out, E>>): Effect.Effect<void, E> => {
      if (closed) return Effect.interrupt
      if (!lines.add(line, calls)) return Effect.fail(options.full())
      Queue.offerUnsafe(arrivals, undefined)
      return Effect.void
    }
    const abandoning = (calls: ReadonlyArray<Call<In, Out, E>>) =>
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          for (const call of calls) call.abandoned = true
        })
      )
    const callOf = (item: In): Call<In, Out, E> => ({ item, done: Deferred.makeUnsafe(), abandoned: false })

    const one = (item: In): Effect.Effect<Out, E> =>
      Effect.suspend(() => {
        const call = callOf(item)
        return Effect.andThen(enter(options.lineOf(item), [call]), Deferred.await(call.done)).pipe(abandoning([call]))
      })
    const all = (items: ReadonlyArray<In>): Effect.Effect<ReadonlyArray<Exit.Exit<Out, E>>, E> =>
      Effect.suspend(() => {
        const [first] = items
        if (first === undefined) return Effect.succeed([])
        const calls = items.map(callOf)
        const outcomes = Effect.forEach(calls, (call) => Effect.exit(Deferred.await(call.done)))
        return Effect.andThen(enter(options.lineOf(first), calls), outcomes).pipe(abandoning(calls))
      })
    return Object.assign(one, { all })
  })
