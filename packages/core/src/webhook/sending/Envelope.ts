/** Bodies of attempts: `{ event, invoice, sentAt, id, sequence, late? }` (interface specification, Events). Pure. */
import type { Invoice } from "../../invoice/Invoice.ts"
import { asOf, renderInvoice } from "../../invoice/InvoiceJson.ts"
import { blankInvoice } from "../../invoice/NewInvoice.ts"
import { toIso } from "../../value/Calendar.ts"
import { Tiyn } from "../../value/Money.ts"
import { withRawMember } from "../../value/RawJson.ts"
import type { Delivery, Job } from "../Webhook.ts"
import type { WebhookSettings } from "../WebhookSettings.ts"

/** The invoice that test deliveries tell of. It exists nowhere. */
export const testInvoiceId = "inv_test"

/**
 * JSON text that tells the job's fact. `invoice` is the invoice as of the event: a retry says what the first attempt
 * said, whatever has happened since. Its metadata is the text that the merchant sent. `sentAt` in milliseconds.
 */
export const renderDelivery = (
  job: Pick<Job, "delivery" | "fact">,
  sentAt: number,
  settings: WebhookSettings
): string => {
  const { delivery, fact } = job
  const invoice = fact === null ? testInvoice(delivery) : asOf(fact.invoice, fact.event)
  return withRawMember({ event: delivery.kind }, "invoice", renderInvoice(invoice, settings), {
    sentAt: toIso(sentAt),
    id: delivery.eventId,
    sequence: delivery.sequence,
    ...(fact?.event.late === true && { late: true })
  })
}

const testInvoice = ({ organizationId, mode, createdAt: now }: Delivery): Invoice => ({
  ...blankInvoice({ id: testInvoiceId, organizationId, mode, kind: "qr", amount: Tiyn(100_000), now }),
  status: "new",
  description: "Test"
})
