/** Use-cases of the console about what referrers earn: what is still to be paid, and that it was paid. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { recordOf } from "../../audit/Audit.ts"
import { refusal } from "../../error/Refusal.ts"
import { FieldRefused } from "../../error/Refusals.ts"
import { PayoutStore } from "../../tariff/PayoutStore.ts"
import { isStorable, type JsonObject } from "../../value/Checks.ts"
import { Ids } from "../../value/Ids.ts"
import { fromTenge } from "../../value/Money.ts"
import { AccountNotFound } from "./AccountConsole.ts"
import { checkPayoutNote, pageSize } from "./ConsoleRequests.ts"

/** What is still to be paid is not what the operator saw. Nothing was written. */
export class EarningsSeenChanged extends refusal("EarningsSeenChanged", "earnings_changed") {}

/** Earnings that one payout has at most: they are written together. */
const mostEarnings = 200

const make = Effect.gen(function* () {
  const store = yield* PayoutStore
  const ids = yield* Ids

  const list = Effect.fn("EarningConsole.list")(function* (request: { readonly after?: unknown }) {
    const { after = "" } = request
    if (typeof after !== "string" || !/^(acc_[0-9a-z]{1,40})?$/.test(after))
      return yield* new FieldRefused({ code: "invalid_after" })
    const found = yield* store.earners(after === "" ? null : after, pageSize + 1)
    const items = found.slice(0, pageSize)
    return { items, next: found.length > pageSize ? (items.at(-1)?.account.id ?? null) : null }
  })

  const get = Effect.fn("EarningConsole.get")(function* (id: unknown) {
    const wanted = typeof id === "string" && isStorable(id) ? id : ""
    const found = yield* store.earner(wanted, mostEarnings)
    return Option.isSome(found) ? found.value : yield* new AccountNotFound()
  })

  const pay = Effect.fn("EarningConsole.pay")(function* (id: unknown, body: JsonObject) {
    const accountId = (yield* get(id)).earner.account.id
    const note = yield* Effect.fromResult(checkPayoutNote(body["note"]))
    const amount = yield* Effect.mapError(
      Effect.fromResult(fromTenge(body["amount"])),
      () => new FieldRefused({ code: "invalid_amount" })
    )
    const { upTo } = body
    if (typeof upTo !== "string" || !isStorable(upTo)) return yield* new EarningsSeenChanged()
    const payout = {
      id: yield* ids.next("pay"),
      accountId,
      amount,
      upTo,
      note,
      paidAt: yield* Clock.currentTimeMillis
    }
    const detail = JSON.stringify({ accountId, amount })
    const deed = { action: "earning.paid_out", organizationId: null, subject: payout.id, detail } as const
    const paid = yield* store.pay(payout, mostEarnings, yield* recordOf(ids, deed))
    if (Option.isNone(paid)) return yield* new EarningsSeenChanged()
    return yield* get(accountId)
  })

  return {
    /** A page of those who have still to be paid something, with their sums. */
    list,
    /** One person: the sums, what is still to be paid, oldest first, and the newest payouts. */
    get,
    /**
     * Notes that a person was paid the oldest of what was to be paid, up to the earning that the operator saw last. It
     * is refused if the sum of these is another than they saw; so nothing is paid twice, and never more than was
     * earned. The same request again writes nothing.
     */
    pay
  }
})

/** The console's use-cases about earnings. */
export class EarningConsole extends Context.Service<EarningConsole, Effect.Success<typeof make>>()(
  "@tolem/core/EarningConsole"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(EarningConsole, make)
}
