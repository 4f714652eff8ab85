/** Amounts as people type them. Pure. */

const maxDigits = 9

/** What was typed, as `12 500` or `12 500,5`: digits in groups, and at most two after the comma. */
export const amountText = (typed: string): string => {
  const [whole = "", ...rest] = typed.replace(/[^\d.,]/g, "").split(/[.,]/)
  const digits = whole.replace(/^0+(?=\d)/, "").slice(0, maxDigits)
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, "\u00a0")
  return rest.length === 0 ? grouped : `${grouped === "" ? "0" : grouped},${rest.join("").slice(0, 2)}`
}

/** The tenge that such a text says; null if it says nothing above zero. */
export const amountOf = (text: string): number | null => {
  const number = Number(text.replace(/[^\d,]/g, "").replace(",", "."))
  return number > 0 ? number : null
}
