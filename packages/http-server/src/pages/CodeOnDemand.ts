/**
 * Codes of invoices that wait, made because a person wants to pay: the page's script asks, or the button of its form.
 * A page that is only read, by whatever program, makes none.
 */
import { networkOf } from "@tolem/core/access/Network"
import { Engine } from "@tolem/core/engine/Engine"
import { entry } from "@tolem/core/error/ErrorCatalog"
import { type Invoice, isOpen } from "@tolem/core/invoice/Invoice"
import type { SoldInvoice } from "@tolem/core/invoice/InvoiceStore"
import { isOnDemand } from "@tolem/core/invoice/live/CreationStages"
import type { OpenError } from "@tolem/core/invoice/live/OfferOnOpen"
import type { SuccessorError } from "@tolem/core/successor/Successors"
import { Duration, Effect, Fiber, Option, Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { isOfNoOtherSite } from "../http/OwnSite.ts"
import { logFailure, object, refuse, rejected, unkept } from "../http/Responses.ts"
import type * as Faces from "./Faces.ts"
import { jsonRefusals, type Serve } from "./InvoicePages.ts"
import { closedPage, refusedLinkPage } from "./NoticePage.ts"
import type { Answer } from "./PageAnswers.ts"
import * as PageRefusals from "./PageRefusals.ts"
import { hookTextsOf } from "./texts/HookTexts.ts"
import { linkTextsOf } from "./texts/LinkTexts.ts"
import { textsOf } from "./texts/Translations.ts"
import { countInvoice, type Visit } from "./Visit.ts"

/** How long an answer waits for the code; a slower provider goes on, and the page shows what comes of it. */
const patienceMs = 1_000

/** When to ask again who holds as many places as one may: theirs come back when they are paid, or after minutes. */
const later = { retryAfterSeconds: 15 }

/** Whether its customer may need another one. */
const isLost = ({ status, paidAt }: Invoice): boolean => !isOpen(status) && paidAt === null

/** Whether a script asks, which reads JSON; else a form. */
const isScript = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["accept"]?.startsWith("application/json") === true

/**
 * `serve` makes the code of an invoice that waits; one that does not is left as it is. A form is led back to the page,
 * a script told that the code is made (200), or on its way (202). `serveNext` leads from a lost invoice to the next.
 */
export const make = Effect.fnUntraced(function* (answer: Answer, faceOf: Effect.Success<typeof Faces.make>) {
  const { settings, visitors, opening, successors, paymentLinks } = yield* Engine
  const scope = yield* Effect.scope

  /** What became of it within our patience; none: it goes on without us. */
  const begun = (invoice: Invoice) =>
    Effect.gen(function* () {
      let isAwaited = true
      const opened = opening
        .open(invoice)
        .pipe(Effect.tapError((error) => (isAwaited ? Effect.void : logFailure("Code not made", error))))
      const fiber = yield* Effect.forkIn(Effect.result(opened), scope)
      return yield* Fiber.join(fiber).pipe(
        Effect.timeoutOption(Duration.millis(patienceMs)),
        Effect.tap((outcome) =>
          Effect.sync(() => {
            isAwaited = Option.isSome(outcome)
          })
        )
      )
    })

  const refused = Effect.fnUntraced(function* (
    error: OpenError | SuccessorError,
    { language }: Visit,
    { seller }: SoldInvoice,
    isJson: boolean
  ) {
    if (error._tag === "StorageError") return yield* error
    if (isJson) return HttpServerResponse.setHeaders(yield* rejected(error), unkept)
    // What the page of the link or form would say.
    const message = linkTextsOf(language).refusals[error.code] ?? hookTextsOf(language).refusals[error.code]
    const page =
      message === undefined
        ? closedPage(textsOf(language).closed)
        : refusedLinkPage(message, yield* faceOf(seller), language)
    return answer({ ...page, frames: seller.face.allowedOrigins }, language, entry(error.code).status)
  })

  const { tooMany } = PageRefusals.make(answer)

  /** Whether this visitor may take a place. Visitors of unknown address are not kept apart. */
  const findsPlace = Effect.fnUntraced(function* (invoice: Invoice) {
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const behind = isOnDemand(invoice) ? yield* paymentLinks.behind(invoice) : Option.none()
    if (Option.isNone(behind) || Option.isNone(remoteAddress)) return true
    return yield* paymentLinks.takePlace(behind.value.link, invoice.id, networkOf(remoteAddress.value))
  })

  const serve: Serve = Effect.fnUntraced(function* (sold, visit) {
    const { invoice } = sold
    const request = yield* HttpServerRequest.HttpServerRequest
    const isJson = isScript(request)
    if (!isOfNoOtherSite(request, settings.baseUrl)) return refuse("cross_site_request", unkept)
    if (!(yield* findsPlace(invoice))) return isJson ? jsonRefusals.tooMany(visit, later) : tooMany(visit, later)
    const outcome = isOnDemand(invoice) ? yield* begun(invoice) : Option.some(Result.succeed(invoice))
    if (Option.isSome(outcome) && Result.isFailure(outcome.value)) {
      return yield* refused(outcome.value.failure, visit, sold, isJson)
    }
    const made = Option.isSome(outcome) && Result.isSuccess(outcome.value) && !isOnDemand(outcome.value.success)
    return isJson ? object({ made }, made ? 200 : 202, unkept) : toPage(invoice, visit)
  })

  const serveNext: Serve = Effect.fnUntraced(function* (sold, visit) {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!isOfNoOtherSite(request, settings.baseUrl)) return refuse("cross_site_request", unkept)
    const standing = isLost(sold.invoice)
      ? yield* countInvoice(visitors, settings, null, Effect.succeed(sold.invoice))
      : null
    if (standing?.allowed === false) return tooMany(visit, standing)
    const next = yield* Effect.result(successors.next(sold.invoice))
    return Result.isSuccess(next) ? toPage(next.success, visit) : yield* refused(next.failure, visit, sold, false)
  })
  return { serve, serveNext }
})

/** Back to the page, in the language of the visit. Relative, as a proxy may serve the page under a prefix. */
export const toPage = ({ id }: Invoice, { language }: Visit): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { ...unkept, location: `../${id}?lang=${language}` } })
