/** The comparison of a day, on random days of which it is known what differs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Operation } from "../../src/provider/Operation.ts"
import * as Comparison from "../../src/reconciliation/Comparison.ts"
import { differenceOf, type Knowledge } from "../../src/reconciliation/Differences.ts"
import { changesOf, type Difference, newWorkItem, resolved, type WorkItem } from "../../src/reconciliation/WorkItem.ts"
import { Tiyn } from "../../src/value/Money.ts"

const span = { from: 1_000_000, until: 2_000_000 }

const marginMs = 1_000

const fates = ["same", "only here", "only there", "other amount", "no ours", "before the day", "paid twice"] as const

const Movement = Schema.Struct({
  fate: Schema.Literals(fates),
  kind: Schema.Literals(["payment", "refund"]),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  at: Schema.Int.check(Schema.isBetween({ minimum: span.from, maximum: span.until - 1 })),
  /** By how much the two clocks differ. */
  skew: Schema.Int.check(Schema.isBetween({ minimum: -500, maximum: 500 })),
  /** Whether ours is read first, where both may be. */
  isFirst: Schema.Boolean
})

const sides = (movements: ReadonlyArray<typeof Movement.Type>) => {
  const own: Array<Comparison.OwnOperation> = []
  const theirs: Array<Operation> = []
  for (const [index, { fate, kind, amount, at, skew }] of movements.entries()) {
    const id = `${kind === "payment" ? "inv" : "ref"}_${index}`
    const [payment, reference] = [`p-${index}`, kind === "payment" ? `m-${index}` : `r-${index}`]
    const [invoiceId, mine] = [`inv_${index}`, kind === "payment" ? payment : reference]
    if (fate !== "only there") {
      const when = fate === "before the day" ? span.from - 1 : at + skew
      own.push({ kind, id, invoiceId, reference: mine, payment, amount: Tiyn(amount), at: when })
    }
    if (fate !== "only here" && fate !== "before the day") {
      const other = fate === "other amount" ? amount + 1 : amount
      const ours = fate === "no ours" ? null : id
      theirs.push({ kind, reference, payment, ours, amount: Tiyn(other), at })
    }
    // By another payment of the same invoice, at whatever time of the day; a refund has its own reference.
    if (fate === "paid twice" && kind === "payment") {
      const again = span.from + ((at + amount) % (span.until - span.from))
      const other = { reference: `again-${index}`, payment: `other-${index}` }
      theirs.push({ kind, ...other, ours: id, amount: Tiyn(amount), at: again })
    }
  }
  return { own: own.sort((a, b) => a.at - b.at), theirs: theirs.sort((a, b) => a.at - b.at) }
}

const nameOf = (unmatched: Comparison.Unmatched) =>
  unmatched.side === "there" ? `there ${unmatched.operation.reference}` : `${unmatched.side} ${unmatched.own.id}`

const expected = (movements: ReadonlyArray<typeof Movement.Type>) =>
  movements.flatMap(({ fate, kind, at, skew }, index) => {
    const id = `${kind === "payment" ? "inv" : "ref"}_${index}`
    const isWithin = at + skew >= span.from && at + skew < span.until
    if (fate === "only here") return isWithin ? [`here ${id}`] : []
    if (fate === "only there") return [`there ${kind === "payment" ? "m" : "r"}-${index}`]
    if (fate === "paid twice" && kind === "payment") return [`there again-${index}`]
    return fate === "other amount" ? [`both ${id}`] : []
  })

const payment: Operation = {
  kind: "payment",
  reference: "m-1",
  payment: "p-1",
  ours: "inv_1",
  amount: Tiyn(500),
  at: span.from
}

describe("a comparison", () => {
  it.effect.prop(
    "finds exactly what differs, in whatever order the two sides are read",
    { movements: Schema.Array(Movement).check(Schema.isMaxLength(40)) },
    ({ movements }) =>
      Effect.sync(() => {
        const { own, theirs } = sides(movements)
        const comparison = Comparison.make(span, marginMs)
        const turns = movements.map(({ isFirst }) => isFirst)
        for (let step = 0; own.length + theirs.length > 0; step++) {
          const isOurs = theirs.length === 0 || (own.length > 0 && turns[step % turns.length] === true)
          if (isOurs) comparison.here(own.shift()!)
          else comparison.there(theirs.shift()!)
        }
        const { sums, unmatched } = comparison.end()
        assert.deepStrictEqual(unmatched.map(nameOf).sort(), [...expected(movements)].sort())
        const total = (of: ReadonlyArray<Operation>) => of.reduce((sum, { amount }) => sum + amount, 0)
        assert.strictEqual(sums.there.paid + sums.there.refunded, total(sides(movements).theirs))
      }),
    { arbitrary: { runs: 300 } }
  )

  it.each<[string, Partial<Operation>, number, boolean]>([
    ["the payment of the evening before, by clocks that differ", { at: span.from }, span.from - 900, true],
    ["the payment of the morning after, by clocks that differ", { at: span.until - 1 }, span.until + 900, true],
    ["one without a reference of ours", { at: span.from, payment: "p-2" }, span.from, true],
    ["another payment by the same code hours after midnight", { at: span.from + 50_000 }, span.from - 900, false],
    ["a second payment minutes after midnight", { at: span.from, payment: "p-2" }, span.from - 900, false],
    ["a second payment of the same day", { at: span.from + 9, payment: "p-2" }, span.from, false]
  ])("of %s", (name, more, at, isSame) => {
    const reference = name.includes("without") ? null : "p-1"
    const own = { kind: "payment", id: "inv_1", invoiceId: "inv_1", reference, payment: reference } as const
    for (const turn of ["ours first", "theirs first"]) {
      const comparison = Comparison.make(span, marginMs)
      const here = () => comparison.here({ ...own, amount: Tiyn(500), at })
      if (turn === "ours first") here()
      comparison.there({ ...payment, ...more })
      if (turn !== "ours first") here()
      const there = comparison.end().unmatched.filter(({ side }) => side === "there")
      assert.strictEqual(there.length, isSame ? 0 : 1, turn)
    }
  })

  it("holds only what waits for the other side, however long the day is", () => {
    const comparison = Comparison.make(span, marginMs)
    let most = 0
    for (let index = 0; index < 100_000; index++) {
      const [id, payment, amount, at] = [`inv_${index}`, `p-${index}`, Tiyn(100), span.from + index]
      comparison.here({ kind: "payment", id, invoiceId: id, reference: payment, payment, amount, at })
      comparison.there({ kind: "payment", reference: `m-${index}`, payment, ours: id, amount, at })
      most = Math.max(most, comparison.size())
    }
    assert.strictEqual(most, 0)
    assert.deepStrictEqual(comparison.end().unmatched, [])
    assert.deepStrictEqual(comparison.end().sums.here, { payments: 100_000, paid: 10_000_000, refunds: 0, refunded: 0 })
  })
})

const refund: Operation = { ...payment, kind: "refund", reference: "r-1", ours: "ref_1", amount: Tiyn(200) }
const there = (operation: Operation): Comparison.Unmatched => ({ side: "there", operation })

const knowing = (invoice: Partial<Knowledge["invoices"][number]> | null): Knowledge => {
  const known = { id: "inv_1", connectionId: "con_1", status: "pending", amount: Tiyn(500), refunds: [] } as const
  const invoices = invoice === null ? [] : [{ ...known, providerReference: "p-1", paidAt: null, ...invoice }]
  return { connectionId: "con_1", marginMs, invoices }
}

const record = { id: "ref_1", status: "succeeded", amount: Tiyn(200), providerReference: "r-1" } as const

describe("a difference", () => {
  const table: ReadonlyArray<[string, Operation, Knowledge, string | null]> = [
    ["a payment of no invoice", payment, knowing(null), "missing_here unknown_invoice"],
    ["a payment of one that is not paid", payment, knowing({}), "missing_here not_noticed"],
    ["a second payment", payment, knowing({ paidAt: span.from }), "missing_here paid_twice"],
    [
      "a second payment of one that was paid on another day",
      { ...payment, payment: "p-2" },
      knowing({ paidAt: span.from - 50_000 }),
      "missing_here paid_twice"
    ],
    [
      "a second payment by the same code on another day",
      payment,
      knowing({ paidAt: span.from - 50_000 }),
      "missing_here paid_twice"
    ],
    [
      "a second payment with another amount on another day",
      { ...payment, payment: "p-2", amount: Tiyn(1) },
      knowing({ paidAt: span.until }),
      "missing_here paid_twice"
    ],
    ["one of another cashier", payment, knowing({ connectionId: "con_2", paidAt: span.from + 900 }), null],
    [
      "one of another cashier without a reference of ours",
      payment,
      knowing({ connectionId: "con_2", paidAt: span.from - 900, providerReference: null }),
      null
    ],
    [
      "a second payment of an invoice of another cashier",
      { ...payment, payment: "p-2" },
      knowing({ connectionId: "con_2", paidAt: span.from }),
      "missing_here paid_twice"
    ],
    [
      "one of another cashier with another amount",
      payment,
      knowing({ connectionId: "con_2", paidAt: span.from, amount: Tiyn(1) }),
      "amount_differs amounts"
    ],
    ["a refund without a record", refund, knowing({}), "refunded_elsewhere made_elsewhere"],
    ["a refund of no invoice", refund, knowing(null), "refunded_elsewhere made_elsewhere"],
    [
      "one without an outcome",
      refund,
      knowing({ refunds: [{ ...record, status: "unknown" }] }),
      "missing_here refund_open"
    ],
    ["one that failed", refund, knowing({ refunds: [{ ...record, status: "failed" }] }), "missing_here refund_failed"],
    ["one of another day", refund, knowing({ refunds: [record] }), null],
    [
      "a second one under the same id of ours",
      { ...refund, reference: "r-2" },
      knowing({ refunds: [record] }),
      "refunded_elsewhere made_elsewhere"
    ],
    [
      "one that ended without a reference",
      { ...refund, reference: "r-2" },
      knowing({ refunds: [{ ...record, providerReference: null }] }),
      null
    ],
    [
      "one with another amount",
      refund,
      knowing({ refunds: [{ ...record, amount: Tiyn(1) }] }),
      "amount_differs amounts"
    ]
  ]
  for (const [name, operation, knowledge, wanted] of table)
    it(`of ${name}`, () => {
      const found = differenceOf(there(operation), knowledge)
      assert.strictEqual(found === null ? null : `${found.kind} ${found.cause}`, wanted)
    })
})

describe("the items of a day", () => {
  const day = { organizationId: "org_1", connectionId: "con_1", day: "2026-01-01" }
  const found = (subject: string, more: Partial<Difference> = {}): Difference => ({
    subject,
    kind: "missing_here",
    cause: "unknown_invoice",
    payment: "p-1",
    invoiceId: null,
    refundId: null,
    amountHere: null,
    amountThere: Tiyn(5),
    ...more
  })
  const itemOf = (difference: Difference, id = "wki_1"): WorkItem => newWorkItem(id, day, difference, 10)
  const by = (item: WorkItem, resolution: "gone" | "accepted") =>
    resolved(item, { resolution, resolvedBy: null, note: "seen", now: 20 })

  it("are added once, however often they are found", () => {
    const first = changesOf([], [found("payment m-1"), found("payment m-2")], 10)
    assert.strictEqual(first.added.length, 2)
    const items = first.added.map((difference, index) => itemOf(difference, `wki_${index}`))
    assert.deepStrictEqual(changesOf(items, first.added, 30), { added: [], changed: [] })
  })

  it("close themselves when their difference has gone, and open again when it is back", () => {
    const item = itemOf(found("payment m-1"))
    const [gone] = changesOf([item], [], 30).changed
    assert.deepInclude(gone, { status: "resolved", resolution: "gone", resolvedAt: 30, version: 2 })
    assert.deepStrictEqual(changesOf([gone!], [], 40).changed, [])
    const [back] = changesOf([gone!], [found("payment m-1")], 50).changed
    assert.deepInclude(back, { status: "open", foundAt: 50, resolution: null, resolvedAt: null, version: 3 })
  })

  it("stay accepted as long as they are the same", () => {
    const accepted = by(itemOf(found("payment m-1")), "accepted")
    assert.deepStrictEqual(changesOf([accepted], [found("payment m-1")], 30).changed, [])
    const [other] = changesOf([accepted], [found("payment m-1", { amountThere: Tiyn(6) })], 30).changed
    assert.deepInclude(other, { status: "open", amountThere: Tiyn(6), note: null })
  })
})
