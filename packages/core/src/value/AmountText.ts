/** Amounts as people type them into forms. Programs send JSON numbers, which nothing here reads. Pure. */

/**
 * The tenge that a person means by `text`, with at most two decimals; undefined if the text says no amount, or could
 * mean more than one: `3.500` may be three and a half tenge, or three thousand five hundred. Spaces of any kind (those
 * that do not break too) and apostrophes stand between groups of three digits; points or commas do only if there are
 * several, or if decimals follow after the other sign. Lines and tabs stand between two amounts, never within one. One
 * currency mark may stand before or after. More than some 90 trillion is no amount: not all of its digits would be
 * kept.
 */
export const tengeOfText = (text: string): number | undefined => {
  if (text.length > maxLength) return undefined
  const typed = text.replace(invisible, "").trim()
  const [, before, sign = "", number = "", after] = amountForm.exec(typed) ?? []
  if (before !== undefined && after !== undefined) return undefined
  const plain = plainOf(number)
  if (plain === undefined) return undefined
  const tenge = Number(`${sign === "" || sign === "+" ? "" : "-"}${plain}`)
  return Math.abs(tenge) <= mostTenge ? tenge : undefined
}

/** More than this a number does not hold to the tiyn. */
const mostTenge = Number.MAX_SAFE_INTEGER / 100

/** More than any amount takes, even one with a space around each digit. */
const maxLength = 64

/** Marks that texts bring along when they are copied: directions, joiners, soft hyphens. */
const invisible = /\p{Cf}/gu

const mark = "(₸|тг\\.?|тнг\\.?|тенге|теңге|tg\\.?|tenge|kzt)"
const amountForm = new RegExp(`^${mark}?\\s*([+\\-\u2212]?)\\s*([0-9](?:[0-9.,\\s'\u2019]*[0-9])?)\\s*${mark}?$`, "iu")

const groupsOf = (separator: string) => `[1-9][0-9]{0,2}(?:${separator}[0-9]{3})`

/** The ways to write a number that leave no doubt; each captures its whole part, and its decimals. */
const numberForms = [
  // 3500, 3500.5, 3500,50; three decimals are none: 1,500 may mean fifteen hundred.
  /^([0-9]+)(?:[.,]([0-9]{1,2}))?$/,
  // 3 500, 3 500,50, 3'500.50
  new RegExp(`^(${groupsOf("(?:\\p{Zs}+|['\u2019])")}+)(?:[.,]([0-9]{1,2}))?$`, "u"),
  // 3.500,50 and 3,500.50
  new RegExp(`^(${groupsOf("\\.")}+),([0-9]{1,2})$`),
  new RegExp(`^(${groupsOf(",")}+)\\.([0-9]{1,2})$`),
  // 1.234.567 and 1,234,567
  new RegExp(`^(${groupsOf("\\.")}{2,})$`),
  new RegExp(`^(${groupsOf(",")}{2,})$`)
]

const plainOf = (number: string): string | undefined => {
  for (const form of numberForms) {
    const [, whole, decimals] = form.exec(number) ?? []
    if (whole !== undefined) return `${whole.replace(/[^0-9]/g, "")}.${decimals ?? "0"}`
  }
  return undefined
}
