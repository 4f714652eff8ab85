/**
 * How what belongs to an invoice is served to strangers: counted first, looked up, at the time of the invoice's
 * sandbox, and with one answer for all that is not there.
 */
import type { RateStanding } from "@tolem/core/access/RateWindow"
import { Engine } from "@tolem/core/engine/Engine"
import type { StorageError } from "@tolem/core/error/StorageError"
import { InvoiceStore, type SoldInvoice } from "@tolem/core/invoice/InvoiceStore"
import { Clock, Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { refuse, rejected, unkept } from "../http/Responses.ts"
import * as PageAnswers from "./PageAnswers.ts"
import * as PageRefusals from "./PageRefusals.ts"
import { type Count, countView, type Visit, visit } from "./Visit.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** What is served of an invoice that exists; null: there is nothing to see. */
export type Serve = (
  sold: SoldInvoice,
  visit: Visit
) => Effect.Effect<Answer | null, StorageError, HttpServerRequest.HttpServerRequest>

/** How a visitor is told that there is nothing, or not now. */
export interface Refusals {
  readonly notFound: (visit: Visit) => Answer
  readonly tooMany: (visit: Visit, standing: Pick<RateStanding, "retryAfterSeconds">) => Answer
  readonly unavailable: (visit: Visit, error: StorageError) => Effect.Effect<Answer>
}

/** Makes handlers of routes. What is counted otherwise is a view all the same if there is no such invoice. */
export const make = Effect.gen(function* () {
  const invoices = yield* InvoiceStore
  const { settings, clocks, visitors } = yield* Engine
  const view = countView(visitors, settings)
  const answer = yield* PageAnswers.make

  const serving = (serve: Serve, refusals: Refusals, count?: (asked: Visit) => Count) => {
    const { notFound, tooMany, unavailable } = refusals
    return Effect.gen(function* () {
      const asked = yield* visit
      const nothing = Effect.map(count === undefined ? Effect.succeed(null) : view, (standing) =>
        standing?.allowed === false ? tooMany(asked, standing) : notFound(asked)
      )
      const standing = yield* count === undefined ? view : count(asked)
      if (!standing.allowed) return tooMany(asked, standing)
      if (asked.id === null) return yield* nothing
      const served = (sold: SoldInvoice) =>
        clocks.within(
          sold.invoice.organizationId,
          sold.invoice.mode
        )(Effect.flatMap(Clock.currentTimeMillis, (now) => serve(sold, { ...asked, now })))
      return yield* invoices.findSold(asked.id).pipe(
        Effect.flatMap((found) => (Option.isSome(found) ? served(found.value) : Effect.succeed(null))),
        Effect.flatMap((served) => (served === null ? nothing : Effect.succeed(served))),
        Effect.catch((error) => unavailable(asked, error))
      )
    })
  }
  return { serving, answer, pages: PageRefusals.make(answer) }
})

/** The same for scripts. */
export const jsonRefusals: Refusals = {
  notFound: () => refuse("invoice_not_found", unkept),
  tooMany: (_visit, { retryAfterSeconds }) =>
    refuse("request_rate_limited", { ...unkept, "retry-after": String(retryAfterSeconds) }),
  unavailable: (_visit, error) => Effect.map(rejected(error), HttpServerResponse.setHeaders(unkept))
}
