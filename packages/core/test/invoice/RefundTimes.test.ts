/** When refunds were made: no record ends before it begins, whichever clocks of servers and providers disagree. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import type { Invoice } from "../../src/invoice/Invoice.ts"
import type { Write } from "../../src/invoice/InvoiceStore.ts"
import { begin, recordOnly, succeed } from "../../src/invoice/live/LiveRefund.ts"
import { nextStep } from "../../src/invoice/live/ProviderState.ts"
import { decideRefund, isUnresolved, type Refund } from "../../src/invoice/Refund.ts"
import { type MadeRefund, Signal } from "../../src/provider/Payment.ts"
import { Tiyn } from "../../src/value/Money.ts"
import { invoice as invoiceOf, now } from "./given.ts"

/** `ask`, `made`, `failed`, `unknown`: a refund of ours and its answers. `outside`: one in the provider's app. */
const Move = Schema.Literals(["ask", "made", "failed", "unknown", "outside", "look"])
const around = Schema.Int.check(Schema.isBetween({ minimum: -100_000, maximum: 100_000 }))
const Moves = Schema.Array(
  Schema.Struct({
    move: Move,
    /** The clocks of the server and of the provider then. */
    ours: around,
    theirs: around,
    amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30_000 }))
  })
).check(Schema.isMaxLength(20))

/** An invoice with its records, and what its provider has made. */
class World {
  invoice: Invoice = invoiceOf({
    mode: "live",
    connectionId: "con_1",
    status: "paid",
    providerReference: "P-1",
    paidAt: now
  })
  readonly records = new Map<string, Refund>()
  readonly made: Array<MadeRefund> = []
  #serial = 0

  play(move: (typeof Moves.Type)[number]): void {
    const write = this.#writeOf(move)
    if (write === undefined) return
    this.invoice = write.next
    if (write.refund !== null) this.records.set(write.refund.id, write.refund)
  }

  #writeOf({ move, ours, theirs, amount }: (typeof Moves.Type)[number]): Write | undefined {
    const at = now + ours
    const given = { now: at, eventId: `evt_${++this.#serial}`, source: "provider" } as const
    const refunds = [...this.records.values()]
    const record = refunds.find(isUnresolved)
    switch (move) {
      case "ask": {
        const asked = { id: `ref_${this.#serial}`, amount: Tiyn(amount), reason: null, idempotencyKey: null }
        const begun = begin(this.invoice, refunds, { ...asked, fingerprint: null }, at)
        return Result.isSuccess(begun) ? begun.success.write : undefined
      }
      case "failed":
      case "unknown": {
        const next = record === undefined ? null : decideRefund(record, move, at)
        return next === null ? undefined : recordOnly(this.invoice, next, at)
      }
      case "made": {
        // The provider may have made also what was taken for failed, and nobody hears its answer then.
        const one = record ?? refunds.find(({ status }) => status === "failed")
        if (one === undefined || this.made.some((each) => each.ours === one.id)) return undefined
        const answer = this.#give(one.id, one.amount, now + theirs)
        const change =
          record === undefined ? undefined : succeed(this.invoice, decideRefund(record, answer, at)!, given)
        return change !== undefined && Result.isSuccess(change) ? change.success : undefined
      }
      case "outside":
        this.#give(null, Tiyn(amount), now + theirs)
        return undefined
      case "look": {
        const receipt = { at: now, reference: "M-1", amount: this.invoice.amount, number: null, url: null }
        const signal = Signal.Paid({ receipt, refunds: this.made })
        const { invoice } = this
        const told = { reference: "P-1", ours: invoice.id, amount: invoice.amount, links: null, expiresAt: now }
        const payment = { ...told, signal, statusText: "" }
        const step = nextStep({ invoice, refunds, payment, circumstances: given, refundId: given.eventId })
        return step._tag === "Write" ? step.write : undefined
      }
    }
  }

  #give(ours: string | null, amount: Tiyn, at: number): MadeRefund {
    const one = { reference: `F-${this.made.length}`, ours, amount, at }
    this.made.push(one)
    return one
  }
}

describe("whatever refunds are asked for and answered, in whatever order and by whichever clocks", () => {
  const seen = new Set<string>()

  it.prop(
    "a record that has come to its end did so no earlier than it began",
    { moves: Moves },
    ({ moves }) => {
      const world = new World()
      for (const move of moves) {
        world.play(move)
        for (const { status, createdAt, completedAt, id } of world.records.values()) {
          seen.add(`${id.startsWith("evt") ? "outside" : "ours"} ${status}`)
          assert.strictEqual(completedAt === null, status === "pending" || status === "unknown")
          assert.isAtLeast(completedAt ?? createdAt, createdAt)
        }
      }
    },
    { arbitrary: { runs: 1000 } }
  )

  it("has tried every end there is", () => {
    const ends = ["ours pending", "ours unknown", "ours failed", "ours succeeded", "outside succeeded"]
    assert.sameMembers([...seen], ends)
  })
})
