/** `tolem operator member …` */
import { Engine } from "@tolem/core/engine/Engine"
import { memberJson } from "@tolem/core/merchant/KeyJson"
import { Role } from "@tolem/core/merchant/Merchant"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { changingCommand, group, organizationNotFound, readingCommand } from "../kit/Commands.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { type Columns, table } from "../kit/Tables.ts"

const roles = Role.literals.filter((role) => role !== "owner")

const common = { organization: Flags.organization }
const phone = Flags.text("phone", "7XXXXXXXXXX", "The person's phone")

const addressOf = (email: string) => ({ email: email === "" ? null : email })

const columns: Columns<ReturnType<typeof memberJson>> = {
  ACCOUNT: ({ accountId }) => accountId,
  PHONE: ({ phone }) => phone,
  ROLE: ({ role }) => role,
  NAME: ({ name }) => name,
  EMAIL: ({ email }) => email
}

const list = readingCommand("list", "List the members of an organization", common, function* ({ organization }) {
  const { members } = yield* Engine
  const all = yield* members.list(organization)
  const shown = all.map(memberJson)
  return { json: shown, text: table(shown, columns) }
})

const add = changingCommand(
  "add",
  "Make a person with an account a member, or give them another role",
  {
    ...common,
    phone,
    role: Flag.Literals("role", roles).pipe(
      Flag.withDescription("What they may do there"),
      Flag.withDefault("developer")
    ),
    email: Flags.text(
      "email",
      "ADDRESS",
      "The person's address, to which letters of their sandboxes may go; empty: none any more"
    ).pipe(Flag.optional)
  },
  function* ({ organization, phone, role, email }) {
    const { members } = yield* Engine
    const { account } = yield* members
      .add(organization, { phone, role, ...Option.match(email, { onNone: () => ({}), onSome: addressOf }) })
      .pipe(Effect.catchTag("OrganizationNotFound", () => Effect.fail(organizationNotFound(organization))))
    return {
      json: { organization, accountId: account.id, role, email: account.email },
      text: `${account.phone} is ${role} of ${organization}.`
    }
  }
)

const remove = changingCommand(
  "remove",
  "End a membership; the owner stays",
  { ...common, phone },
  function* ({ organization, phone }) {
    const { members } = yield* Engine
    const removed = yield* members.remove(organization, phone)
    const message = `${phone} is no member of ${organization} who can be removed.`
    if (!removed) return yield* new CommandFailed({ error: "member_not_found", message })
    return { json: { organization, phone, removed }, text: `${phone} is no member any more.` }
  }
)

/** Members of organizations. */
export const member = group("member", "Members of organizations", [list, add, remove])
