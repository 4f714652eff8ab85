/**
 * The public pages: where a customer pays, what came of it, and the receipt. A visitor needs the invoice's identifier
 * and nothing else; nothing of the customer, and nothing that the merchant keeps to themselves, is ever shown.
 */

import { Engine } from "@tolem/core/engine/Engine"
import { type Invoice, isOpen } from "@tolem/core/invoice/Invoice"
import { payUrl, receiptUrl } from "@tolem/core/invoice/InvoiceJson"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { linkUrl } from "@tolem/core/paymentlink/LinkJson"
import { Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter } from "effect/http"
import * as CodeOnDemand from "./CodeOnDemand.ts"
import * as Faces from "./Faces.ts"
import * as InvoicePages from "./InvoicePages.ts"
import { pathOf } from "./Links.ts"
import * as PageAnswers from "./PageAnswers.ts"
import { payPage } from "./PayPage.ts"
import * as PreviewAddress from "./preview/PreviewAddress.ts"
import * as QrImage from "./QrImage.ts"
import { receiptPage } from "./ReceiptPage.ts"
import { textsOf } from "./texts/Translations.ts"
import { countCode, type Visit } from "./Visit.ts"

/**
 * `/pay/{id}`, its `/code`, `/again` and `/qr.svg`, and `/receipts/{id}`. Each visitor gets `pagesPerMinute` views. A
 * page that asks for its code is no view, unless there is no such page: guesses are.
 */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine | InvoiceStore> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { settings, visitors, paymentLinks } = yield* Engine
    const invoices = yield* InvoiceStore
    const { serving, answer, pages } = yield* InvoicePages.make
    const draw = yield* Effect.cached(QrImage.load)

    const drawn = ({ qrUrl }: Invoice, label: string) =>
      qrUrl === null ? Effect.succeed(null) : Effect.map(draw, (draw) => draw(qrUrl, label))

    const faceOf = yield* Faces.make
    const previewOf = yield* PreviewAddress.make

    // An invoice that waits for its money needs no link.
    const linkBehind = Effect.fnUntraced(function* (invoice: Invoice) {
      const found = isOpen(invoice.status) ? Option.none() : yield* paymentLinks.behind(invoice)
      if (Option.isNone(found)) return null
      const { link, refusal } = found.value
      return { thankYou: link.thankYou, path: refusal === null ? pathOf(linkUrl(link.slug, settings)) : null }
    })

    const pay: InvoicePages.Serve = Effect.fnUntraced(function* ({ invoice, seller }, { language, now, parameters }) {
      const path = pathOf(payUrl(invoice.id, settings))
      const page = payPage({
        invoice,
        ...(yield* faceOf(seller)),
        previewUrl: yield* previewOf(payUrl(invoice.id, settings), language),
        stays: parameters("stay") === "1",
        qr: yield* drawn(invoice, textsOf(language).qrLabel),
        codePath: `${path}/code`,
        againPath: `${path}/again`,
        statusPath: `${path}/status`,
        changesPath: `${path}/changes`,
        simulatePath: `${path}/simulate`,
        bankPath: `${path}/bank`,
        receiptPath: pathOf(receiptUrl(invoice.id, settings)),
        link: yield* linkBehind(invoice),
        now,
        language
      })
      return answer(page, language)
    })

    const receipt: InvoicePages.Serve = Effect.fnUntraced(function* ({ invoice, seller }, { language }) {
      const { organizationId, id, refunded } = invoice
      const { refunds } = refunded === 0 ? { refunds: [] } : yield* invoices.history(organizationId, id)
      const page = receiptPage({
        invoice,
        ...(yield* faceOf(seller)),
        thankYou: (yield* linkBehind(invoice))?.thankYou ?? null,
        refunds: refunds.filter(({ status }) => status === "succeeded"),
        language
      })
      return page === null ? null : answer(page, language)
    })

    // Caches keep one image for all languages.
    const image: InvoicePages.Serve = ({ invoice }) =>
      Effect.map(drawn(invoice, "QR"), (svg) => (svg === null ? null : PageAnswers.image(svg)))

    const code = yield* CodeOnDemand.make(answer, faceOf)
    const counted = ({ id }: Visit) => countCode(visitors, settings, id)
    yield* router.add("GET", "/pay/:id", serving(pay, pages))
    yield* router.add("POST", "/pay/:id/code", serving(code.serve, pages, counted), write)
    yield* router.add("POST", "/pay/:id/again", serving(code.serveNext, pages, counted), write)
    // For a visitor who comes back to what answered a button.
    for (const path of ["/pay/:id/code", "/pay/:id/again"] as const) {
      yield* router.add("GET", path, serving(back, pages))
    }
    yield* router.add("GET", "/pay/:id/qr.svg", serving(image, pages))
    yield* router.add("GET", "/receipts/:id", serving(receipt, pages))
    // What else is under these addresses was meant to be one of them: the visitor gets a page that says so.
    yield* router.add("GET", "/pay/*", serving(nothing, pages))
    yield* router.add("GET", "/receipts/*", serving(nothing, pages))
  })
).pipe(Layer.provide(Digest.layerWebCrypto))

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

const nothing: InvoicePages.Serve = () => Effect.succeed(null)

const back: InvoicePages.Serve = ({ invoice }, visit) => Effect.succeed(CodeOnDemand.toPage(invoice, visit))
