/** Promises of `ReactionStore`: what a consumer has to hear it hears in order, with what it writes or not at all. */
import { FeedStore } from "@tolem/core/feed/FeedStore"
import { type Consumer, ReactionFailed, ReactionStore } from "@tolem/core/feed/ReactionStore"
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { OpenTransaction } from "@tolem/core/work/OpenTransaction"
import { Effect, Exit, Fiber, Option, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const books: Consumer = { name: "books", types: [], organizations: [] }
const term = { consumers: ["books"], now: startAt + 1000, until: startAt + 2000, limit: 10 }

const created = Effect.fnUntraced(function* (members: Partial<Invoice> = {}) {
  const creation = creationOf(members)
  yield* InvoiceStore.use((store) => store.insertMany([creation]))
  return creation.invoice
})
const paid = Effect.fnUntraced(function* (invoice: Invoice) {
  const change = changeOf(invoice, InvoiceCommand.Pay({ paidAt: startAt }))
  const [result] = yield* InvoiceStore.use((store) => store.commitMany([change]))
  return Result.getOrThrow(result!)
})
const place = Effect.gen(function* () {
  const [feed, store] = [yield* FeedStore, yield* ReactionStore]
  for (const organizationId of yield* store.arriving("", 100)) yield* feed.place(organizationId, 100)
})
const told = (jobs: ReadonlyArray<{ readonly event: { readonly type: string }; readonly invoice: Invoice }>) =>
  jobs.map(({ event, invoice }) => `${event.type} ${invoice.id}`)
const done = () => Effect.void

/** What every storage must do, of “a consumer”. */
export const casesOfReactions = storageSubject("a consumer", {
  *"hears of what it wants, from when it was added on"() {
    const store = yield* ReactionStore
    yield* created({ createdAt: startAt - 1000 })
    yield* store.register({ ...books, types: ["invoice.paid"], organizations: ["org_shop"] }, startAt)
    yield* store.register({ ...books, name: "all" }, startAt)
    expectEqual(yield* store.arriving("", 10), ["org_shop"], "who has something new")
    const invoice = yield* created()
    yield* paid(invoice)
    yield* paid(yield* created({ organizationId: "org_other" }))
    expectEqual(yield* store.arriving("", 10), ["org_other", "org_shop"], "in the order of their ids")
    expectEqual(yield* store.arriving("org_other", 10), ["org_shop"], "from behind one on")
    yield* place
    expectEqual(yield* store.arriving("", 10), [], "nothing more")
    const jobs = yield* store.claim({ ...term, lease: "rct_1" })
    expectEqual(told(jobs), [`invoice.paid ${invoice.id}`], "of its types and organizations")
    const all = yield* store.claim({ ...term, consumers: ["all"], lease: "rct_2" })
    expectEqual(all.length, 2, "the first of each invoice")
    expectEqual(yield* store.remove("books"), true, "gone")
    expectEqual(yield* store.remove("books"), false, "only once")
    expectEqual(yield* store.settle(jobs[0]!, done), false, "with what it had to hear")
  },

  *"hears nothing of a request that was refused before the provider had it"() {
    const store = yield* ReactionStore
    yield* store.register({ ...books, types: ["invoice.failed"] }, startAt)
    const refused = { status: "new", stage: "asked", mode: "live", connectionId: "con_1" } as const
    const fail = Effect.fnUntraced(function* (members: Partial<Invoice>) {
      const invoice = yield* created({ ...refused, ...members })
      const [result] = yield* InvoiceStore.use((each) => each.commitMany([changeOf(invoice, InvoiceCommand.Fail())]))
      return Result.getOrThrow(result!)
    })
    yield* fail({})
    const ofLink = yield* fail({ origin: { kind: "payment-link", id: "lnk_1" } })
    const offered = yield* fail({ status: "pending", stage: "made" })
    yield* place
    const jobs = yield* store.claim({ ...term, lease: "rct_1" })
    expectEqual(
      told(jobs).toSorted(),
      [`invoice.failed ${ofLink.id}`, `invoice.failed ${offered.id}`].toSorted(),
      "as endpoints"
    )
  },

  *"hears of an invoice in order, and is claimed once at a time"() {
    const store = yield* ReactionStore
    yield* store.register(books, startAt)
    const invoice = yield* created()
    yield* paid(invoice)
    yield* place
    const rivals = yield* Effect.forEach(["a", "b", "c"], (lease) => store.claim({ ...term, lease }), {
      concurrency: "unbounded"
    })
    const [first, ...none] = rivals.flat()
    expectEqual([told([first!]), none], [[`invoice.created ${invoice.id}`], []], "the first, by one of them")
    expectEqual(yield* store.claim({ ...term, lease: "d" }), [], "the next one waits")
    expectEqual(yield* store.settle(first!, done), true, "until it is settled")
    const [second] = yield* store.claim({ ...term, lease: "e" })
    expectEqual([second?.event.type, second?.attempt], ["invoice.paid", 1], "the next one")
    const [again] = yield* store.claim({ ...term, now: startAt + 3000, until: startAt + 4000, lease: "f" })
    expectEqual([again?.id, again?.attempt], [second?.id, 2], "again when the claim has ended")
    expectEqual(yield* store.settle(second!, done), false, "which nothing settles any more")
    yield* store.release([again!], startAt + 3000)
    const [third] = yield* store.claim({ ...term, now: startAt + 3000, until: startAt + 4000, lease: "g" })
    expectEqual(third?.attempt, 2, "given back it does not count")
    expectEqual(yield* store.settle(third!, done), true, "settled")
    expectEqual(yield* store.claim({ ...term, now: startAt + 9000, lease: "h" }), [], "for good")
  },

  *"writes with what settles it, or not at all"() {
    const store = yield* ReactionStore
    yield* store.register(books, startAt)
    yield* created()
    yield* place
    const [job] = yield* store.claim({ ...term, lease: "a" })
    const invoices = yield* InvoiceStore
    const written = creationOf()
    // What the handler's own fiber writes through any client of the database belongs to the transaction.
    const write = Effect.mapError(
      Effect.asVoid(invoices.insertMany([written])),
      (error) => new ReactionFailed({ message: String(error) })
    )
    const isThere = Effect.map(invoices.find(written.invoice.id), Option.isSome)
    const failing = () => Effect.andThen(write, Effect.fail(new ReactionFailed({ message: "no luck" })))
    const failed = yield* Effect.exit(store.settle(job!, failing))
    expectEqual([Exit.isFailure(failed), yield* isThere], [true, false], "what failed is undone")
    yield* store.fail(job!, { error: "no luck", dueAt: startAt + 5000, now: startAt + 1500 })
    expectEqual(yield* store.claim({ ...term, lease: "b" }), [], "it waits")
    const [again] = yield* store.claim({ ...term, now: startAt + 5000, until: startAt + 6000, lease: "c" })
    expectEqual(again?.attempt, 2, "and is tried again")
    expectEqual([yield* store.settle(again!, () => write), yield* isThere], [true, true], "and is written then")
  },

  *"has the engine write in what settles it, and what fails there undoes only itself"() {
    const store = yield* ReactionStore
    yield* store.register(books, startAt)
    yield* created()
    yield* place
    const [job] = yield* store.claim({ ...term, lease: "a" })
    const [invoices, { within }] = [yield* InvoiceStore, yield* OpenTransaction]
    const [kept, undone] = [creationOf(), creationOf()]
    const insert = (creation: typeof kept) => within(undefined, invoices.insertMany([creation]))
    const failing = within(undefined, Effect.andThen(invoices.insertMany([undone]), Effect.fail("no luck" as const)))
    const both = Effect.andThen(Effect.ignore(failing), insert(kept))
    const handler = () =>
      Effect.mapError(Effect.asVoid(both), (error) => new ReactionFailed({ message: String(error) }))
    expectEqual(yield* store.settle(job!, handler), true, "settled")
    const isThere = ({ invoice }: typeof kept) => Effect.map(invoices.find(invoice.id), Option.isSome)
    expectEqual([yield* isThere(kept), yield* isThere(undone)], [true, false], "with what did not fail")
    const outside = yield* Effect.flip(insert(creationOf()))
    expectEqual(outside._tag, "TransactionNotOpen", "and outside of it nothing is written")
    for (const none of [null, {}, 1]) {
      expectEqual((yield* Effect.flip(within(none, Effect.void)))._tag, "TransactionNotOpen", String(none))
    }
  },

  *"lets nothing be written in what settles it once its handler is over"() {
    const store = yield* ReactionStore
    yield* store.register(books, startAt)
    yield* created()
    yield* place
    const [invoices, { within }] = [yield* InvoiceStore, yield* OpenTransaction]
    const unawaited = (fails: boolean) =>
      Effect.gen(function* () {
        const creations = Array.from({ length: 6 }, () => creationOf())
        const now = startAt + (fails ? 0 : 5000)
        const [job] = yield* store.claim({ ...term, now, until: now + 1000, lease: `rct_${now}` })
        const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
        const handler = (transaction: unknown) =>
          Effect.gen(function* () {
            for (const creation of creations) {
              const late = within(transaction, invoices.insertMany([creation]))
              fibers.push(Effect.runFork(late))
            }
            if (fails) return yield* new ReactionFailed({ message: "no luck" })
          })
        yield* Effect.exit(store.settle(job!, handler))
        // On a connection that was given back they would go on beside this one.
        const other = yield* created()
        const exits = yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber))
        const there = yield* Effect.forEach(creations, ({ invoice }) => invoices.find(invoice.id))
        expectEqual(Option.isSome(yield* invoices.find(other.id)), true, "what is written after it")
        return exits.map((exit, index) => [Exit.isSuccess(exit), Option.isSome(there[index]!)] as const)
      })
    for (const [, isThere] of yield* unawaited(true)) expectEqual(isThere, false, "undone with the handler's")
    for (const [isDone, isThere] of yield* unawaited(false)) expectEqual(isThere, isDone, "there if it was said")
  },

  *"keeps what it has failed at, to be tried again"() {
    const store = yield* ReactionStore
    yield* store.register(books, startAt)
    const invoice = yield* created()
    yield* paid(invoice)
    yield* place
    const [job] = yield* store.claim({ ...term, lease: "a" })
    yield* store.fail(job!, { error: "no luck", dueAt: null, now: startAt + 1500 })
    const failures = yield* store.failures("books", { limit: 10, offset: 0 })
    expectEqual(
      failures.map(({ id, status, attemptCount, error, failedAt }) => [id, status, attemptCount, error, failedAt]),
      [[job!.id, "failed", 1, "no luck", startAt + 1500]],
      "the failure"
    )
    const next = yield* store.claim({ ...term, lease: "b" })
    expectEqual(told(next), [`invoice.paid ${invoice.id}`], "which holds nothing up")
    expectEqual(yield* store.resend(job!.id, startAt + 2000), true, "resent")
    expectEqual(yield* store.resend(job!.id, startAt + 2000), false, "what waits is not")
    const [again] = yield* store.claim({ ...term, now: startAt + 2000, until: startAt + 4000, lease: "c" })
    expectEqual([again?.id, again?.attempt], [job?.id, 1], "with all its tries")
  }
})
