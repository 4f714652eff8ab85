/** Reactions of an embedded engine: handlers in plain promises, each within the transaction that settles its event. */
import { Effect, Exit, Scope } from "effect"
import type { Engine } from "../engine/Engine.ts"
import type { Settings } from "../engine/Settings.ts"
import type { EventType } from "../feed/FeedRequests.ts"
import { type Consumer, type FailedReaction, isSynchronous, type ReactionJob } from "../feed/ReactionStore.ts"
import { asOf, eventJson, invoiceObject } from "../invoice/InvoiceJson.ts"
import { toIso } from "../value/Calendar.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { PageBounds } from "../value/QueryChecks.ts"
import { CalledWithin } from "../work/OpenTransaction.ts"
import type { RunPromise } from "./Faces.ts"

/** What a handler is told: the event, and the invoice as of it, as webhooks show it. */
export type ReactionFact = ReturnType<typeof factOf>

/** What a handler works with. */
export interface ReactionContext<Tx> {
  /**
   * The transaction that settles the event: what is written in it and “done” are one commit. On PostgreSQL it has
   * `query`, as `pg` has it; on SQLite it is the open `DatabaseSync`.
   */
  readonly tx: Tx
  /** Aborted when the handler's time is over. */
  readonly signal: AbortSignal
  /** Which try it is, from 1 on. */
  readonly attempt: number
}

/** Handles an event. A promise that is rejected, or takes too long, undoes what was written; it is tried again. */
export type ReactionFunction<Tx> = (fact: ReactionFact, context: ReactionContext<Tx>) => void | Promise<void>

/** Handlers by the type of event; `invoice.*` is for all that have none of their own. */
export type ReactionHandlers<Tx> = { readonly [Type in EventType]?: ReactionFunction<Tx> }

/** The name of the consumer whose handlers `createEngine` is given. */
export const ownConsumer = "application"

const factOf = ({ event, invoice }: ReactionJob, settings: Settings) => ({
  event: eventJson(event),
  invoice: invoiceObject(asOf(invoice, event), settings),
  organizationId: invoice.organizationId,
  mode: invoice.mode
})

const failureJson = ({ dueAt, failedAt, ...failure }: FailedReaction) => ({
  ...failure,
  nextAttemptAt: failure.status === "pending" ? toIso(dueAt) : null,
  failedAt: toIso(failedAt)
})

// Nothing is awaited where nothing has to be: a transaction may have to end before anybody else has a turn.
const called = (handler: () => void | Promise<void>): Promise<void> | Effect.Effect<void, unknown> => {
  try {
    const answer = handler()
    return answer instanceof Promise ? answer : Effect.void
  } catch (error) {
    return Effect.fail(error)
  }
}

const mustNotWait = (transaction: unknown): boolean =>
  typeof transaction === "object" && transaction !== null && Reflect.get(transaction, isSynchronous) === true

const notAsync =
  "on a DatabaseSync of the application a handler must not be async: " +
  "while it waits, the application's own statements would get into its transaction"

interface Named {
  readonly name: string
  readonly organizations?: ReadonlyArray<OrganizationId>
}

const consumerOf = <Tx>({ name, organizations = [] }: Named, on: ReactionHandlers<Tx>): Consumer => {
  const given = Object.keys(on) as ReadonlyArray<EventType>
  const types = given.filter((type) => type !== "invoice.*")
  return { name, organizations, types: types.length < given.length ? [] : types }
}

/** Notes that these handlers are to hear of what is made from now on, and calls none of them yet. */
export const announce = <Tx>({ reactions }: Engine["Service"], named: Named, on: ReactionHandlers<Tx>) =>
  reactions.register(consumerOf(named, on))

/** Has handlers called until what is answered is closed. */
export const react = <Tx>({ reactions, settings }: Engine["Service"], named: Named, on: ReactionHandlers<Tx>) => {
  const handle = (job: ReactionJob, transaction: unknown) =>
    Effect.flatMap(CalledWithin, (calledWithin) => {
      const aborting = new AbortController()
      const handler = on[job.event.type] ?? on["invoice.*"]
      const context = { tx: transaction as Tx, signal: aborting.signal, attempt: job.attempt }
      const answer = called(() => calledWithin(() => handler?.(factOf(job, settings), context)))
      if (answer instanceof Promise && mustNotWait(transaction)) {
        answer.catch(() => {})
        return Effect.fail(new Error(notAsync))
      }
      if (!(answer instanceof Promise)) return answer
      const ended = Effect.tryPromise({ try: () => answer, catch: (error) => error })
      return Effect.onInterrupt(Effect.asVoid(ended), () => Effect.sync(() => aborting.abort()))
    })
  return Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Scope.provide(reactions.handle(consumerOf(named, on), handle), scope)
    const stop = Scope.close(scope, Exit.void)
    return {
      stop: () => Effect.runPromise(stop),
      /** The same, and waits for the handlers that run. */
      end: Effect.andThen(stop, reactions.awaitHandlers(named.name))
    }
  })
}

/** The effect, with handlers called meanwhile. Those that run at its end are waited for, as long as they may take. */
export const during = <A, E, R>(reacting: ReturnType<typeof react>, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    reacting,
    () => effect,
    ({ end }) => end
  )

/** What an application does with its consumers. */
export interface EmbeddedReactions<Tx> {
  /**
   * Adds a consumer with a name of its own, whose handlers are called in this process until it is stopped. It hears of
   * what is made from now on, and when it is added again after a stop, of all that has happened in between.
   */
  readonly add: (
    name: string,
    on: ReactionHandlers<Tx>,
    options?: { readonly organizations?: ReadonlyArray<OrganizationId> }
  ) => Promise<{ readonly stop: () => Promise<void> }>
  /** Removes a consumer for good, and what it had still to hear. False: there is none. */
  readonly remove: (name: string) => Promise<boolean>
  /** What handlers have failed at, newest first; those of `createEngine` are the consumer `application`. */
  readonly failures: (
    name?: string,
    page?: Partial<PageBounds>
  ) => Promise<ReadonlyArray<ReturnType<typeof failureJson>>>
  /** Has one that was given up tried again, with all its tries. False: there is none such. */
  readonly resend: (id: string) => Promise<boolean>
}

/** What an application does with its consumers, as promises. */
export const reactionsOf = <Tx>(engine: Engine["Service"], run: RunPromise): EmbeddedReactions<Tx> => ({
  add: (name, on, options = {}) =>
    Effect.map(react(engine, { name, ...options }, on), ({ stop }) => ({ stop })).pipe(run),
  remove: (name) => run(engine.reactions.remove(name)),
  failures: async (name = ownConsumer, page = {}) =>
    (await run(engine.reactions.failures(name, page))).map(failureJson),
  resend: (id) => run(engine.reactions.resend(id))
})
