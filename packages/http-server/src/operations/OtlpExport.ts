/** Sends what the process measures to a collector of OpenTelemetry. A fiber reads and sends; requests do neither. */
import { hostname } from "node:os"
import { pid } from "node:process"
import { Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { OtlpMetrics, OtlpSerialization } from "effect/observability"
import type { Otlp } from "./OtlpSettings.ts"

/** How long a collector may take to answer. */
const answerTimeoutMs = 3_000

/** How long the last figures may take when the server stops. */
const lastTimeoutMs = 800

/**
 * Sends the metrics of the process, as JSON, at `intervalMs` (milliseconds), and once more when the layer is closed. A
 * batch is repeated three times; then there is a minute's rest. One batch is under way at a time, so that memory is
 * bounded whatever the collector does; what is not taken is dropped, and the next batch has the totals again.
 */
export const layer = (otlp: Otlp, version: string): Layer.Layer<never> =>
  OtlpMetrics.layer({
    url: `${otlp.url.replace(/\/+$/, "")}/v1/metrics`,
    resource: {
      serviceName: "tolem",
      serviceVersion: version,
      attributes: { "service.instance.id": `${hostname()}:${pid}` }
    },
    exportInterval: otlp.intervalMs,
    shutdownTimeout: lastTimeoutMs
  }).pipe(
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(Layer.sync(HttpClient.HttpClient, () => client(otlp))),
    Layer.flatMap(() => Layer.empty)
  )

/**
 * A client that adds the headers where nothing else sees them, follows no redirect with them, and reads no answer's
 * body. It tells the log once that the collector fails, and once that it takes batches again.
 */
const client = ({ headers }: Otlp): HttpClient.HttpClient => {
  let isFailing = false
  const told = (fault: string | undefined) =>
    Effect.suspend(() => {
      const before = isFailing
      isFailing = fault !== undefined
      if (before === isFailing) return Effect.void
      return fault === undefined
        ? Effect.logInfo("Telemetry: the collector takes metrics again")
        : Effect.annotateLogs(Effect.logWarning("Telemetry: the collector does not take metrics"), { reason: fault })
    })
  return HttpClient.make((request, url) =>
    Effect.tryPromise({
      try: (signal) => send(request, url, headers, signal),
      catch: (cause) => failed(request, faultOf(cause))
    }).pipe(
      Effect.timeoutOrElse({
        duration: answerTimeoutMs,
        orElse: () => Effect.fail(failed(request, "no answer in time"))
      }),
      Effect.tap(({ status }) => told(status < 300 ? undefined : `answered ${status}`)),
      Effect.tapError(({ reason }) => told(reason.description ?? "failed"))
    )
  )
}

const send = async (
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
  secrets: Redacted.Redacted<Readonly<Record<string, string>>>,
  signal: AbortSignal
) => {
  const { body, headers, method } = request
  const bytes = body._tag === "Uint8Array" ? new Uint8Array(body.body) : null
  const type = bytes === null ? {} : { "content-type": "application/json" }
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...type, ...Redacted.value(secrets) },
    body: bytes,
    redirect: "manual",
    signal
  })
  await answer.body?.cancel()
  const after = answer.headers.get("retry-after")
  const kept = after === null ? {} : { "retry-after": after }
  return HttpClientResponse.fromWeb(request, new Response(null, { status: answer.status, headers: kept }))
}

const failed = (request: HttpClientRequest.HttpClientRequest, description: string) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, description }) })

/** The code of the system, as ECONNREFUSED: messages may have more in them. */
const faultOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && "code" in cause ? String(cause.code) : "failed"
}
