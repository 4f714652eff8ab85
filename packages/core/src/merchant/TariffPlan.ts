/** Tariffs that an organization may have. Pure. */
import { Tiyn } from "../value/Money.ts"

/** One of the settings' catalogue. */
export interface Tariff {
  readonly code: string
  /** As people know it. */
  readonly name: string
  /** Live invoices in a calendar month of Almaty. */
  readonly monthlyLimit: number
  /** Live invoices in a day of Almaty: a guard against programs that loop. */
  readonly dailyLimit: number
  /** For a month; null: it cannot be bought. */
  readonly price: Tiyn | null
  /** Whether it opens the partner API. */
  readonly partner: boolean
}

/** A month's limit, and a fifth of it a day, at least 50, if nothing else is said. */
export const tariffOf = (
  code: string,
  name: string,
  monthlyLimit: number,
  more: { readonly priceTenge?: number; readonly dailyLimit?: number; readonly partner?: boolean } = {}
): Tariff => ({
  code,
  name,
  monthlyLimit,
  dailyLimit: more.dailyLimit ?? Math.max(Math.floor(monthlyLimit / 5), 50),
  price: more.priceTenge === undefined ? null : Tiyn(more.priceTenge * 100),
  partner: more.partner ?? false
})
