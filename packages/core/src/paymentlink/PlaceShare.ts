/** How many places of a payment link one visitor may hold at once without having paid. Pure. */
import type { PaymentLink } from "./PaymentLink.ts"
import type { PaymentLinkSettings } from "./PaymentLinkSettings.ts"

/** What is asked of a visitor who wants the code of another invoice. */
export interface PlaceShare {
  /** So many codes of theirs may wait for money beside it at most. */
  readonly mostBeside: number
  /** None of theirs may have ended unpaid within so long. */
  readonly restMs: number
}

/**
 * The share of one visitor at a link with so many places, of which so many are held. A customer who begins anew has one
 * code more than they need, so there is one to spare while half of the places are left; and the last free place is for
 * those who have not just had one.
 */
export const placeShareOf = (
  maxPayments: number,
  { totals: { held } }: Pick<PaymentLink, "totals">,
  { placesPart, placeRestMs }: PaymentLinkSettings
): PlaceShare => {
  const share = Math.max(1, Math.ceil(maxPayments * placesPart))
  // The sum may be older than what they hold themselves.
  const leftBeside = (count: number) => maxPayments - count - 1
  const spare = 2 * leftBeside(Math.max(held, share)) >= maxPayments ? 1 : 0
  return { mostBeside: share + spare - 1, restMs: leftBeside(held) <= 0 ? placeRestMs : 0 }
}
