/** How far an invoice has come at the provider, before it can be paid there. Pure. */
import { defaultTimeoutMs } from "../../provider/Deadline.ts"
import type { Invoice } from "../Invoice.ts"

/** When an agent looks at a create that has not ended: its own call has ended long before. */
export const firstLookMs = defaultTimeoutMs + 2_000

/** Whether it waits to be made: for a customer who opens its page, or for a subscription's run. */
export const isWaiting = ({ status, stage }: Invoice): boolean => status === "new" && stage === "waits"

/** Whether it waits for a person to ask for its code, on its page. */
export const isOnDemand = (invoice: Invoice): boolean =>
  isWaiting(invoice) && invoice.kind === "qr" && invoice.origin?.kind !== "transaction"

/** Whether it waits for its turn only: made in a transaction that is committed, it is offered as soon as it is due. */
export const isToBeOffered = (invoice: Invoice, now: number): boolean =>
  isWaiting(invoice) && invoice.origin?.kind === "transaction" && now < (invoice.validUntil ?? now)

/** Whether a call that has it made may be under way at `now`, here or on another server. */
export const isUnderWay = ({ status, stage, updatedAt }: Invoice, now: number): boolean =>
  status === "new" && stage === "asked" && now < updatedAt + firstLookMs

/** Whether a call that has it made may reach the provider yet, though it has never heard of it at `now`. */
export const mayBeTaken = ({ status, stage, updatedAt }: Invoice, now: number, abandonedAfterMs: number): boolean =>
  status === "new" && stage !== "waits" && now < updatedAt + abandonedAfterMs

/** The invoice before its provider is asked to make it: what is stored is found after a crash, and looked into. */
export const asked = (invoice: Invoice, now: number): Invoice => ({
  ...invoice,
  stage: "asked",
  updatedAt: now,
  dueAt: now + firstLookMs,
  version: invoice.version + 1
})

/**
 * The invoice waits again: the provider has not taken it. What strangers make is counted again when it is made, and
 * what waits for its turn only is offered again before long.
 */
export const waitingAgain = (invoice: Invoice, now: number): Invoice => ({
  ...invoice,
  stage: "waits",
  countedOn: isCountedWhenMade(invoice) ? null : invoice.countedOn,
  updatedAt: now,
  dueAt: isToBeOffered({ ...invoice, status: "new", stage: "waits" }, now) ? now + firstLookMs : invoice.validUntil,
  version: invoice.version + 1
})

/** Whether it counts in the quota when its code is made, and not before: strangers may make any number of these. */
export const isCountedWhenMade = ({ origin }: Invoice): boolean =>
  origin?.kind === "payment-link" || origin?.kind === "form-hook"
