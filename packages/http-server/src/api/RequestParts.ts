/** What handlers read of a request: who asks, and for what. */
import { CurrentPrincipal } from "@tolem/api/Security"
import type { Settings } from "@tolem/core/engine/Settings"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { rawMember } from "@tolem/core/value/RawJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { readJson } from "../http/Bodies.ts"
import { roomForPage } from "../http/RequestRoom.ts"

/** What a handler is given that reads the request itself. */
export interface Sent {
  readonly request: HttpServerRequest.HttpServerRequest
}

/** What a handler is given whose path names one thing. */
export interface One {
  readonly params: { readonly id: string }
}

/** Who asks for something of invoices. */
export const caller = Effect.map(CurrentPrincipal, (principal): Caller => ({ ...principal, source: "api" }))

/** What something is to be made of, with the metadata as they were sent. */
export const bodyToMake = Effect.fnUntraced(function* ({ request }: Sent) {
  const { object, text } = yield* readJson(request)
  return { body: object, rawMetadata: rawMember(text, "metadata"), headerKey: request.headers["idempotency-key"] }
})

/** The query of a list that may name several statuses. Takes room for its page. */
export const listQuery = Effect.fnUntraced(function* (settings: Settings) {
  const query = yield* HttpServerRequest.ParsedSearchParams
  const status = Array.isArray(query["status"]) ? query["status"].join(",") : query["status"]
  yield* roomForPage(query["limit"], settings)
  return { ...query, status }
})

/** The headers of an answer about what an idempotency key has made. */
export const replayHeaders = ({ mismatch }: { readonly mismatch: boolean }): Readonly<Record<string, string>> =>
  mismatch ? { "idempotency-mismatch": "true" } : {}
