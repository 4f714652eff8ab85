/**
 * A loop that claims rows that fall due and acts on each, for as long as its scope is open.
 *
 * There are no rounds that wait for their slowest job: the loop claims whenever a job may begin, and each job runs by
 * itself. Nothing ends the loop early: a failure, a defect or a lost database is logged and it goes on. Closing the
 * scope stops claiming at once and lets what runs finish (bounded); what was claimed and not finished falls due again
 * when its lease ends.
 */
import { type Cause, Clock, Deferred, Duration, Effect, Fiber, FiberSet, Random, type Scope } from "effect"
import * as AgentRuns from "../measure/AgentRuns.ts"
import type { Among, LookAtWaiting, Tenant } from "../value/Tenant.ts"
import * as Shares from "./Shares.ts"

/** What a watcher does, and how often. */
export interface WatchOptions<Job, E, R> {
  /** For the log and metrics. */
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
  readonly claim: (now: number, until: number, limit: number, among?: Among) => Effect.Effect<ReadonlyArray<Job>, E, R>
  /**
   * How tenants share: whose a job is, and a look at who has something due. As long as claims take all that is due,
   * the oldest goes first; once there is more, the tenants are served in turn until nothing waits.
   */
  readonly fair?: {
    readonly tenantOf: (job: Job) => Tenant
    readonly waiting: LookAtWaiting<E>
  }
  /** Acts on one job. Must be safe to repeat: after a crash another agent does its job. */
  readonly act: (job: Job) => Effect.Effect<void, E, R>
}

/** How long to wait for a place when all that may be are taken. */
const crowdedMs = 20
/** Longest wait for the next look at who waits, while all who do have their shares. */
const lookMs = 1000

/** The tenant of jobs that are not shared out. */
const everybody: Tenant = { organizationId: "", mode: "live" }

/** Starts the loop in the current scope. */
export const run = <Job, E, R>(options: WatchOptions<Job, E, R>): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const { name, batchSize, atOnce, leaseMs, pollMs, fair } = options
    const stopping = yield* Deferred.make<void>()
    const jobs = yield* FiberSet.make<void>()
    const shares = Shares.make(atOnce)
    const tenantOf = (job: Job) => fair?.tenantOf(job) ?? everybody
    /** More is due than a claim takes, or one has more than its share; where the next look at who waits begins. */
    let crowded = false
    let after = ""
    /** All who wait have their shares: who else does is looked at then, or once a job has ended. */
    let lookAt = 0
    /** A job waits for a place. */
    let blocked = false
    const log = (what: AgentRuns.AgentWork) => (cause: Cause.Cause<unknown>) =>
      Effect.logError(`${name}: ${what} failed`, cause)
    const jobFailed = (cause: Cause.Cause<unknown>) => Effect.andThen(AgentRuns.failed(name, "job"), log("job")(cause))

    // A job that outlives its lease may be running elsewhere too, so it is cut off before that. The lease began with
    // the claim, however much later a server that stood still hears of it.
    const begin = Effect.fnUntraced(function* (job: Job, claimedAt: number) {
      const leftMs = claimedAt + leaseMs * 0.9 - (yield* Clock.currentTimeMillis)
      if (leftMs <= 0) return
      const tenant = tenantOf(job)
      shares.enter(tenant)
      const ended = Effect.sync(() => {
        shares.leave(tenant)
        lookAt = 0
      })
      const act = Effect.timeout(options.act(job), Duration.millis(leftMs))
      yield* FiberSet.run(jobs, Effect.ensuring(Effect.catchCause(act, jobFailed), ended))
    })

    const claimOldest = Effect.fnUntraced(function* (now: number) {
      const limit = Math.min(batchSize, fair === undefined ? atOnce - shares.running() : shares.room())
      blocked = limit <= 0
      if (blocked) return false
      const due = yield* options.claim(now, now + leaseMs, limit)
      yield* Effect.forEach(due, (job) => begin(job, now), { discard: true })
      crowded = fair !== undefined && (due.length >= limit || shares.isTight())
      return due.length >= limit
    })

    const claimInTurn = Effect.fnUntraced(function* (now: number, waiting: LookAtWaiting<E>) {
      blocked = shares.running() >= atOnce || now < lookAt
      if (blocked) return false
      const from = after
      const { tenants, next } = yield* waiting(now, from)
      after = next ?? ""
      if (tenants.length === 0) {
        const isRound = from === "" && next === null
        if (isRound) shares.rest()
        crowded = !isRound || shares.isTight()
        return !isRound
      }
      const among = shares.choose(tenants, batchSize)
      blocked = among === undefined
      if (among === undefined) {
        if (from === "" && next === null) lookAt = now + Math.min(pollMs, lookMs)
        return next !== null
      }
      const due = yield* options.claim(now, now + leaseMs, among.tenants.length * among.each, among)
      yield* Effect.forEach(due, (job) => begin(job, now), { discard: true })
      return due.length > 0
    })

    /** Claims once. Answers whether more may be due. */
    const claim = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      crowded && fair !== undefined ? claimInTurn(now, fair.waiting) : claimOldest(now)
    ).pipe(AgentRuns.observed(name, "claim", pollMs))

    const turn = Effect.gen(function* () {
      const more = yield* Effect.catchCause(claim, (cause) => Effect.as(log("claim")(cause), false))
      if (more) return yield* Effect.yieldNow
      // Jitter keeps several servers from asking in step. Whole: the clock of a test is where a sleep ends.
      const share = yield* Random.nextBetween(0.8, 1)
      const waitMs = blocked ? Math.min(crowdedMs, pollMs) : Math.round(pollMs * share)
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
