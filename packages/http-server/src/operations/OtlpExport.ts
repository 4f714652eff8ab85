/**
 * Sends what the process measures, does and logs to a collector of OpenTelemetry. Fibers of their own send; requests do
 * not.
 */
import { hostname } from "node:os"
import { pid } from "node:process"
import { Effect, Layer, Logger, Redacted, Tracer } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { OtlpMetrics, OtlpResource, OtlpSerialization } from "effect/observability"
import * as RequestSpans from "../http/RequestSpans.ts"
import * as OtlpBatches from "./OtlpBatches.ts"
import * as OtlpLogs from "./OtlpLogs.ts"
import type { Otlp, Signal } from "./OtlpSettings.ts"
import * as OtlpTraces from "./OtlpTraces.ts"

/** How long a collector may take to answer. */
const answerTimeoutMs = 3_000

/** How long the last figures may take when the server stops. */
const lastTimeoutMs = 800

/**
 * Sends what is wanted, as JSON, and the last of it when the layer is closed: the metrics of the process at
 * `intervalMs` (milliseconds), spans and lines of the log every two seconds. A batch is repeated three times; then
 * there is a minute's rest. One batch of each is under way at a time, so that memory is bounded whatever the collector
 * does; what is not taken is dropped, and the next batch of metrics has the totals again.
 */
export const layer = (otlp: Otlp, version: string): Layer.Layer<never> => {
  const resource = {
    serviceName: "tolem",
    serviceVersion: version,
    attributes: { "service.instance.id": `${hostname()}:${pid}` }
  }
  const layers = { metrics: metrics(otlp, resource), traces: traces(otlp, resource), logs: logs(otlp, resource) }
  // Layers of one merge are closed at the same time.
  return Layer.mergeAll(Layer.empty, ...otlp.signals.map((signal) => layers[signal])).pipe(
    Layer.provide(OtlpSerialization.layerJson)
  )
}

type Resource = NonNullable<Parameters<typeof OtlpMetrics.layer>[0]["resource"]>

type SignalLayer = Layer.Layer<never, never, OtlpSerialization.OtlpSerialization>

const urlOf = ({ url }: Otlp, signal: Signal) => `${url.replace(/\/+$/, "")}/v1/${signal}`

const metrics = (otlp: Otlp, resource: Resource): SignalLayer =>
  OtlpMetrics.layer({
    url: urlOf(otlp, "metrics"),
    resource,
    exportInterval: otlp.intervalMs,
    shutdownTimeout: lastTimeoutMs
  }).pipe(
    Layer.provide(Layer.sync(HttpClient.HttpClient, () => client(otlp, "metrics"))),
    Layer.flatMap(() => Layer.empty)
  )

/** What spans and lines say that they are from. */
const scope = { name: "tolem" }

const traces = (otlp: Otlp, given: Resource): SignalLayer =>
  otlp.traceRatio === 0
    ? Layer.empty
    : Layer.effect(
        Tracer.Tracer,
        Effect.gen(function* () {
          const serialization = yield* OtlpSerialization.OtlpSerialization
          const resource = yield* OtlpResource.fromConfig(given)
          const push = yield* OtlpBatches.make<Parameters<typeof OtlpTraces.encode>[0]>({
            signal: "traces",
            url: urlOf(otlp, "traces"),
            client: client(otlp, "traces"),
            encode: (spans) =>
              serialization.traces({
                resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(OtlpTraces.encode) }] }]
              })
          })
          return OtlpTraces.make(otlp.traceRatio, push)
        })
      ).pipe(Layer.merge(RequestSpans.layerDiscreet))

const logs = (otlp: Otlp, given: Resource): SignalLayer =>
  Logger.layer(
    [
      Effect.gen(function* () {
        const serialization = yield* OtlpSerialization.OtlpSerialization
        const resource = yield* OtlpResource.fromConfig(given)
        const push = yield* OtlpBatches.make<OtlpLogs.Line>({
          signal: "logs",
          url: urlOf(otlp, "logs"),
          client: client(otlp, "logs"),
          encode: (logRecords) =>
            serialization.logs({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [...logRecords] }] }] })
        })
        return OtlpLogs.make(push)
      })
    ],
    { mergeWithExisting: true }
  )

/**
 * A client that adds the headers where nothing else sees them, follows no redirect with them, and reads no answer's
 * body. It tells the log once that the collector fails, and once that it takes batches again.
 */
const client = ({ headers }: Otlp, signal: Signal): HttpClient.HttpClient => {
  let isFailing = false
  const told = (fault: string | undefined) =>
    Effect.suspend(() => {
      const before = isFailing
      isFailing = fault !== undefined
      if (before === isFailing) return Effect.void
      return fault === undefined
        ? Effect.logInfo(`Telemetry: the collector takes ${signal} again`)
        : Effect.annotateLogs(Effect.logWarning(`Telemetry: the collector does not take ${signal}`), { reason: fault })
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
      Effect.tapError(({ reason }) => told(reason.description ?? "failed")),
      // The last batch, which is waited for a shorter time.
      Effect.onInterrupt(() => told("no answer in time"))
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
