/** The settings as they are typed: what of them is wrong, and what of them has changed. */
import type { Answer, Request } from "../../api/Contract.ts"
import { picturePath } from "../../browser/Place.ts"
import { phoneDigits, phoneText } from "../../login/PhoneText.ts"
import type { SettingsField } from "../../texts/OfficeTexts.ts"

/** What customers see of an organization, as the server has it. */
export type SellerFacts = Answer<"GET /panel/orgs/:organizationId/profile">

/** Changes of it. */
export type Changes = Request<"PATCH /panel/orgs/:organizationId/profile">["body"]

/** A logo as it stands before it is saved: the address of the one that there is, a file that was chosen, or none. */
export type Logo = { readonly kind: "kept" | "chosen"; readonly url: string } | null

/** Every field as it is shown. */
export interface Draft extends Readonly<Record<Exclude<SettingsField, "logo">, string>> {
  readonly logo: Logo
}

const maxSites = 10
const maxName = 100

/** A profile as its form begins. */
export const draftOf = ({ contact, ...profile }: SellerFacts): Draft => ({
  name: profile.name,
  legalName: profile.legalName ?? "",
  idn: profile.idn ?? "",
  phone: phoneText((contact.phone ?? "").slice(1)),
  whatsapp: phoneText((contact.whatsapp ?? "").slice(1)),
  email: contact.email ?? "",
  web: contact.web ?? "",
  address: contact.address ?? "",
  colour: profile.colour ?? "",
  returnUrl: profile.returnUrl ?? "",
  sites: profile.allowedOrigins.join("\n"),
  logo: profile.logoUrl === null ? null : { kind: "kept", url: picturePath(profile.logoUrl) }
})

/** A web address as people write it: without its scheme it is one of https. */
const webText = (typed: string): string => {
  const text = typed.trim()
  return text === "" || /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`
}

const sitesOf = (typed: string): ReadonlyArray<string> =>
  typed
    .split(/[\s,;]+/)
    .filter((site) => site !== "")
    .map(webText)

const isWeb = (text: string): boolean => text === "" || (/^https?:/i.test(text) && URL.canParse(text))
const isSite = (text: string): boolean =>
  URL.canParse(text) && text.replace(/\/$/, "").toLowerCase() === new URL(text).origin
const isPhone = (typed: string): boolean => typed === "" || phoneDigits(typed).length === 10

const checks: Readonly<Partial<Record<SettingsField, (draft: Draft) => boolean>>> = {
  name: ({ name }) => name.trim() !== "" && name.trim().length <= maxName,
  idn: ({ idn }) => idn === "" || /^\d{12}$/.test(idn),
  phone: ({ phone }) => isPhone(phone),
  whatsapp: ({ whatsapp }) => isPhone(whatsapp),
  email: ({ email }) => email.trim() === "" || /^[^\s@]+@[^\s@]+$/.test(email.trim()),
  web: ({ web }) => isWeb(webText(web)),
  colour: ({ colour }) => colour === "" || /^#[\da-f]{6}$/i.test(colour),
  returnUrl: ({ returnUrl }) => isWeb(webText(returnUrl)),
  sites: ({ sites }) => sitesOf(sites).length <= maxSites && sitesOf(sites).every(isSite)
}

/** The fields that cannot be saved as they are, in the order of the form. */
export const faultsOf = (draft: Draft): ReadonlyArray<SettingsField> =>
  (Object.keys(checks) as ReadonlyArray<SettingsField>).filter((field) => checks[field]?.(draft) === false)

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())
const phoneOf = (typed: string): string | null => (typed === "" ? null : `7${phoneDigits(typed)}`)

/** What is to be sent of `draft`, of which the server has `base`; null if they are the same. */
export const changesOf = (base: Draft, draft: Draft): Changes | null => {
  const when = <A extends object>(field: keyof Draft, value: A): A | Record<never, never> =>
    same(base, draft, field) ? {} : value
  const contact = {
    ...when("phone", { phone: phoneOf(draft.phone) }),
    ...when("whatsapp", { whatsapp: phoneOf(draft.whatsapp) }),
    ...when("email", { email: orNull(draft.email) }),
    ...when("web", { web: orNull(webText(draft.web)) }),
    ...when("address", { address: orNull(draft.address) })
  }
  const changes: Changes = {
    ...when("name", { name: draft.name.trim() }),
    ...when("legalName", { legalName: orNull(draft.legalName) }),
    ...when("idn", { idn: orNull(draft.idn) }),
    ...(Object.keys(contact).length > 0 && { contact }),
    ...when("colour", { colour: orNull(draft.colour) }),
    ...when("returnUrl", { returnUrl: orNull(webText(draft.returnUrl)) }),
    ...when("sites", { allowedOrigins: sitesOf(draft.sites) }),
    ...when("logo", { logo: draft.logo === null ? null : base64Of(draft.logo.url) })
  }
  return Object.keys(changes).length === 0 ? null : changes
}

/** What was typed into `draft`, of which the server had `base`, over what the server has since. */
export const carried = (base: Draft, draft: Draft, fresh: Draft): Draft => {
  const kept = (Object.keys(draft) as ReadonlyArray<keyof Draft>).filter((field) => !same(base, draft, field))
  return { ...fresh, ...Object.fromEntries(kept.map((field) => [field, draft[field]])) }
}

const same = (one: Draft, other: Draft, field: keyof Draft): boolean =>
  field === "logo" ? one.logo?.url === other.logo?.url : one[field].trim() === other[field].trim()

/** What a data URL holds. */
const base64Of = (url: string): string => url.slice(url.indexOf(",") + 1)

/** Which field a refusal is about; undefined: none, or the form as a whole. */
export const fieldOf = (code: string): SettingsField | undefined => refusedFields[code]

const refusedFields: Readonly<Record<string, SettingsField>> = {
  invalid_name: "name",
  invalid_idn: "idn",
  invalid_phone: "phone",
  invalid_email: "email",
  invalid_url: "web",
  invalid_address: "address",
  invalid_colour: "colour",
  invalid_allowed_origins: "sites",
  invalid_picture: "logo"
}
