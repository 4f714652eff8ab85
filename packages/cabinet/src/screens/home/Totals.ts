/** Totals of a period. */
import type { Answer } from "../../api/Contract.ts"

/** As the server tells them. */
export type Totals = Answer<"GET /panel/orgs/:organizationId/totals">

/** Money less what went back of it, in tenge. Pure. */
export const netOf = ({ amount, refunded }: Pick<Totals, "amount" | "refunded">): number =>
  Math.round((amount - refunded) * 100) / 100
