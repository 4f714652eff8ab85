/** Amounts as people in Kazakhstan read them. Pure. */
import type { Tiyn } from "./Money.ts"

/** `1 500,00 ₸` in every language; its spaces do not break. */
export const money = (amount: Tiyn): string => {
  const tenge = String(Math.floor(amount / 100)).replace(/\B(?=(\d{3})+$)/g, "\u00a0")
  return `${tenge},${String(amount % 100).padStart(2, "0")}\u00a0₸`
}
