/**
 * A loop that claims rows that fall due, acts on each, waits, for as long as its scope is open.
 *
 * Nothing ends it early: a failure, a defect or a lost database is logged and the next round comes. Closing the scope
 * stops claiming at once and lets what runs finish (bounded); what was claimed and not begun falls due again when its
 * lease ends.
 */
import { type Cause, Clock, Deferred, Duration, Effect, Fiber, Random, type Scope } from "effect"

/** What a watcher does, and how often. */
export interface Options<Job, E, R> {
  /** For the log. */
  readonly name: string
  /** Longest wait between two rounds. */
  readonly pollMs: number
  /** How long a claimed job is ours. Acting on one is cut off a tenth before it ends. */
  readonly leaseMs: number
  readonly batchSize: number
  /** How long a closing scope waits for running jobs. */
  readonly graceMs: number
  readonly claim: (now: number, until: number, limit: number) => Effect.Effect<ReadonlyArray<Job>, E, R>
  /** Acts on one job. Jobs of a round run at once. Must be safe to repeat: a crash leaves its job to somebody else. */
  readonly act: (job: Job) => Effect.Effect<void, E, R>
}

/** Starts the loop in the current scope. */
export const run = <Job, E, R>(options: Options<Job, E, R>): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const stopping = yield* Deferred.make<void>()
    const isStopping = () => Deferred.isDoneUnsafe(stopping)
    const log = (what: string) => (cause: Cause.Cause<unknown>) =>
      Effect.logError(`${options.name}: ${what} failed`, cause)

    // A job that outlives its lease may be running elsewhere too, so it is cut off before that.
    const act = (job: Job) =>
      options.act(job).pipe(Effect.timeout(Duration.millis(options.leaseMs * 0.9)), Effect.catchCause(log("job")))

    const round = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const jobs = yield* options.claim(now, now + options.leaseMs, options.batchSize)
      yield* Effect.forEach(jobs, act, { concurrency: "unbounded", discard: true })
      return jobs.length
    })

    const pause = Effect.gen(function* () {
      // Jitter keeps several servers from asking in step.
      const share = yield* Random.nextBetween(0.8, 1)
      yield* Effect.raceFirst(Deferred.await(stopping), Effect.sleep(Duration.millis(options.pollMs * share)))
    })

    const loop = round.pipe(
      Effect.catchCause((cause) => Effect.as(log("round")(cause), 0)),
      // A full batch means that more is due: ask again at once.
      Effect.flatMap((count) => (count === options.batchSize ? Effect.yieldNow : pause)),
      Effect.repeat({ until: isStopping })
    )

    const fiber = yield* Effect.forkScoped(loop)
    // Registered after the fork, so it runs before the fork's own interruption.
    yield* Effect.addFinalizer(() =>
      Deferred.succeed(stopping, undefined).pipe(
        Effect.andThen(Fiber.await(fiber)),
        Effect.timeoutOption(Duration.millis(options.graceMs))
      )
    )
  })
