/** `tolem org …` */
import { Engine } from "@tolem/core/Engine"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Assembly from "./Assembly.ts"
import * as Flags from "./Flags.ts"
import { Output } from "./Output.ts"

const tariffs = ["trial", "start", "business", "scale", "partner"] as const

const create = Command.make(
  "create",
  {
    database: Flags.database,
    name: Flag.String("name").pipe(Flag.withDescription("Name of the organization")),
    ownerPhone: Flag.String("owner-phone").pipe(
      Flag.withMetavar("7XXXXXXXXXX"),
      Flag.withDescription("Phone of the owner, whose account is made where the phone is new")
    ),
    ownerName: Flag.String("owner-name").pipe(Flag.withDescription("Name of the owner"), Flag.optional),
    legalName: Flag.String("legal-name").pipe(Flag.withDescription("Name in the register"), Flag.optional),
    idn: Flag.String("idn").pipe(Flag.withDescription("Business or individual number"), Flag.optional),
    tariff: Flag.Literals("tariff", tariffs).pipe(Flag.withDescription("Tariff"), Flag.withDefault("trial"))
  },
  ({ database, name, ownerPhone, ownerName, legalName, idn, tariff }) =>
    Effect.gen(function* () {
      const { organizations } = yield* Engine
      const { organization, owner } = yield* organizations.create({
        name,
        ownerPhone,
        ownerName: Option.getOrUndefined(ownerName),
        legalName: Option.getOrUndefined(legalName),
        idn: Option.getOrUndefined(idn),
        tariff
      })
      yield* (yield* Output).print({
        json: {
          organization: { id: organization.id, name: organization.name, tariff: organization.tariff },
          owner: { id: owner.id, phone: owner.phone, name: owner.name }
        },
        text: `Organization ${organization.id} (${organization.name}), owner ${owner.id} (${owner.phone}).`
      })
    }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(Command.withDescription("Open an organization"))

/** Organizations. */
export const org = Command.make("org").pipe(Command.withDescription("Organizations"), Command.withSubcommands([create]))
