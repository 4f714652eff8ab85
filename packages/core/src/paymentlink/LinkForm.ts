/**
 * What people type into the form of a link, as the payment that it means, and what is wrong with it, field by field.
 * Pure.
 */
import { Result } from "effect"
import { checkCustomer, checkQrAmount } from "../invoice/InvoiceDraft.ts"
import { tengeOfText } from "../value/AmountText.ts"
import type { JsonObject } from "../value/Checks.ts"
import type { Tiyn } from "../value/Money.ts"
import { phoneOfText } from "../value/Phone.ts"
import type { PaymentLink } from "./PaymentLink.ts"
import type { PaymentLinkSettings } from "./PaymentLinkSettings.ts"

/** The fields of the form, in its order. */
export const linkFields = ["amount", "name", "phone", "email"] as const
/** See `linkFields`. */
export type LinkField = (typeof linkFields)[number]

/** What stands in the fields; of those that were not sent, nothing. */
export type TypedPayment = Readonly<Record<LinkField, string>>

type FaultCode = Failure<ReturnType<typeof checkQrAmount>> | Failure<ReturnType<typeof checkCustomer>>
type Failure<R> = R extends Result.Result<unknown, infer E> ? E : never

/** What is wrong with a field. */
export interface LinkFault {
  readonly field: LinkField
  readonly code: FaultCode
}

/** The bound that an amount has missed, by the code that says so; null: the code is about none. */
export const missedBound = (code: FaultCode, { amount }: PaymentLinkSettings): Tiyn | null =>
  code === "amount_too_small" ? amount.min : code === "amount_too_large" ? amount.maxQr : null

/** The body that a program would have sent. What cannot be understood stays as it is, and is refused. */
export const linkPaymentOf = (link: PaymentLink, typed: TypedPayment): JsonObject => {
  const { name, phone, email } = typed
  const amount = typed.amount.trim()
  return {
    ...(link.amount === null && amount !== "" && { amount: tengeOfText(amount) ?? amount }),
    customer: { name: given(name), phone: given(phoneOfText(phone.trim())), email: given(email) }
  }
}

const given = (text: string): string | null => (text.trim() === "" ? null : text.trim())

/** Everything that is wrong with a payment, in the order of the fields. */
export const linkFaults = (
  link: PaymentLink,
  { amount, customer }: JsonObject,
  settings: PaymentLinkSettings
): ReadonlyArray<LinkFault> => {
  const { name, phone, email } = Object(customer)
  const checks: Readonly<Record<LinkField, Result.Result<unknown, FaultCode>>> = {
    amount: link.amount === null ? checkQrAmount(amount, settings) : Result.void,
    name: checkCustomer({ name }, "qr"),
    phone: checkCustomer({ phone }, "qr"),
    email: checkCustomer({ email }, "qr")
  }
  return linkFields.flatMap((field) => {
    const checked = checks[field]
    return Result.isFailure(checked) ? [{ field, code: checked.failure }] : []
  })
}
