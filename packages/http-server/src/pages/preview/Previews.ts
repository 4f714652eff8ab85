/**
 * `/pay/{id}/preview.png` and `/l/{slug}/preview.png`: what messengers show of the page. Nothing is opened by it. Where
 * the engine was given nothing that draws pictures, there are none.
 */
import { visitorOf } from "@tolem/core/access/Visitors"
import { Engine } from "@tolem/core/engine/Engine"
import type { StorageError } from "@tolem/core/error/StorageError"
import type { Seller } from "@tolem/core/face/MerchantFace"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { PictureMaker, PicturesUnavailable } from "@tolem/core/picture/PictureMaker"
import { money } from "@tolem/core/value/MoneyText"
import { Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { refuse, rejected, unkept } from "../../http/Responses.ts"
import * as PageAnswers from "../PageAnswers.ts"
import { linkTextsOf } from "../texts/LinkTexts.ts"
import { type Visit, visit } from "../Visit.ts"
import { logoAt, pictureAt, previewDrawing } from "./PreviewSheet.ts"

/** Images that are kept on a server: some megabytes. An address that goes round is drawn once. */
const mostKept = 128

/** What an image tells. */
interface Shown {
  readonly seller: Seller
  readonly title: string | null
  readonly amount: string
  /** The name of the picture of what is paid for; null: it has none. */
  readonly picture: string | null
}

/** The routes. Visitors are counted by each server alone, and drawing waits its turn with all other pictures. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine | InvoiceStore> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { pictureMaker, paymentLinks, visitors, settings } = yield* Engine
    if (Option.isNone(pictureMaker)) return
    const draw = yield* makeDraw(pictureMaker.value)
    const invoices = yield* InvoiceStore

    const ofInvoice = Effect.fnUntraced(function* ({ id }: Visit) {
      const sold = id === null ? Option.none() : yield* invoices.findSold(id)
      if (Option.isNone(sold)) return null
      const { invoice, seller } = sold.value
      // What stands in the description of a form's invoice, its customer has written.
      const title = invoice.origin?.kind === "form-hook" ? null : invoice.description
      const shown: Shown = { seller, title, amount: money(invoice.amount), picture: null }
      return shown
    })

    const ofLink = Effect.fnUntraced(
      function* ({ language }: Visit) {
        const { slug = "" } = yield* HttpRouter.params
        const { link, seller } = yield* paymentLinks.look(slug)
        const amount = link.amount === null ? linkTextsOf(language).anyAmount : money(link.amount)
        const shown: Shown | null = { seller, title: link.title, amount, picture: link.picture?.name ?? null }
        return shown
      },
      Effect.catchTag("LinkInvalid", () => Effect.succeed(null))
    )

    const serving = (found: (visit: Visit) => Effect.Effect<Shown | null, StorageError, HttpRouter.RouteContext>) =>
      Effect.gen(function* () {
        const asked = yield* visit
        const { remoteAddress, headers } = yield* HttpServerRequest.HttpServerRequest
        const visitor = visitorOf(remoteAddress, settings.pagesPerMinute, settings)
        const { allowed, retryAfterSeconds } = yield* visitors.countHere({ kind: "preview", ...visitor })
        if (!allowed) return refuse("request_rate_limited", { ...unkept, "retry-after": String(retryAfterSeconds) })
        const shown = yield* found(asked)
        if (shown === null) return refuse("route_not_found", unkept)
        return PageAnswers.preview(yield* draw(shown), headers["if-none-match"])
      }).pipe(
        Effect.catchTag("PicturesUnavailable", () => Effect.succeed(refuse("route_not_found", unkept))),
        Effect.catch((error) => rejected(error))
      )

    yield* router.add("GET", "/pay/:id/preview.png", serving(ofInvoice))
    yield* router.add("GET", "/l/:slug/preview.png", serving(ofLink))
  })
).pipe(Layer.provide(Digest.layerWebCrypto))

/** An image and its name, which changes with what it shows. */
type Drawn = Effect.Effect<PageAnswers.Named, PicturesUnavailable | StorageError>

/** Draws what has not been drawn of late: who asks for the same at once gets the same image. */
const makeDraw = Effect.fnUntraced(function* (maker: PictureMaker["Service"]) {
  const { pictures } = yield* Engine
  const digest = yield* Digest.Digest
  const kept = new Map<string, Drawn>()

  const pictureOf = (picture: string | null) =>
    picture === null ? Effect.succeed(null) : Effect.map(pictures.find(picture), Option.getOrNull)

  const drawing = Effect.fnUntraced(function* ({ seller, title, amount, picture: own }: Shown, name: string) {
    const picture = yield* pictureOf(own)
    const logo = picture === null ? yield* pictureOf(seller.logo) : null
    const hasPicture = picture !== null
    const svg = previewDrawing({ seller: seller.name, title, amount, colour: seller.face.colour, logo, hasPicture })
    const beside = logo === null ? null : { bytes: logo.bytes, ...logoAt(logo) }
    const overlay = picture === null ? beside : { bytes: picture.bytes, ...pictureAt }
    const named: PageAnswers.Named = { bytes: yield* maker.draw({ svg, overlay }), name }
    return named
  })

  return Effect.fnUntraced(function* (shown: Shown) {
    const { seller, title, amount, picture } = shown
    const told = JSON.stringify([seller.name, seller.logo, seller.face.colour, title, amount, picture])
    const name = yield* digest.digestHex(Digest.sha256, new TextEncoder().encode(told))
    const known = kept.get(name)
    if (known !== undefined) return yield* known
    const drawn = yield* Effect.cached(drawing(shown, name))
    const [oldest] = kept.keys()
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    kept.set(name, drawn)
    return yield* Effect.onError(drawn, () => Effect.sync(() => void kept.delete(name)))
  })
})
