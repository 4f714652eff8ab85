/** Holds a provider to what it says that it can do. */
import { Effect } from "effect"
import { type Abilities, type Ability, complete } from "./Abilities.ts"
import { Answer, refused } from "./Answer.ts"
import { measured } from "./CallMetrics.ts"
import type { Calls, PaymentProvider } from "./PaymentProvider.ts"

/** What the provider can do. */
export const abilitiesOf = ({ can }: PaymentProvider["Service"]): Effect.Effect<Required<Abilities>> =>
  can === undefined ? Effect.succeed(complete({})) : Effect.map(can, complete)

/**
 * The calls of a provider that can do no more than it says. Questions that it cannot answer come to `Unknown`, never to
 * `not_found`; what it cannot do is refused. Neither is asked of it, nor counted; what is asked is counted and timed.
 */
export const guarded = (provider: Calls, can: Effect.Effect<Abilities>): Calls => {
  const calls = measured(provider)
  const only =
    <Request, A>(ability: Ability, call: (request: Request) => Effect.Effect<Answer<A>>, otherwise: Answer<never>) =>
    (request: Request): Effect.Effect<Answer<A>> =>
      Effect.flatMap(can, (said) => (complete(said)[ability] ? call(request) : Effect.succeed(otherwise)))
  const cannotTell = Answer.Unknown({ reason: "unreadable" })
  return {
    ...calls,
    createPush: only("push", calls.createPush, refused("invalid", { detail: "the provider pushes nothing" })),
    stateByOurs: only("findByOurs", calls.stateByOurs, cannotTell),
    refundState: only("findRefunds", calls.refundState, cannotTell),
    cancel: only("cancel", calls.cancel, refused("other", { detail: "the provider withdraws nothing" })),
    listOperations: only(
      "listOperations",
      calls.listOperations,
      refused("other", { detail: "the provider lists no operations" })
    )
  }
}
