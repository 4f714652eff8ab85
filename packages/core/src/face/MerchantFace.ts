/** How customers see a merchant: who sells, how they are reached, what they look like, and where. Pure. */
import { Result } from "effect"
import { optionalOrigins } from "../merchant/SiteOrigins.ts"
import { isObject, type JsonObject, optionalEmail, optionalLine, optionalPhone, optionalUrl } from "../value/Checks.ts"

/** How customers reach a merchant. What is null is not shown. Phones are 7XXXXXXXXXX. */
export interface Contact {
  readonly phone: string | null
  readonly whatsapp: string | null
  readonly email: string | null
  /** An http or https address. */
  readonly web: string | null
  readonly address: string | null
}

/** What a merchant looks like to customers. */
export interface MerchantFace {
  readonly contact: Contact
  /** `#rrggbb`. Pages and letters derive shades of it that can be read, see `Shades.ts`. */
  readonly colour: string | null
  /** Where customers are led back to, if an invoice names no address of its own. */
  readonly returnUrl: string | null
  /** Sites that may show the pages in a frame, by their origins; all others may not. */
  readonly allowedOrigins: ReadonlyArray<string>
}

/** The seller of an invoice, as customers see them. */
export interface Seller {
  readonly name: string | null
  readonly legalName: string | null
  /** Business or individual identification number. */
  readonly idn: string | null
  readonly face: MerchantFace
  /** The name of their logo, see `PictureName.ts`; null: none. */
  readonly logo: string | null
}

/** The face of a merchant who has said nothing of it. */
export const noFace: MerchantFace = {
  contact: { phone: null, whatsapp: null, email: null, web: null, address: null },
  colour: null,
  returnUrl: null,
  allowedOrigins: []
}

// The most characters of a merchant's address, and of those of their pages.
const faceBounds = { address: 200, url: 500 } as const

/** The codes that refuse a face. */
export type FaceCode =
  | "invalid_contact"
  | "invalid_phone"
  | "invalid_email"
  | "invalid_url"
  | "invalid_address"
  | "invalid_colour"
  | "invalid_allowed_origins"

/** `face` with the members that are given: null takes one away. Checked. */
export const changedFace = (face: MerchantFace, wanted: JsonObject): Result.Result<MerchantFace, FaceCode> =>
  Result.gen(function* () {
    const { contact, colour, returnUrl, allowedOrigins } = wanted
    return {
      contact: contact === undefined ? face.contact : yield* changedContact(face.contact, contact),
      colour: colour === undefined ? face.colour : yield* checkColour(colour),
      returnUrl: returnUrl === undefined ? face.returnUrl : yield* shortUrl(returnUrl),
      allowedOrigins: allowedOrigins === undefined ? face.allowedOrigins : yield* optionalOrigins(allowedOrigins)
    }
  })

const changedContact = (contact: Contact, wanted: unknown): Result.Result<Contact, FaceCode> => {
  if (wanted === null) return Result.succeed(noFace.contact)
  if (!isObject(wanted)) return Result.fail("invalid_contact")
  const given = <A, E>(value: unknown, now: A, check: (value: unknown) => Result.Result<A, E>) =>
    value === undefined ? Result.succeed(now) : check(value)
  return Result.gen(function* () {
    return {
      phone: yield* given(wanted["phone"], contact.phone, optionalPhone),
      whatsapp: yield* given(wanted["whatsapp"], contact.whatsapp, optionalPhone),
      email: yield* given(wanted["email"], contact.email, optionalEmail),
      web: yield* given(wanted["web"], contact.web, shortUrl),
      address: yield* given(wanted["address"], contact.address, (value) =>
        optionalLine(value, faceBounds.address, "invalid_address")
      )
    }
  })
}

const shortUrl = (value: unknown): Result.Result<string | null, "invalid_url"> =>
  typeof value === "string" && value.length > faceBounds.url ? Result.fail("invalid_url") : optionalUrl(value)

/** `#RGB` or `#RRGGBB`, in any case. */
const checkColour = (value: unknown): Result.Result<string | null, "invalid_colour"> => {
  if (value === null) return Result.succeed(null)
  if (typeof value !== "string" || !/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)) return Result.fail("invalid_colour")
  const digits = value.slice(1).toLowerCase()
  return Result.succeed(`#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`)
}
