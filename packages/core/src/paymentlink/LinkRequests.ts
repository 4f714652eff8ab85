/** Checks of the requests about payment links, and of what customers send to them. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { type CustomerRequest, checkQrAmount, type QrAmountCode } from "../invoice/InvoiceDraft.ts"
import { isGiven, isObject, type JsonObject, optionalLine, optionalText, optionalUrl } from "../value/Checks.ts"
import { toTenge } from "../value/Money.ts"
import { isSlug, LinkStatus, type PaymentLink } from "./PaymentLink.ts"
import type { PaymentLinkSettings } from "./PaymentLinkSettings.ts"

/** Members of a patch, for those who write one in TypeScript; `checkLinkPatch` says what their values may be. */
export type LinkChanges = {
  readonly slug?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  /** In tenge; null: the customer types it. */
  readonly amount?: number | null | undefined
  readonly successUrl?: string | null | undefined
  readonly failUrl?: string | null | undefined
  readonly status?: LinkStatus | undefined
}

/** The same of a create request; see `checkLink`. */
export type LinkRequest = LinkChanges & { readonly title: string }

/** Members of what a customer sends to a link; see `linkInvoiceRequest`. */
export type LinkPayment = {
  readonly amount?: number | null | undefined
  readonly customer?: CustomerRequest | null | undefined
}

/** What a merchant asked for, checked. Without a slug the link gets one made up. */
export interface LinkDraft
  extends Pick<PaymentLink, "title" | "description" | "amount" | "successUrl" | "failUrl" | "status"> {
  readonly slug: string | null
}

/** What a merchant changes of a link; an absent member stays. */
export type LinkPatch = Partial<
  Pick<PaymentLink, "slug" | "title" | "description" | "amount" | "successUrl" | "failUrl" | "status">
>

/** The most characters of title and description: both are shown as the description of invoices. */
export const maxLinkText = 100

/** A member of a request for a link breaks its rule. */
export type LinkRefused = FieldRefused<
  | QrAmountCode
  | "invalid_json"
  | "invalid_slug"
  | "invalid_title"
  | "invalid_description"
  | "invalid_url"
  | "invalid_status"
>

/** The link that `body` asks for. */
export const checkLink = (body: unknown, settings: PaymentLinkSettings): Result.Result<LinkDraft, LinkRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail("invalid_json" as const)
    return {
      slug: isGiven(body["slug"]) ? yield* checkSlug(body["slug"]) : null,
      title: yield* checkTitle(body["title"]),
      description: yield* optionalText(body["description"], maxLinkText, "invalid_description"),
      amount: isGiven(body["amount"]) ? yield* checkQrAmount(body["amount"], settings) : null,
      successUrl: yield* optionalUrl(body["successUrl"]),
      failUrl: yield* optionalUrl(body["failUrl"]),
      status: isGiven(body["status"]) ? yield* checkStatus(body["status"]) : "active"
    }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** The changes that `body` asks for; absent members stay, and null empties those that may be empty. */
export const checkLinkPatch = (body: unknown, settings: PaymentLinkSettings): Result.Result<LinkPatch, LinkRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail("invalid_json" as const)
    const { slug, title, description, amount, successUrl, failUrl, status } = body
    const checked = amount === null ? null : checkQrAmount(amount, settings)
    return {
      ...(slug !== undefined && { slug: yield* checkSlug(slug) }),
      ...(title !== undefined && { title: yield* checkTitle(title) }),
      ...(description !== undefined && {
        description: yield* optionalText(description, maxLinkText, "invalid_description")
      }),
      ...(amount !== undefined && { amount: checked === null ? null : yield* checked }),
      ...(successUrl !== undefined && { successUrl: yield* optionalUrl(successUrl) }),
      ...(failUrl !== undefined && { failUrl: yield* optionalUrl(failUrl) }),
      ...(status !== undefined && { status: yield* checkStatus(status) })
    }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/**
 * The create request that a customer's `{ amount?, customer? }` becomes. An amount other than the link's own, where it
 * has one, is `invalid_amount`. All else is left to the checks that every invoice passes.
 */
export const linkInvoiceRequest = (
  link: PaymentLink,
  body: unknown
): Result.Result<JsonObject, FieldRefused<"invalid_json" | "invalid_amount">> => {
  if (!isObject(body)) return Result.fail(new FieldRefused({ code: "invalid_json" }))
  const own = link.amount === null ? null : toTenge(link.amount)
  const { amount, customer } = body
  if (own !== null && isGiven(amount) && amount !== own)
    return Result.fail(new FieldRefused({ code: "invalid_amount" }))
  return Result.succeed({
    kind: "qr",
    amount: own ?? amount,
    description: link.description ?? link.title,
    customer,
    successUrl: link.successUrl,
    failUrl: link.failUrl,
    metadata: { paymentLinkId: link.id }
  })
}

const checkSlug = (value: unknown): Result.Result<string, "invalid_slug"> =>
  typeof value === "string" && isSlug(value) ? Result.succeed(value) : Result.fail("invalid_slug")

const checkTitle = (value: unknown): Result.Result<string, "invalid_title"> =>
  Result.flatMap(optionalLine(value, maxLinkText, "invalid_title"), (title) =>
    title === null || title.trim() === "" ? Result.fail("invalid_title") : Result.succeed(title)
  )

const checkStatus = (value: unknown): Result.Result<LinkStatus, "invalid_status"> => {
  const status = LinkStatus.literals.find((each) => each === value)
  return status === undefined ? Result.fail("invalid_status") : Result.succeed(status)
}
