/** `/l/{slug}/poster`: a sheet that leads to a payment link, A4 or A6, also of one that cannot be paid yet. */
import { Engine } from "@tolem/core/engine/Engine"
import { entry } from "@tolem/core/error/ErrorCatalog"
import { linkUrl } from "@tolem/core/paymentlink/LinkJson"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter } from "effect/http"
import * as Faces from "./Faces.ts"
import { refusedLinkPage } from "./NoticePage.ts"
import * as PageAnswers from "./PageAnswers.ts"
import * as PageRefusals from "./PageRefusals.ts"
import { sourceOf } from "./PolicySource.ts"
import { type PosterSize, posterPage, posterSizes, posterStyle } from "./PosterPage.ts"
import * as QrImage from "./QrImage.ts"
import { linkTextsOf } from "./texts/LinkTexts.ts"
import { textsOf } from "./texts/Translations.ts"
import { countView, visit } from "./Visit.ts"

const sheetOf = Effect.fnUntraced(function* (size: PosterSize) {
  const style = posterStyle(size)
  return { style, source: yield* sourceOf(style) }
})

/** The route. Each request counts as one view of a public page. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { paymentLinks, settings, visitors } = yield* Engine
    const answer = yield* PageAnswers.make
    const { tooMany, unavailable } = PageRefusals.make(answer)
    const faceOf = yield* Faces.make
    const draw = yield* Effect.cached(QrImage.load)
    const sheets = { a4: yield* sheetOf("a4"), a6: yield* sheetOf("a6") }

    const show = Effect.gen(function* () {
      const asked = yield* visit
      const { language, parameters } = asked
      const standing = yield* countView(visitors, settings)
      if (!standing.allowed) return tooMany(asked, standing)
      const { slug = "" } = yield* HttpRouter.params
      const size = posterSizes.find((each) => each === parameters("size")) ?? "a4"
      const sight = yield* Effect.result(paymentLinks.look(slug))
      if (sight._tag === "Failure") {
        const { failure } = sight
        if (failure._tag === "StorageError") return yield* unavailable(asked, failure)
        const message = linkTextsOf(language).refusals[failure.code] ?? textsOf(language).notFound
        return answer(refusedLinkPage(message, null, language), language, entry(failure.code).status)
      }
      const { link, seller } = sight.success
      const address = linkUrl(link.slug, settings)
      const qr = (yield* draw)(address, textsOf(language).qrLabel)
      const face = yield* faceOf(seller)
      return answer(posterPage({ link, seller, face, size, sheet: sheets[size], qr, address, language }), language)
    })
    yield* router.add("GET", "/l/:slug/poster", show)
  })
).pipe(Layer.provide(Digest.layerWebCrypto))
