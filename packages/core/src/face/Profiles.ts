/** Use-cases of what customers see of an organization: its name, its contact, its colour, its logo. */
import { Context, Effect, Layer, Option, Result } from "effect"
import { type Action, recordOf } from "../audit/Audit.ts"
import { refusal } from "../error/Refusal.ts"
import { FieldRefused } from "../error/Refusals.ts"
import { OrganizationNotFound } from "../merchant/MerchantStore.ts"
import { organizationBounds } from "../merchant/OrganizationRequests.ts"
import { logoForm } from "../picture/Picture.ts"
import * as PictureFiles from "../picture/PictureFiles.ts"
import type { StoredPicture } from "../picture/PictureStore.ts"
import { isGiven, type JsonObject, optionalLine } from "../value/Checks.ts"
import { Ids, type OrganizationId } from "../value/Ids.ts"
import * as Rivals from "../work/Rivals.ts"
import { type Contact, changedFace } from "./MerchantFace.ts"
import { type Profile, ProfileStore } from "./ProfileStore.ts"

/** The profile is no longer the one that the request was made for. Nothing was changed. */
export class OrganizationChanged extends refusal("OrganizationChanged", "organization_changed") {}

/** Changes of a profile, for those who write them in TypeScript. What is left out stays; null takes it away. */
export interface ProfileDetails {
  readonly name?: string
  readonly legalName?: string | null
  /** 12 digits. */
  readonly idn?: string | null
  /** Phones are 7XXXXXXXXXX. */
  readonly contact?: Partial<Contact> | null
  /** `#rrggbb`. */
  readonly colour?: string | null
  readonly returnUrl?: string | null
  /** Sites that may show pay pages in a frame, as `https://shop.kz`; ten at most. */
  readonly allowedOrigins?: ReadonlyArray<string> | null
  /** A PNG, JPEG or WebP file in base64; it is drawn anew. */
  readonly logo?: string | null
  /** The version that the change is made for. */
  readonly version?: number
}

/** `profile` with the members that are given; null takes one away, but the name. Checked. */
const changed = (profile: Profile, wanted: JsonObject) =>
  Result.gen(function* () {
    const { name, legalName, idn } = wanted
    const line = (value: unknown) => optionalLine(value, organizationBounds.name, "invalid_name")
    const named = name === undefined ? profile.name : yield* line(name)
    if (named === null || named.trim() === "") return yield* Result.fail("invalid_name" as const)
    if (isGiven(idn) && !(typeof idn === "string" && /^\d{12}$/.test(idn))) {
      return yield* Result.fail("invalid_idn" as const)
    }
    const next: Profile = {
      ...profile,
      name: named,
      legalName: legalName === undefined ? profile.legalName : yield* line(legalName),
      idn: idn === undefined ? profile.idn : (idn as string | null),
      face: yield* changedFace(profile.face, wanted)
    }
    return next
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const members = ["name", "legalName", "idn", "contact", "colour", "returnUrl", "allowedOrigins", "logo"] as const

const make = Effect.gen(function* () {
  const store = yield* ProfileStore
  const ids = yield* Ids
  const files = yield* PictureFiles.make
  const changing = yield* Rivals.make

  const get = Effect.fnUntraced(function* (id: OrganizationId) {
    const found = yield* store.find(id)
    return Option.isSome(found) ? found.value : yield* new OrganizationNotFound()
  })

  const write = Effect.fnUntraced(function* (
    next: Profile,
    action: Action,
    detail: string | null,
    logo: StoredPicture | null = null
  ) {
    const { organizationId, version } = next
    const audit = yield* recordOf(ids, { action, organizationId, subject: organizationId, detail })
    const written = { ...next, version: version + 1 }
    return (yield* store.replace(written, logo, audit)) ? Option.some(written) : Option.none<Profile>()
  })

  const change = Effect.fn("Profiles.change")(function* (id: OrganizationId, wanted: JsonObject) {
    const profile = yield* get(id)
    const { version } = wanted
    if (version !== undefined && version !== profile.version) return yield* new OrganizationChanged()
    const said = yield* Effect.fromResult(changed(profile, wanted))
    const logo = yield* files.wanted(id, wanted["logo"], logoForm)
    const next = logo === undefined ? said : { ...said, logo: logo === null ? null : logo.id }
    if (JSON.stringify(next) === JSON.stringify(profile)) return profile
    const given = members.filter((member) => wanted[member] !== undefined).join(" ")
    const written = yield* write(next, "organization.changed", given, logo ?? null)
    return Option.isSome(written) ? written.value : yield* new OrganizationChanged()
  })

  /** Sets the logo of whatever profile is stored, again if another writer was faster. */
  const withLogo = (id: OrganizationId, logo: StoredPicture | null) => {
    const action = logo === null ? "organization.logo_removed" : "organization.logo_set"
    const attempt = Effect.gen(function* () {
      const profile = yield* get(id)
      const name = logo === null ? null : logo.id
      if (profile.logo === name) return Option.some(profile)
      return yield* write({ ...profile, logo: name }, action, name, logo)
    })
    return changing("Profiles.withLogo", id)(attempt)
  }

  const setLogo = Effect.fn("Profiles.setLogo")(function* (id: OrganizationId, file: Uint8Array) {
    yield* get(id)
    return yield* withLogo(id, yield* files.drawn(id, file, logoForm))
  })

  return {
    /** The profile of an organization. */
    get,
    /**
     * Changes the members that are given (`name`, `legalName`, `idn`, `contact` and its members, `colour`,
     * `returnUrl`, `allowedOrigins`, `logo` as a file in base64); null takes one away. With `version` only if that is
     * still the profile's.
     */
    change,
    /** Draws a file (PNG, JPEG or WebP up to 256 KiB) anew as the logo. The same file again changes nothing. */
    setLogo,
    /** Takes the logo away. Without one nothing changes. */
    removeLogo: Effect.fn("Profiles.removeLogo")((id: OrganizationId) => withLogo(id, null))
  }
})

/** Profiles of organizations. */
export class Profiles extends Context.Service<Profiles, Effect.Success<typeof make>>()("@tolem/core/Profiles") {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Profiles, make)
}

/** A profile as answers show it. `baseUrl` is where this server is reached. */
export const profileJson = (profile: Profile, baseUrl: string) => {
  const { organizationId, name, legalName, idn, face, logo, version } = profile
  const { contact, colour, returnUrl, allowedOrigins } = face
  const logoUrl = logo === null ? null : pictureUrl(logo, baseUrl)
  return { id: organizationId, name, legalName, idn, contact, colour, returnUrl, allowedOrigins, logoUrl, version }
}

/** The address of a picture. */
export const pictureUrl = (name: string, baseUrl: string): string => `${baseUrl}/pictures/${name}`
