/** What the server measures of its requests, for Prometheus. */
import type { Code } from "@tolem/core/error/ErrorCatalog"
import { durationBounds, family } from "@tolem/core/measure/Series"
import { type Context, Metric } from "effect"

interface Series {
  readonly count: Metric.Counter<number>
  readonly duration: Metric.Histogram<number>
}

/** One request as it is measured. `route` is the pattern, never the address: the number of series stays bounded. */
export interface RequestSample {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
}

const known = new Map<string, Series>()
const methods = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"])

/** Counts a request and its duration. */
export const observe = (
  { method: sent, route, status, seconds }: RequestSample,
  context: Context.Context<never>
): void => {
  const method = methods.has(sent) ? sent : "other"
  const name = `${method} ${route} ${status}`
  let series = known.get(name)
  if (series === undefined) {
    series = seriesOf({ method, route, status: String(status) })
    known.set(name, series)
  }
  series.count.updateUnsafe(1, context)
  series.duration.updateUnsafe(seconds, context)
}

const seriesOf = (attributes: Readonly<Record<string, string>>): Series => ({
  count: Metric.counter("tolem_http_requests_total", {
    description: "Requests answered",
    incremental: true,
    attributes
  }),
  duration: Metric.histogram("tolem_http_request_duration_seconds", {
    description: "Time from the first byte of the head to the answer",
    boundaries: durationBounds,
    attributes
  })
})

const errors = family(["code"], (attributes) =>
  Metric.counter("tolem_http_errors_total", {
    description: "Requests answered with an error, by its code; none: a page for people, or no code was told",
    incremental: true,
    attributes
  })
)

/** Counts an answer that is an error. Codes are those of the catalogue, so the number of series is bounded. */
export const observeError = (code: Code | undefined, context: Context.Context<never>): void =>
  errors({ code: code ?? "none" }).updateUnsafe(1, context)
