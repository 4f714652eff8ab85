/**
 * `/l/{slug}`, a payment link: a page with a form for people, JSON for programs. Who asks for HTML or sends a form is a
 * person. Each request counts as one view of a public page; those that make invoices are bounded for each visitor and
 * for each link.
 */
import type { RateStanding } from "@tolem/core/access/RateWindow"
import { Engine } from "@tolem/core/engine/Engine"
import { entry } from "@tolem/core/error/ErrorCatalog"
import type { Seller } from "@tolem/core/face/MerchantFace"
import type { FormFields } from "@tolem/core/formhook/FormFields"
import { payUrl } from "@tolem/core/invoice/InvoiceJson"
import {
  type LinkFault,
  linkFaults,
  linkFields,
  linkPaymentOf,
  type TypedPayment
} from "@tolem/core/paymentlink/LinkForm"
import { linkPictureUrl, linkUrl, offerJson } from "@tolem/core/paymentlink/LinkJson"
import { isSlug } from "@tolem/core/paymentlink/PaymentLink"
import type { LinkSight } from "@tolem/core/paymentlink/PaymentLinks"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { readOptionalJson } from "../http/Bodies.ts"
import { isForm, readForm } from "../http/FormBodies.ts"
import { isOfNoOtherSite } from "../http/OwnSite.ts"
import { answered, object, type Refusal, refuse, unkept } from "../http/Responses.ts"
import * as Faces from "./Faces.ts"
import { asksForHtml } from "./Language.ts"
import { linkPage } from "./LinkPage.ts"
import { pathOf } from "./Links.ts"
import { closedPage, refusedLinkPage } from "./NoticePage.ts"
import * as PageAnswers from "./PageAnswers.ts"
import * as PageRefusals from "./PageRefusals.ts"
import * as PreviewAddress from "./preview/PreviewAddress.ts"
import { linkTextsOf } from "./texts/LinkTexts.ts"
import { textsOf } from "./texts/Translations.ts"
import { countInvoice, countView, type Visit, visit } from "./Visit.ts"

/** The routes. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const engine = yield* Engine
    const { settings, visitors } = engine
    const view = countView(visitors, settings)
    const pages = makePages(engine, yield* PageAnswers.make, yield* Faces.make, yield* PreviewAddress.make)
    const programs = makePrograms(engine)

    const serving = (isPerson: (request: Request) => boolean, verb: "show" | "pay") =>
      Effect.gen(function* () {
        const person = isPerson(yield* HttpServerRequest.HttpServerRequest)
        const asked = yield* visit
        const { slug = "" } = yield* HttpRouter.params
        const standing = yield* view
        if (person) {
          return standing.allowed ? yield* pages[verb](slug, asked) : pages.tooMany(asked, standing)
        }
        const answer = standing.allowed ? yield* answered(programs[verb](slug)) : tooMany(standing)
        return HttpServerResponse.setHeaders(answer, noStore)
      }).pipe(Effect.map(HttpServerResponse.setHeader("vary", "Accept, Accept-Language")))

    yield* router.add(
      "GET",
      "/l/:slug",
      serving(({ headers }) => asksForHtml(headers["accept"]), "show")
    )
    yield* router.add("POST", "/l/:slug", serving(sendsForm, "pay"), write)
  })
).pipe(Layer.provide(Digest.layerWebCrypto))

type Request = HttpServerRequest.HttpServerRequest

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

/** A program may send a form too, and says then that it reads JSON, as it does by its body. */
const sendsForm = ({ headers }: Request) =>
  isForm(headers) && (asksForHtml(headers["accept"]) || !/\bapplication\/json\b/i.test(headers["accept"] ?? ""))

const tooMany = ({ retryAfterSeconds }: RateStanding) =>
  refuse("request_rate_limited", PageRefusals.after(retryAfterSeconds))

const noStore = { "cache-control": "no-store" }

type EngineService = Engine["Service"]

const makePrograms = ({ paymentLinks, settings, visitors }: EngineService) => {
  const show = (slug: string) => Effect.map(paymentLinks.show(slug), (offer) => object(offerJson(offer, settings)))
  const pay = Effect.fnUntraced(function* (slug: string) {
    const { object: sent } = yield* readOptionalJson(yield* HttpServerRequest.HttpServerRequest)
    const owner = Effect.map(paymentLinks.look(slug), ({ link, refusal }) => (refusal === null ? link : null))
    const standing = isSlug(slug) ? yield* countInvoice(visitors, settings, `l/${slug}`, owner) : null
    if (standing?.allowed === false) return tooMany(standing)
    const { id } = yield* paymentLinks.pay(slug, sent)
    return object({ invoiceId: id, payUrl: payUrl(id, settings) }, 201)
  })
  return { show, pay }
}

const makePages = (
  { paymentLinks, settings, visitors }: EngineService,
  answer: PageAnswers.Answer,
  faceOf: Effect.Success<typeof Faces.make>,
  previewOf: Effect.Success<typeof PreviewAddress.make>
) => {
  const { tooMany, unavailable } = PageRefusals.make(answer)

  /** What stands in the way of a payment, where no field of the form does. */
  const refused = Effect.fnUntraced(function* (error: Refusal, asked: Visit, seller: Seller | null) {
    if ("operation" in error) return yield* unavailable(asked, error)
    const { language } = asked
    const message = linkTextsOf(language).refusals[error.code]
    const face = seller === null ? null : yield* faceOf(seller)
    const page = message === undefined ? closedPage(textsOf(language).closed) : refusedLinkPage(message, face, language)
    const frames = seller?.face.allowedOrigins ?? []
    return answer({ ...page, frames }, language, entry(error.code).status)
  })

  const formOf = Effect.fnUntraced(function* (sight: LinkSight, { language }: Visit, sent?: Sent) {
    const { typed = nothingTyped, preset = null, faults = [], ticket = yield* paymentLinks.ticket } = sent ?? {}
    const face = yield* faceOf(sight.seller)
    const previewUrl = yield* previewOf(linkUrl(sight.link.slug, settings), language)
    const pictureUrl = linkPictureUrl(sight.link, settings)
    const picturePath = pictureUrl === null ? null : pathOf(pictureUrl)
    const page = linkPage({
      ...sight,
      picturePath,
      previewUrl,
      face,
      ticket,
      typed,
      preset,
      faults,
      settings,
      language
    })
    const [first] = faults
    // Who comes back to it finds the form that they have sent, and sends that again.
    const kept = { "cache-control": "private, no-cache" }
    return answer(page, language, first === undefined ? 200 : entry(first.code).status, kept)
  })

  const show = (slug: string, asked: Visit) =>
    Effect.gen(function* () {
      const sight = yield* paymentLinks.look(slug)
      return yield* sight.refusal === null ? formOf(sight, asked) : refused(sight.refusal, asked, sight.seller)
    }).pipe(Effect.catch((error) => refused(error, asked, null)))

  const pay = (slug: string, asked: Visit) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!isOfNoOtherSite(request, settings.baseUrl)) return refuse("cross_site_request")
      const sight = yield* paymentLinks.look(slug)
      const { refusal, seller } = sight
      if (refusal !== null && refusal._tag !== "LinkSoldOut") return yield* refused(refusal, asked, seller)
      const { ticket, preset, ...typed } = sentBy(yield* readForm(request))
      const payment = linkPaymentOf(sight.link, typed, preset)
      const faults = linkFaults(sight.link, payment, settings)
      const sent = { typed, preset, faults, ...(ticket !== "" && { ticket }) }
      if (faults.length > 0) return yield* formOf(sight, asked, sent)
      const standing = yield* countInvoice(visitors, settings, `l/${slug}`, Effect.succeed(sight.link))
      if (!standing.allowed) return tooMany(asked, standing)
      return yield* paymentLinks.pay(slug, payment, ticket).pipe(
        Effect.map(({ id }) => toPay(id, asked)),
        Effect.catch((error) => refused(error, asked, seller))
      )
    }).pipe(Effect.catch((error) => refused(error, asked, null)))

  return { show, pay, tooMany }
}

/** A form that comes back to who has sent it. */
interface Sent {
  readonly typed: TypedPayment
  readonly preset: string
  readonly faults: ReadonlyArray<LinkFault>
  readonly ticket?: string
}

const nothingTyped: TypedPayment = { amount: "", name: "", phone: "", email: "", comment: "" }

/** Of fields with one name the first counts. */
const sentBy = (fields: FormFields): TypedPayment & Record<"ticket" | "preset", string> => {
  const of = (name: string) => fields.find(([each]) => each === name)?.[1] ?? ""
  const typed = Object.fromEntries(linkFields.map((field) => [field, of(field)])) as TypedPayment
  return { ...typed, ticket: of("ticket"), preset: of("preset") }
}

/** To the pay page, in the language of the visit. Relative, as a proxy may serve the page under a prefix. */
const toPay = (id: string, { language }: Visit): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { ...unkept, location: `../pay/${id}?lang=${language}` } })
