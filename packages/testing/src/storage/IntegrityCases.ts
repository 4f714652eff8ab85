/** Promises of `Integrity`: whatever is done through the ports leaves nothing wrong. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { decideInvoice, type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Fiber, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { creationOf, endpointOf, freshId, queryOf, refundOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

/** Whole numbers that look random and are the same in every run (Numerical Recipes' generator). */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const commandFor = (invoice: Invoice, next: (below: number) => number): InvoiceCommand => {
  switch (next(5)) {
    case 0:
      return InvoiceCommand.Cancel()
    case 1:
      return InvoiceCommand.Expire()
    case 2:
      return InvoiceCommand.Fail()
    case 3:
      return InvoiceCommand.Refund({ refund: refundOf(invoice, 1 + next(invoice.amount - invoice.refunded + 1)) })
    default:
      return InvoiceCommand.Pay({ paidAt: invoice.createdAt })
  }
}

/** Several rounds of inserts and changes, as many at once as there are workers, many of them in each other's way. */
const workload = Effect.fnUntraced(function* (seed: number, organizationId: OrganizationId) {
  const store = yield* InvoiceStore
  const next = numbers(seed)
  let invoices: ReadonlyArray<Invoice> = []
  for (let round = 0; round < 12; round++) {
    const creations = Array.from({ length: next(6) }, () => {
      const createdAt = startAt + next(40) * 3_600_000
      const endsAt = createdAt + 180_000
      const idempotencyKey = next(2) === 0 ? `key-${next(20)}` : null
      return creationOf({
        organizationId,
        createdAt,
        updatedAt: createdAt,
        expiresAt: endsAt,
        dueAt: endsAt,
        idempotencyKey
      })
    })
    const insertions = yield* store.insertMany(creations)
    invoices = [...invoices, ...insertions.flatMap((one) => ("invoice" in one ? [one.invoice] : []))]
    const changes = invoices.flatMap((invoice) => {
      const circumstances = { now: startAt + 4e8 + round, eventId: freshId("evt"), source: "api" as const }
      const decided = decideInvoice(invoice, commandFor(invoice, next), circumstances)
      return Result.isSuccess(decided) && next(3) > 0 ? [decided.success] : []
    })
    const results = yield* store.commitMany(changes)
    const written = new Map(
      results.flatMap((each) => (Result.isSuccess(each) ? [[each.success.id, each.success]] : []))
    )
    invoices = invoices.map((invoice) => (next(4) === 0 ? invoice : (written.get(invoice.id) ?? invoice)))
  }
})

/** What every storage must do, of “the stored data”. */
export const casesOfIntegrity = storageSubject("the stored data", {
  *"is right while it is empty"() {
    const integrity = yield* Integrity
    expectEqual(yield* integrity.findings, [], "nothing is wrong with nothing")
  },

  *"is right after whatever the ports were used for, by several at once"() {
    const store = yield* InvoiceStore
    const integrity = yield* Integrity
    for (const organizationId of ["org_0", "org_1"]) {
      yield* WebhookStore.use((webhooks) =>
        Effect.forEach(
          [endpointOf({ organizationId }), endpointOf({ organizationId, events: ["invoice.paid"] })],
          (each) => webhooks.addEndpoint(each, 10)
        )
      )
    }
    const workers = Array.from({ length: 6 }, (_, n) => workload(n + 1, `org_${n % 2}`))
    yield* Effect.all(workers, { concurrency: "unbounded", discard: true })
    expectEqual(yield* integrity.findings, [], "nothing is wrong")
    for (const organizationId of ["org_0", "org_1"]) {
      // A bound that excludes nothing makes the store count rows instead of adding up totals.
      const counted = yield* store.list(queryOf({ organizationId, from: 0 }))
      const added = yield* store.list(queryOf({ organizationId }))
      expectEqual(added.total, counted.total, "the totals are those of the rows")
    }
  },

  *"is right at every moment, while several write"() {
    const integrity = yield* Integrity
    yield* WebhookStore.use((webhooks) => webhooks.addEndpoint(endpointOf({ organizationId: "org_0" }), 10))
    const workers = Array.from({ length: 4 }, (_, n) => workload(n + 11, "org_0"))
    const writing = yield* Effect.forkChild(Effect.all(workers, { concurrency: "unbounded", discard: true }))
    for (let look = 0; look < 6; look++) expectEqual(yield* integrity.findings, [], "nothing is wrong meanwhile")
    yield* Fiber.join(writing)
    expectEqual(yield* integrity.findings, [], "nor afterwards")
  }
})
