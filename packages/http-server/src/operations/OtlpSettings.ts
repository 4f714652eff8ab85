/** Where the server's telemetry goes, as it is set. */
import { Redacted, Result } from "effect"

/** What a collector can be sent. */
export const signals = ["metrics", "traces", "logs"] as const

/** What a collector can be sent. */
export type Signal = (typeof signals)[number]

/** A collector of OpenTelemetry. */
export interface Otlp {
  /** Base address, http or https: `/v1/metrics` and the like are added. */
  readonly url: string
  /** Sent with each batch, for authentication. */
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  /** From one batch of metrics to the next; milliseconds. */
  readonly intervalMs: number
  /** What it is sent. */
  readonly signals: ReadonlyArray<Signal>
  /** The share of traces that it is sent, from 0 to 1. */
  readonly traceRatio: number
}

/** What is wrong with a collector's address; undefined: nothing. The answer never repeats it. */
export const addressFault = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be an address, as http://127.0.0.1:4318"
  if (url.username !== "" || url.password !== "") return "must have no password: set TOLEM_OTLP_HEADERS"
  return url.search === "" && url.hash === "" ? undefined : "must have neither a query nor a fragment"
}

/** Names of signals, commas between; undefined: another one is among them, or there is none. */
export const parseSignals = (text: string): ReadonlyArray<Signal> | undefined => {
  const names = new Set(text.split(",").map((name) => name.trim()))
  const known = signals.filter((signal) => names.delete(signal))
  return names.size === 0 ? known : undefined
}

const form = "must be NAME=VALUE, commas between, with %2C for a comma in a value"

/**
 * Headers as OpenTelemetry writes them in variables: `NAME=VALUE`, commas between, values percent-encoded. A refusal
 * never repeats them.
 */
export const parseHeaders = (
  text: Redacted.Redacted
): Result.Result<Redacted.Redacted<Readonly<Record<string, string>>>, string> => {
  const headers: Record<string, string> = {}
  for (const pair of Redacted.value(text).split(",")) {
    if (pair.trim() === "") continue
    const at = pair.indexOf("=")
    const name = pair.slice(0, Math.max(at, 0)).trim().toLowerCase()
    const value = decoded(pair.slice(at + 1).trim())
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || value === undefined) return Result.fail(form)
    headers[name] = value
  }
  return Result.succeed(Redacted.make(headers))
}

/** What a header can carry; undefined: a wrong code, or a sign that no header has. */
const decoded = (text: string): string | undefined => {
  try {
    const value = decodeURIComponent(text)
    return /^[\x20-\x7e]+$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}
