/** Which invoice pays for which order of a tariff, said once for all statements. */
import { invoiceKeyOf } from "@tolem/core/tariff/TariffStore"

/** Whether the invoice `i` pays for the order that is called so. */
export const paysFor = (
  order: string
): string => `i.organization_id = ${order}.seller_id and i.mode = ${order}.seller_mode
  and i.idempotency_key = '${invoiceKeyOf({ id: "" })}' || ${order}.id`

/** Whether the invoice `i` pays for the order `o`: it is its seller's, and has the order's idempotency key. */
export const paysForOrder: string = paysFor("o")
