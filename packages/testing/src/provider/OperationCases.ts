/** Promises of a provider's own list of operations. */
import { isPageOf, type Operation, type OperationBounds, type OperationPage } from "@tolem/core/provider/Operation"
import { PaymentProvider, type ProviderSession } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect } from "effect"
import { expectEqual, expectTrue, PromiseBroken } from "../Expectation.ts"
import { freshId } from "../fixtures.ts"
import { ProviderControl, providerSubject } from "./ProviderCase.ts"
import { accepted, answeredWith, can, login, orderOf } from "./providerSteps.ts"

const subject = "the list of operations"

/** More than any case makes. */
const maxPages = 1000

/** All that the cashier's list has of this time, page by page. */
const listed = Effect.fnUntraced(function* (session: ProviderSession, from: number, until: number, limit: number) {
  const provider = yield* PaymentProvider
  const operations: Array<Operation> = []
  let after: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const asked: OperationBounds = { from, until, after, limit }
    const found: OperationPage = yield* accepted(provider.listOperations({ session, ...asked }))
    expectTrue(isPageOf(found, asked), "a page is in order, within its bounds and leads onwards")
    operations.push(...found.operations)
    if (found.next === null) return operations
    after = found.next
  }
  throw new PromiseBroken(`the list has not ended after ${maxPages} pages`)
})

const paidBy = Effect.fnUntraced(function* (session: ProviderSession) {
  const provider = yield* PaymentProvider
  const { reference } = yield* accepted(provider.createQr(orderOf(session)))
  yield* (yield* ProviderControl).act(reference, "pay")
  const { signal } = yield* accepted(provider.stateByReference({ session, reference }))
  if (signal._tag !== "Paid") throw new PromiseBroken(`it must be paid, and was ${signal._tag}`)
  return { reference, receipt: signal.receipt }
})

/** What every provider adapter must do that says that it lists operations. */
export const casesOfOperations = [
  ...providerSubject(
    subject,
    {
      *"has payments and what was given back of them, each once, and nothing that was not paid"() {
        const provider = yield* PaymentProvider
        const session = yield* login()
        const unpaid = yield* accepted(provider.createQr(orderOf(session)))
        const { reference, receipt } = yield* paidBy(session)
        const refund = { session, reference, ours: freshId("ref"), amount: Tiyn(10_000) }
        const made = yield* accepted(provider.refund(refund))
        const [from, until] = [Math.min(receipt.at, made.at), Math.max(receipt.at, made.at) + 1]
        const all = yield* listed(session, from, until, 250)
        const known = all.filter(({ payment }) => payment === reference)
        const shown = known.map(({ kind, reference, amount, at }) => ({ kind, reference, amount, at }))
        const paid = { kind: "payment" as const, reference: receipt.reference, amount: receipt.amount, at: receipt.at }
        const back = { kind: "refund" as const, reference: made.reference, amount: made.amount, at: made.at }
        expectEqual(
          shown.sort((a, b) => a.kind.localeCompare(b.kind)),
          [paid, back],
          "what the list has of the payment"
        )
        expectTrue(!all.some(({ payment }) => payment === unpaid.reference), "nothing was paid of the other one")
      },

      *"is the same whatever the size of its pages"() {
        const session = yield* login()
        const first = yield* paidBy(session)
        for (let count = 0; count < 3; count++) yield* paidBy(session)
        const last = yield* paidBy(session)
        const [from, until] = [first.receipt.at, last.receipt.at + 1]
        const all = yield* listed(session, from, until, 250)
        expectEqual(yield* listed(session, from, until, 2), all, "by two, and all at once")
        const references = new Set(all.map(({ kind, reference }) => `${kind} ${reference}`))
        expectEqual(references.size, all.length, "each operation once")
      },

      *"ends before its end, and has nothing of other merchants"() {
        const { receipt } = yield* paidBy(yield* login(0))
        const own = yield* listed(yield* login(0), receipt.at, receipt.at + 1, 250)
        const isIt = ({ reference }: Operation) => reference === receipt.reference
        expectTrue(own.some(isIt), "it begins with its first instant")
        const before = yield* listed(yield* login(0), receipt.at - 1, receipt.at, 250)
        expectTrue(!before.some(isIt), "what comes with the end is not in it")
        const others = yield* listed(yield* login(1), receipt.at, receipt.at + 1, 250)
        expectTrue(!others.some(isIt), "another merchant's list does not have it")
      }
    },
    { can: ["listOperations"] }
  ),
  ...providerSubject(
    subject,
    {
      *"has what was given back in the provider's own app, without an id of ours"() {
        const session = yield* login()
        const { reference, receipt } = yield* paidBy(session)
        yield* (yield* ProviderControl).refundOutside(reference, Tiyn(100_000))
        if (!(yield* can).showRefunds) return
        const { signal } = yield* accepted((yield* PaymentProvider).stateByReference({ session, reference }))
        const [made] = signal._tag === "Paid" ? signal.refunds : []
        if (made === undefined) throw new PromiseBroken("the payment must show what was given back of it")
        const from = Math.min(receipt.at, made.at)
        const found = (yield* listed(session, from, made.at + 1, 250)).filter(({ kind }) => kind === "refund")
        const one = found.find((each) => each.reference === made.reference)
        expectEqual({ ours: one?.ours, amount: one?.amount }, { ours: null, amount: Tiyn(100_000) }, "theirs")
      }
    },
    { can: ["listOperations"], control: ["refundOutside"] }
  ),
  ...providerSubject(
    subject,
    {
      *"is not there: it is refused"() {
        const provider = yield* PaymentProvider
        const asked = { from: 0, until: 86_400_000, after: null, limit: 250 }
        yield* answeredWith("Refused", provider.listOperations({ session: yield* login(), ...asked }))
      }
    },
    { cannot: ["listOperations"] }
  )
]
