/** Amounts as the server tells them, in tenge, the way the pages show them. Pure. */
import type { Tiyn } from "@tolem/core/value/Money"
import { money } from "@tolem/core/value/MoneyText"

/** `1 500 ₸`; with tiyn only if there are any. */
export const tenge = (amount: number): string => money(Math.round(amount * 100) as Tiyn).replace(",00", "")

/** `12 500`: a number of things. */
export const count = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, "\u00a0")
