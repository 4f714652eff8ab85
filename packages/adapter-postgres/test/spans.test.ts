/** What spans of statements say of the database: where it is, and nothing that opens it. */
import { it } from "@effect/vitest"
import { Effect, Redacted, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, inject } from "vitest"
import * as Connection from "../src/Connection.ts"

it.live("a span names the database as OpenTelemetry does", () =>
  Effect.gen(function* () {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const url = new URL(inject("postgresUrl"))
    const ask = SqlClient.SqlClient.use((sql) => sql`select 1`)
    yield* ask.pipe(
      Effect.provide(Connection.layer({ url: Redacted.make(url.href) })),
      Effect.provideService(Tracer.Tracer, tracer)
    )
    const span = spans.find(({ attributes }) => attributes.has("db.system.name"))
    assert.deepInclude(Object.fromEntries(span?.attributes ?? []), {
      "db.system.name": "postgresql",
      "db.namespace": url.pathname.slice(1),
      "server.address": url.hostname,
      "server.port": Number(url.port)
    })
    assert.notInclude(JSON.stringify([...(span?.attributes ?? [])]), url.password)
  })
)
