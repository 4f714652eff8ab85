/** Whose data a command works on: an organization in one of its modes. */
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import type { Mode } from "@tolem/core/value/Mode"
import { Effect, Option } from "effect"
import { organizationNotFound } from "./Commands.ts"
import * as Flags from "./Flags.ts"

/** `--org` and `--mode`. */
export const flags = { organization: Flags.organization, mode: Flags.mode }

/** The organization with this id. Fails with `organization_not_found` if there is none. */
export const organizationOf = Effect.fnUntraced(function* (id: OrganizationId) {
  const found = yield* MerchantStore.use((store) => store.organization(id))
  return Option.isSome(found) ? found.value : yield* organizationNotFound(id)
})

/** The organization in that mode, all of its cashiers, as the engine wants it. Fails like `organizationOf`. */
export const callerOf = Effect.fnUntraced(function* (of: {
  readonly organization: OrganizationId
  readonly mode: Mode
}) {
  const { id } = yield* organizationOf(of.organization)
  const found: Caller = { organizationId: id, mode: of.mode, connectionId: null, source: "system" }
  return found
})
