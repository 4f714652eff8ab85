/** Promises of `MovementStore`: statements equal the sums of the rows, whatever has happened. */
import {
  type Moved,
  type Movement,
  type MovementPlace,
  type MovementQuery,
  MovementStore
} from "@tolem/core/cabinet/statement/MovementStore"
import { addMoved, unmoved } from "@tolem/core/cabinet/statement/StatementJson"
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { Refund } from "@tolem/core/invoice/Refund"
import { dayOf, endOfDay, startOfDay } from "@tolem/core/value/Calendar"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, freshId, refundOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** All that moved in the shop's first 40 days. */
const all: MovementQuery = {
  organizationId: "org_shop",
  mode: "live",
  connectionId: null,
  from: startAt - dayMs,
  to: startAt + 40 * dayMs
}

/** Numbers that are evenly drawn, and the same in each run. */
const drawing = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Draw = ReturnType<typeof drawing>

const origins = [
  null,
  { kind: "payment-link", id: "lnk_1" },
  { kind: "form-hook", id: "fhk_1" },
  { kind: "subscription", id: "sub_1", run: 1, reissue: 0 }
] as const

/** A movement as it was written, with what the sums are made by. */
interface Written {
  readonly invoice: Invoice
  readonly refund: Refund | null
  readonly at: number
  readonly id: string
}

const commit = Effect.fnUntraced(function* (change: ReturnType<typeof changeOf>) {
  const [written] = yield* InvoiceStore.use((store) => store.commitMany([change]))
  return Result.getOrThrow(written!)
})

/** Invoices that are paid, in time or late, given back in parts or in all, cancelled, or left alone. */
const happen = Effect.fnUntraced(function* (draw: Draw, count: number) {
  const store = yield* InvoiceStore
  const written: Array<Written> = []
  for (let n = 0; n < count; n++) {
    const createdAt = startAt + draw(30 * 24) * hourMs
    const origin = origins[draw(origins.length)]!
    const { invoice: first, ...creation } = creationOf({
      organizationId: draw(9) === 0 ? "org_other" : "org_shop",
      mode: draw(9) === 0 ? "sandbox" : "live",
      connectionId: [null, "con_1", "con_2"][draw(3)]!,
      amount: Tiyn(1 + draw(1_000_000)),
      // Runs of a subscription are made with it.
      origin: origin?.kind === "subscription" ? null : origin,
      createdAt,
      updatedAt: createdAt
    })
    yield* store.insertMany([{ ...creation, invoice: first }])
    if (draw(5) === 0) continue
    let invoice = first
    if (draw(4) === 0) invoice = yield* commit(changeOf(invoice, InvoiceCommand.Cancel()))
    if (invoice.status === "cancelled" && draw(2) === 0) continue
    const paidAt = createdAt + draw(5 * 24 * 60) * 60_000
    invoice = yield* commit(changeOf(invoice, InvoiceCommand.Pay({ paidAt })))
    written.push({ invoice, refund: null, at: paidAt, id: invoice.id })
    for (let part = draw(4); part > 1 && invoice.refunded < invoice.amount; part--) {
      const completedAt = paidAt + draw(5 * 24 * 60) * 60_000
      const amount = 1 + draw(invoice.amount - invoice.refunded)
      const refund = refundOf(invoice, amount, { id: freshId("ref"), createdAt: paidAt, completedAt })
      invoice = yield* commit(changeOf(invoice, InvoiceCommand.Refund({ refund })))
      written.push({ invoice, refund, at: completedAt, id: refund.id })
    }
  }
  return written
})

const movedBy = ({ invoice, refund }: Written): Moved =>
  refund === null
    ? {
        ...unmoved,
        payments: 1,
        paid: BigInt(invoice.amount),
        latePayments: invoice.late ? 1 : 0,
        late: invoice.late ? BigInt(invoice.amount) : 0n
      }
    : { ...unmoved, refunds: 1, refunded: BigInt(refund.amount) }

const within = (query: MovementQuery, written: ReadonlyArray<Written>) =>
  written.filter(
    ({ invoice, at }) =>
      invoice.organizationId === query.organizationId &&
      invoice.mode === query.mode &&
      (query.connectionId === null || invoice.connectionId === query.connectionId) &&
      (query.among === undefined || query.among.some((id) => id === invoice.connectionId)) &&
      at >= query.from &&
      at <= query.to
  )

/** The sums that rows make, by a key, as text. */
const summed = (written: ReadonlyArray<Written>, key: (each: Written) => string) =>
  Array.from(Map.groupBy(written, key), ([name, of]) => shown(name, of.map(movedBy).reduce(addMoved, unmoved))).sort()

const shown = (name: string, { payments, paid, latePayments, late, refunds, refunded }: Moved) =>
  `${name}: ${payments} ${paid}, late ${latePayments} ${late}, back ${refunds} ${refunded}`

const sourceOf = ({ invoice: { origin } }: Written) => origin?.kind ?? "request"

const isSameAsRows = Effect.fnUntraced(function* (query: MovementQuery, written: ReadonlyArray<Written>) {
  const rows = within(query, written)
  const { days, cashiers, sources } = yield* MovementStore.use((store) => store.sums(query))
  expectEqual(
    days.map((each) => shown(each.day, each)),
    summed(rows, ({ at }) => dayOf(at)),
    "by day, in order"
  )
  expectEqual(
    cashiers.map((each) => shown(each.connectionId ?? "none", each)).toSorted(),
    summed(rows, ({ invoice }) => invoice.connectionId ?? "none"),
    "by cashier"
  )
  expectEqual(sources.map((each) => shown(each.source, each)).toSorted(), summed(rows, sourceOf), "by source")
})

const readAll = Effect.fnUntraced(function* (query: MovementQuery, limit: number) {
  const { page } = yield* MovementStore
  const found: Array<Movement> = []
  let after: MovementPlace | null = null
  for (;;) {
    const part: ReadonlyArray<Movement> = yield* page(query, after, limit)
    found.push(...part)
    if (part.length < limit) return found
    after = part.at(-1)!
  }
})

const isInOrder = (query: MovementQuery, written: ReadonlyArray<Written>) =>
  within(query, written)
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .map(({ id, refund, invoice }) => `${id} ${invoice.id} ${refund?.amount ?? invoice.amount}`)

/** What every storage must do, of “movements”. */
export const casesOfMovements = storageSubject("movements", {
  *"add up to what the rows say, of any history"() {
    const draw = drawing(20_261_124)
    const written: Array<Written> = []
    for (let round = 0; round < 4; round++) {
      written.push(...(yield* happen(draw, 25)))
      const from = startAt + draw(35 * 24 * 60) * 60_000
      yield* isSameAsRows(all, written)
      yield* isSameAsRows({ ...all, connectionId: "con_1" }, written)
      yield* isSameAsRows({ ...all, among: ["con_1", "con_2"] }, written)
      yield* isSameAsRows({ ...all, mode: "sandbox" }, written)
      yield* isSameAsRows({ ...all, organizationId: "org_other" }, written)
      yield* isSameAsRows({ ...all, from, to: from + draw(10 * 24 * 60) * 60_000 }, written)
    }
    for (const query of [all, { ...all, connectionId: "con_2" }]) {
      const found = yield* readAll(query, 7)
      const names = found.map(({ id, invoiceId, amount }) => `${id} ${invoiceId} ${amount}`)
      expectEqual(names, isInOrder(query, written), "one by one, each once")
    }
  },

  *"are of the day on which money moved, from its first to its last instant"() {
    const day = dayOf(startAt + 3 * dayMs)
    const [begins, ends] = [startOfDay(day), endOfDay(day)]
    const store = yield* InvoiceStore
    for (const paidAt of [begins - 1, begins, ends, ends + 1]) {
      const creation = creationOf({ mode: "live", amount: Tiyn(100) })
      yield* store.insertMany([creation])
      yield* commit(changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt })))
    }
    const { sums, edges } = yield* MovementStore
    const { days } = yield* sums({ ...all, from: begins, to: ends })
    expectEqual(
      days.map((each) => [each.day, each.payments, each.paid]),
      [[day, 2, 200n]],
      "two of four"
    )
    expectEqual(
      (yield* edges({ ...all, from: begins, to: ends })).map(({ at }) => at),
      [begins, ends],
      "the first and the last"
    )
    expectEqual((yield* edges({ ...all, from: ends, to: ends })).length, 1, "which may be the same")
    expectEqual(yield* edges({ ...all, mode: "sandbox" }), [], "or none")
    // The clocks of Almaty were put back an hour at the end of February 2024.
    const year = yield* sums({ ...all, from: startOfDay("2024-02-01"), to: endOfDay("2026-01-31") })
    expectEqual(year.days.length, 3, "also across a change of clocks")
    const [first] = year.days
    expectEqual(first?.day, dayOf(begins - 1), "which moves no day")
  }
})
