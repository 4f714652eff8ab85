/**
 * The span of a request: its method, the pattern of its route, its status, its name, and its error's code. Never its
 * address, whose path and query hold identifiers and what people search for, never its headers.
 */
import type { Code } from "@tolem/core/error/ErrorCatalog"
import { traced } from "@tolem/core/work/Spans"
import { Layer, Option, type Tracer } from "effect"
import { type Headers, HttpClient, HttpMiddleware, HttpTraceContext } from "effect/http"

/** What is known when a request begins. */
export interface BegunRequest {
  readonly method: string
  /** Its name in logs and in X-Request-Id. */
  readonly id: string
  readonly headers: Headers.Headers
}

/** The request with a span, if there is a tracer: part of the trace that its `traceparent` names, or of a new one. */
export const spanned = ({ method, id, headers }: BegunRequest) =>
  traced("Request", () => {
    const parent = Option.getOrUndefined(HttpTraceContext.w3c(headers))
    return {
      kind: "server",
      ...(parent === undefined ? { root: true } : { parent }),
      attributes: { "http.request.method": method, "tolem.request.id": id }
    }
  })

/** What is known when a request was answered. */
export interface AnsweredRequest {
  readonly route: string
  readonly status: number
  readonly code: Code | undefined
}

/** Says in the span of a request, if it has one, what came of it. */
export const conclude = (span: Tracer.AnySpan | undefined, { route, status, code }: AnsweredRequest): void => {
  if (span?._tag !== "Span") return
  span.attribute("http.route", route)
  span.attribute("http.response.status_code", status)
  if (status >= 400) span.attribute("error.type", code ?? String(status))
}

/** The library makes no spans of requests, whose attributes are addresses, and tells strangers of no trace. */
export const layerDiscreet: Layer.Layer<never> = Layer.mergeAll(
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
  Layer.succeed(HttpClient.TracerPropagationEnabled, false)
)
