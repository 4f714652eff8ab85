/**
 * A logger whose lines a collector is sent: what the log of the machine has but for lines that are local to it, and of
 * causes only what they are called; each with the ids of its span.
 */
import { Logger, type LogLevel, Redacted, References } from "effect"
import { type OtlpLogger, OtlpResource } from "effect/observability"
import { IsLocal } from "./LocalLines.ts"
import { kindOf, sentSpan } from "./OtlpTraces.ts"

/** A line as OTLP writes it. */
export type Line = NonNullable<OtlpLogger.LogsData["resourceLogs"][number]["scopeLogs"][number]["logRecords"]>[number]

/** Characters of a text; what is longer is cut. */
const maxLength = 4_096

/** Annotations of a line. */
const maxAnnotations = 32

const severities: Readonly<Record<LogLevel.LogLevel, number>> = {
  All: 0,
  None: 0,
  Trace: 1,
  Debug: 5,
  Info: 9,
  Warn: 13,
  Error: 17,
  Fatal: 21
}

/** Makes a logger that hands over each line, as OTLP writes it. */
export const make = (push: (line: Line) => void): Logger.Logger<unknown, void> =>
  Logger.make<unknown, void>(({ date, logLevel, message, cause, fiber }) => {
    if (fiber.getRef(IsLocal)) return
    const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    const facts = Object.entries(fiber.getRef(References.CurrentLogAnnotations)).flatMap(told).slice(0, maxAnnotations)
    const kind = kindOf(cause)
    if (kind !== undefined) facts.push(["exception.type", kind])
    const at = `${date.getTime()}000000`
    const span = sentSpan(fiber.cache.span)
    push({
      timeUnixNano: at,
      observedTimeUnixNano: at,
      severityNumber: severities[logLevel] as NonNullable<Line["severityNumber"]>,
      severityText: logLevel,
      body: { stringValue: cut(parts.filter((part) => typeof part === "string").join(" ")) },
      attributes: OtlpResource.entriesToAttributes(facts),
      droppedAttributesCount: 0,
      ...(span !== undefined && { traceId: span.traceId, spanId: span.spanId })
    })
  })

/** Annotations are identifiers, codes and numbers; of anything else only that it was there is told. */
const told = ([name, value]: [string, unknown]): ReadonlyArray<[string, unknown]> => {
  if (value === null || value === undefined) return []
  if (Redacted.isRedacted(value)) return [[name, "<redacted>"]]
  if (typeof value === "string") return [[name, cut(value)]]
  return [[name, typeof value === "number" || typeof value === "boolean" ? value : "<left out>"]]
}

const cut = (text: string): string => text.slice(0, maxLength).toWellFormed()
