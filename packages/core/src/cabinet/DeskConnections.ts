/** Use-cases of cashiers as members ask for them. They are the organization's, whatever the mode. */
import { Context, Effect, Layer } from "effect"
import { Connections } from "../connection/Connections.ts"
import { FieldRefused } from "../error/Refusals.ts"
import { checkConnectionId } from "../merchant/OrganizationRequests.ts"
import { isGiven, isStorable, type JsonObject } from "../value/Checks.ts"
import type { ConnectionId } from "../value/Ids.ts"
import type { Desk } from "./Desks.ts"

const make = Effect.gen(function* () {
  const connections = yield* Connections

  const list = Effect.fnUntraced(function* ({ organization, reach, connectionIds }: Desk) {
    const all = yield* connections.list(organization.id)
    return reach === "all" ? all : all.filter(({ id }) => connectionIds.includes(id))
  })

  const change = Effect.fn("DeskConnections.change")(function* (
    { organization }: Desk,
    given: ConnectionId,
    { disabled, isDefault }: JsonObject
  ) {
    const id = isStorable(given) ? given : ""
    if (isGiven(disabled) && typeof disabled !== "boolean") return yield* new FieldRefused({ code: "invalid_disabled" })
    if (isGiven(isDefault) && isDefault !== true) return yield* new FieldRefused({ code: "invalid_request" })
    // They are two changes, each with its record: the second may fail after the first was made.
    if (isGiven(disabled) && isGiven(isDefault)) return yield* new FieldRefused({ code: "invalid_request" })
    if (typeof disabled === "boolean") {
      return yield* connections.change(organization.id, id, { _tag: disabled ? "Disabled" : "Enabled" })
    }
    if (isDefault === true) return yield* connections.change(organization.id, id, { _tag: "MadeDefault" })
    return yield* connections.get(organization.id, id)
  })

  const named = Effect.fnUntraced(function* ({ organization, mode }: Desk, wanted: unknown) {
    if (mode === "sandbox" || !isGiven(wanted)) return null
    const id = yield* Effect.fromResult(checkConnectionId(wanted))
    return id === null ? null : (yield* connections.get(organization.id, id)).id
  })

  return {
    /** Those that are theirs to see, oldest first. */
    list,
    /** `{ disabled }` disables or enables a cashier, `{ isDefault }` makes them the default one. Both are refused. */
    change,
    /** The cashier that a request names for what it makes; null: none, or none is needed as in the sandbox. */
    named
  }
})

/** The use-cases of cashiers for members. */
export class DeskConnections extends Context.Service<DeskConnections, Effect.Success<typeof make>>()(
  "@tolem/core/DeskConnections"
) {
  /** The use-cases over those of cashiers. */
  static readonly layer = Layer.effect(DeskConnections, make)
}
