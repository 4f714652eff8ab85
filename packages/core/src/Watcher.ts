/**
 * A loop that claims rows that fall due and acts on each, for as long as its scope is open.
 *
 * There are no rounds that wait for their slowest job: the loop claims whenever a job may begin, and each job runs by
 * itself. Nothing ends the loop early: a failure, a defect or a lost database is logged and it goes on. Closing the
 * scope stops claiming at once and lets what runs finish (bounded); what was claimed and not finished falls due again
 * when its lease ends.
 */
import { type Cause, Clock, Deferred, Duration, Effect, Fiber, FiberSet, Random, type Scope } from "effect"

/** What a watcher does, and how often. */
export interface Options<Job, E, R> {
  /** For the log. */
  readonly name: string
  /** Longest wait between two claims. */
  readonly pollMs: number
  /** How long a claimed job is ours. Acting on one is cut off a tenth before it ends. */
  readonly leaseMs: number
  /** Jobs of one claim. */
  readonly batchSize: number
  /** Jobs that may run at once. */
  readonly atOnce: number
  /** How long a closing scope waits for running jobs. */
  readonly graceMs: number
  readonly claim: (now: number, until: number, limit: number) => Effect.Effect<ReadonlyArray<Job>, E, R>
  /** Acts on one job. Must be safe to repeat: a crash leaves its job to somebody else. */
  readonly act: (job: Job) => Effect.Effect<void, E, R>
}

/** How long to wait for a place when all are taken. */
const crowdedMs = 20

/** Starts the loop in the current scope. */
export const run = <Job, E, R>(options: Options<Job, E, R>): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const { batchSize, atOnce, leaseMs, pollMs } = options
    const stopping = yield* Deferred.make<void>()
    const jobs = yield* FiberSet.make<void>()
    let running = 0
    const log = (what: string) => (cause: Cause.Cause<unknown>) =>
      Effect.logError(`${options.name}: ${what} failed`, cause)

    const begin = (job: Job) => {
      running++
      const ended = Effect.sync(() => {
        running--
      })
      // A job that outlives its lease may be running elsewhere too, so it is cut off before that.
      const act = Effect.timeout(options.act(job), Duration.millis(leaseMs * 0.9))
      return FiberSet.run(jobs, Effect.ensuring(Effect.catchCause(act, log("job")), ended))
    }

    /** Claims once. Answers whether more may be due. */
    const claim = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const limit = Math.min(batchSize, atOnce - running)
      if (limit <= 0) return false
      const due = yield* options.claim(now, now + leaseMs, limit)
      yield* Effect.forEach(due, begin, { discard: true })
      return due.length === limit
    })

    const turn = Effect.gen(function* () {
      const more = yield* Effect.catchCause(claim, (cause) => Effect.as(log("claim")(cause), false))
      if (more) return yield* Effect.yieldNow
      // Jitter keeps several servers from asking in step.
      const share = yield* Random.nextBetween(0.8, 1)
      const waitMs = running >= atOnce ? Math.min(crowdedMs, pollMs) : pollMs * share
      yield* Effect.raceFirst(Deferred.await(stopping), Effect.sleep(Duration.millis(waitMs)))
    })

    const loop = yield* Effect.forkScoped(Effect.repeat(turn, { until: () => Deferred.isDoneUnsafe(stopping) }))
    // Registered after the forks, so it runs before their own interruption.
    yield* Effect.addFinalizer(() =>
      Deferred.succeed(stopping, undefined).pipe(
        Effect.andThen(Fiber.await(loop)),
        Effect.andThen(FiberSet.awaitEmpty(jobs)),
        Effect.timeoutOption(Duration.millis(options.graceMs))
      )
    )
  })
