/** Phones as they are shown, and as people type them. Pure. */

/** Enough of a phone (7XXXXXXXXXX) to recognise it by: `7700*****67`. */
export const masked = (phone: string): string => `${phone.slice(0, 4)}*****${phone.slice(-2)}`

/** Enough of an e-mail address to recognise it by: `al*****@shop.kz`. */
export const maskedEmail = (email: string | null): string | null =>
  email === null ? null : email.replace(/^(.{1,2})[^@]*/su, "$1*****")

/** The same of a phone for the customer themselves, who knows it: `+7 701 ••• 45 67`. Its spaces do not break. */
export const maskedForCustomer = (phone: string): string =>
  ["+7", phone.slice(1, 4), "•••", phone.slice(-4, -2), phone.slice(-2)].join("\u00a0")

/** The phone (7XXXXXXXXXX) that a person means, with +7 or 8 or neither, and signs between; else the text itself. */
export const phoneOfText = (text: string): string => {
  const digits = typedForm.exec(text.replace(/[\s()-]/g, ""))?.[1]
  return digits === undefined ? text : `7${digits}`
}

const typedForm = /^(?:\+?7|8)([0-9]{10})$/
