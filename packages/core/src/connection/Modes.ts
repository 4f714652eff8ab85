/** Switches the mode that an organization works in: live needs a cashier who works. */
import { Context, Effect, Layer, Option } from "effect"
import { recordOf } from "../audit/Audit.ts"
import { FieldRefused, NoProvider } from "../error/Refusals.ts"
import { MerchantStore, OrganizationNotFound } from "../merchant/MerchantStore.ts"
import { Ids, type OrganizationId } from "../value/Ids.ts"
import { Mode } from "../value/Mode.ts"
import { ConnectionStore } from "./ConnectionStore.ts"

const make = Effect.gen(function* () {
  const store = yield* MerchantStore
  const connections = yield* ConnectionStore
  const ids = yield* Ids

  const switchTo = Effect.fn("Modes.switchTo")(function* (organizationId: OrganizationId, wanted: unknown) {
    const mode = Mode.literals.find((each) => each === wanted)
    if (mode === undefined) return yield* new FieldRefused({ code: "invalid_mode" })
    const found = yield* store.organization(organizationId)
    if (Option.isNone(found)) return yield* new OrganizationNotFound()
    if (mode === "live") {
      const all = yield* connections.list(organizationId)
      if (!all.some(({ status }) => status === "active")) return yield* new NoProvider()
    }
    if (found.value.mode === mode) return found.value
    const action = "organization.mode_switched"
    const audit = yield* recordOf(ids, { action, organizationId, subject: organizationId, detail: mode })
    yield* store.setMode(organizationId, mode, audit)
    return { ...found.value, mode }
  })

  return {
    /** Answers the organization as it is then. To switch to the mode that it is in changes nothing. */
    switchTo
  }
})

/** Switches organizations between the sandbox and live mode. */
export class Modes extends Context.Service<Modes, Effect.Success<typeof make>>()("@tolem/core/Modes") {
  /** The use-case over the stores. */
  static readonly layer = Layer.effect(Modes, make)
}
