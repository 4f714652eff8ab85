/** What spans and lines hold, and that a collector which does nothing costs bounded memory. */
import { assert, describe, it } from "@effect/vitest"
import { committed, spanOf } from "@tolem/core/invoice/changes/EventSpans"
import type { InvoiceEvent } from "@tolem/core/invoice/Invoice"
import { traced } from "@tolem/core/work/Spans"
import { creationOf } from "@tolem/testing/fixtures"
import { Cause, Deferred, Effect, Exit, Fiber, Logger, Metric, Redacted, Scope, Tracer } from "effect"
import { HttpBody, HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import * as OtlpBatches from "../src/operations/OtlpBatches.ts"
import * as OtlpLogs from "../src/operations/OtlpLogs.ts"
import * as OtlpTraces from "../src/operations/OtlpTraces.ts"

type Sent = ReturnType<typeof OtlpTraces.encode>

const recorder = (ratio = 1) => {
  const spans: Array<Sent> = []
  return { spans, tracer: OtlpTraces.make(ratio, (span) => spans.push(OtlpTraces.encode(span))) }
}

const byTracer = (tracer: Tracer.Tracer) => Effect.provideService(Tracer.Tracer, tracer)

class Refused extends Error {
  readonly _tag = "Refused"
}

describe("spans that are sent", () => {
  it.effect("tell what a failure is called, and neither its words nor attributes of others", () => {
    const { spans, tracer } = recorder()
    const failing = Effect.fail(new Refused("hush")).pipe(
      traced("Invoices.cancel", () => ({ attributes: { "url.full": "hush", "tolem.outcome": "refused" } }))
    )
    return Effect.gen(function* () {
      yield* Effect.ignore(failing)
      yield* Effect.exit(traced("Invoices.die")(Effect.die("hush")))
      yield* Effect.exit(traced("Invoices.stop")(Effect.interrupt))
      const facts = spans.map(({ status, attributes }) => [
        status.code,
        ...attributes.map(({ key, value }) => `${key}=${value.stringValue}`)
      ])
      assert.deepStrictEqual(facts, [
        [2, "tolem.outcome=refused", "error.type=Refused"],
        [2, "error.type=unknown"],
        [0, "error.type=interrupted"]
      ])
      assert.notInclude(JSON.stringify(spans), "hush")
    }).pipe(byTracer(tracer))
  })

  it.effect("leave out those of libraries, and join what is within them to what is around them", () => {
    const { spans, tracer } = recorder()
    const inner = traced("InvoiceStore.commitMany")(Effect.void)
    const library = Effect.withSpan(inner, "sql.execute", { attributes: { "db.query.text": "select 1" } })
    return Effect.gen(function* () {
      yield* traced("Invoices.cancel")(library)
      const [commit, cancel] = spans
      assert.deepStrictEqual(
        spans.map(({ name }) => name),
        ["InvoiceStore.commitMany", "Invoices.cancel"]
      )
      assert.strictEqual(commit?.parentSpanId, cancel?.spanId)
      assert.strictEqual(commit?.traceId, cancel?.traceId)
      yield* library
      assert.isUndefined(spans.at(-1)?.parentSpanId)
    }).pipe(byTracer(tracer))
  })

  it.effect("are a share of the traces, the same on every server", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      for (const ratio of [0.25, 0]) {
        const { spans, tracer } = recorder(ratio)
        const all = Effect.forEach(Array.from({ length: 2_000 }), () => traced("Invoices.get")(Effect.currentSpan))
        const made = yield* byTracer(tracer)(all)
        const sampled = made.filter(({ traceId }) => OtlpTraces.isSampled(traceId, ratio))
        assert.deepStrictEqual(
          spans.map(({ traceId }) => traceId),
          sampled.map(({ traceId }) => traceId)
        )
        ids.push(...spans.map(({ traceId }) => traceId))
      }
      // Six standard deviations about 500.
      assert.isAbove(ids.length, 380)
      assert.isBelow(ids.length, 620)
      assert.isFalse(ids.some((id) => !OtlpTraces.isSampled(id, 0.5)))
    })
  )

  it.effect("give an event the ids that any server reads from its identifier", () => {
    const { spans, tracer } = recorder()
    const id = "evt_01m84rk1r6f5qccq41nc01zmk1"
    const creation = creationOf()
    const event: InvoiceEvent = { ...creation.event, id, type: "invoice.paid", from: "pending", to: "paid" }
    const write = { event, next: creation.invoice }
    return Effect.gen(function* () {
      yield* traced("InvoiceStore.commitMany")(committed(write))
      const [root, commit] = spans
      const idsOf = (span: Pick<Sent, "traceId" | "spanId"> | undefined) => [span?.traceId, span?.spanId]
      assert.strictEqual(root?.name, "Event.committed")
      assert.deepStrictEqual(idsOf(root), idsOf(spanOf(id)))
      assert.isUndefined(root?.parentSpanId)
      assert.deepStrictEqual(idsOf(root?.links[0]), idsOf(commit))
      assert.deepStrictEqual(idsOf(commit?.links[0]), idsOf(root))
      assert.isUndefined(spanOf("evt_of another shape"))
    }).pipe(byTracer(tracer))
  })
})

describe("lines that are sent", () => {
  it.effect("tell what a cause is called, and nothing that is secret or without end", () => {
    const lines: Array<OtlpLogs.Line> = []
    const logged = Effect.logError("Storage away", "x".repeat(10_000), new Error("hush")).pipe(
      Effect.annotateLogs({ key: Redacted.make("hush"), whole: { of: "hush" }, none: undefined, count: 3 })
    )
    return Effect.gen(function* () {
      yield* logged
      yield* Effect.logWarning("Broken", Cause.fail(new Refused("hush")))
      assert.deepStrictEqual(lines[1]?.attributes, [{ key: "exception.type", value: { stringValue: "Refused" } }])
      assert.notInclude(JSON.stringify(lines), "hush")
      assert.strictEqual(lines[0]?.body?.stringValue?.length, 4_096)
      const facts = lines[0]?.attributes.map(({ key, value }) => [key, Object.values(value)[0]])
      assert.deepStrictEqual(facts, [
        ["key", "<redacted>"],
        ["whole", "<left out>"],
        ["count", 3]
      ])
    }).pipe(Effect.provideService(Logger.CurrentLoggers, new Set([OtlpLogs.make((line) => lines.push(line))])))
  })
})

describe("batches", () => {
  /** A collector that does as `answer` says, and what it was sent. */
  const make = Effect.fnUntraced(function* (answer: Effect.Effect<number>) {
    const sent: Array<number> = []
    const client = HttpClient.make((request) => {
      if (request.body._tag === "Uint8Array") sent.push(Number(new TextDecoder().decode(request.body.body)))
      return Effect.map(answer, (status) => HttpClientResponse.fromWeb(request, new Response(null, { status })))
    })
    const scope = yield* Scope.make()
    const options = {
      signal: "logs",
      url: "http://127.0.0.1:1/v1/logs",
      client,
      encode: (items: ReadonlyArray<number>) => HttpBody.text(String(items.length), "application/json")
    } as const
    const push = yield* Scope.provide(OtlpBatches.make<number>(options), scope)
    const pushes = (count: number) => {
      for (let i = 0; i < count; i++) push(i)
    }
    return { sent, pushes, close: Scope.close(scope, Exit.void) }
  })

  const lost = Effect.map(
    Metric.snapshot,
    (all) => all.find(({ id }) => id === "tolem_telemetry_dropped_total")?.state as { count: number } | undefined
  )

  it.effect("are sent in turn, and the last at the end", () =>
    Effect.gen(function* () {
      const { sent, pushes, close } = yield* make(Effect.succeed(200))
      pushes(3)
      yield* TestClock.adjust(2_000)
      assert.deepStrictEqual(sent, [3])
      yield* TestClock.adjust(20_000)
      assert.deepStrictEqual(sent, [3])
      pushes(2)
      yield* close
      assert.deepStrictEqual(sent, [3, 2])
    })
  )

  it.effect("are waited for at the end, and the last is sent behind them", () =>
    Effect.gen(function* () {
      const answered = yield* Deferred.make<number>()
      const { sent, pushes, close } = yield* make(Deferred.await(answered))
      pushes(3)
      yield* TestClock.adjust(2_000)
      pushes(2)
      const closing = yield* Effect.forkChild(close)
      yield* TestClock.adjust(100)
      assert.deepStrictEqual(sent, [3])
      yield* Deferred.succeed(answered, 200)
      yield* Fiber.join(closing)
      assert.deepStrictEqual(sent, [3, 2])
    })
  )

  it.effect("are sent once more with the last if they were not taken", () =>
    Effect.gen(function* () {
      let status = 503
      const { sent, pushes, close } = yield* make(Effect.sync(() => status))
      pushes(3)
      yield* TestClock.adjust(2_500)
      pushes(2)
      status = 200
      yield* close
      assert.deepStrictEqual(sent, [3, 5])
      yield* TestClock.adjust(5_000)
      assert.deepStrictEqual(sent, [3, 5])
    })
  )

  it.effect("hold no more than 4,096 while a collector hangs, and count what is lost", () =>
    Effect.gen(function* () {
      const { sent, pushes } = yield* make(Effect.never)
      pushes(10)
      yield* TestClock.adjust(2_000)
      pushes(10_000)
      yield* TestClock.adjust(60_000)
      assert.deepStrictEqual(sent, [10])
      assert.strictEqual((yield* lost)?.count, 10_000 - 4_096)
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("are repeated three times, and dropped; then there is a minute's rest", () =>
    Effect.gen(function* () {
      const { sent, pushes } = yield* make(Effect.succeed(307))
      pushes(5)
      yield* TestClock.adjust(30_000)
      assert.deepStrictEqual(sent, [5, 5, 5, 5])
      pushes(7)
      yield* TestClock.adjust(30_000)
      assert.deepStrictEqual(sent, [5, 5, 5, 5])
      yield* TestClock.adjust(10_000)
      assert.strictEqual((yield* lost)?.count, 12)
      pushes(1)
      yield* TestClock.adjust(2_000)
      assert.strictEqual(sent[4], 1)
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})
