/**
 * Checks of a create request, the same for single creates, bulk elements and embedded calls: a body of unknown content
 * becomes a draft, or the catalogue code of the first rule it breaks. Pure.
 */
import { Data, Result } from "effect"
import { isGiven, type JsonObject, optionalNonEmptyText, optionalText, optionalUrl } from "../value/Checks.ts"
import type { Tiyn } from "../value/Money.ts"
import type { Customer, InvoiceKind } from "./Invoice.ts"
import { type AmountCode, type CustomerCode, checkAmount, checkCustomer, checkMetadata } from "./InvoiceFields.ts"
import type { InvoiceSettings } from "./InvoiceSettings.ts"

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

const maxDescription: Readonly<Record<InvoiceKind, number>> = { qr: 100, phone: 60 }
const maxExternalOrderId = 100
const maxIdempotencyKey = 255

/**
 * The draft that `body` is. `rawMetadata` is the source text of its member `metadata`, where the body came as text; it
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
    const description = yield* optionalText(body["description"], maxDescription[kind], "invalid_description")
    const reference = isGiven(body["externalOrderId"]) ? body["externalOrderId"] : body["merchantRef"]
    const externalOrderId = yield* optionalText(reference, maxExternalOrderId, "invalid_external_order_id")
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
