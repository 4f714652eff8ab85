/** Use-cases of the console about people: found, looked at, blocked, logged out. */
import { Context, Effect, Layer, Option } from "effect"
import { refusal } from "../../error/Refusal.ts"
import { Logins } from "../../login/Logins.ts"
import { DirectoryStore } from "../../merchant/DirectoryStore.ts"
import type { Account } from "../../merchant/Merchant.ts"
import { Organizations } from "../../merchant/Organizations.ts"
import { isStorable } from "../../value/Checks.ts"
import { Operators } from "../Operators.ts"
import { type ConsoleListRequest, checkSearch, foundOf, pageOf, pageSize, placeAsked } from "./ConsoleRequests.ts"
import { ConsoleStore } from "./ConsoleStore.ts"

/** There is no such account. */
export class AccountNotFound extends refusal("AccountNotFound", "account_not_found") {}

const make = Effect.gen(function* () {
  const store = yield* ConsoleStore
  const directory = yield* DirectoryStore
  const organizations = yield* Organizations
  const operators = yield* Operators
  const logins = yield* Logins

  const find = Effect.fnUntraced(function* (id: unknown) {
    const found = typeof id === "string" && isStorable(id) ? yield* directory.account({ id }) : Option.none<Account>()
    return Option.isSome(found) ? found.value : yield* new AccountNotFound()
  })

  const list = Effect.fn("AccountConsole.list")(function* ({ search, after }: ConsoleListRequest) {
    const beginnings = checkSearch(search)
    if (beginnings !== null) {
      const found = beginnings.length === 0 ? [] : yield* store.findAccounts(beginnings, pageSize + 1)
      return { ...foundOf(found), next: null }
    }
    const before = yield* Effect.fromResult(placeAsked(after))
    return { ...pageOf(yield* store.accounts({ before, limit: pageSize + 1 })), isCut: false }
  })

  const get = Effect.fn("AccountConsole.get")(function* (id: unknown) {
    const account = yield* find(id)
    const parts = yield* directory.parts(account.id)
    const sessions = yield* logins.sessions(account.id)
    return { account, parts, sessions: sessions.length, isOperator: yield* operators.isOperator(account.id) }
  })

  const switchTo = (status: Account["status"]) =>
    Effect.fn("AccountConsole.switchTo")(function* (id: unknown) {
      const account = yield* find(id)
      if (account.status !== status) yield* organizations.setAccountStatus(account.id, status)
      return yield* get(account.id)
    })

  return {
    /** A page of people, newest first; or those whose id, phone or name begins with something, a page at most. */
    list,
    /** One, with the organizations that they are members of, and how many sessions of theirs are live. */
    get,
    /** Their sessions end, and the keys of their organizations are refused. May be repeated. */
    block: switchTo("blocked"),
    /** They may act again. May be repeated. */
    unblock: switchTo("active"),
    /** Ends all sessions of a person; answers how many there were. */
    endSessions: Effect.fn("AccountConsole.endSessions")(function* (id: unknown) {
      return yield* logins.endAll((yield* find(id)).id)
    })
  }
})

/** The console's use-cases about people. */
export class AccountConsole extends Context.Service<AccountConsole, Effect.Success<typeof make>>()(
  "@tolem/core/AccountConsole"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(AccountConsole, make)
}
