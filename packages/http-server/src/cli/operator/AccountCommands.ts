/** `tolem operator account …` */
import { Engine } from "@tolem/core/engine/Engine"
import { accountEntryJson } from "@tolem/core/merchant/KeyJson"
import type { Account } from "@tolem/core/merchant/Merchant"
import { Option } from "effect"
import { changingCommand, group, readingCommand } from "../kit/Commands.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Lists from "../kit/Lists.ts"
import { type Columns, localTime } from "../kit/Tables.ts"

const columns: Columns<Account> = {
  ID: ({ id }) => id,
  PHONE: ({ phone }) => phone,
  STATUS: ({ status }) => status,
  NAME: ({ name }) => name,
  EMAIL: ({ email }) => email,
  CREATED: ({ createdAt }) => localTime(createdAt)
}

const list = readingCommand("list", "List accounts, newest first", { ...Lists.flags }, function* (given) {
  const { directory } = yield* Engine
  const query = yield* Lists.query(given)
  const { total, accounts } = yield* directory.accounts(query)
  return {
    json: { total, accounts: accounts.map(accountEntryJson) },
    text: Lists.paged({ ...query, total }, accounts, columns)
  }
})

const switched = (name: string, status: Account["status"], about: string) =>
  changingCommand(name, about, { id: Lists.id }, function* ({ id }) {
    const { organizations } = yield* Engine
    const found = yield* organizations.setAccountStatus(id, status)
    if (!found) return yield* accountNotFound(id)
    return { json: { id, status }, text: `Account ${id}: ${status}.` }
  })

const endSessions = changingCommand(
  "end-sessions",
  "End every session of an account at once; they have to log in again",
  { id: Lists.id },
  function* ({ id }) {
    const { directory, logins } = yield* Engine
    if (Option.isNone(yield* directory.account({ id }))) return yield* accountNotFound(id)
    const ended = yield* logins.endAll(id)
    return { json: { id, ended }, text: `Account ${id}: ${ended} sessions ended.` }
  }
)

const accountNotFound = (id: string) =>
  new CommandFailed({ error: "account_not_found", message: `There is no account ${id}.` })

/** Accounts of people. */
export const account = group("account", "Accounts of people", [
  list,
  switched(
    "block",
    "blocked",
    "Block an account: its sessions end, and the keys of its organizations are refused from now on"
  ),
  switched("unblock", "active", "Let a blocked account act again"),
  endSessions
])
