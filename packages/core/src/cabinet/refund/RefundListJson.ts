/** Refunds over all invoices as members are shown them. Pure. */
import { refundJson } from "../../invoice/InvoiceJson.ts"
import { toIso } from "../../value/Calendar.ts"
import { sumToTenge } from "../../value/Money.ts"
import { listPlaceText } from "../ListPlace.ts"
import type { RefundPage, ShownRefund } from "./DeskRefunds.ts"
import type { RefundSums } from "./RefundListStore.ts"

/** A refund of a list. */
const listedRefundJson = ({ refund, checks, ...invoice }: ShownRefund) => ({
  ...refundJson(refund),
  providerReference: refund.providerReference,
  invoiceId: refund.invoiceId,
  connectionId: invoice.connectionId,
  externalOrderId: invoice.externalOrderId,
  description: invoice.description,
  receiptNumber: invoice.receiptNumber,
  checks: checks === null ? null : { asked: checks.asked, nextAt: checks.nextAt === null ? null : toIso(checks.nextAt) }
})

/** A page; `next` is the `after` of the one that follows, null if there is none. */
export const refundPageJson = ({ limit, refunds, next }: RefundPage) => ({
  limit,
  refunds: refunds.map(listedRefundJson),
  next: next === null ? null : listPlaceText(next)
})

/** The sums by status. */
export const refundSumsJson = ({ sums, isExact }: RefundSums) => ({
  isExact,
  sums: sums.map(({ status, count, amount }) => ({ status, count, amount: sumToTenge(amount) }))
})
