/** `tolem key …` */
import { Engine } from "@tolem/core/engine/Engine"
import { keyJson } from "@tolem/core/merchant/KeyJson"
import { KeyScope } from "@tolem/core/merchant/Merchant"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { changingCommand, group, ofOrganization, readingCommand } from "../kit/Commands.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import * as Merchant from "../kit/Merchant.ts"
import { type Columns, localTime, members, table } from "../kit/Tables.ts"

const id = Flags.text("id", "ID", "Id of the key")

const create = changingCommand(
  "create",
  "Make a key for the HTTP interface; its text is shown this once",
  {
    organization: Flags.organization,
    mode: Flags.mode,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for, to tell it from others")),
    scopes: Flags.text("scopes", "a,b|all", `What it may do: all, or some of ${KeyScope.literals.join(", ")}`),
    connection: Flags.text("connection", "ID", "Cashier that the key is bound to").pipe(Flag.optional)
  },
  function* ({ organization, mode, name, scopes, connection }) {
    const { organizations } = yield* Engine
    const request = {
      organizationId: organization,
      mode,
      name,
      scopes: scopes === "all" ? KeyScope.literals : Flags.list(scopes),
      connectionId: Option.getOrUndefined(connection)
    }
    const { key, text } = yield* ofOrganization(organization)(organizations.createKey(request))
    const apiKey = Redacted.value(text)
    return {
      json: { id: key.id, apiKey, mode, name: key.name, scopes: key.scopes },
      text: `Key ${key.id} (${mode}, ${key.name}). It is shown this once:\n${apiKey}`
    }
  }
)

const remove = changingCommand("delete", "Delete a key, at once and for good", { id }, function* ({ id }) {
  const deleted = yield* (yield* Engine).organizations.deleteKey(id)
  if (!deleted) return yield* new CommandFailed({ error: "key_not_found", message: `There is no key ${id}.` })
  return { json: { id, deleted }, text: `Key ${id} is deleted. Requests that carry it are refused from now on.` }
})

const bind = changingCommand(
  "bind",
  "Bind a key to another cashier, or to none",
  {
    organization: Flags.organization,
    id,
    connection: Flags.text(
      "connection",
      "ID",
      "Cashier whose invoices the key sees from now on; without it those of all"
    ).pipe(Flag.optional)
  },
  function* ({ organization, id, connection }) {
    const connectionId = Option.getOrNull(connection)
    const bound = yield* (yield* Engine).organizations.bindKey(organization, id, connectionId)
    if (!bound) return yield* keyNotFound(id, organization)
    return { json: { id, connectionId }, text: `Key ${id} is bound to ${connectionId ?? "no cashier"}.` }
  }
)

const list = readingCommand(
  "list",
  "List the keys of an organization, without their texts",
  { organization: Flags.organization },
  function* ({ organization }) {
    const keys = yield* keysOf(organization)
    return { json: keys, text: table(keys, columns) }
  }
)

const show = readingCommand(
  "show",
  "Show a key, without its text",
  { organization: Flags.organization, id },
  function* ({ organization, id }) {
    const key = (yield* keysOf(organization)).find((each) => each.id === id)
    return key === undefined ? yield* keyNotFound(id, organization) : { json: key, text: textOf(key) }
  }
)

/** An organization has a handful, so one verb serves both. */
const keysOf = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { id } = yield* Merchant.organizationOf(organization)
  return (yield* (yield* Engine).organizations.keys(id)).map(keyJson)
})

const keyNotFound = (id: string, organization: string) =>
  new CommandFailed({ error: "key_not_found", message: `There is no key ${id} of ${organization}.` })

const columns: Columns<ReturnType<typeof keyJson>> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  MODE: ({ mode }) => mode,
  ENDS: ({ lastCharacters }) => `…${lastCharacters}`,
  CASHIER: ({ connectionId }) => connectionId,
  "LAST USED": ({ lastUsedAt }) => (lastUsedAt === null ? "never" : localTime(lastUsedAt)),
  CREATED: ({ createdAt }) => localTime(createdAt)
}

const textOf = (key: ReturnType<typeof keyJson>): string =>
  members({
    id: key.id,
    name: key.name,
    mode: key.mode,
    "ends with": key.lastCharacters,
    scopes: key.scopes.join(", "),
    cashier: key.connectionId ?? "none",
    "last used": key.lastUsedAt === null ? "never" : localTime(key.lastUsedAt),
    created: localTime(key.createdAt)
  })

/** Keys of the HTTP interface. */
export const key = group("key", "Keys of the HTTP interface", [create, list, show, bind, remove])
