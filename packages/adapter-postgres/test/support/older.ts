/** Databases of earlier versions, and migrations that stand still in the middle. */
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf } from "@tolem/testing/fixtures"
import { type Client, connect } from "@tolem/testing-postgres/Client"
import { Effect, Layer, Redacted } from "effect"
import * as Connection from "../../src/Connection.ts"
import * as Postgres from "../../src/Postgres.ts"
import { box, freshOptions, type OwnOptions } from "./stores.ts"

/** Connections to the schema, closed with the scope. */
export const clients = ({ url, schema }: OwnOptions, count: number) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const client = await connect(Redacted.value(url))
          await client.query(`set search_path to ${schema}`)
          return client
        })
      )
    ),
    (all) => Effect.promise(() => Promise.all(all.map((client) => client.end())))
  )

/** The stores of this version. */
export const stores = (options: OwnOptions) => Layer.fresh(Layer.provide(Postgres.layer(options), box))

/** A schema of the version before the feed, with invoices; each has one event. */
export const older = Effect.fnUntraced(function* (count: number, members: Partial<Invoice> = {}) {
  const [full, old] = [freshOptions(), freshOptions()]
  yield* Postgres.migrate(full)
  const creations = Array.from({ length: count }, (_, index) =>
    creationOf({ ...members, createdAt: 1_000_000 - index })
  )
  yield* Effect.provide(
    InvoiceStore.use((store) => store.insertMany(creations)),
    stores(full)
  )
  const [client] = yield* clients(old, 1)
  const schema = Migrations.migrate({ schema: old.schema }, 18)
  yield* Effect.promise(async () => void (await client?.query(`create schema ${old.schema}`)))
  yield* Effect.provide(schema, Connection.layer({ ...old, statementTimeoutMs: 0 }))
  for (const table of ["tolem_invoices", "tolem_events"]) {
    yield* Effect.promise(async () => {
      const into = `${old.schema}.${table}`
      await client?.query(`insert into ${into} select (json_populate_record(null::${into}, row_to_json(t))).*
        from ${full.schema}.${table} t`)
    })
  }
  // The last of the list was made first.
  return { options: old, ids: creations.map(({ event }) => event.id).toReversed() }
})

/** Waits until a statement of another connection waits for a lock that the holder has, and answers its process. */
export const blockedBy = (holder: Client, { url }: OwnOptions): Effect.Effect<number> =>
  Effect.promise(async () => {
    const { rows } = await holder.query("select pg_backend_pid() as pid")
    const watch = await connect(Redacted.value(url))
    const asked = "select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))"
    for (;;) {
      const [found] = (await watch.query(asked, [rows[0]?.["pid"]])).rows
      if (found === undefined) continue
      await watch.end()
      return Number(found["pid"])
    }
  })

/** Takes the turn of a step, so that the migration waits for it when all before it is committed. */
export const heldBefore = Effect.fnUntraced(function* (options: OwnOptions, holder: Client, step: number) {
  yield* Effect.promise(() => holder.query("begin"))
  yield* Effect.promise(() => holder.query("insert into tolem_migrations values ($1, now(), 'held')", [step]))
  const migration = Effect.runPromise(Postgres.migrate(options))
  yield* blockedBy(holder, options)
  return migration
})
