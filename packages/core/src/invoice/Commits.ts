/** Writes of invoices, each together with whatever other fibers write at the moment. */
import { Clock, Context, Effect, Exit, Layer, Option, Result } from "effect"
import { isInTheWay, isOneItemsFault, overfull, type StorageError } from "../error/StorageError.ts"
import { Mailer } from "../mail/Mailer.ts"
import * as NewMail from "../mail/NewMail.ts"
import { AheadMs, realNow } from "../time/SandboxClocks.ts"
import { Ids, type InvoiceId } from "../value/Ids.ts"
import { tenantKey } from "../value/Tenant.ts"
import * as Batcher from "../work/Batcher.ts"
import { Hints } from "../work/Hints.ts"
import { IsImpatient, impatiently } from "../work/OpenTransaction.ts"
import { traced } from "../work/Spans.ts"
import { committed } from "./changes/EventSpans.ts"
import { countChanges, countNew } from "./changes/InvoiceMetrics.ts"
import { type Invoice, isOpen } from "./Invoice.ts"
import { InvoiceSettings } from "./InvoiceSettings.ts"
import {
  type Creation,
  type InvoiceChanged,
  InvoiceStore,
  type KnownInsertion,
  knownExit,
  type NextCheck,
  type Write
} from "./InvoiceStore.ts"
import * as Succession from "./succession/Succession.ts"

/** How often a successor is closed anew where others change it at the same time: more than its code takes changes. */
const maxRivals = 5

/** Writes at once of what is written apart: as many as a PostgreSQL of two cores works on. */
const apartAtOnce = 4

type Exits<E> = Effect.Effect<ReadonlyArray<Exit.Exit<KnownInsertion, StorageError>>, E>

/** A new invoice that waits to be written. */
interface Newcomer {
  readonly creation: Creation
  /** Whether who asks may themselves have the transaction open that is in its way. */
  readonly isImpatient: boolean
}

/** Each organization's by themselves, those with a key singly and last: what is held up holds up no other. */
const apartBy = (written: (creations: ReadonlyArray<Creation>) => Exits<StorageError>) =>
  Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>) {
    const isKeyed = ({ invoice }: Creation) => invoice.idempotencyKey !== null
    const free = Map.groupBy(
      creations.filter((one) => !isKeyed(one)),
      ({ invoice }) => tenantKey(invoice)
    )
    const groups = [...free.values(), ...creations.filter(isKeyed).map((one) => [one])]
    const exits = new Map<Creation, Exit.Exit<KnownInsertion, StorageError>>()
    const write = (group: ReadonlyArray<Creation>) =>
      Effect.map(Effect.exit(written(group)), (exit) => {
        for (const [index, one] of group.entries())
          exits.set(one, Exit.isSuccess(exit) ? exit.value[index]! : Exit.failCause(exit.cause))
      })
    yield* Effect.forEach(groups, write, { concurrency: apartAtOnce, discard: true })
    return creations.map((one) => exits.get(one)!)
  })

const inserting = (store: InvoiceStore["Service"]) => {
  const written = (creations: ReadonlyArray<Creation>) =>
    Effect.flatMap(store.insertMany(creations), (insertions) =>
      Effect.as(
        countNew(insertions.flatMap((one) => (one._tag === "Created" ? [one.invoice] : []))),
        insertions.map(knownExit)
      )
    )
  const apart = apartBy(written)
  const insert = (creations: ReadonlyArray<Creation>): Exits<StorageError> =>
    Effect.catch(written(creations), (error) =>
      error.isHeld === true && creations.length > 1 ? apart(creations) : Effect.fail(error)
    )
  const hastily = (newcomers: ReadonlyArray<Newcomer>): Exits<StorageError> => {
    const written = impatiently(insert(newcomers.map(({ creation }) => creation)))
    const isAnyPatient = newcomers.some(({ isImpatient }) => !isImpatient)
    return Effect.catch(written, (error) =>
      isAnyPatient && isInTheWay(error) ? Effect.succeed(newcomers.map(() => Exit.fail(error))) : Effect.fail(error)
    )
  }
  return Effect.fnUntraced(function* (newcomers: ReadonlyArray<Newcomer>) {
    if (!newcomers.some(({ isImpatient }) => isImpatient)) return yield* insert(newcomers.map((one) => one.creation))
    const exits = yield* hastily(newcomers)
    // The others of this write go on waiting, be it that part of it is written already.
    const left = newcomers.flatMap(({ creation, isImpatient }, index) =>
      !isImpatient && isGivenUp(exits[index]!) ? [{ creation, index }] : []
    )
    if (left.length === 0) return exits
    const exit = yield* Effect.exit(insert(left.map(({ creation }) => creation)))
    const later = left.map(
      ({ index }, nth) => [index, Exit.isSuccess(exit) ? exit.value[nth]! : Exit.failCause(exit.cause)] as const
    )
    const answers = new Map(later)
    return exits.map((first, index) => answers.get(index) ?? first)
  })
}

const changing = (store: InvoiceStore["Service"]) => (writes: ReadonlyArray<Write>) =>
  Effect.flatMap(store.commitMany(writes), (results) =>
    Effect.as(countChanges(writes.filter((_, index) => Result.isSuccess(results[index]!))), results.map(exitOf))
  )

const rescheduling = (store: InvoiceStore["Service"]) => (looks: ReadonlyArray<NextCheck>) =>
  Effect.as(
    store.rescheduleMany(looks),
    looks.map(() => Exit.void)
  )

const recounting =
  (store: InvoiceStore["Service"]) =>
  (...change: Parameters<typeof store.recount>) =>
    spanned(
      "recount",
      change[0],
      Effect.tap(store.recount(...change), () => countChanges([change[0]]))
    )

/** With a span of the verb, and the trace of its event once it is written. */
const spanned = <A, E, R>(verb: "commitMany" | "recount", write: Write, written: Effect.Effect<A, E, R>) =>
  Effect.tap(written, () => committed(write)).pipe(traced(`InvoiceStore.${verb}`))

const isGivenUp = (exit: Exit.Exit<KnownInsertion, StorageError>): boolean =>
  Exit.isFailure(exit) && Option.exists(Exit.findErrorOption(exit), isInTheWay)

const make = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const hints = yield* Hints
  const ids = yield* Ids
  const settings = yield* InvoiceSettings
  const recount = recounting(store)
  const mails = Option.isSome(yield* Effect.serviceOption(Mailer))
  const insert = yield* Batcher.make({
    name: "creates",
    ...settings.batch,
    runAll: inserting(store),
    lineOf: ({ creation: { invoice } }) => tenantKey(invoice),
    bytesOf: ({ creation: { invoice } }) => invoice.metadata?.length ?? 0,
    full: () => overfull("InvoiceStore.insertMany"),
    isolate: isOneItemsFault
  })
  const commit = yield* Batcher.make({
    name: "changes",
    ...settings.batch,
    runAll: changing(store),
    lineOf: ({ next }) => tenantKey(next),
    bytesOf: ({ next }) => next.metadata?.length ?? 0,
    full: (): InvoiceChanged | StorageError => overfull("InvoiceStore.commitMany"),
    isolate: (error: InvoiceChanged | StorageError) => error._tag === "StorageError" && isOneItemsFault(error)
  })
  const reschedule = yield* Batcher.make({
    name: "looks",
    ...settings.batch,
    runAll: rescheduling(store),
    // There are never more than looks at once, of which each tenant has its share.
    lineOf: () => "looks",
    full: () => overfull("InvoiceStore.rescheduleMany"),
    isolate: isOneItemsFault
  })

  /** With what only the caller's fiber knows, and with the receipt for the customer. */
  const whole = Effect.fnUntraced(function* (write: Write) {
    const aheadMs = yield* AheadMs
    const isPaid = write.event?.type === "invoice.paid" && write.next.customer.email !== null
    if (!mails || !isPaid) return aheadMs === 0 ? write : { ...write, aheadMs }
    const mail = NewMail.about(write.next, "receipt", yield* ids.next("mai"), yield* realNow)
    return { ...write, mail, aheadMs }
  })

  const closeOnce = Effect.fnUntraced(function* (id: InvoiceId) {
    const invoice = Option.getOrUndefined(yield* store.find(id))
    if (invoice === undefined) return
    const given = { now: yield* Clock.currentTimeMillis, eventId: yield* ids.next("evt"), source: "system" } as const
    const write = Succession.superseded(invoice, given, settings)
    if (Option.isNone(write)) return
    yield* spanned("commitMany", write.value, Effect.flatMap(whole(write.value), commit))
    yield* hints.deliveriesDue(invoice)
  })

  // A faster request may only have asked for its code, of which nothing follows for the money.
  const supersede = ({ id }: Invoice) =>
    closeOnce(id).pipe(
      Effect.retry({ times: maxRivals, while: ({ _tag }) => _tag === "InvoiceChanged" }),
      Effect.catchTag("InvoiceChanged", () => Effect.logError("Commits: open successor", { invoice: id }))
    )

  const endSuccession = Effect.fnUntraced(function* (invoice: Invoice) {
    const chain = yield* Succession.chainOf(store, invoice, settings)
    if (chain.every(({ paidAt }) => paidAt === null)) return
    yield* Effect.forEach(
      chain.filter(({ status }) => isOpen(status)),
      supersede,
      { discard: true }
    )
  })

  /** What late money has to do beside. Where it fails, `OfferOnOpen` does it before the successor's code is made. */
  const follow = ({ next, event }: Write) =>
    event?.late === true && Succession.isLinked(next.origin)
      ? Effect.catchCause(endSuccession(next), (cause) => Effect.logError("Commits: open successor", cause))
      : Effect.void

  return {
    /** Writes a new invoice; see `InvoiceStore.insertMany`. */
    insert: (creation: Creation) =>
      Effect.flatMap(IsImpatient, (isImpatient) => insert({ creation, isImpatient })).pipe(
        traced("InvoiceStore.insertMany")
      ),
    /** Several, each with its own outcome; only a storage that takes none of them is a failure of all. */
    insertAll: Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>) {
      const isImpatient = yield* IsImpatient
      const exits = yield* insert.all(creations.map((creation) => ({ creation, isImpatient })))
      const results = yield* Effect.forEach(exits, (exit) => Effect.result(exit))
      const [first] = results
      const isLost = first !== undefined && results.every(Result.isFailure)
      return isLost && Result.isFailure(first) ? yield* Effect.fail(first.failure) : results
    }, traced("InvoiceStore.insertMany")),
    /** Writes a change. Fails with `InvoiceChanged` if another writer was faster; then nothing was written. */
    commit: (write: Write) => {
      const written =
        write.previous.countedOn === write.next.countedOn
          ? spanned("commitMany", write, Effect.flatMap(whole(write), commit))
          : Effect.catchTag(recount(write, null), ["OverQuota", "LinkSoldOut"], (error) => Effect.die(error))
      return Effect.tap(written, () => Effect.andThen(follow(write), hints.deliveriesDue(write.next)))
    },
    /**
     * The same for one that comes into its organization's quota by it, or takes a place of its link. Fails with
     * `OverQuota` or `LinkSoldOut` if there is none.
     */
    admit: (...change: Parameters<typeof store.recount>) =>
      Effect.tap(recount(...change), hints.deliveriesDue(change[0].next)),
    /**
     * Closes the open one of the succession that an invoice of a link or hook belongs to, if any of it is paid. May be
     * repeated.
     */
    endSuccession,
    /** Closes an invoice if it is open, as another of its succession is paid, whatever else changes it meanwhile. */
    supersede,
    /** Notes when to look at an unchanged invoice again. */
    reschedule
  }
})

/** Commits invoices that are new, and changes of others, several in one write. */
export class Commits extends Context.Service<Commits, Effect.Success<typeof make>>()("@tolem/core/Commits") {
  /** Closing the layer writes what waits. */
  static readonly layer = Layer.effect(Commits, make)
}

const exitOf = <A, E>(result: Result.Result<A, E>): Exit.Exit<A, E> =>
  Result.isSuccess(result) ? Exit.succeed(result.success) : Exit.fail(result.failure)
