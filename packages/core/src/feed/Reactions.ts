/**
 * Reactions: code of the application that hears of events, each in a transaction that also settles it. Any number of
 * processes may have the same consumers; each event is handled by one of them at a time.
 */
import { Cause, Clock, Context, Duration, Effect, Fiber, FiberSet, Layer, Option, Queue } from "effect"
import type { SqlClient } from "effect/sql"
import { Ids } from "../value/Ids.ts"
import type { PageBounds } from "../value/QueryChecks.ts"
import { Hints } from "../work/Hints.ts"
import { FeedSettings } from "./FeedSettings.ts"
import { FeedStore } from "./FeedStore.ts"
import { type Consumer, ReactionFailed, type ReactionJob, ReactionStore } from "./ReactionStore.ts"

/**
 * Handles an event. Statements of the ambient `SqlClient` belong to the transaction that settles the event, which is
 * also `transaction`, as the database's driver has it. What fails or dies is undone and tried again.
 */
export type ReactionHandler = (
  job: ReactionJob,
  transaction: unknown
) => Effect.Effect<void, unknown, SqlClient.SqlClient>

/** How long a closing layer waits for handlers that run. */
const graceMs = 3_000

/** Organizations whose events get their places in one turn. */
const placedPerTurn = 100

/** Of what is written down of a failure. */
const maxErrorLength = 500

const log = (what: string) => (cause: Cause.Cause<unknown>) => Effect.logError(`Reactions: ${what} failed`, cause)

const make = Effect.gen(function* () {
  const feed = yield* FeedStore
  const store = yield* ReactionStore
  const settings = yield* FeedSettings
  const ids = yield* Ids
  const hints = yield* Hints
  const { timeoutMs, retryWaitsMs, atOnce, leaseMs, pollMs, skewMs } = settings.reactions
  const handlers = new Map<string, ReactionHandler>()
  const wakes = yield* Queue.sliding<void>(1)
  const running = new Map<ReactionJob, Fiber.Fiber<void>>()
  const fibers = yield* FiberSet.make<void>()
  let stopping = false

  const failed = Effect.fnUntraced(function* (job: ReactionJob, message: string) {
    const now = yield* Clock.currentTimeMillis
    const waitMs = retryWaitsMs[job.attempt - 1]
    const { consumer, attempt, invoice, event } = job
    yield* Effect.logWarning(`Reactions: ${waitMs === undefined ? "given up" : "failed"}`).pipe(
      Effect.annotateLogs({ consumer, attempt, invoiceId: invoice.id, event: event.type })
    )
    const error = message.slice(0, maxErrorLength).toWellFormed().replaceAll("\u0000", "\ufffd")
    yield* store.fail(job, { error, dueAt: waitMs === undefined ? null : now + waitMs, now })
  })

  /** What was tried as often as it may be, and ended with its process each time, is not tried again. */
  const act = Effect.fnUntraced(function* (job: ReactionJob, handler: ReactionHandler) {
    if (job.attempt > retryWaitsMs.length + 1) return yield* failed(job, "it ended the process, again and again")
    const late = `not done within ${timeoutMs} ms`
    const handled = (transaction: unknown) =>
      handler(job, transaction).pipe(
        Effect.timeoutOrElse({ duration: Duration.millis(timeoutMs), orElse: () => Effect.fail(new Error(late)) }),
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.interrupt : new ReactionFailed({ message: messageOf(cause) })
        )
      )
    const held = yield* Effect.catch(store.settle(job, handled), (error) =>
      Effect.as(failed(job, error._tag === "ReactionFailed" ? error.message : String(error.cause)), true)
    )
    if (!held) yield* Effect.logWarning("Reactions: claim lost")
  })

  const begin = (job: ReactionJob) => {
    const handler = handlers.get(job.consumer)
    if (handler === undefined) return Effect.flatMap(Clock.currentTimeMillis, (now) => store.release([job], now))
    const end = Effect.sync(() => {
      running.delete(job)
      Queue.offerUnsafe(wakes, undefined)
    })
    const done = Effect.andThen(Effect.catchCause(act(job, handler), log("job")), end)
    // It begins with the next turn, when it is known to run.
    const begun = FiberSet.run(fibers, Effect.andThen(Effect.yieldNow, done))
    return Effect.map(begun, (fiber) => running.set(job, fiber))
  }

  /** Gives places to what has arrived. Answers whether there is more. */
  const place = Effect.gen(function* () {
    const organizations = yield* store.arriving("", placedPerTurn)
    const more = yield* Effect.forEach(organizations, (id) => feed.place(id, settings.feed.placedAtOnce))
    return more.includes(true) || organizations.length === placedPerTurn
  })

  const claim = Effect.gen(function* () {
    const room = atOnce - running.size
    if (room <= 0) return false
    const now = yield* Clock.currentTimeMillis
    const term = { now, until: now + leaseMs, lease: yield* ids.next("rct") }
    const jobs = yield* store.claim({ ...term, consumers: [...handlers.keys()], limit: room })
    yield* Effect.forEach(jobs, begin, { discard: true })
    return jobs.length === room
  })

  const turn = Effect.gen(function* () {
    if (handlers.size === 0) return yield* Queue.take(wakes)
    const change = hints.awaitChange
    const placed = yield* Effect.catchCause(place, (cause) => Effect.as(log("placing")(cause), false))
    const claimed = yield* Effect.catchCause(claim, (cause) => Effect.as(log("claim")(cause), false))
    if (placed || claimed) return yield* Effect.yieldNow
    yield* Effect.timeoutOption(Effect.raceFirst(change, Queue.take(wakes)), Duration.millis(pollMs))
  })
  yield* Effect.forkScoped(Effect.repeat(turn, { until: () => stopping }))

  const stop = Effect.gen(function* () {
    stopping = true
    yield* Effect.timeoutOption(FiberSet.awaitEmpty(fibers), Duration.millis(graceMs))
    yield* FiberSet.clear(fibers)
    const left = [...running.keys()]
    const now = yield* Clock.currentTimeMillis
    yield* Effect.timeoutOption(Effect.catchCause(store.release(left, now), log("release")), Duration.millis(graceMs))
  })
  yield* Effect.addFinalizer(() => stop)

  const register = (consumer: Consumer) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => store.register(consumer, now - skewMs))

  return {
    /** Adds the consumer, where there is none of this name: what happens from now on is kept until it is handled. */
    register,
    /**
     * Adds the consumer, where there is none of this name, and handles its events for as long as the scope is open: at
     * least once, those of an invoice in order, also what happened while no process handled them. A handler that fails
     * holds up later events of its invoice only, and is tried again after the waits of the settings.
     */
    handle: Effect.fnUntraced(function* (consumer: Consumer, handler: ReactionHandler) {
      yield* register(consumer)
      handlers.set(consumer.name, handler)
      Queue.offerUnsafe(wakes, undefined)
      yield* Effect.addFinalizer(() => Effect.sync(() => handlers.delete(consumer.name)))
    }),
    /** Waits until no handler of the consumer runs; each is given up when its time is over. */
    awaitHandlers: (name: string) =>
      Effect.suspend(() => {
        const left = Array.from(running).filter(([{ consumer }]) => consumer === name)
        return Effect.forEach(left, ([, fiber]) => Fiber.await(fiber), { discard: true })
      }),
    /** Removes a consumer for good, and what it had still to hear. False: there is none. */
    remove: (name: string) => store.remove(name),
    /** What a consumer has failed to hear, newest failure first: what is tried again, and what was given up. */
    failures: (name: string, { limit = settings.defaultPageSize, offset = 0 }: Partial<PageBounds> = {}) =>
      store.failures(name, { limit: Math.min(limit, settings.maxPageSize), offset }),
    /** Has one that was given up tried again, with all its tries. False: there is none such. */
    resend: (id: string) =>
      Effect.gen(function* () {
        const found = yield* store.resend(id, yield* Clock.currentTimeMillis)
        Queue.offerUnsafe(wakes, undefined)
        return found
      })
  }
})

/** What an application does with its consumers. */
export class Reactions extends Context.Service<Reactions, Effect.Success<typeof make>>()("@tolem/core/Reactions") {
  /** The use-cases over the stores. Nothing runs before there is a consumer. */
  static readonly layer = Layer.effect(Reactions, make)
}

const messageOf = (cause: Cause.Cause<unknown>): string => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause)) ?? Cause.squash(cause)
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
