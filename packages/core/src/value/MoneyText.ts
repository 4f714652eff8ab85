/** Amounts as people in Kazakhstan read them. Pure. */
import type { Tiyn } from "./Money.ts"

/** `1 500 ₸`, or `1 500,50 ₸` where there are tiyn, in every language; its spaces do not break. */
export const money = (amount: Tiyn): string => {
  const tenge = String(Math.floor(amount / 100)).replace(/\B(?=(\d{3})+$)/g, "\u00a0")
  const tiyn = amount % 100
  return `${tenge}${tiyn === 0 ? "" : `,${String(tiyn).padStart(2, "0")}`}\u00a0₸`
}
