/** `tolem operator member …` */
import { Engine } from "@tolem/core/engine/Engine"
import { memberJson } from "@tolem/core/merchant/KeyJson"
import { Role } from "@tolem/core/merchant/Merchant"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { organizationNotFound } from "../commands/KeyCommands.ts"
import * as Assembly from "../kit/Assembly.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as Lists from "./Lists.ts"

const roles = Role.literals.filter((role) => role !== "owner")

const common = { database: Flags.database, organization: Flags.organization }
const phone = Flag.String("phone").pipe(Flag.withMetavar("7XXXXXXXXXX"), Flag.withDescription("The person's phone"))

const addressOf = (email: string) => ({ email: email === "" ? null : email })

const list = Command.make("list", common, ({ database, organization }) =>
  Effect.gen(function* () {
    const { members } = yield* Engine
    const all = yield* members.list(organization)
    const shown = all.map(memberJson)
    const lines = shown.map(({ accountId, phone, role, name }) =>
      `${accountId}  ${phone}  ${role}  ${name ?? ""}`.trimEnd()
    )
    yield* (yield* Output).print({ json: shown, text: Lists.linesOf(lines) })
  }).pipe(Effect.provide(Assembly.reading(database)))
).pipe(Command.withDescription("List the members of an organization"))

const add = Command.make(
  "add",
  {
    ...common,
    phone,
    role: Flag.Literals("role", roles).pipe(
      Flag.withDescription("What they may do there"),
      Flag.withDefault("developer")
    ),
    email: Flag.String("email").pipe(
      Flag.withMetavar("ADDRESS"),
      Flag.withDescription("The person's address, to which letters of their sandboxes may go; empty: none any more"),
      Flag.optional
    )
  },
  ({ database, organization, phone, role, email }) =>
    Effect.gen(function* () {
      const { members } = yield* Engine
      const { account } = yield* members
        .add(organization, { phone, role, ...Option.match(email, { onNone: () => ({}), onSome: addressOf }) })
        .pipe(Effect.catchTag("OrganizationNotFound", () => Effect.fail(organizationNotFound(organization))))
      yield* (yield* Output).print({
        json: { organization, accountId: account.id, role, email: account.email },
        text: `${account.phone} is ${role} of ${organization}.`
      })
    }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(Command.withDescription("Make a person with an account a member, or give them another role"))

const remove = Command.make("remove", { ...common, phone }, ({ database, organization, phone }) =>
  Effect.gen(function* () {
    const { members } = yield* Engine
    const removed = yield* members.remove(organization, phone)
    const message = `${phone} is no member of ${organization} who can be removed.`
    if (!removed) return yield* new CommandFailed({ error: "member_not_found", message })
    yield* (yield* Output).print({ json: { organization, phone, removed }, text: `${phone} is no member any more.` })
  }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(Command.withDescription("End a membership; the owner stays"))

/** Members of organizations. */
export const member = Command.make("member").pipe(
  Command.withDescription("Members of organizations"),
  Command.withSubcommands([list, add, remove])
)
