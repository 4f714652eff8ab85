/** `tolem operator access …`: who has the console of the platform. */
import { Engine } from "@tolem/core/engine/Engine"
import type { Account } from "@tolem/core/merchant/Merchant"
import type { KnownOperator } from "@tolem/core/operator/OperatorStore"
import { toIso } from "@tolem/core/value/Calendar"
import { changingCommand, group, readingCommand } from "../kit/Commands.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { type Columns, localTime, table } from "../kit/Tables.ts"

const phone = Flags.text("phone", "7XXXXXXXXXX", "The person's phone")

const columns: Columns<KnownOperator> = {
  ACCOUNT: ({ accountId }) => accountId,
  PHONE: ({ account }) => account.phone,
  NAME: ({ account }) => account.name,
  SINCE: ({ grantedAt }) => localTime(grantedAt),
  BY: ({ grantedBy }) => grantedBy
}

const list = readingCommand("list", "List those who have it, oldest first", {}, function* () {
  const { operators } = yield* Engine
  const all = yield* operators.list
  const json = all.map(({ accountId, grantedAt, grantedBy, account: { phone, name } }) => ({
    accountId,
    phone,
    name,
    grantedAt: toIso(grantedAt),
    grantedBy
  }))
  return { json, text: table(all, columns) }
})

const unknown = (phone: string) =>
  new CommandFailed({
    error: "account_not_found",
    message: `There is no account with the phone ${phone}. They have to log in to the cabinet first.`
  })

const shown = (account: Account, isOperator: boolean, isChanged: boolean) => ({
  json: { accountId: account.id, phone: account.phone, isOperator, changed: isChanged },
  text: isOperator
    ? `${account.phone} has the console of the platform${isChanged ? "" : ", as before"}.`
    : `${account.phone} has the console of the platform no more${isChanged ? "" : ", as before"}.`
})

const grant = changingCommand(
  "grant",
  "Give a person with an account the console of the platform: they see and change what all merchants have",
  { phone },
  function* ({ phone }) {
    const done = yield* (yield* Engine).operators.grant(phone)
    return done === null ? yield* unknown(phone) : shown(done.account, true, done.changed)
  }
)

const end = changingCommand("end", "Take it from a person, at once", { phone }, function* ({ phone }) {
  const done = yield* (yield* Engine).operators.end(phone)
  return done === null ? yield* unknown(phone) : shown(done.account, false, done.changed)
})

/** Who has the console. */
export const access = group("access", "Who has the console of the platform in the cabinet", [grant, end, list])
