/** Checks of the requests about payment links, and of what customers send to them. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { type CustomerRequest, checkQrAmount, type QrAmountCode } from "../invoice/InvoiceDraft.ts"
import {
  instantOf,
  isGiven,
  isObject,
  type JsonObject,
  optionalLine,
  optionalText,
  optionalUrl
} from "../value/Checks.ts"
import { type Tiyn, toTenge } from "../value/Money.ts"
import {
  Ask,
  type AskedFields,
  askable,
  asksNothing,
  isSlug,
  LinkStatus,
  linkBounds,
  type PaymentLink
} from "./PaymentLink.ts"
import type { PaymentLinkSettings } from "./PaymentLinkSettings.ts"

/** Members of a patch, for those who write one in TypeScript; `checkLinkPatch` says what their values may be. */
export type LinkChanges = {
  readonly slug?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  /** A PNG, JPEG or WebP file in base64; it is drawn anew. */
  readonly picture?: string | null | undefined
  /** In tenge; null: the customer types it. */
  readonly amount?: number | null | undefined
  /** In tenge, what customers may type. */
  readonly minAmount?: number | null | undefined
  readonly maxAmount?: number | null | undefined
  /** In tenge. */
  readonly presets?: ReadonlyArray<number> | null | undefined
  readonly fields?: Partial<AskedFields> | null | undefined
  readonly thankYou?: string | null | undefined
  readonly maxPayments?: number | null | undefined
  /** ISO 8601. */
  readonly opensAt?: string | null | undefined
  readonly closesAt?: string | null | undefined
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
  readonly comment?: string | null | undefined
}

type Kept =
  | "id"
  | "organizationId"
  | "mode"
  | "connectionId"
  | "picture"
  | "createdAt"
  | "updatedAt"
  | "version"
  | "totals"

/** What a merchant asked for, checked. Without a slug the link gets one made up. Its picture is to be drawn anew. */
export interface LinkDraft extends Omit<PaymentLink, Kept | "slug"> {
  readonly slug: string | null
}

/** What a merchant changes of a link; an absent member stays. */
export type LinkPatch = Partial<Omit<PaymentLink, Kept>>

/** The most characters of title and description: both are shown as the description of invoices. */
export const maxLinkText = 100

/** A member of a request for a link breaks its rule. */
export type LinkRefused = FieldRefused<
  | QrAmountCode
  | "invalid_json"
  | "invalid_slug"
  | "invalid_title"
  | "invalid_description"
  | "invalid_min_amount"
  | "invalid_max_amount"
  | "invalid_presets"
  | "invalid_fields"
  | "invalid_thank_you"
  | "invalid_max_payments"
  | "invalid_opens_at"
  | "invalid_closes_at"
  | "invalid_url"
  | "invalid_status"
>

/** The link that `body` asks for. */
export const checkLink = (body: unknown, settings: PaymentLinkSettings): Result.Result<LinkDraft, LinkRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail(refused("invalid_json"))
    const { slug, status, ...others } = body
    const given = { ...others, ...(isGiven(slug) && { slug }), ...(isGiven(status) && { status }) }
    const members = yield* checkLinkPatch({ title: null, ...given }, settings)
    const draft: LinkDraft = { ...blankLink, ...members, title: members.title ?? "" }
    yield* checkLinkSound(draft)
    return draft
  })

/** The changes that `body` asks for; absent members stay, and null empties those that may be empty. */
export const checkLinkPatch = (body: unknown, settings: PaymentLinkSettings): Result.Result<LinkPatch, LinkRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail("invalid_json" as const)
    const patch: Record<string, unknown> = {}
    for (const [name, check] of Object.entries(checks)) {
      const value = body[name]
      if (value !== undefined) patch[name] = yield* check(value, settings)
    }
    return patch as LinkPatch
  }).pipe(Result.mapError(refused))

/** What must hold of the members of a link together. */
export const checkLinkSound = ({
  minAmount,
  maxAmount,
  presets,
  opensAt,
  closesAt
}: Pick<PaymentLink, "minAmount" | "maxAmount" | "presets" | "opensAt" | "closesAt">): Result.Result<
  void,
  LinkRefused
> => {
  const [least, most] = [minAmount ?? 0, maxAmount ?? Number.POSITIVE_INFINITY]
  if (least > most) return Result.fail(refused("invalid_min_amount"))
  if (presets.some((preset) => preset < least || preset > most)) return Result.fail(refused("invalid_presets"))
  const isEmpty = opensAt !== null && closesAt !== null && closesAt <= opensAt
  return isEmpty ? Result.fail(refused("invalid_closes_at")) : Result.void
}

const refused = <C extends LinkRefused["code"]>(code: C) => new FieldRefused({ code })

/** A link of which nothing was said. */
export const blankLink: LinkDraft & Pick<PaymentLink, "picture"> = {
  slug: null,
  title: "",
  description: null,
  picture: null,
  amount: null,
  minAmount: null,
  maxAmount: null,
  presets: [],
  fields: asksNothing,
  thankYou: null,
  maxPayments: null,
  opensAt: null,
  closesAt: null,
  successUrl: null,
  failUrl: null,
  status: "active"
}

/**
 * The create request that a customer's `{ amount?, customer?, comment? }` becomes. An amount other than the link's own,
 * where it has one, is `invalid_amount`. All else is left to the checks that every invoice passes.
 */
export const linkInvoiceRequest = (link: PaymentLink, body: JsonObject): JsonObject => {
  const { amount, customer, comment } = body
  return {
    kind: "qr",
    amount: link.amount === null ? amount : toTenge(link.amount),
    description: link.description ?? link.title,
    customer,
    successUrl: link.successUrl,
    failUrl: link.failUrl,
    metadata: { paymentLinkId: link.id, ...(isGiven(comment) && { comment }) }
  }
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

type Check = (value: unknown, settings: PaymentLinkSettings) => Result.Result<unknown, LinkRefused["code"]>

const optionalAmount =
  <C extends LinkRefused["code"]>(code?: C) =>
  (value: unknown, settings: PaymentLinkSettings): Result.Result<Tiyn | null, C | QrAmountCode> =>
    isGiven(value) ? Result.mapError(checkQrAmount(value, settings), (reason) => code ?? reason) : Result.succeed(null)

const checkPresets: Check = (value, settings) => {
  if (!isGiven(value)) return Result.succeed([])
  if (!Array.isArray(value) || value.length > linkBounds.presets) return Result.fail("invalid_presets")
  const checked = Result.all(value.map((each) => checkQrAmount(each, settings)))
  if (Result.isFailure(checked) || new Set(checked.success).size < value.length) return Result.fail("invalid_presets")
  return Result.succeed(checked.success)
}

const checkFields: Check = (value) => {
  if (!isGiven(value)) return Result.succeed(asksNothing)
  if (!isObject(value)) return Result.fail("invalid_fields")
  const asked = askable.map((field) => [field, isGiven(value[field]) ? value[field] : "off"] as const)
  const isKnown = asked.every(([, ask]) => Ask.literals.some((each) => each === ask))
  return isKnown ? Result.succeed(Object.fromEntries(asked)) : Result.fail("invalid_fields")
}

const checkMaxPayments: Check = (value) => {
  if (!isGiven(value)) return Result.succeed(null)
  const isCount = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= linkBounds.maxPayments
  return isCount ? Result.succeed(value) : Result.fail("invalid_max_payments")
}

const optionalInstant =
  (code: LinkRefused["code"]): Check =>
  (value) => {
    if (!isGiven(value)) return Result.succeed(null)
    const at = typeof value === "string" ? instantOf(value) : undefined
    return at === undefined ? Result.fail(code) : Result.succeed(at)
  }

/** What each member may be. */
const checks: Readonly<Record<keyof LinkPatch, Check>> = {
  slug: checkSlug,
  title: checkTitle,
  description: (value) => optionalText(value, maxLinkText, "invalid_description"),
  amount: optionalAmount(),
  minAmount: optionalAmount("invalid_min_amount"),
  maxAmount: optionalAmount("invalid_max_amount"),
  presets: checkPresets,
  fields: checkFields,
  thankYou: (value) => optionalText(value === "" ? null : value, linkBounds.thankYou, "invalid_thank_you"),
  maxPayments: checkMaxPayments,
  opensAt: optionalInstant("invalid_opens_at"),
  closesAt: optionalInstant("invalid_closes_at"),
  successUrl: optionalUrl,
  failUrl: optionalUrl,
  status: checkStatus
}
