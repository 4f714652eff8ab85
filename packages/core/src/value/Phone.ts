/** Phones as they are shown. Pure. */

/** Enough of a phone (7XXXXXXXXXX) to recognise it by: `7700*****67`. */
export const masked = (phone: string): string => `${phone.slice(0, 4)}*****${phone.slice(-2)}`
