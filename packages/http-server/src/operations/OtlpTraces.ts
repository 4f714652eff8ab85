/**
 * A tracer whose spans a collector is sent. Only spans with names as ours are, with attributes of a fixed set: those of
 * libraries hold addresses and statements. Of a failure its kind is told, neither its message nor its stack, which may
 * hold what people have written.
 */
import { IsItsParent } from "@tolem/core/invoice/changes/EventSpans"
import { Cause, Context, Exit, Option, Predicate, Tracer } from "effect"
import { OtlpResource, type OtlpTracer } from "effect/observability"

/** What is told of a span. */
const attributes: ReadonlySet<string> = new Set([
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "tolem.attempt.number",
  "tolem.event.type",
  "tolem.outcome",
  "tolem.request.id"
])

/** A use-case, an agent, a port and its verb: `Invoices.cancel`. Libraries have `http.client GET`, or a database. */
const own = /^(?:Request|[A-Z][A-Za-z]{1,40}\.[a-z][A-Za-z]{1,40})$/

type Options = ConstructorParameters<typeof Tracer.NativeSpan>[0]

/** Whether a trace is sent, by its id alone, so that all servers say the same. `ratio` from 0 to 1. */
export const isSampled = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-13), 16) < ratio * 16 ** 13

/** A span that is not sent: what is within it is part of what it is part of itself. */
class Passage extends Tracer.NativeSpan {
  constructor(options: Options, parent: Option.Option<Tracer.AnySpan>) {
    const above = Option.getOrUndefined(parent)
    super({ ...options, parent, sampled: above?.sampled ?? true })
    this._spanId = above?.spanId
  }
}

class SentSpan extends Tracer.NativeSpan {
  override readonly sampled: boolean
  readonly #ended: (span: SentSpan) => void

  constructor(options: Options, ratio: number, ended: (span: SentSpan) => void) {
    const parent = Option.getOrUndefined(options.parent)
    const isParent = parent !== undefined && Context.get(options.annotations, IsItsParent)
    super(isParent ? { ...options, parent: Option.none() } : options)
    if (isParent) {
      this._traceId = parent.traceId
      this._spanId = parent.spanId
    }
    this.sampled = options.sampled && isSampled(this.traceId, ratio)
    this.#ended = ended
  }

  override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (this.status._tag === "Ended") return
    super.end(endTime, exit)
    if (this.sampled) this.#ended(this)
  }
}

/** The span that a line of the log or another span is part of, if it is one that may be sent. */
export const sentSpan = (span: Tracer.AnySpan | undefined): Tracer.AnySpan | undefined =>
  span instanceof Passage ? Option.getOrUndefined(span.parent) : span

/** Makes a tracer that hands over what it sends, as `encode` wants it. */
export const make = (ratio: number, ended: (span: SentSpan) => void): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const parent = Option.flatMap(options.parent, (span) => Option.fromUndefinedOr(sentSpan(span)))
      return own.test(options.name) ? new SentSpan({ ...options, parent }, ratio, ended) : new Passage(options, parent)
    }
  })

type Encoded = OtlpTracer.ScopeSpan["spans"][number]

const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

const [unset, failed] = [0, 2] as const

/** A span as OTLP writes it. */
export const encode = (span: SentSpan): Encoded => {
  const { status } = span
  const exit = status._tag === "Ended" ? status.exit : Exit.void
  const endTime = status._tag === "Ended" ? status.endTime : status.startTime
  const told = [...span.attributes].filter(([name]) => attributes.has(name))
  const kind = Exit.isFailure(exit) && !span.attributes.has("error.type") ? kindOf(exit.cause) : undefined
  if (kind !== undefined) told.push(["error.type", kind])
  const hasFailed = Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)
  const isBroken = span.kind === "server" && Number(span.attributes.get("http.response.status_code") ?? 0) >= 500
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: Option.getOrUndefined(span.parent)?.spanId,
    name: nameOf(span),
    kind: kinds[span.kind],
    startTimeUnixNano: String(status.startTime),
    endTimeUnixNano: String(endTime),
    attributes: OtlpResource.entriesToAttributes(told),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: { code: hasFailed || isBroken ? failed : unset },
    links: span.links.map(({ span: { traceId, spanId } }) => ({
      traceId,
      spanId,
      attributes: [],
      droppedAttributesCount: 0
    })),
    droppedLinksCount: 0
  }
}

/** A request is called by its method and route, once that is known. */
const nameOf = ({ name, attributes: known }: SentSpan): string => {
  const route = known.get("http.route")
  return name === "Request" && route !== undefined ? `${known.get("http.request.method")} ${route}` : name
}

/** What a failure is called: its tag or the name of its class, which are ours or the library's. */
export const kindOf = (cause: Cause.Cause<unknown>): string | undefined => {
  if (cause.reasons.length === 0) return undefined
  if (Cause.hasInterruptsOnly(cause)) return "interrupted"
  const error = Cause.squash(cause)
  const named = Predicate.hasProperty(error, "_tag") ? error._tag : error instanceof Error ? error.name : undefined
  return typeof named === "string" && /^[A-Za-z]{1,60}$/.test(named) ? named : "unknown"
}
