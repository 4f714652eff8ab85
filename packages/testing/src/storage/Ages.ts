/** What cases of what is kept for a time are given. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { Delivery, Endpoint } from "@tolem/core/webhook/Webhook"
import { type AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Result } from "effect"
import { claimDue } from "../claims.ts"
import { attemptOf, changeOf, creationOf, endpointOf, startAt } from "../fixtures.ts"

/** In milliseconds. */
export const minute = 60_000
/** What the checks find, but that instants of the suite are to come for a clock that stands still. */
export const findings = Effect.map(
  Integrity.use((integrity) => integrity.findings),
  (found) => found.filter(({ rule }) => rule !== "removals_are_sound")
)
/** What a receiver answers. */
export const taken = { status: 200, responseBody: "ok" } as const

/** An endpoint that has wanted everything for long. */
export const listening = Effect.fnUntraced(function* (members: Partial<Endpoint> = {}) {
  const endpoint = endpointOf({ createdAt: startAt - minute, updatedAt: startAt - minute, ...members })
  yield* WebhookStore.use((store) => store.addEndpoint(endpoint, 10))
  return endpoint
})

/** An invoice that was paid, so that it is announced. `aheadMs`: in a sandbox whose clock is ahead. */
export const paid = Effect.fnUntraced(function* (members: Partial<Invoice> = {}, aheadMs = 0) {
  const at = startAt + aheadMs
  const { invoice, event } = creationOf({ createdAt: at, updatedAt: at, ...members })
  yield* InvoiceStore.use((store) => store.insertMany([{ invoice, event }]))
  const change = { ...changeOf(invoice, InvoiceCommand.Pay({ paidAt: at })), aheadMs }
  yield* InvoiceStore.use((store) => Effect.map(store.commitMany([change]), ([row]) => Result.getOrThrow(row!)))
  return invoice
})

/** Claims what is due at an instant, and settles it as said, attempt by attempt. */
export const attempted = Effect.fnUntraced(function* (now: number, number: number, outcome: AttemptOutcome) {
  const store = yield* WebhookStore
  const jobs = yield* claimDue(store, { now, until: now + 20_000 })
  const answer = outcome._tag === "Delivered" ? taken : {}
  const attempt = attemptOf({ number, startedAt: now, ...answer })
  yield* store.settleMany(
    jobs.map((job) => ({ job, attempt, outcome })),
    now
  )
  return jobs.map(({ delivery }) => delivery)
})

/** The numbers of the attempts of a delivery that are there; null: it is not there. */
export const attemptsOf = ({ id, endpointId }: Delivery) =>
  WebhookStore.use((store) =>
    Effect.map(store.delivery(endpointId, id), (found) =>
      found._tag === "None" ? null : found.value.attempts.map(({ number }) => number)
    )
  )
