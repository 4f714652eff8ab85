/** A payment link as it is typed: what of it is wrong, and what is sent of it. Pure. */
import { isoDay, minute } from "@tolem/http-server/pages/Formats"
import type { Request } from "../../api/Contract.ts"
import { picturePath } from "../../browser/Place.ts"
import { amountOf, amountText } from "../../parts/AmountText.ts"
import type { LinkEditorField } from "../../texts/LinksTexts.ts"
import type { ShownLink } from "./Link.ts"

/** What the server takes of a link. */
export type LinkBody = Request<"PATCH /panel/orgs/:organizationId/payment-links/:id">["body"]

/** Every field as it is shown. */
export interface TypedLink extends Readonly<Record<Exclude<LinkEditorField, "picture">, string>> {
  /** Whether the customer types the amount. */
  readonly isTyped: boolean
  readonly fields: ShownLink["fields"]
  /** The address of the picture that there is, or of one that was chosen. */
  readonly picture: { readonly kind: "kept" | "chosen"; readonly url: string } | null
}

const textIn = (amount: number | null): string => (amount === null ? "" : amountText(String(amount)))

// A field of the browser has no zone: it shows the clock of Almaty.
const localIn = (iso: string | null): string =>
  iso === null ? "" : `${isoDay(Date.parse(iso))}T${minute(Date.parse(iso))}`

/** A link as its form begins; null: a new one. */
export const typedOf = (link: ShownLink | null): TypedLink => ({
  title: link?.title ?? "",
  description: link?.description ?? "",
  amount: textIn(link?.amount ?? null),
  isTyped: link !== null && link.amount === null,
  presets: (link?.presets ?? []).map(textIn).join("; "),
  minAmount: textIn(link?.minAmount ?? null),
  maxAmount: textIn(link?.maxAmount ?? null),
  slug: link?.slug ?? "",
  fields: link?.fields ?? { name: "off", phone: "off", email: "off", comment: "off" },
  maxPayments: link === null || link.maxPayments === null ? "" : String(link.maxPayments),
  opensAt: localIn(link?.opensAt ?? null),
  closesAt: localIn(link?.closesAt ?? null),
  thankYou: link?.thankYou ?? "",
  picture: link === null || link.pictureUrl === null ? null : { kind: "kept", url: picturePath(link.pictureUrl) }
})

/** The amounts that are offered. */
export const presetsIn = (typed: string): ReadonlyArray<number> =>
  partsOf(typed).flatMap((part) => amountOf(part) ?? [])

const partsOf = (typed: string): ReadonlyArray<string> =>
  typed
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

const instantOf = (local: string): string | null => (local === "" ? null : `${local}:00+05:00`)

/** All of it as the server takes it. What says no amount for sure is sent as none, which it refuses. */
const bodyOf = (typed: TypedLink) => {
  const { picture, maxPayments } = typed
  const own = (text: string) => (typed.isTyped && text.trim() !== "" ? (amountOf(text) ?? 0) : null)
  return {
    title: typed.title.trim(),
    description: orNull(typed.description),
    amount: typed.isTyped ? null : (amountOf(typed.amount) ?? 0),
    minAmount: own(typed.minAmount),
    maxAmount: own(typed.maxAmount),
    presets: typed.isTyped ? partsOf(typed.presets).map((part) => amountOf(part) ?? 0) : [],
    fields: typed.fields,
    slug: typed.slug.trim(),
    maxPayments: maxPayments.trim() === "" ? null : Number(maxPayments),
    opensAt: instantOf(typed.opensAt),
    closesAt: instantOf(typed.closesAt),
    thankYou: orNull(typed.thankYou),
    picture: picture === null ? null : picture.kind === "kept" ? picture.url : base64Of(picture.url)
  }
}

/** What a data URL holds. */
const base64Of = (url: string): string => url.slice(url.indexOf(",") + 1)

/** A new link. */
export const creationOf = (typed: TypedLink): LinkBody & { readonly title: string } => {
  const { slug, picture, ...body } = bodyOf(typed)
  return { ...body, ...(slug !== "" && { slug }), ...(picture !== null && { picture }) }
}

/** What differs from the link as it was read, so that two people at once do not undo each other's work. */
export const linkChangesOf = (before: TypedLink, after: TypedLink): LinkBody => {
  const [old, now] = [bodyOf(before), bodyOf(after)]
  const names = (Object.keys(now) as ReadonlyArray<keyof typeof now>).filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name])
  )
  return Object.fromEntries(names.map((name) => [name, now[name]]))
}

/** What is wrong before anything is sent. */
export const faultIn = ({ title, isTyped, amount }: TypedLink): "title" | "amount" | null => {
  if (title.trim() === "") return "title"
  return !isTyped && amountOf(amount) === null ? "amount" : null
}

/** Which field a refusal is about; undefined: none, or the form as a whole. */
export const fieldOfCode = (code: string): LinkEditorField | undefined => refusedFields[code]

const refusedFields: Readonly<Record<string, LinkEditorField>> = {
  invalid_title: "title",
  invalid_description: "description",
  invalid_amount: "amount",
  amount_too_small: "amount",
  amount_too_large: "amount",
  invalid_slug: "slug",
  slug_taken: "slug",
  invalid_min_amount: "minAmount",
  invalid_max_amount: "maxAmount",
  invalid_presets: "presets",
  invalid_max_payments: "maxPayments",
  invalid_opens_at: "opensAt",
  invalid_closes_at: "closesAt",
  invalid_thank_you: "thankYou",
  invalid_picture: "picture",
  picture_too_large: "picture"
}
