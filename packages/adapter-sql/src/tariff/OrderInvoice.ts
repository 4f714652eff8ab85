/** Which invoice pays for which order of a tariff, said once for all statements. */
import { invoiceKeyOf } from "@tolem/core/tariff/TariffStore"

/** Whether the invoice `i` pays for the order `o`: it is its seller's, and has the order's idempotency key. */
export const paysForOrder: string = `i.organization_id = o.seller_id and i.mode = o.seller_mode
  and i.idempotency_key = '${invoiceKeyOf({ id: "" })}' || o.id`
