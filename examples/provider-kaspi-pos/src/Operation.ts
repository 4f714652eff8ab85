/** An operation as our reference of it. Its state tells neither sum nor time, so that the reference has to. */

/** A code to be scanned, or an invoice in the customer's app. */
export type Kind = "qr" | "push"

/** What is known of an operation when it is made. */
export interface Operation {
  readonly kind: Kind
  readonly id: number
  /** Whole tiyn. */
  readonly amount: number
  /** Milliseconds. */
  readonly expiresAt: number
}

/** The reference: `qr:789012:50000:1735715100000`. */
export const referenceOf = ({ kind, id, amount, expiresAt }: Operation): string =>
  [kind, id, amount, expiresAt].join(":")

/** What a reference says; undefined if it is none. */
export const operationOf = (reference: string): Operation | undefined => {
  const [, kind, ...numbers] = /^(qr|push):(\d{1,15}):(\d{1,15}):(\d{1,15})$/.exec(reference) ?? []
  const [id = 0, amount = 0, expiresAt = 0] = numbers.map(Number)
  return kind === "qr" || kind === "push" ? { kind, id, amount, expiresAt } : undefined
}

/** The instant of a time without a zone, as `2025-01-01T12:05:00`: all of Kazakhstan has had UTC+5 since March 2024. */
export const instantOf = (time: string): number => Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}+05:00`)
