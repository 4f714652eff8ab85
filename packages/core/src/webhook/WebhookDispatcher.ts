/**
 * Agent: sends deliveries that are due, for as long as its layer is open. Any number of servers may run it on one
 * database.
 *
 * There are no rounds that wait for their slowest job: one loop claims whenever an attempt may begin, each job runs by
 * itself, and settlements of concurrent jobs share a write. Nothing ends the loop early: failures and defects of the
 * store and the sender are logged. Closing the layer finishes what runs (bounded) and gives back what has not begun.
 */
import { type Cause, Clock, Duration, Effect, Fiber, FiberSet, Layer, Queue, Random } from "effect"
import type { Mac } from "effect/crypto"
import { Hints } from "../Hints.ts"
import { Ids } from "../Ids.ts"
import { Settings } from "../Settings.ts"
import { attemptAt, factsOf } from "./Attempting.ts"
import type { Claimed } from "./Lanes.ts"
import * as Lanes from "./Lanes.ts"
import { count, gauge, report } from "./Reporting.ts"
import { isPaused } from "./RetryPolicy.ts"
import * as Settling from "./Settling.ts"
import type { WebhookSender } from "./WebhookSender.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** How long a closing layer waits for attempts that run; the server has ten seconds in all. */
const stopGraceMs = 3_000

/** What an attempt may take beyond its deadline: to be settled, while its claim still holds. */
const marginMs = 2_000

/** An attempt that takes longer is slow. */
const slowMs = 250

/** How long a closing layer waits for claims to be given back. */
const releaseGraceMs = 1_000

/** See the file's head. */
export const layer: Layer.Layer<never, never, WebhookStore | WebhookSender | Ids | Hints | Mac.Mac> =
  Layer.effectDiscard(Effect.suspend(() => start))

const start = Effect.gen(function* () {
  const store = yield* WebhookStore
  const ids = yield* Ids
  const settings = yield* Settings
  const policy = settings.webhook
  const attemptMs = policy.timeoutMs + marginMs
  // Time for two attempts: for the one that begins at once, and for one that waits until that has ended.
  const leaseMs = Math.max(policy.leaseMs, 2 * attemptMs)
  const lanes = Lanes.make({ total: policy.concurrency, perEndpoint: policy.concurrencyPerEndpoint })
  const unsettled = new Set<Claimed>()
  const wakes = yield* Queue.sliding<void>(1)
  const wake = Effect.asVoid(Queue.offer(wakes, undefined))
  let stopping = false
  /** The loop would claim, but everything that may run does. */
  let starving = false

  const settle = yield* Settling.make
  const fibers = yield* FiberSet.make<void>()

  const release = (jobs: ReadonlyArray<Claimed>, dueAt: number) =>
    jobs.length === 0
      ? Effect.void
      : Effect.catchCause(
          store.release(
            jobs.map(({ job }) => job),
            dueAt
          ),
          log("release")
        )

  const act = Effect.fnUntraced(function* ({ job, until }: Claimed) {
    const { attempt, delivered } = yield* attemptAt(job)
    const endedAt = attempt.startedAt + attempt.durationMs
    const outcome = lanes.judge(job, delivered, endedAt, policy)
    yield* count(outcome)
    yield* report(job, attempt, outcome)
    const held = yield* settle({ job, attempt, outcome }, until)
    if (!held) yield* Effect.logWarning("WebhookDispatcher: claim lost").pipe(Effect.annotateLogs(factsOf(job)))
  })

  const leave = Effect.fnUntraced(function* (claimed: Claimed, beganAt: number) {
    const { job } = claimed
    unsettled.delete(claimed)
    const now = yield* Clock.currentTimeMillis
    const endpointId = job.endpoint.id
    const pausedUntil = lanes.pausedUntil(endpointId, now)
    // Where places are scarce, slow endpoints give theirs up; quick ones soon have none waiting.
    const isSlow = now - beganAt >= slowMs
    const all = pausedUntil !== null || (starving && isSlow) || stopping
    yield* release(all ? lanes.takeWaiting(({ job }) => job.endpoint.id === endpointId) : [], pausedUntil ?? now)
    yield* release(
      lanes.takeWaiting(({ until }) => until < now + attemptMs),
      now
    )
    const next = lanes.leave(job)
    yield* gauge(lanes.running())
    if (next !== undefined) yield* begin(next)
    // A place is free, and an event of the same invoice may have waited for this one.
    yield* wake
  })

  const begin = (claimed: Claimed): Effect.Effect<void, never, WebhookSender | Mac.Mac> => {
    unsettled.add(claimed)
    const job = Effect.gen(function* () {
      const beganAt = yield* Clock.currentTimeMillis
      yield* Effect.catchCause(act(claimed), log("job"))
      yield* leave(claimed, beganAt)
    })
    return Effect.andThen(gauge(lanes.running()), Effect.asVoid(FiberSet.run(fibers, job)))
  }

  const probe = Effect.fnUntraced(function* (group: ReadonlyArray<Claimed>, pausedUntil: number, now: number) {
    const until = now + attemptMs
    const [first, ...others] = group
    const won = yield* store.takeProbe(first!.job.endpoint.id, pausedUntil, until)
    yield* release(won ? others : group, until)
    // Until it has ended the pause goes on, for this process as for all others.
    if (won) yield* Effect.forEach(lanes.enter([first!]), begin, { discard: true })
  })

  const admit = Effect.fnUntraced(function* (group: ReadonlyArray<Claimed>) {
    const now = yield* Clock.currentTimeMillis
    const { endpoint } = group[0]!.job
    const pausedUntil = isPaused(endpoint, now) ? endpoint.pausedUntil : lanes.pausedUntil(endpoint.id, now)
    if (stopping) return yield* release(group, now)
    if (pausedUntil !== null) return yield* release(group, pausedUntil)
    if (endpoint.pausedUntil !== null) return yield* probe(group, endpoint.pausedUntil, now)
    yield* Effect.forEach(lanes.enter(group), begin, { discard: true })
  })

  /** Claims once, for endpoints that are not in `busy`. Answers whether more may be due. */
  const claim = Effect.fnUntraced(function* (busy: ReadonlyArray<string>) {
    const now = yield* Clock.currentTimeMillis
    const until = now + leaseMs
    // Not only as many as may begin: the others wait for their endpoint's next place, which saves a claim each.
    const limit = policy.concurrency
    const lease = yield* ids.next("att")
    const jobs = yield* store.claim({ now, until, limit, lease, busy })
    const groups = Map.groupBy(
      jobs.map((job): Claimed => ({ job, until })),
      ({ job }) => job.endpoint.id
    )
    yield* Effect.forEach(groups.values(), (group) => Effect.catchCause(admit(group), log("admission")), {
      discard: true
    })
    return jobs.length === limit
  })

  const turn = Effect.gen(function* () {
    if (lanes.free() === 0) {
      starving = true
      return yield* Queue.take(wakes)
    }
    // Where places are scarce, endpoints that have none go first: many slow ones must not crowd out the others.
    const scarce = starving
    starving = false
    const claimed = claim(scarce ? lanes.active() : lanes.busy())
    const more = yield* Effect.catchCause(claimed, (cause) => Effect.as(log("claim")(cause), false))
    if (more || scarce) return yield* Effect.yieldNow
    // Jitter keeps several servers from asking in step.
    const share = yield* Random.nextBetween(0.8, 1)
    yield* Effect.timeoutOption(Queue.take(wakes), Duration.millis(policy.pollMs * share))
  })

  yield* Hints.use((hints) => Effect.forever(Effect.andThen(hints.awaitDeliveries, wake))).pipe(Effect.forkScoped)
  const loop = yield* Effect.forkScoped(Effect.repeat(turn, { until: () => stopping }))

  const stop = Effect.gen(function* () {
    stopping = true
    yield* wake
    yield* Fiber.await(loop)
    yield* release(
      lanes.takeWaiting(() => true),
      yield* Clock.currentTimeMillis
    )
    yield* FiberSet.awaitEmpty(fibers)
  })
  const cutOff = Effect.gen(function* () {
    yield* FiberSet.clear(fibers)
    const now = yield* Clock.currentTimeMillis
    yield* Effect.timeoutOption(release([...unsettled], now), Duration.millis(releaseGraceMs))
  })
  // Registered after the forks, so it runs before their own interruption.
  yield* Effect.addFinalizer(() => Effect.andThen(Effect.timeoutOption(stop, Duration.millis(stopGraceMs)), cutOff))
})

const log = (what: string) => (cause: Cause.Cause<unknown>) =>
  Effect.logError(`WebhookDispatcher: ${what} failed`, cause)
