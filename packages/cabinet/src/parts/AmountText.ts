/** Amounts as people type or paste them. What could mean two amounts is left as it is, and none is read of it. Pure. */
import { tengeOfText } from "@tolem/core/value/AmountText"

const maxDigits = 9

/** Digits with the spaces that this module puts between them, and at most two after the comma: as it is typed. */
const typing = /^([\d\u00a0]*)(?:([.,])(\d{0,2}))?$/

/** What was typed, as `12 500` or `12 500,5` if it says that for sure; else as it was typed. Nothing is cut. */
export const amountText = (typed: string): string => {
  const trimmed = typed.trim()
  const [, whole, point, decimals = ""] = typing.exec(trimmed) ?? []
  if (whole !== undefined) return shown(whole.replace(/\D/g, ""), point === undefined ? null : decimals)
  const tenge = tengeOfText(trimmed)
  if (tenge === undefined || tenge < 0 || !Number.isSafeInteger(Math.round(tenge * 100))) return trimmed
  const [digits = "", rest = null] = String(tenge).split(".")
  return shown(digits, rest)
}

const shown = (digits: string, decimals: string | null): string => {
  const grouped = digits.replace(/^0+(?=\d)/, "").replace(/\B(?=(\d{3})+$)/g, "\u00a0")
  return decimals === null ? grouped : `${grouped === "" ? "0" : grouped},${decimals}`
}

/** The tenge that such a text says; null if it says nothing above zero, more than can be, or nothing for sure. */
export const amountOf = (text: string): number | null => {
  const tenge = tengeOfText(text.replace(/,$/, ""))
  return tenge !== undefined && tenge > 0 && tenge < 10 ** maxDigits ? tenge : null
}

/** What is wrong with such a text already while it is typed; null of what may yet become an amount. */
export const faultOf = (text: string): "unclear" | "large" | null => {
  if (amountOf(text) !== null) return null
  const [, whole] = typing.exec(text) ?? []
  if (whole === undefined) return "unclear"
  return whole.replace(/\D/g, "").length > maxDigits ? "large" : null
}
