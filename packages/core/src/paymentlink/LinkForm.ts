/**
 * What customers send to a link: everything that is wrong with it, field by field, and the payment that people mean by
 * what they type. Pure.
 */
import { Result } from "effect"
import { type CustomerCode, checkCustomer, checkQrAmount, type QrAmountCode } from "../invoice/InvoiceDraft.ts"
import { tengeOfText } from "../value/AmountText.ts"
import { isGiven, isObject, type JsonObject, optionalText } from "../value/Checks.ts"
import { type Tiyn, toTenge } from "../value/Money.ts"
import { phoneOfText } from "../value/Phone.ts"
import { askable, linkBounds, type PaymentLink } from "./PaymentLink.ts"
import type { PaymentLinkSettings } from "./PaymentLinkSettings.ts"

/** The fields of the form, in its order. */
export const linkFields = ["amount", ...askable] as const
/** See `linkFields`. */
export type LinkField = (typeof linkFields)[number]

/** What stands in the fields; of those that were not sent, nothing. */
export type TypedPayment = Readonly<Record<LinkField, string>>

type FaultCode =
  | QrAmountCode
  | CustomerCode
  | "invalid_comment"
  | "name_required"
  | "email_required"
  | "comment_required"

/** What is wrong with a field. */
export interface LinkFault {
  readonly field: LinkField
  readonly code: FaultCode
}

/** The amounts that customers may type at a link. */
export const amountsOf = (
  { minAmount, maxAmount }: PaymentLink,
  { amount }: PaymentLinkSettings
): { readonly min: Tiyn; readonly max: Tiyn } => ({ min: minAmount ?? amount.min, max: maxAmount ?? amount.maxQr })

/**
 * The body that a program would have sent. What cannot be understood stays as it is, and is refused. Of the amounts
 * that the link offers one in tiyn is chosen by `preset`; any other text there leaves it to what was typed.
 */
export const linkPaymentOf = (link: PaymentLink, typed: TypedPayment, preset = ""): JsonObject => {
  const chosen = link.presets.find((each) => String(each) === preset)
  const amount = chosen === undefined ? typed.amount.trim() : String(toTenge(chosen))
  const asked = (field: (typeof askable)[number]): string | null =>
    link.fields[field] === "off" || typed[field].trim() === "" ? null : typed[field].trim()
  const phone = asked("phone")
  return {
    ...(link.amount === null && amount !== "" && { amount: tengeOfText(amount) ?? amount }),
    customer: { name: asked("name"), phone: phone === null ? null : phoneOfText(phone), email: asked("email") },
    comment: asked("comment")?.replaceAll("\r\n", "\n") ?? null
  }
}

/** Everything that is wrong with a payment, in the order of the fields. */
export const linkFaults = (
  link: PaymentLink,
  { amount, customer, comment }: JsonObject,
  settings: PaymentLinkSettings
): ReadonlyArray<LinkFault> => {
  if (isGiven(customer) && !isObject(customer)) return [{ field: "name", code: "invalid_customer" }]
  const { name, phone, email } = isObject(customer) ? customer : {}
  const values: Readonly<Record<LinkField, unknown>> = { amount, name, phone, email, comment }
  const checks: Readonly<Record<LinkField, Result.Result<unknown, FaultCode>>> = {
    amount: checkLinkAmount(link, amount, settings),
    name: checkCustomer({ name }, "qr"),
    phone: checkCustomer({ phone }, "qr"),
    email: checkCustomer({ email }, "qr"),
    comment: optionalText(comment, linkBounds.comment, "invalid_comment")
  }
  return linkFields.flatMap((field): ReadonlyArray<LinkFault> => {
    const checked = checks[field]
    if (Result.isFailure(checked)) return [{ field, code: checked.failure }]
    const isMissing = field !== "amount" && link.fields[field] === "required" && isBlank(values[field])
    return isMissing ? [{ field, code: `${field}_required` }] : []
  })
}

const isBlank = (value: unknown) => !isGiven(value) || (typeof value === "string" && value.trim() === "")

const checkLinkAmount = (
  link: PaymentLink,
  amount: unknown,
  settings: PaymentLinkSettings
): Result.Result<unknown, QrAmountCode> => {
  if (link.amount !== null) {
    return isGiven(amount) && amount !== toTenge(link.amount) ? Result.fail("invalid_amount") : Result.void
  }
  const { min, max } = amountsOf(link, settings)
  return Result.flatMap(checkQrAmount(amount, settings), (tiyn): Result.Result<Tiyn, QrAmountCode> => {
    if (tiyn < min) return Result.fail("amount_too_small")
    return tiyn > max ? Result.fail("amount_too_large") : Result.succeed(tiyn)
  })
}
