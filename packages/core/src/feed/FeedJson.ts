/** Events of the feed as answers show them. Pure. */
import { asOf, eventJson, invoiceObject, renderInvoice } from "../invoice/InvoiceJson.ts"
import type { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import { arrayText, withRawMember } from "../value/RawJson.ts"
import type { Tenant } from "../value/Tenant.ts"
import { cursorText } from "./Cursor.ts"
import type { FeedEntry, FeedPart } from "./FeedStore.ts"

/** The members behind it. */
const tail = (tenant: Tenant, { cursor }: FeedEntry) => ({ cursor: cursorText(tenant, cursor) })

/** An event with its invoice as of the event, as webhooks show it, and the cursor behind it. */
export const feedEventObject = (tenant: Tenant, entry: FeedEntry, settings: InvoiceSettings) => ({
  ...eventJson(entry.event),
  invoice: invoiceObject(asOf(entry.invoice, entry.event), settings),
  ...tail(tenant, entry)
})

/** See `feedEventObject`. */
export type FeedEventObject = ReturnType<typeof feedEventObject>

/** A page of events: `cursor` is the place to go on from, and `more` whether there is anything behind it already. */
export const feedPageObject = (tenant: Tenant, part: FeedPart, settings: InvoiceSettings) => ({
  events: part.entries.map((entry) => feedEventObject(tenant, entry, settings)),
  cursor: cursorText(tenant, part.cursor),
  more: part.more
})

/** JSON text of a page. Metadata are the texts that were sent. */
export const renderFeedPage = (tenant: Tenant, part: FeedPart, settings: InvoiceSettings) => {
  const events = part.entries.map((entry) => {
    const invoice = renderInvoice(asOf(entry.invoice, entry.event), settings)
    return withRawMember(eventJson(entry.event), "invoice", invoice, tail(tenant, entry))
  })
  const { cursor, more } = part
  return withRawMember({}, "events", arrayText(events), { cursor: cursorText(tenant, cursor), more })
}
