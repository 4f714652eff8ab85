/** `tolem key …` */
import { Engine } from "@tolem/core/engine/Engine"
import { keyJson } from "@tolem/core/merchant/KeyJson"
import { KeyScope } from "@tolem/core/merchant/Merchant"
import { Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"

/** What to answer where `--org` names no organization. */
export const organizationNotFound = (id: string): CommandFailed =>
  new CommandFailed({ error: "organization_not_found", message: `There is no organization ${id}.` })

const create = Command.make(
  "create",
  {
    database: Flags.database,
    organization: Flags.organization,
    mode: Flags.mode,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for, to tell it from others")),
    scopes: Flag.String("scopes").pipe(
      Flag.withMetavar("a,b|all"),
      Flag.withDescription(`What it may do: all, or some of ${KeyScope.literals.join(", ")}`)
    ),
    connection: Flag.String("connection").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("Cashier that the key is bound to"),
      Flag.optional
    )
  },
  ({ database, organization, mode, name, scopes, connection }) =>
    Effect.gen(function* () {
      const { organizations } = yield* Engine
      const request = {
        organizationId: organization,
        mode,
        name,
        scopes: scopes === "all" ? KeyScope.literals : Flags.list(scopes),
        connectionId: Option.getOrUndefined(connection)
      }
      const { key, text } = yield* organizations
        .createKey(request)
        .pipe(Effect.catchTag("OrganizationNotFound", () => Effect.fail(organizationNotFound(organization))))
      const apiKey = Redacted.value(text)
      yield* (yield* Output).print({
        json: { id: key.id, apiKey, mode, name: key.name, scopes: key.scopes },
        text: `Key ${key.id} (${mode}, ${key.name}). It is shown this once:\n${apiKey}`
      })
    }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(Command.withDescription("Make a key for the HTTP interface; its text is shown this once"))

const remove = Command.make(
  "delete",
  {
    database: Flags.database,
    id: Flag.String("id").pipe(Flag.withMetavar("ID"), Flag.withDescription("Id of the key"))
  },
  ({ database, id }) =>
    Effect.gen(function* () {
      const deleted = yield* (yield* Engine).organizations.deleteKey(id)
      if (!deleted) return yield* new CommandFailed({ error: "key_not_found", message: `There is no key ${id}.` })
      yield* (yield* Output).print({
        json: { id, deleted },
        text: `Key ${id} is deleted. Requests that carry it are refused from now on.`
      })
    }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(Command.withDescription("Delete a key, at once and for good"))

const bind = Command.make(
  "bind",
  {
    database: Flags.database,
    organization: Flags.organization,
    id: Flag.String("id").pipe(Flag.withMetavar("ID"), Flag.withDescription("Id of the key")),
    connection: Flag.String("connection").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("Cashier whose invoices the key sees from now on; without it those of all"),
      Flag.optional
    )
  },
  ({ database, organization, id, connection }) =>
    Effect.gen(function* () {
      const connectionId = Option.getOrNull(connection)
      const bound = yield* (yield* Engine).organizations.bindKey(organization, id, connectionId)
      const message = `There is no key ${id} of ${organization}.`
      if (!bound) return yield* new CommandFailed({ error: "key_not_found", message })
      yield* (yield* Output).print({
        json: { id, connectionId },
        text: connectionId === null ? `Key ${id} is bound to no cashier.` : `Key ${id} is bound to ${connectionId}.`
      })
    }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(Command.withDescription("Bind a key to another cashier, or to none"))

const list = Command.make(
  "list",
  { database: Flags.database, organization: Flags.organization },
  ({ database, organization }) =>
    Effect.gen(function* () {
      const keys = (yield* (yield* Engine).organizations.keys(organization)).map(keyJson)
      const line = (one: ReturnType<typeof keyJson>) =>
        `${one.id}  ${one.mode}  …${one.lastCharacters}  ${one.lastUsedAt ?? "never used"}  ${one.name}`
      yield* (yield* Output).print({
        json: keys,
        text: keys.length === 0 ? "There are no keys." : keys.map(line).join("\n")
      })
    }).pipe(Effect.provide(Assembly.reading(database)))
).pipe(Command.withDescription("List the keys of an organization, without their texts"))

/** Keys of the HTTP interface. */
export const key = Command.make("key").pipe(
  Command.withDescription("Keys of the HTTP interface"),
  Command.withSubcommands([create, list, bind, remove])
)
