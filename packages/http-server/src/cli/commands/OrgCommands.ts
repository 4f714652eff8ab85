/** `tolem org …` */
import { Engine } from "@tolem/core/engine/Engine"
import { profileJson } from "@tolem/core/face/Profiles"
import { Effect, Option, Record } from "effect"
import { Flag } from "effect/cli"
import { changingCommand, group, ofOrganization, readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import * as LogoFile from "../kit/LogoFile.ts"
import * as Merchant from "../kit/Merchant.ts"
import { localTime, members } from "../kit/Tables.ts"
import { organizationJson, organizationList } from "../operator/OrganizationCommands.ts"

const create = changingCommand(
  "create",
  "Open an organization",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the organization")),
    ownerPhone: Flags.text(
      "owner-phone",
      "7XXXXXXXXXX",
      "Phone of the owner, whose account is made if the phone is new"
    ),
    ownerName: Flag.String("owner-name").pipe(Flag.withDescription("Name of the owner"), Flag.optional),
    legalName: Flag.String("legal-name").pipe(Flag.withDescription("Name in the register"), Flag.optional),
    idn: Flag.String("idn").pipe(Flag.withDescription("Business or individual number"), Flag.optional),
    tariff: Flags.tariff.pipe(
      Flag.withDescription("Tariff, as tariff list shows it; the first, the default, ends after 7 days, others never"),
      Flag.optional
    ),
    referralCode: Flag.String("referral-code").pipe(
      Flag.withDescription("Referral code of the account that brought the merchant"),
      Flag.optional
    )
  },
  function* ({ name, ownerPhone, ownerName, legalName, idn, tariff, referralCode }) {
    const { organizations } = yield* Engine
    const given = Record.map({ ownerName, legalName, idn, tariff, referralCode }, Option.getOrUndefined)
    const { organization, owner } = yield* organizations.create({ name, ownerPhone, ...given })
    return {
      json: {
        organization: { id: organization.id, name: organization.name, tariff: organization.tariff },
        owner: { id: owner.id, phone: owner.phone, name: owner.name }
      },
      text: `Organization ${organization.id} (${organization.name}), owner ${owner.id} (${owner.phone}).`
    }
  },
  ({ tariff }) => ({ tariff: Option.getOrUndefined(tariff), makes: true })
)

const mode = changingCommand(
  "mode",
  "Switch the mode that an organization works in; live needs a cashier who works",
  { organization: Flags.organization, mode: Flags.mode },
  function* ({ organization, mode }) {
    const { modes } = yield* Engine
    const { id } = yield* ofOrganization(organization)(modes.switchTo(organization, mode))
    return { json: { id, mode }, text: `Organization ${id}: ${mode}.` }
  }
)

const show = readingCommand(
  "show",
  "Show an organization, with its owner and its tariff",
  { organization: Flags.organization },
  function* ({ organization: id }) {
    const organization = yield* Merchant.organizationOf(id)
    const { directory } = yield* Engine
    const owner = yield* directory.account({ id: organization.ownerId })
    const ownerStatus = Option.match(owner, { onNone: () => "active" as const, onSome: ({ status }) => status })
    const json = organizationJson({ organization, ownerStatus })
    const phone = Option.match(owner, { onNone: () => null, onSome: ({ phone }) => phone })
    return { json: { ...json, ownerPhone: phone }, text: textOf(json, phone) }
  }
)

const textOf = (shown: ReturnType<typeof organizationJson>, phone: string | null): string =>
  members({
    id: shown.id,
    name: shown.name,
    "legal name": shown.legalName,
    idn: shown.idn,
    mode: shown.mode,
    status: shown.status,
    tariff: shown.tariff,
    until: localTime(shown.tariffUntil),
    owner: `${shown.ownerId} (${phone ?? "no phone"}, ${shown.ownerStatus})`,
    created: localTime(shown.createdAt)
  })

const shown = (name: string, about: string, metavar = "TEXT") =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(`${about}; empty: none any more`),
    Flag.optional
  )

/** What is given, empty ones as null. */
const given = (flags: Readonly<Record<string, Option.Option<string>>>) =>
  Record.map(Record.getSomes(flags), (value) => (value === "" ? null : value))

const profile = changingCommand(
  "profile",
  "Show what customers see of an organization, and change what is given",
  {
    organization: Flags.organization,
    name: Flag.String("name").pipe(Flag.withDescription("Name of the organization"), Flag.optional),
    legalName: shown("legal-name", "Name in the register"),
    idn: shown("idn", "Business or individual number, 12 digits"),
    colour: shown("colour", "Colour of pages and letters", "#RRGGBB"),
    returnUrl: shown("return-url", "Where customers are led back to", "URL"),
    allowedOrigins: shown("allowed-origins", "Sites that may show pay pages in a frame, with commas", "ORIGINS"),
    logo: shown("logo", "PNG, JPEG or WebP up to 256 KiB, drawn anew", "FILE"),
    contact: {
      phone: shown("phone", "Phone for customers", "7XXXXXXXXXX"),
      whatsapp: shown("whatsapp", "WhatsApp for customers", "7XXXXXXXXXX"),
      email: shown("email", "E-mail address for customers", "ADDRESS"),
      web: shown("web", "Web page", "URL"),
      address: shown("address", "Postal address")
    }
  },
  function* ({ organization, contact, logo, allowedOrigins, ...own }) {
    const { profiles, settings } = yield* Engine
    const file = Option.getOrUndefined(logo)
    const bytes = file === undefined || file === "" ? null : yield* LogoFile.read(file)
    const contacts = given(contact)
    const sites = Option.map(allowedOrigins, (text) => (text === "" ? null : text.split(",").map((one) => one.trim())))
    const framed = Option.match(sites, { onNone: () => ({}), onSome: (allowed) => ({ allowedOrigins: allowed }) })
    const wanted = { ...given(own), ...framed, ...(Record.isEmptyRecord(contacts) ? {} : { contact: contacts }) }
    const change = Effect.gen(function* () {
      const changed = yield* profiles.change(organization, wanted)
      if (file === "") return yield* profiles.removeLogo(organization)
      return bytes === null ? changed : yield* profiles.setLogo(organization, bytes)
    })
    const json = profileJson(yield* ofOrganization(organization)(change), settings.baseUrl)
    return { json, text: linesOf(json) }
  }
)

const linesOf = ({ contact, ...own }: ReturnType<typeof profileJson>): string =>
  Object.entries({ ...own, ...contact })
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
    .join("\n")

/** Organizations. */
export const org = group("org", "Organizations", [create, organizationList, show, mode, profile])
