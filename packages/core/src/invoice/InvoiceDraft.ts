/**
 * Checks of a create request, the same for single creates, bulk elements and embedded calls: a body of unknown content
 * becomes a draft, or the catalogue code of the first rule it breaks. Pure.
 */
import { Data, Result } from "effect"
import {
  isGiven,
  isObject,
  type JsonObject,
  maxIdempotencyKey,
  optionalEmail,
  optionalNonEmptyText,
  optionalPhone,
  optionalText,
  optionalUrl,
  utf8Length
} from "../value/Checks.ts"
import { fromTenge, isWholeTenge, type Tiyn } from "../value/Money.ts"
import type { Customer, InvoiceKind } from "./Invoice.ts"
import type { InvoiceSettings } from "./InvoiceSettings.ts"

/** A customer as a request names them. */
export type CustomerRequest = {
  readonly name?: string | null | undefined
  /** 7XXXXXXXXXX. */
  readonly phone?: string | null | undefined
  readonly email?: string | null | undefined
}

/** Members of a create request, for those who write one in TypeScript; `checkInvoice` says what their values may be. */
export type InvoiceRequest = {
  /** In tenge. */
  readonly amount: number
  /** `qr` where absent; `phone` needs the customer's. */
  readonly kind?: InvoiceKind | null | undefined
  readonly description?: string | null | undefined
  readonly externalOrderId?: string | null | undefined
  readonly customer?: CustomerRequest | null | undefined
  readonly successUrl?: string | null | undefined
  readonly failUrl?: string | null | undefined
  readonly metadata?: JsonObject | null | undefined
  readonly idempotencyKey?: string | null | undefined
}

/** What a merchant asked for, checked. */
export interface InvoiceDraft {
  readonly kind: InvoiceKind
  readonly amount: Tiyn
  readonly description: string | null
  readonly externalOrderId: string | null
  readonly customer: Customer
  readonly successUrl: string | null
  readonly failUrl: string | null
  /** JSON text of an object. */
  readonly metadata: string | null
  readonly idempotencyKey: string | null
}

/** Catalogue codes of broken rules. */
export type DraftCode =
  | AmountCode
  | CustomerCode
  | "invalid_kind"
  | "invalid_description"
  | "invalid_external_order_id"
  | "invalid_url"
  | "invalid_metadata"
  | "invalid_idempotency_key"

/** A create request breaks a rule. Nothing was stored, and no idempotency key was used. */
export class DraftRefused extends Data.TaggedError("DraftRefused")<{ readonly code: DraftCode }> {}

/** The most characters of texts; those of the description by kind. */
export const invoiceBounds = {
  description: { qr: 100, phone: 60 },
  externalOrderId: 100,
  customerName: 200
} as const

/**
 * The draft that `body` is. `rawMetadata` is the source text of its member `metadata`, if the body came as text; it
 * is kept as it is. `headerKey` is the Idempotency-Key header, which wins over the body's member. The older names
 * `merchantRef` and `method` are accepted.
 */
export const checkInvoice = (
  body: JsonObject,
  request: { readonly rawMetadata?: string | undefined; readonly headerKey?: string | undefined },
  settings: InvoiceSettings
): Result.Result<InvoiceDraft, DraftRefused> =>
  Result.gen(function* () {
    const kind = yield* checkKind(body)
    const amount = yield* checkAmount(body["amount"], kind, settings)
    const customer = yield* checkCustomer(body["customer"], kind)
    const description = yield* optionalText(body["description"], invoiceBounds.description[kind], "invalid_description")
    const reference = isGiven(body["externalOrderId"]) ? body["externalOrderId"] : body["merchantRef"]
    const externalOrderId = yield* optionalText(reference, invoiceBounds.externalOrderId, "invalid_external_order_id")
    const successUrl = yield* optionalUrl(body["successUrl"])
    const failUrl = yield* optionalUrl(body["failUrl"])
    const metadata = yield* checkMetadata(body["metadata"], request.rawMetadata, settings)
    const key = request.headerKey ?? body["idempotencyKey"]
    const idempotencyKey = yield* optionalNonEmptyText(key, maxIdempotencyKey, "invalid_idempotency_key")
    return { kind, amount, description, externalOrderId, customer, successUrl, failUrl, metadata, idempotencyKey }
  }).pipe(Result.mapError((code) => new DraftRefused({ code })))

const checkKind = (body: JsonObject): Result.Result<InvoiceKind, "invalid_kind"> => {
  const kind = body["kind"]
  if (kind === "qr" || kind === "phone") return Result.succeed(kind)
  if (isGiven(kind)) return Result.fail("invalid_kind")
  const method = body["method"]
  if (!isGiven(method) || method === "qr") return Result.succeed("qr")
  return method === "invoice" ? Result.succeed("phone") : Result.fail("invalid_kind")
}

/** Catalogue codes of an amount that cannot be owed. */
export type AmountCode = "amount_must_be_whole_tenge" | QrAmountCode

/** The same of an amount that is not limited to whole tenge. */
export type QrAmountCode = "invalid_amount" | "amount_too_small" | "amount_too_large"

/** Catalogue codes of a customer that cannot be. */
export type CustomerCode = "phone_required" | "invalid_phone" | "invalid_customer" | "invalid_email"

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
): Result.Result<Tiyn, AmountCode> => Result.flatMap(inTiyn(value), (tiyn) => checkTiyn(tiyn, kind, settings))

/** The same of an amount that is paid by QR, which need not be whole. */
export const checkQrAmount = (value: unknown, settings: InvoiceSettings): Result.Result<Tiyn, QrAmountCode> =>
  Result.flatMap(inTiyn(value), (tiyn) => within(tiyn, settings.amount.maxQr, settings))

const inTiyn = (value: unknown): Result.Result<Tiyn, QrAmountCode> => {
  const amount = fromTenge(value)
  return Result.isFailure(amount) ? Result.fail(amountCodes[amount.failure]) : Result.succeed(amount.success)
}

/** The same of an amount that is in tiyn already. */
export const checkTiyn = (
  tiyn: Tiyn,
  kind: InvoiceKind,
  settings: InvoiceSettings
): Result.Result<Tiyn, AmountCode> => {
  if (kind === "phone" && !isWholeTenge(tiyn)) return Result.fail("amount_must_be_whole_tenge")
  return within(tiyn, kind === "phone" ? settings.amount.maxPhone : settings.amount.maxQr, settings)
}

const within = (tiyn: Tiyn, max: number, { amount }: InvoiceSettings): Result.Result<Tiyn, QrAmountCode> => {
  if (tiyn < amount.min) return Result.fail("amount_too_small")
  return tiyn > max ? Result.fail("amount_too_large") : Result.succeed(tiyn)
}

/** A customer; kind phone needs their phone. */
export const checkCustomer = (value: unknown, kind: InvoiceKind): Result.Result<Customer, CustomerCode> =>
  Result.gen(function* () {
    if (isGiven(value) && !isObject(value)) return yield* Result.fail("invalid_customer" as const)
    const customer = isObject(value) ? value : {}
    const name = yield* optionalText(customer["name"], invoiceBounds.customerName, "invalid_customer")
    const phone = yield* optionalPhone(customer["phone"])
    if (kind === "phone" && phone === null) return yield* Result.fail("phone_required" as const)
    const email = yield* optionalEmail(customer["email"])
    return { name, phone, email }
  })

/** Metadata as the text that was sent, `raw` if it is known. */
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
