/** `tolem operator account …` */
import { Engine } from "@tolem/core/engine/Engine"
import { accountEntryJson } from "@tolem/core/merchant/KeyJson"
import type { Account } from "@tolem/core/merchant/Merchant"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as Lists from "./Lists.ts"

const list = Command.make("list", { database: Flags.database, ...Lists.flags }, ({ database, ...given }) =>
  Effect.gen(function* () {
    const { directory } = yield* Engine
    const { total, accounts } = yield* directory.accounts(yield* Lists.query(given))
    const lines = accounts.map(({ id, phone, status, name }) => `${id}  ${phone}  ${status}  ${name ?? ""}`.trimEnd())
    yield* (yield* Output).print({
      json: { total, accounts: accounts.map(accountEntryJson) },
      text: Lists.linesOf(lines)
    })
  }).pipe(Effect.provide(Assembly.reading(database)))
).pipe(Command.withDescription("List accounts, newest first"))

const switched = (name: string, status: Account["status"], about: string) =>
  Command.make(name, { database: Flags.database, id: Lists.id }, ({ database, id }) =>
    Effect.gen(function* () {
      const { organizations } = yield* Engine
      const found = yield* organizations.setAccountStatus(id, status)
      if (!found) return yield* accountNotFound(id)
      yield* (yield* Output).print({ json: { id, status }, text: `Account ${id}: ${status}.` })
    }).pipe(Effect.provide(Assembly.layer(database)))
  ).pipe(Command.withDescription(about))

const endSessions = Command.make("end-sessions", { database: Flags.database, id: Lists.id }, ({ database, id }) =>
  Effect.gen(function* () {
    const { directory, logins } = yield* Engine
    if (Option.isNone(yield* directory.account({ id }))) return yield* accountNotFound(id)
    const ended = yield* logins.endAll(id)
    yield* (yield* Output).print({ json: { id, ended }, text: `Account ${id}: ${ended} sessions ended.` })
  }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(Command.withDescription("End every session of an account at once; they have to log in again"))

const accountNotFound = (id: string) =>
  new CommandFailed({ error: "account_not_found", message: `There is no account ${id}.` })

/** Accounts of people. */
export const account = Command.make("account").pipe(
  Command.withDescription("Accounts of people"),
  Command.withSubcommands([
    list,
    switched(
      "block",
      "blocked",
      "Block an account: its sessions end, and the keys of its organizations are refused from now on"
    ),
    switched("unblock", "active", "Let a blocked account act again"),
    endSessions
  ])
)
