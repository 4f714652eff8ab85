/** Asks for the provider's own list of operations, page by page, when the budget of calls allows it. */
import { Clock, Duration, Effect } from "effect"
import type { UsableConnection } from "../../connection/Connection.ts"
import type { StorageError } from "../../error/StorageError.ts"
import { Answer, type NotAccepted } from "../../provider/Answer.ts"
import { abilitiesOf } from "../../provider/Guarded.ts"
import type { OperationBounds } from "../../provider/Operation.ts"
import type { PaymentProvider } from "../../provider/PaymentProvider.ts"
import type { CallBudget, Cashier } from "./CallBudget.ts"

/** What a page waits for its turn at most. */
const longestTurnMs = 30_000

interface Means {
  readonly provider: PaymentProvider["Service"]
  readonly budget: CallBudget
  /** Notes what an answer says of the cashier. */
  readonly lost: (cashier: UsableConnection, answer: NotAccepted) => Effect.Effect<void, StorageError>
}

/** The questions over this provider. */
export const make = ({ provider, budget, lost }: Means) => {
  const waited = Effect.fnUntraced(function* <A>(cashier: Cashier, call: Effect.Effect<Answer<A>>) {
    for (let waitedMs = 0; ; ) {
      const turn = budget.begin(cashier, yield* Clock.currentTimeMillis)
      if (typeof turn !== "object") return yield* Effect.ensuring(call, Effect.sync(turn))
      waitedMs += turn.waitMs
      if (waitedMs > longestTurnMs) return Answer.Throttled({ retryAfterMs: turn.waitMs })
      yield* Effect.sleep(Duration.millis(turn.waitMs))
    }
  })

  return {
    /** Whether the provider lists its own operations. */
    canList: Effect.map(abilitiesOf(provider), ({ listOperations }) => listOperations),
    /** A page of the provider's own list, when the budget allows it; throttled if that takes too long. */
    listOperations: Effect.fnUntraced(function* (cashier: UsableConnection, asked: OperationBounds) {
      const answer = yield* waited(cashier, provider.listOperations({ ...asked, session: cashier.session }))
      if (answer._tag !== "Accepted") yield* lost(cashier, answer)
      return answer
    })
  }
}
