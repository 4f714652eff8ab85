/** `/pay/{id}/bank` and `/pay/{id}/simulate`: a person pays a sandbox invoice. There is neither of a live one. */
import { Engine } from "@tolem/core/engine/Engine"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { payUrl } from "@tolem/core/invoice/InvoiceJson"
import type { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isOfNoOtherSite } from "../http/OwnSite.ts"
import { refuse, unkept } from "../http/Responses.ts"
import { toPage } from "./CodeOnDemand.ts"
import * as InvoicePages from "./InvoicePages.ts"
import { pathOf } from "./Links.ts"
import { sandboxOutcomes } from "./PayState.ts"
import { bankPage } from "./SandboxPanel.ts"
import { countCode, type Visit } from "./Visit.ts"

/** The routes. What a person does is bounded as codes are, for each visitor and invoice. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine | InvoiceStore> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { settings, visitors, invoices } = yield* Engine
    const { serving, answer, pages } = yield* InvoicePages.make

    const bank: InvoicePages.Serve = Effect.fnUntraced(function* ({ invoice, seller }, { language }) {
      if (invoice.mode !== "sandbox") return null
      // A person's browser says that it goes to the page; what only fetches it has not opened a bank's app.
      const { method, headers } = yield* HttpServerRequest.HttpServerRequest
      const isOpened = method === "GET" && headers["sec-fetch-mode"] === "navigate" && !("sec-purpose" in headers)
      if (isOpened) {
        yield* Effect.catch(invoices.scan(callerOf(invoice), invoice.id), (error) =>
          error._tag === "StorageError" ? Effect.fail(error) : Effect.void
        )
      }
      const payPath = pathOf(payUrl(invoice.id, settings))
      const simulatePath = `${payPath}/simulate`
      return answer(bankPage({ invoice, sellerName: seller.name, simulatePath, payPath, language }), language)
    })

    const simulate: InvoicePages.Serve = Effect.fnUntraced(function* ({ invoice }, visit) {
      if (invoice.mode !== "sandbox") return null
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!isOfNoOtherSite(request, settings.baseUrl)) return refuse("cross_site_request", unkept)
      const outcome = sandboxOutcomes.find((one) => one === visit.parameters("outcome"))
      const caller = callerOf(invoice)
      const steps = outcome === "late" ? ["expired", "paid"] : outcome === undefined ? [] : [outcome]
      for (const status of steps) {
        // What cannot be done any more is shown by the page.
        yield* Effect.catch(invoices.simulate(caller, invoice.id, { status }), (error) =>
          error._tag === "StorageError" ? Effect.fail(error) : Effect.void
        )
      }
      if (visit.parameters("from") !== "bank") return toPage(invoice, visit)
      return HttpServerResponse.empty({ status: 303, headers: { ...unkept, location: `bank?lang=${visit.language}` } })
    })

    const counted = ({ id }: Visit) => countCode(visitors, settings, id)
    yield* router.add("GET", "/pay/:id/bank", serving(bank, pages))
    yield* router.add("POST", "/pay/:id/simulate", serving(simulate, pages, counted), { uninterruptible: true })
  })
).pipe(Layer.provide(Digest.layerWebCrypto))

const callerOf = ({ organizationId }: Invoice) =>
  ({ organizationId, mode: "sandbox", connectionId: null, source: "system" }) as const
