/** `tolem connection …` */
import { connectionJson } from "@tolem/core/connection/Connection"
import { Engine } from "@tolem/core/engine/Engine"
import { Effect, Redacted } from "effect"
import { Flag } from "effect/cli"
import { changingCommand, group, readingCommand } from "../kit/Commands.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import * as Merchant from "../kit/Merchant.ts"
import { type Columns, localTime, members, table } from "../kit/Tables.ts"
import { inWords, login } from "./Login.ts"

const id = Flags.text("id", "ID", "Id of the connection")

const common = { provider: Flags.provider, organization: Flags.organization }

const create = changingCommand(
  "create",
  "Add a cashier and log in at the provider",
  {
    ...common,
    name: Flag.String("name").pipe(Flag.withDescription("Label for this cashier")),
    inactive: Flag.Boolean("inactive").pipe(
      Flag.withDescription("Do not log in yet; invoices cannot be paid through it until then"),
      Flag.withDefault(false)
    ),
    phone: Flags.text("phone", "7XXXXXXXXXX", "The cashier's phone").pipe(Flag.withDefault("77010000000")),
    code: Flag.Redacted("code").pipe(
      Flag.withDescription("The code that the provider sends; the default is that of the provider sandbox"),
      Flag.withDefault(Redacted.make("111111"))
    )
  },
  function* ({ organization, name, inactive, phone, code }) {
    yield* Merchant.organizationOf(organization)
    const { connections } = yield* Engine
    const made = yield* connections.create(organization, { name })
    const entering = Effect.gen(function* () {
      const { id: processId } = yield* connections.initLogin(organization, made.id)
      yield* connections.sendPhone(organization, made.id, { processId, phone })
      return yield* connections.verifyOtp(organization, made.id, { processId, otp: code })
    })
    // A cashier who cannot log in is of no use, so none is left behind.
    const connection = inactive
      ? made
      : yield* Effect.onError(inWords(entering), () => Effect.ignore(connections.remove(organization, made.id)))
    return {
      json: connectionJson(connection),
      text: `Connection ${connection.id} (${connection.name}): ${connection.status}.`
    }
  },
  ({ provider }) => ({ provider })
)

const columns: Columns<ReturnType<typeof connectionJson>> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  STATUS: ({ status }) => status,
  DEFAULT: ({ isDefault }) => (isDefault ? "default" : ""),
  PHONE: ({ phone }) => phone,
  CREATED: ({ createdAt }) => localTime(createdAt)
}

const list = readingCommand(
  "list",
  "List the cashiers of an organization",
  common,
  function* ({ organization }) {
    const { connections } = yield* Engine
    const all = (yield* connections.list(organization)).map(connectionJson)
    return { json: all, text: table(all, columns) }
  },
  ({ provider }) => ({ provider })
)

const remove = changingCommand(
  "delete",
  "Delete a cashier that no key is bound to",
  { ...common, id },
  function* ({ organization, id }) {
    const { connections } = yield* Engine
    yield* connections
      .remove(organization, id)
      .pipe(
        Effect.catchTag("ConnectionNotFound", () =>
          Effect.fail(new CommandFailed({ error: "connection_not_found", message: `There is no connection ${id}.` }))
        )
      )
    return { json: { id, deleted: true }, text: `Connection ${id} is deleted.` }
  },
  ({ provider }) => ({ provider })
)

const switched = (name: string, transition: "Disabled" | "Enabled" | "MadeDefault", about: string) =>
  changingCommand(
    name,
    about,
    { ...common, id },
    function* ({ organization, id }) {
      const { connections } = yield* Engine
      const connection = yield* connections.change(organization, id, { _tag: transition })
      return {
        json: connectionJson(connection),
        text: `Connection ${id}: ${connection.status}${connection.isDefault ? ", default" : ""}.`
      }
    },
    ({ provider }) => ({ provider })
  )

const show = readingCommand(
  "show",
  "Show a cashier",
  { ...common, id },
  function* ({ organization, id }) {
    const { connections } = yield* Engine
    yield* Merchant.organizationOf(organization)
    const shown = connectionJson(yield* connections.get(organization, id))
    const { isDefault, createdAt, ...rest } = shown
    const text = members({ ...rest, default: isDefault ? "yes" : "no", created: localTime(createdAt) })
    return { json: shown, text }
  },
  ({ provider }) => ({ provider })
)

/** Cashiers at the provider. */
export const connection = group("connection", "Cashiers at the provider, for live invoices", [
  create,
  login,
  list,
  show,
  switched("default", "MadeDefault", "Use this cashier where a key is bound to none"),
  switched("disable", "Disabled", "Make no further invoices through this cashier"),
  switched("enable", "Enabled", "Use a disabled cashier again"),
  remove
])
