/**
 * Use-cases of those who run the platform: made and ended at the command line, let in to the console for one thing at a
 * time.
 */
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { CurrentActor, recordOf } from "../audit/Audit.ts"
import { FieldRefused, Forbidden, FreshCodeRequired } from "../error/Refusals.ts"
import type { SessionHolder } from "../login/LoginStore.ts"
import { isFresh } from "../login/Session.ts"
import { DirectoryStore } from "../merchant/DirectoryStore.ts"
import type { Account } from "../merchant/Merchant.ts"
import { optionalPhone } from "../value/Checks.ts"
import { type AccountId, Ids } from "../value/Ids.ts"
import { type Duty, duties } from "./Duty.ts"
import { type Operator, OperatorStore } from "./OperatorStore.ts"

/** An operator at work, let in for one thing. */
export interface OperatorDesk {
  readonly account: Account
}

/** Most operators that are listed. */
const maxListed = 1000

const make = Effect.gen(function* () {
  const store = yield* OperatorStore
  const directory = yield* DirectoryStore
  const ids = yield* Ids

  const found = Effect.fnUntraced(function* (given: unknown) {
    const phone = Result.getOrElse(optionalPhone(given), () => null)
    if (phone === null) return yield* new FieldRefused({ code: "invalid_phone" })
    return Option.getOrNull(yield* directory.account({ phone }))
  })

  const deed = (action: "operator.granted" | "operator.ended", subject: AccountId) =>
    recordOf(ids, { action, organizationId: null, subject })

  const grant = Effect.fn("Operators.grant")(function* (phone: unknown) {
    const account = yield* found(phone)
    if (account === null) return null
    const { kind, id } = yield* CurrentActor
    const grantedBy = kind === "operator" ? id : kind
    const operator: Operator = { accountId: account.id, grantedAt: yield* Clock.currentTimeMillis, grantedBy }
    const added = yield* store.add(operator, yield* deed("operator.granted", account.id))
    return { account, changed: added }
  })

  const end = Effect.fn("Operators.end")(function* (phone: unknown) {
    const account = yield* found(phone)
    if (account === null) return null
    const removed = yield* store.remove(account.id, yield* deed("operator.ended", account.id))
    return { account, changed: removed }
  })

  const isOperator = (accountId: AccountId) => Effect.map(store.find(accountId), Option.isSome)

  const admit = Effect.fn("Operators.admit")(function* ({ account, session }: SessionHolder, duty: Duty) {
    if (!(yield* isOperator(account.id))) return yield* new Forbidden()
    const fresh = isFresh(session, yield* Clock.currentTimeMillis)
    if (duties[duty].fresh && !fresh) return yield* new FreshCodeRequired()
    const desk: OperatorDesk = { account }
    return desk
  })

  return {
    /** Makes the person with a phone an operator. May be repeated. Null: the phone has no account. */
    grant,
    /** Ends that, at once, also for sessions that are open. May be repeated. Null: the phone has no account. */
    end,
    /** Those who are, oldest first. */
    list: store.list(maxListed),
    /** Whether a person is one. */
    isOperator,
    /** Lets an operator in for one thing. All others are refused alike, whatever they ask for. */
    admit
  }
})

/** The use-cases of those who run the platform. */
export class Operators extends Context.Service<Operators, Effect.Success<typeof make>>()("@tolem/core/Operators") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Operators, make)
}
