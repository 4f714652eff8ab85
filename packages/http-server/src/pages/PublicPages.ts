/**
 * The public pages: where a customer pays, what came of it, and the receipt. A visitor needs the invoice's identifier
 * and nothing else; nothing of the customer, and nothing that the merchant keeps to themselves, is ever shown.
 */
import { Engine } from "@tolem/core/engine/Engine"
import { entry } from "@tolem/core/error/ErrorCatalog"
import type { StorageError } from "@tolem/core/error/StorageError"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { payUrl, receiptUrl } from "@tolem/core/invoice/InvoiceJson"
import { InvoiceStore, type SoldInvoice } from "@tolem/core/invoice/InvoiceStore"
import { toIso } from "@tolem/core/value/Calendar"
import { Clock, Effect, Layer, Option, Result } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { logFailure, object, refuse, rejected } from "../http/Responses.ts"
import { closedPage, notFoundPage, tooManyPage, unavailablePage } from "./NoticePage.ts"
import * as PageAnswers from "./PageAnswers.ts"
import { payPage } from "./PayPage.ts"
import * as QrImage from "./QrImage.ts"
import { receiptPage } from "./ReceiptPage.ts"
import { textsOf } from "./texts/Translations.ts"
import { type Count, countStatus, countView, type Visit, visit } from "./Visit.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** What is served of an invoice that exists; null: there is nothing to see. */
type Serve = (sold: SoldInvoice, visit: Visit) => Effect.Effect<Answer | null, StorageError>

/** How a visitor is counted, and told that there is nothing, or not now. */
interface Refusals {
  readonly count: Count
  readonly notFound: (visit: Visit) => Answer
  readonly tooMany: (visit: Visit, afterSeconds: number) => Answer
  readonly unavailable: (visit: Visit, error: StorageError) => Effect.Effect<Answer>
}

/**
 * `/pay/{id}`, its `/qr.svg` and `/status`, and `/receipts/{id}`. Each visitor gets `pagesPerMinute` views. A page that
 * asks for its status is no view, unless there is no such page: guesses are.
 */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine | InvoiceStore> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const invoices = yield* InvoiceStore
    const { settings, clocks, opening, visitors } = yield* Engine
    const view = countView(visitors, settings)
    const answer = yield* PageAnswers.make
    const draw = yield* Effect.cached(QrImage.load)

    const serving = (serve: Serve, { count, notFound, tooMany, unavailable }: Refusals) =>
      Effect.gen(function* () {
        const asked = yield* visit
        const nothing = Effect.map(count === view ? Effect.succeed(null) : view, (standing) =>
          standing?.allowed === false ? tooMany(asked, standing.retryAfterSeconds) : notFound(asked)
        )
        const standing = yield* count
        if (!standing.allowed) return tooMany(asked, standing.retryAfterSeconds)
        if (asked.id === null) return yield* nothing
        const served = (sold: SoldInvoice, visit: Visit) =>
          clocks.within(
            sold.invoice.organizationId,
            sold.invoice.mode
          )(Effect.flatMap(Clock.currentTimeMillis, (now) => serve(sold, { ...visit, now })))
        return yield* invoices.findSold(asked.id).pipe(
          Effect.flatMap((found) => (Option.isSome(found) ? served(found.value, asked) : Effect.succeed(null))),
          Effect.flatMap((served) => (served === null ? nothing : Effect.succeed(served))),
          Effect.catch((error) => unavailable(asked, error))
        )
      })

    const drawn = ({ qrUrl }: Invoice, label: string) =>
      qrUrl === null ? Effect.succeed(null) : Effect.map(draw, (draw) => draw(qrUrl, label))

    const pay: Serve = Effect.fnUntraced(function* ({ invoice: found, seller }, { language, now, isPreview }) {
      const opened = yield* Effect.result(isPreview ? Effect.succeed(found) : opening.open(found))
      if (Result.isFailure(opened)) {
        if (opened.failure._tag === "StorageError") return yield* Effect.fail(opened.failure)
        return answer(closedPage(textsOf(language).closed), language, entry(opened.failure.code).status)
      }
      const invoice = opened.success
      const page = payPage({
        invoice,
        sellerName: seller.name,
        qr: yield* drawn(invoice, textsOf(language).qrLabel),
        statusPath: `${pathOf(payUrl(invoice.id, settings))}/status`,
        receiptPath: pathOf(receiptUrl(invoice.id, settings)),
        now,
        language
      })
      return answer(page, language)
    })

    const receipt: Serve = ({ invoice, seller: { name: sellerName, legalName } }, { language }) => {
      const page = receiptPage({ invoice, sellerName, legalName, language })
      return Effect.succeed(page === null ? null : answer(page, language))
    }

    // Caches keep one image for all languages.
    const image: Serve = ({ invoice }) =>
      Effect.map(drawn(invoice, "QR"), (svg) => (svg === null ? null : PageAnswers.image(svg)))

    const pages = pageRefusals(answer, view)
    const statuses = { ...jsonRefusals, count: countStatus(visitors, settings) }
    yield* router.add("GET", "/pay/:id", serving(pay, pages))
    yield* router.add("GET", "/pay/:id/qr.svg", serving(image, pages))
    yield* router.add("GET", "/pay/:id/status", serving(status, statuses))
    yield* router.add("GET", "/receipts/:id", serving(receipt, pages))
    // What else is under these addresses was meant to be one of them: the visitor gets a page that says so.
    yield* router.add("GET", "/pay/*", serving(nothing, pages))
    yield* router.add("GET", "/receipts/*", serving(nothing, pages))
  })
).pipe(Layer.provide(Digest.layerWebCrypto))

const nothing: Serve = () => Effect.succeed(null)

const unkept = { ...PageAnswers.always, "cache-control": "no-store" }

const status: Serve = ({ invoice: { status, expiresAt } }) =>
  Effect.succeed(object({ status, expiresAt: expiresAt === null ? null : toIso(expiresAt) }, 200, unkept))

/** A storage that was away a moment ago may be back. */
const unavailableSeconds = 5

const pageRefusals = (answer: PageAnswers.Answer, count: Count): Refusals => {
  const after = (seconds: number) => ({ "retry-after": String(seconds) })
  return {
    count,
    notFound: ({ language }) => answer(notFoundPage(textsOf(language).notFound), language, 404),
    tooMany: ({ language }, seconds) =>
      answer(tooManyPage(textsOf(language).tooMany, seconds), language, 429, after(seconds)),
    unavailable: ({ language }, { operation, outcome, cause }) => {
      const page = unavailablePage(textsOf(language).unavailable, unavailableSeconds)
      const told = answer(page, language, 503, after(unavailableSeconds))
      return Effect.as(logFailure("Storage away", cause, { operation, outcome }), told)
    }
  }
}

const jsonRefusals: Omit<Refusals, "count"> = {
  notFound: () => refuse("invoice_not_found", unkept),
  tooMany: (_visit, seconds) => refuse("request_rate_limited", { ...unkept, "retry-after": String(seconds) }),
  unavailable: (_visit, error) => Effect.map(rejected(error), HttpServerResponse.setHeaders(unkept))
}

/** The path that an address of the service has, where a proxy serves it under a prefix too. */
const pathOf = (url: string): string => URL.parse(url)?.pathname ?? url
