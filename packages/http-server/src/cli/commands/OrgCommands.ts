/** `tolem org …` */
import { Engine } from "@tolem/core/engine/Engine"
import { Option, Record } from "effect"
import { Flag } from "effect/cli"
import { changingCommand, group, ofOrganization } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"

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
  ({ tariff }) => ({ tariff: Option.getOrUndefined(tariff) })
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

/** Organizations. */
export const org = group("org", "Organizations", [create, mode])
