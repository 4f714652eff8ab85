/** What statements and reports of a till have in common. */
import type { Answer } from "../../api/Contract.ts"
import { tenge } from "../../parts/MoneyWords.ts"
import { useCashiers } from "../cashiers/Cashier.ts"
import { useReportsTexts } from "./Texts.ts"

/** How much has moved. */
export type Moved = Pick<
  Answer<"GET /panel/orgs/:organizationId/shift">,
  "payments" | "paid" | "latePayments" | "late" | "refunds" | "refunded" | "net"
>

/** An amount that may be below zero. Pure. */
export const signedTenge = (amount: number): string => (amount < 0 ? `\u2212${tenge(-amount)}` : tenge(amount))

/** What each cashier is called; one that is gone, by its id. */
export const useCashierNames = (): ((id: string | null) => string) => {
  const reports = useReportsTexts()
  const names = new Map(useCashiers().map(({ id, name }) => [id, name]))
  return (id) => (id === null ? reports.noCashier : (names.get(id) ?? id))
}
