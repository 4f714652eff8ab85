/** `tolem org …` */
import { Engine } from "@tolem/core/engine/Engine"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import { organizationNotFound } from "./KeyCommands.ts"

const create = Command.make(
  "create",
  {
    database: Flags.database,
    name: Flag.String("name").pipe(Flag.withDescription("Name of the organization")),
    ownerPhone: Flag.String("owner-phone").pipe(
      Flag.withMetavar("7XXXXXXXXXX"),
      Flag.withDescription("Phone of the owner, whose account is made if the phone is new")
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
  ({ database, name, ownerPhone, ownerName, legalName, idn, tariff, referralCode }) =>
    Effect.gen(function* () {
      const { organizations } = yield* Engine
      const { organization, owner } = yield* organizations.create({
        name,
        ownerPhone,
        ownerName: Option.getOrUndefined(ownerName),
        legalName: Option.getOrUndefined(legalName),
        idn: Option.getOrUndefined(idn),
        tariff: Option.getOrUndefined(tariff),
        referralCode: Option.getOrUndefined(referralCode)
      })
      yield* (yield* Output).print({
        json: {
          organization: { id: organization.id, name: organization.name, tariff: organization.tariff },
          owner: { id: owner.id, phone: owner.phone, name: owner.name }
        },
        text: `Organization ${organization.id} (${organization.name}), owner ${owner.id} (${owner.phone}).`
      })
    }).pipe(Effect.provide(Assembly.layer(database, { tariff: Option.getOrUndefined(tariff) })))
).pipe(Command.withDescription("Open an organization"))

const mode = Command.make(
  "mode",
  { database: Flags.database, organization: Flags.organization, mode: Flags.mode },
  ({ database, organization, mode }) =>
    Effect.gen(function* () {
      const { modes } = yield* Engine
      const { id } = yield* modes
        .switchTo(organization, mode)
        .pipe(Effect.catchTag("OrganizationNotFound", () => Effect.fail(organizationNotFound(organization))))
      yield* (yield* Output).print({ json: { id, mode }, text: `Organization ${id}: ${mode}.` })
    }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(Command.withDescription("Switch the mode that an organization works in; live needs a cashier who works"))

/** Organizations. */
export const org = Command.make("org").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([create, mode])
)
