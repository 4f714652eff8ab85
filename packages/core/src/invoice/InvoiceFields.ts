/** Checks of the members that invoices and what makes invoices have in common. Pure. */
import { Result } from "effect"
import { isGiven, isObject, optionalEmail, optionalPhone, optionalText, utf8Length } from "../value/Checks.ts"
import { fromTenge, isWholeTenge, type Tiyn } from "../value/Money.ts"
import type { Customer, InvoiceKind } from "./Invoice.ts"
import type { InvoiceSettings } from "./InvoiceSettings.ts"

/** Catalogue codes of an amount that cannot be owed. */
export type AmountCode = "invalid_amount" | "amount_must_be_whole_tenge" | "amount_too_small" | "amount_too_large"

/** Catalogue codes of a customer that cannot be. */
export type CustomerCode = "phone_required" | "invalid_phone" | "invalid_customer" | "invalid_email"

const maxCustomerName = 200

const amountCodes = {
  not_a_number: "invalid_amount",
  too_many_decimals: "invalid_amount",
  too_small: "amount_too_small",
  too_large: "amount_too_large"
} as const

/** An amount in tenge. The order is decided: number, decimals, whole tenge for kind phone, minimum, maximum. */
export const checkAmount = (
  value: unknown,
  kind: InvoiceKind,
  settings: InvoiceSettings
): Result.Result<Tiyn, AmountCode> => {
  const amount = fromTenge(value)
  return Result.isFailure(amount) ? Result.fail(amountCodes[amount.failure]) : checkTiyn(amount.success, kind, settings)
}

/** The same of an amount that is in tiyn already. */
export const checkTiyn = (
  tiyn: Tiyn,
  kind: InvoiceKind,
  settings: InvoiceSettings
): Result.Result<Tiyn, AmountCode> => {
  const max = kind === "phone" ? settings.amount.maxPhone : settings.amount.maxQr
  if (kind === "phone" && !isWholeTenge(tiyn)) return Result.fail("amount_must_be_whole_tenge")
  if (tiyn < settings.amount.min) return Result.fail("amount_too_small")
  return tiyn > max ? Result.fail("amount_too_large") : Result.succeed(tiyn)
}

/** A customer; kind phone needs their phone. */
export const checkCustomer = (value: unknown, kind: InvoiceKind): Result.Result<Customer, CustomerCode> =>
  Result.gen(function* () {
    if (isGiven(value) && !isObject(value)) return yield* Result.fail("invalid_customer" as const)
    const customer = isObject(value) ? value : {}
    const name = yield* optionalText(customer["name"], maxCustomerName, "invalid_customer")
    const phone = yield* optionalPhone(customer["phone"])
    if (kind === "phone" && phone === null) return yield* Result.fail("phone_required" as const)
    const email = yield* optionalEmail(customer["email"])
    return { name, phone, email }
  })

/** Metadata as the text that was sent, `raw` where it is known. */
export const checkMetadata = (
  value: unknown,
  raw: string | undefined,
  settings: InvoiceSettings
): Result.Result<string | null, "invalid_metadata"> => {
  if (!isGiven(value)) return Result.succeed(null)
  if (!isObject(value)) return Result.fail("invalid_metadata")
  const text = raw ?? JSON.stringify(value)
  return utf8Length(text) <= settings.maxMetadataBytes ? Result.succeed(text) : Result.fail("invalid_metadata")
}
