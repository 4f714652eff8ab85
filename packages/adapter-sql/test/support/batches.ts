/** Every verb that takes many, with as many as asked for. */
import { type Hit, RateStore } from "@tolem/core/access/RateStore"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { attemptOf, changeOf, creationOf, endpointOf, refundOf, startAt } from "@tolem/testing/fixtures"
import { Effect, Result } from "effect"

/** Each verb also meets items that win and items that lose. */
export const batches = Effect.fnUntraced(function* (size: number) {
  const invoices = yield* InvoiceStore
  const webhooks = yield* WebhookStore
  const times = <A>(make: (n: number) => A): ReadonlyArray<A> => Array.from({ length: size }, (_, n) => make(n))
  yield* webhooks.addEndpoint(endpointOf(), 10)
  const creations = times((n) => creationOf({ idempotencyKey: `key-${n}` }))
  yield* invoices.insertMany(creations)
  yield* invoices.insertMany(
    [...creations, ...times(() => creationOf())].map(({ event, invoice }) => {
      const id = `${invoice.id}x`
      return { event: { ...event, id: `${event.id}x`, invoiceId: id }, invoice: { ...invoice, id } }
    })
  )
  const paid = yield* invoices.commitMany(
    creations.map(({ invoice }) => changeOf(invoice, InvoiceCommand.Pay({ paidAt: startAt })))
  )
  const rows = paid.filter(Result.isSuccess).map(({ success }) => success)
  yield* invoices.commitMany(rows.map((row) => changeOf(row, InvoiceCommand.Refund({ refund: refundOf(row, 100) }))))
  const until = startAt + 1e9
  const jobs = yield* claimDue(webhooks, { now: startAt + 1e8, until, limit: size })
  const settlements = jobs.map((job, n) => ({
    job,
    attempt: attemptOf(),
    outcome:
      n === 0 ? AttemptOutcome.Retry({ dueAt: until, pauseUntil: until }) : AttemptOutcome.Failed({ pauseUntil: null })
  }))
  yield* webhooks.settleMany(settlements, startAt + 1e8)
  yield* webhooks.release(jobs, until)
  yield* RateStore.use((store) =>
    store.hitMany(times((n): Hit => ({ subject: `key_${n}`, kind: "read", windowAt: 0 })))
  )
  yield* MerchantStore.use((store) => store.findKeys(times((n) => `digest-${n}`)))
})
