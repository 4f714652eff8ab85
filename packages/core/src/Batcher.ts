/**
 * Group commit: concurrent calls of one verb share one write.
 *
 * The first caller's item goes out at once; whatever arrives while that write is in flight
 * forms the next batch. So an idle system adds no delay, a busy one amortises the commit,
 * and there is no timer to tune.
 *
 * Why not `RequestResolver`: its batch runs as soon as its delay ends, also while the previous
 * batch is still in flight (more, smaller writes), and it runs in the context of the caller that
 * opened it, which includes that caller's open transaction. Here the writers are fibers of the
 * layer: they carry no caller's transaction, span or interruption.
 */
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Option, Queue, type Scope } from "effect"

/** What is written together, how much of it at once, and who is to blame when a write fails. */
export interface Options<In, Out, E, R> {
  /** Most items of one write. PostgreSQL takes 65 535 parameters, SQLite 32 766. */
  readonly maxSize: number
  /** Writes in flight at once: 1 for SQLite (one writer), 2 to 4 for PostgreSQL. */
  readonly writers: number
  /** Items that may wait; beyond it callers wait for a place (back-pressure, not memory). */
  readonly capacity: number
  /** One write. Answers one exit per item, in order; an own failure is the failure of every item. */
  readonly runAll: (items: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Exit.Exit<Out, E>>, E, R>
  /** Whether a failed write may be one item's fault; then its items are written one by one. */
  readonly isolate: (error: E) => boolean
}

interface Call<In, Out, E> {
  readonly item: In
  readonly done: Deferred.Deferred<Out, E>
  /** Set when the caller went away before its write began; the item is then dropped unwritten. */
  abandoned: boolean
}

/** How long a closing scope waits for writes: a storage that never answers must not keep the process from ending. */
const drainMs = 5_000

/**
 * A function that answers each item's own outcome. Interrupting a caller drops its item if its
 * write has not begun, and otherwise only stops the waiting: the write goes on for the others.
 * Closing the scope refuses new calls, writes what waits, and then returns; what the storage has not
 * taken within five seconds is interrupted, as its callers are.
 */
export const make = <In, Out, E, R>(
  options: Options<In, Out, E, R>
): Effect.Effect<(item: In) => Effect.Effect<Out, E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const queue = yield* Queue.bounded<Call<In, Out, E>, Cause.Done>(options.capacity)

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
            // One bad item must not fail its neighbours. A lost connection is nobody's fault:
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

    const writer = Queue.takeBetween(queue, 1, options.maxSize).pipe(
      Effect.flatMap((taken) => {
        const calls = taken.filter((call) => !call.abandoned)
        return calls.length === 0 ? Effect.void : Effect.onInterrupt(write(calls), () => giveUp(calls))
      }),
      Effect.forever,
      Effect.ignore // the only failure is `Done`: the queue has ended and is empty
    )
    // Detached: nobody's interruption reaches a write, and the finalizer below waits for its end.
    const writers = yield* Effect.forEach(Array.from({ length: options.writers }), () => Effect.forkDetach(writer))
    const drain = Effect.andThen(Queue.end(queue), Fiber.awaitAll(writers))
    const abandon = Effect.gen(function* () {
      yield* Fiber.interruptAll(writers)
      yield* giveUp(yield* Queue.clear(queue))
    })
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Effect.timeoutOption(drain, Duration.millis(drainMs)), (drained) =>
        Option.isSome(drained) ? Effect.void : abandon
      )
    )

    return (item) =>
      Effect.suspend(() => {
        const call: Call<In, Out, E> = { item, done: Deferred.makeUnsafe(), abandoned: false }
        return Effect.flatMap(Queue.offer(queue, call), (accepted) =>
          accepted ? Deferred.await(call.done) : Effect.interrupt
        ).pipe(
          Effect.onInterrupt(() =>
            Effect.sync(() => {
              call.abandoned = true
            })
          )
        )
      })
  })
