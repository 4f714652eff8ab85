/**
 * Agent: sends deliveries that are due, for as long as its layer is open. Any number of servers may run it on one
 * database.
 *
 * There are no rounds that wait for their slowest job: a loop claims whenever an attempt may begin, another one for
 * those who are named while a look at all endpoints would come late, each job runs by itself, and settlements of
 * concurrent jobs share a write. Nothing ends the loops early: failures and defects of the store and the sender are
 * logged. A claim counts as a start until its attempt ends: what ends servers again and again is given up. Closing the
 * layer finishes what runs (bounded) and gives back what has not begun.
 */
import { type Cause, Clock, Duration, Effect, Fiber, FiberSet, Layer } from "effect"
import type { Mac } from "effect/crypto"
import * as AgentRuns from "../../measure/AgentRuns.ts"
import { Ids } from "../../value/Ids.ts"
import { Hints } from "../../work/Hints.ts"
import { ProcessEnd } from "../../work/ProcessEnd.ts"
import type { Job } from "../Webhook.ts"
import { type WebhookLimits, WebhookSettings } from "../WebhookSettings.ts"
import { AttemptOutcome, type DeliveryClaim, WebhookStore } from "../WebhookStore.ts"
import { attemptAt, factsOf } from "./Attempts.ts"
import { count, gauge, report } from "./DispatchReports.ts"
import { isPaused } from "./EndpointHealth.ts"
import type { ClaimedJob } from "./Lanes.ts"
import * as Lanes from "./Lanes.ts"
import * as Looks from "./Looks.ts"
import * as Settlements from "./Settlements.ts"
import * as StartQueue from "./StartQueue.ts"
import type { WebhookSender } from "./WebhookSender.ts"

/** How long a closing layer waits for attempts that run; the server has ten seconds in all. */
const stopGraceMs = 3_000

/** What an attempt may take beyond its deadline: to be settled, while its claim still holds. */
const marginMs = 2_000

/** How long a closing layer waits for claims to be given back. */
const releaseGraceMs = 1_000

/** Runs the agent for as long as the layer lives. */
export const layer: Layer.Layer<never, never, WebhookStore | WebhookSender | Ids | Hints | Mac.Mac> =
  Layer.effectDiscard(Effect.suspend(() => start))

const start = Effect.gen(function* () {
  const store = yield* WebhookStore
  const ids = yield* Ids
  const hints = yield* Hints
  const settings = yield* WebhookSettings
  const policy = settings.webhook
  const { attemptMs, leaseMs } = timesOf(policy)
  const lanes = lanesOf(policy)
  const unsettled = new Set<ClaimedJob>()
  /** Jobs that were started before, until they end. */
  const restarted = new Set<Job>()
  const startQueue = yield* StartQueue.make(lanes)
  const looks = yield* Looks.times(policy)
  const beganAt = yield* Clock.currentTimeMillis
  let stopping = false
  const settle = yield* Settlements.make
  const fibers = yield* FiberSet.make<void>()
  const release = (claimed: ReadonlyArray<ClaimedJob>, dueAt: number) =>
    Effect.suspend(() => {
      const jobs = claimed.map(({ job }) => job)
      for (const job of jobs) restarted.delete(job)
      return jobs.length === 0 ? Effect.void : Effect.catchCause(store.release(jobs, dueAt), log("release"))
    })

  const act = Effect.fnUntraced(function* (claimed: ClaimedJob) {
    const { job, until } = claimed
    const now = yield* Clock.currentTimeMillis
    // A server that stood still hears late of its claim: another one may have it by now, and be further.
    if (until < now + attemptMs) return yield* release([claimed], now)
    const { attempt, delivered } = yield* attemptAt(job)
    const endedAt = attempt.startedAt + attempt.durationMs
    const outcome =
      attempt.error === "unfinished"
        ? AttemptOutcome.Failed({ pauseUntil: null })
        : lanes.judge(job, delivered, endedAt, policy)
    startQueue.ended(job.endpoint.mode, delivered, endedAt)
    yield* count(outcome)
    yield* report(job, attempt, outcome)
    // Its endpoint has its next one while this one is written down. One that rests is given back once that is known.
    const goesOn = !stopping && lanes.pausedUntil(job.endpoint.id, endedAt) === null
    if (goesOn) yield* Effect.forEach(lanes.ended(job), begin, { discard: true })
    const held = yield* settle({ job, attempt, outcome }, until)
    if (!held) yield* Effect.logWarning("WebhookDispatcher: claim lost").pipe(Effect.annotateLogs(factsOf(job)))
  })

  const leave = Effect.fnUntraced(function* (claimed: ClaimedJob) {
    const { job } = claimed
    unsettled.delete(claimed)
    restarted.delete(job)
    const now = yield* Clock.currentTimeMillis
    const all = stopping || lanes.pausedUntil(job.endpoint.id, now) !== null
    const resting = all ? lanes.takeWaiting(({ job: { endpoint } }) => endpoint.id === job.endpoint.id) : []
    const late = [...resting, ...lanes.takeLate(now + attemptMs)]
    yield* release(late, now)
    const wasSound = lanes.wasSound(job)
    const next = lanes.leave(job)
    yield* gauge(lanes.running())
    yield* Effect.forEach(next, begin, { discard: true })
    // More may be due at its endpoint, also an event of the same invoice that waited for this one.
    const isLow = lanes.isLow(job.endpoint.id)
    if (late.length > 0 || claims.isPlaceFree() || (isLow && !claims.isLong())) {
      yield* looks.freed(wasSound || lanes.isSound(job.endpoint.id))
    } else if (isLow) yield* hints.moreDue(job.endpoint)
  })

  const jobFailed = (cause: Cause.Cause<unknown>) =>
    Effect.andThen(AgentRuns.failed("WebhookDispatcher", "job"), log("job")(cause))

  const begin = (claimed: ClaimedJob): Effect.Effect<void> => {
    unsettled.add(claimed)
    return Effect.andThen(gauge(lanes.running()), startQueue.add(claimed))
  }

  const run = (claimed: ClaimedJob) =>
    FiberSet.run(fibers, Effect.andThen(Effect.catchCause(act(claimed), jobFailed), leave(claimed)))
  yield* Effect.forkScoped(Effect.forever(beginSome(startQueue.take, run)))

  const probe = Effect.fnUntraced(function* (group: ReadonlyArray<ClaimedJob>, pausedUntil: number, now: number) {
    const [first, ...others] = group
    // Nothing of it has begun if that fails: no start counts, and none is held as one that was started again.
    const won = yield* store
      .takeProbe(first!.job.endpoint.id, pausedUntil, now + attemptMs)
      .pipe(Effect.tapCause(() => release(group, now + attemptMs)))
    yield* release(won ? others : group, now)
    // Until it has ended the pause goes on, for this process as for all others.
    if (won) yield* Effect.forEach(lanes.enter([first!]), begin, { discard: true })
  })

  const admit = Effect.fnUntraced(function* (group: ReadonlyArray<ClaimedJob>) {
    const now = yield* Clock.currentTimeMillis
    const { endpoint } = group[0]!.job
    if (stopping || isPaused(endpoint, now) || lanes.pausedUntil(endpoint.id, now) !== null) {
      return yield* release(group, now)
    }
    if (endpoint.pausedUntil !== null) return yield* probe(group, endpoint.pausedUntil, now)
    yield* Effect.forEach(lanes.enter(group), begin, { discard: true })
  })

  const admitAll = (jobs: ReadonlyArray<Job>, until: number) => {
    const groups = Map.groupBy(
      jobs.map((job): ClaimedJob => ({ job, until })),
      ({ job }) => job.endpoint.id
    )
    return Effect.forEach(groups.values(), (group) => Effect.catchCause(admit(group), log("admission")), {
      discard: true
    })
  }

  const term = Effect.fnUntraced(function* (): Effect.fn.Return<DeliveryClaim> {
    const now = yield* Clock.currentTimeMillis
    return { now, until: now + leaseMs, lease: yield* ids.next("att"), asideMs: policy.asideMs }
  })

  const claims = Looks.claims({ store, policy, lanes, release, admit: admitAll, term, isStopping: () => stopping })

  /** Starts again what was started, here or by another server that has ended before its attempt did. */
  const restart = Effect.fnUntraced(function* () {
    const request = yield* term()
    const under = (starts: number) => [...restarted].filter((job) => job.starts === starts + 1).length
    const isCalm = request.now >= beganAt + policy.calmMs
    const limits = policy.restarts.map((limit, index) =>
      index === 0 || isCalm ? Math.max(0, limit - under(index + 1)) : 0
    )
    const jobs = yield* store.reclaim({ ...request, limits })
    if (jobs.length === 0) return
    yield* Effect.logWarning("WebhookDispatcher: deliveries are started again").pipe(
      Effect.annotateLogs({ count: jobs.length })
    )
    for (const job of jobs) restarted.add(job)
    yield* admitAll(jobs, request.until)
  })

  const turn = Effect.gen(function* () {
    const claimed = AgentRuns.observed("WebhookDispatcher", "claim", policy.pollMs)(claims.next)
    const more = yield* Effect.catchCause(claimed, (cause) => Effect.as(log("claim")(cause), false))
    if (more) return yield* Effect.yieldNow
    yield* looks.next
  })

  const named = Effect.flatMap(hints.awaitNamed, (of) => (claims.isBusy() ? claims.named(of, looks.told) : looks.told))
  const lookAtAll = (cause: Cause.Cause<unknown>) => Effect.andThen(log("claim")(cause), looks.told)
  yield* Effect.forkScoped(Effect.forever(Effect.catchCause(named, lookAtAll)))
  const restarts = Effect.andThen(Effect.catchCause(restart(), log("restart")), Effect.sleep(policy.pollMs))
  yield* Effect.forkScoped(Effect.repeat(restarts, { until: () => stopping }))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(hints.awaitDeliveries, looks.told)))
  const loop = yield* Effect.forkScoped(Effect.repeat(turn, { until: () => stopping }))

  const stop = Effect.gen(function* () {
    stopping = true
    yield* looks.told
    yield* Fiber.await(loop)
    // What a look by name has claimed is taken in by then, or given back.
    yield* claims.namedEnded
    const unbegun = startQueue.takeAll()
    for (const claimed of unbegun) unsettled.delete(claimed)
    yield* release([...unbegun, ...lanes.takeWaiting(() => true)], yield* Clock.currentTimeMillis)
    yield* FiberSet.awaitEmpty(fibers)
  })
  const cutOff = Effect.gen(function* () {
    yield* FiberSet.clear(fibers)
    const now = yield* Clock.currentTimeMillis
    // What runs while the process fails may be why: its start counts.
    const given = (yield* ProcessEnd).faulty ? [] : [...unsettled]
    yield* Effect.timeoutOption(release(given, now), Duration.millis(releaseGraceMs))
  })
  // Registered after the forks, so it runs before their own interruption.
  yield* Effect.addFinalizer(() => Effect.andThen(Effect.timeoutOption(stop, Duration.millis(stopGraceMs)), cutOff))
})

/** A few begin, then requests have their turn: however many attempts end at once, none of these waits for all. */
const beginSome = <R>(
  some: Effect.Effect<ReadonlyArray<ClaimedJob>>,
  run: (job: ClaimedJob) => Effect.Effect<unknown, never, R>
) =>
  Effect.gen(function* () {
    for (const claimed of yield* some) yield* run(claimed)
    yield* Effect.yieldNow
  })

const timesOf = (policy: WebhookLimits) => {
  const attemptMs = policy.timeoutMs + marginMs
  // Time for two attempts: for the one that begins at once, and for one that waits until that has ended.
  return { attemptMs, leaseMs: Math.max(policy.leaseMs, 2 * attemptMs) }
}

const lanesOf = (policy: WebhookLimits) =>
  Lanes.make({
    total: policy.concurrency,
    ofSandbox: policy.concurrencyOfSandbox,
    freePerPlace: policy.freePerPlace,
    soundShare: policy.soundShare,
    perEndpoint: policy.concurrencyPerEndpoint
  })

const log = (what: string) => (cause: Cause.Cause<unknown>) =>
  Effect.logError(`WebhookDispatcher: ${what} failed`, cause)
