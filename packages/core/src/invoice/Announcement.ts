/** Which events of invoices are announced to endpoints. Pure. */
import type { Invoice, InvoiceEvent } from "./Invoice.ts"

/**
 * Whether endpoints hear of an event. Nobody does of a merchant's own request that ended before the provider had it:
 * its answer was an error, and a repetition of it makes another invoice.
 */
export const isHeard = ({ from, to }: InvoiceEvent, { origin }: Invoice): boolean =>
  from !== "new" || origin !== null || (to !== "failed" && to !== "expired")
