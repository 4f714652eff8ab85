/** What an invoice counts in the sums of the payment link that it was made at. Pure. */
import { refusal } from "../../error/Refusal.ts"
import type { PaymentLinkId } from "../../value/Ids.ts"
import type { TiynSum } from "../../value/Money.ts"
import type { Invoice } from "../Invoice.ts"

/** The link has as many payments as it may take, those that may still come included. Nothing was written. */
export class LinkSoldOut extends refusal("LinkSoldOut", "link_sold_out") {}

/** Invoices of a link, and their money. Late money and refunds are in it as soon as they are in the invoice. */
export interface LinkTotals {
  readonly made: number
  /** Those that hold one of its places: see `holdsPlace`. */
  readonly held: number
  /** Those that were paid, whatever was refunded since. */
  readonly paid: number
  readonly paidAmount: TiynSum
  readonly refunded: TiynSum
}

/** Of a link without invoices. */
export const noTotals: LinkTotals = { made: 0, held: 0, paid: 0, paidAmount: 0n, refunded: 0n }

/** The same of one invoice, in tiyn, and whose it is. */
export interface LinkShare {
  readonly linkId: PaymentLinkId
  readonly made: number
  readonly held: number
  readonly paid: number
  readonly paidAmount: number
  readonly refunded: number
}

/** The statuses of an invoice that may hold a place: see `holdsPlace`. */
export const placeStatuses = ["new", "pending", "paid", "partially_refunded"] as const satisfies ReadonlyArray<
  Invoice["status"]
>

/**
 * Whether an invoice holds a place of its link: its code was asked for and can be paid, or it is paid and not wholly
 * refunded. One that waits for a person holds none, however many of them there are. A cancelled one, whose code can be
 * paid for a while, is counted by the storage beside these: that ends without a write.
 */
export const holdsPlace = ({ status, stage }: Pick<Invoice, "status" | "stage">): boolean =>
  placeStatuses.some((holding) => holding === status) && !(status === "new" && stage === "waits")

/** How long a cancelled invoice holds a place whose code came, or may have come, without the end of its window. */
export const unknownWindowMs = 60 * 60_000

/** What an invoice counts; null: it was made at no link. */
export const linkShareOf = (invoice: Invoice): LinkShare | null => {
  const { origin, paidAt, amount, refunded } = invoice
  if (origin?.kind !== "payment-link") return null
  const paid = paidAt === null ? 0 : 1
  const held = holdsPlace(invoice) ? 1 : 0
  return { linkId: origin.id, made: 1, held, paid, paidAmount: paid * amount, refunded }
}
