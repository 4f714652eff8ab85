/** Merchants as customers see them who may pay them: those in force. */
import { Effect, Option } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import { isInForce } from "../merchant/Merchant.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { Seller } from "./MerchantFace.ts"
import { ProfileStore } from "./ProfileStore.ts"

/** The seller that an organization is; none where it, or its owner, is not in force. */
export const make: Effect.Effect<
  (id: OrganizationId) => Effect.Effect<Option.Option<Seller>, StorageError>,
  never,
  MerchantStore | ProfileStore
> = Effect.gen(function* () {
  const merchants = yield* MerchantStore
  const profiles = yield* ProfileStore
  return (id) =>
    Effect.flatMap(merchants.owned(id), (owned) =>
      Option.exists(owned, isInForce) ? profiles.find(id) : Effect.succeedNone
    )
})
