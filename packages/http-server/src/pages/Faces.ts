/** What pages show of a seller: their name, logo, colour and contact. */
import { Engine } from "@tolem/core/engine/Engine"
import type { Seller } from "@tolem/core/face/MerchantFace"
import { pictureUrl } from "@tolem/core/face/Profiles"
import { Effect } from "effect"
import type { Digest } from "effect/crypto"
import { pathOf } from "./Links.ts"
import * as Themes from "./Themes.ts"

/** A seller as a page shows them. */
export interface SellerFace {
  readonly seller: Seller
  /** Path of their logo; null: none. */
  readonly logoPath: string | null
  /** Their colour; null: the page has its own. */
  readonly theme: Themes.Theme | null
}

/** The face of a seller. */
export const make: Effect.Effect<(seller: Seller) => Effect.Effect<SellerFace>, never, Engine | Digest.Digest> =
  Effect.gen(function* () {
    const { settings } = yield* Engine
    const themed = yield* Themes.make
    return Effect.fnUntraced(function* (seller: Seller) {
      const { logo, face } = seller
      const logoPath = logo === null ? null : pathOf(pictureUrl(logo, settings.baseUrl))
      return { seller, logoPath, theme: yield* themed(face.colour) }
    })
  })
