/** Who may ask an embedded engine for something: organizations that there are. */
import { Effect } from "effect"
import type { Engine } from "../engine/Engine.ts"
import type { OrganizationId } from "../value/Ids.ts"
import { impatiently } from "../work/OpenTransaction.ts"
import type { Coded } from "./Faces.ts"

/** How many organizations are remembered: a few megabytes of ids. */
const maxKnown = 10_000

/** Lets what an organization does begin if there is one. It is looked up once in a process: none is ever removed. */
export const makeAdmission = ({ organizations }: Engine["Service"]) => {
  const known = new Set<string>()
  const note = (id: OrganizationId) => {
    if (known.size >= maxKnown) known.clear()
    known.add(id)
  }
  return <A>(id: OrganizationId, effect: Effect.Effect<A, Coded>): Effect.Effect<A, Coded> =>
    known.has(id)
      ? effect
      : Effect.andThen(
          Effect.tap(impatiently(organizations.get(id)), () => Effect.sync(() => note(id))),
          effect
        )
}
