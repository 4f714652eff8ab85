/** What follows from a change of an invoice beyond its own rows: decided here, written by the storage. Pure. */
import type { Invoice, InvoiceEvent, InvoiceStatus } from "./Invoice.ts"
import type { Write } from "./InvoiceStore.ts"

/** The types of events that endpoints may hear of. The others are for the invoice's own history. */
export const announcedTypes = [
  "invoice.paid",
  "invoice.failed",
  "invoice.expired",
  "invoice.cancelled",
  "invoice.refunded",
  "invoice.partially_refunded"
] as const satisfies ReadonlyArray<InvoiceEvent["type"]>

/** The statuses of an invoice that ended without money and that no merchant has closed. */
export const lostStatuses = ["failed", "expired"] as const satisfies ReadonlyArray<InvoiceStatus>

/** An invoice that comes (1) to the totals of its day, status and cashier, or leaves (-1) them. */
export interface TotalMove {
  readonly invoice: Invoice
  readonly by: 1 | -1
}

/** What follows from a write. All of it is written with the write, or none. */
export interface Consequences {
  /** Endpoints that want its event get a delivery each. */
  readonly isAnnounced: boolean
  /** The invoice gets the next receipt number of its organization: the provider has given none. */
  readonly isNumbered: boolean
  /**
   * The run of a subscription that the invoice was made for is due at once: perhaps it is issued again, or late money
   * has ended it.
   */
  readonly wakesRun: boolean
  /** What leaves the daily totals and comes to them. */
  readonly totals: ReadonlyArray<TotalMove>
}

/** See `Consequences`. */
export const consequences = ({ previous, next, event }: Pick<Write, "previous" | "next" | "event">): Consequences => ({
  isAnnounced: event !== null && isAnnounced(event, next),
  isNumbered: next.status === "paid" && next.receiptNumber === null,
  wakesRun: event !== null && (isLost(event.to) || event.late) && next.origin?.kind === "subscription",
  totals: [
    { invoice: previous, by: -1 },
    { invoice: next, by: 1 }
  ]
})

/** Whether endpoints hear of an event: of the types that are announced, if the invoice was made at all. */
export const isAnnounced = (event: InvoiceEvent, invoice: Invoice): boolean =>
  announcedTypes.some((type) => type === event.type) && !isNeverMade(event, invoice)

/**
 * Whether by this event a merchant's own request ended before the provider had it. Its answer was an error, and a
 * repetition of it makes another invoice: so it is announced to no endpoint.
 */
export const isNeverMade = (
  { from, to }: Pick<InvoiceEvent, "from" | "to">,
  { origin }: { readonly origin: unknown }
): boolean => from === "new" && isLost(to) && origin === null

const isLost = (status: InvoiceStatus): boolean => lostStatuses.some((lost) => lost === status)
