/** The feed on a real PostgreSQL: transactions that commit in any order, and a database that moves to a new cluster. */
import { it } from "@effect/vitest"
import { beginning, type Cursor } from "@tolem/core/feed/Cursor"
import { type FeedPart, FeedStore } from "@tolem/core/feed/FeedStore"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { changeOf, creationOf, freshId, invoiceOf, startAt } from "@tolem/testing/fixtures"
import { connect } from "@tolem/testing-postgres/Client"
import { startServer } from "@tolem/testing-postgres/Server"
import { Effect, Layer, Redacted, Result } from "effect"
import { assert, describe } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { box, freshOptions, type OwnOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const shop = { organizationId: "org_shop", mode: "sandbox", connectionId: null } as const

/** Everything behind a place, as a reader who pages through it finds it. */
const readFrom = Effect.fnUntraced(function* (start: Cursor) {
  const feed = yield* FeedStore
  const events: Array<string> = []
  let cursor = start
  while (true) {
    while (yield* feed.place(shop.organizationId, 10)) {}
    const query = { ...shop, start: { after: cursor }, types: [], limit: 10, lookAt: 100 }
    const part: FeedPart = yield* feed.read(query)
    events.push(...part.entries.map(({ event }) => event.id))
    cursor = part.cursor
    if (!part.more) return { events, cursor }
  }
})

const create = (count = 1) =>
  InvoiceStore.use((store) =>
    Effect.gen(function* () {
      const creations = Array.from({ length: count }, () => creationOf())
      yield* store.insertMany(creations)
      return creations.map(({ invoice }) => invoice)
    })
  )

/** Writes invoices with their first events in a transaction that stays open for as long as it likes. */
const writer = async ({ url, schema }: OwnOptions) => {
  const client = await connect(Redacted.value(url))
  const insert = async (template: string) => {
    const [invoice, event] = [freshId("inv"), freshId("evt")]
    for (const [table, key, changes] of [
      ["invoices", "id", { id: invoice }],
      ["events", "invoice_id", { invoice_id: invoice, id: event }]
    ] as const) {
      const name = `${schema}.tolem_${table}`
      await client.query(
        `insert into ${name} select (json_populate_record(t, $1::json)).* from ${name} t where t.${key} = $2
         order by 1 limit 1`,
        [JSON.stringify(changes), template]
      )
    }
    return event
  }
  return { query: (sql: string) => client.query(sql), insert, end: () => client.end() }
}

const isGivenUp = (round: number, turn: number) => round % 4 === 3 && turn === 2

describe("the feed on PostgreSQL", () => {
  it.live("leaves out nothing that is committed late, whoever was first", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const program = Effect.gen(function* () {
        const [template] = yield* create()
        const writers = yield* Effect.promise(() => Promise.all(Array.from({ length: 6 }, () => writer(options))))
        const seen: Array<string> = []
        let cursor = beginning
        const look = Effect.gen(function* () {
          const found = yield* readFrom(cursor)
          cursor = found.cursor
          seen.push(...found.events)
          return found.events
        })
        const late: Array<string> = []
        yield* look
        for (let round = 0; round < 12; round++) {
          // All have begun and written before the first one commits; each commits at its own time.
          for (const one of writers) {
            yield* Effect.promise(() => one.query("begin"))
            late.push(yield* Effect.promise(() => one.insert(template!.id)))
          }
          const order = writers.map((_, index) => (index * 5 + round) % writers.length)
          for (const [turn, index] of order.entries()) {
            yield* create()
            const isAlone = turn === 0 || isGivenUp(round, turn - 1)
            assert.strictEqual((yield* look).length, isAlone ? 1 : 2, "what is committed, and no more")
            const end = isGivenUp(round, turn) ? "rollback" : "commit"
            yield* Effect.promise(() => writers[index]!.query(end))
          }
          yield* look
        }
        yield* Effect.promise(() => Promise.all(writers.map((one) => one.end())))
        const { events } = yield* readFrom(beginning)
        assert.deepStrictEqual(seen, events, "in the order in which they are found again")
        assert.strictEqual(new Set(seen).size, seen.length, "each once")
        const rolledBack = late.filter((id) => !seen.includes(id))
        assert.strictEqual(rolledBack.length, 3, "but what was rolled back")
        assert.strictEqual(seen.length, 1 + 12 * 6 + late.length - 3)
      })
      yield* Effect.provide(program, Layer.fresh(Postgres.layer(options)).pipe(Layer.provide(box)))
    })
  )

  for (const how of ["with its triggers, as a copy of rows does", "as a dump does"]) {
    it.live(`goes on from an old cursor in a new cluster that was filled ${how}`, () =>
      Effect.gen(function* () {
        const options = freshOptions()
        yield* Postgres.migrate(options)
        const on = <A, E>(where: OwnOptions, program: Effect.Effect<A, E, FeedStore | InvoiceStore>) =>
          Effect.provide(program, Layer.fresh(Postgres.layer(where)).pipe(Layer.provide(box)))
        const before = yield* on(
          options,
          Effect.gen(function* () {
            const invoices = yield* create(25)
            const first = yield* readFrom(beginning)
            const change = changeOf(invoices[0]!, InvoiceCommand.Pay({ paidAt: startAt }))
            const [paid] = yield* InvoiceStore.use((store) => store.commitMany([change]))
            assert.isTrue(Result.isSuccess(paid!))
            return { ...first, unread: change.event.id, invoice: invoiceOf({ ...invoices[1]! }) }
          })
        )
        const server = yield* Effect.promise(() => startServer())
        const moved = {
          url: Redacted.make(yield* Effect.promise(() => server.createDatabase("moved"))),
          schema: "shop"
        }
        const program = Effect.gen(function* () {
          yield* Postgres.migrate(moved)
          yield* Effect.promise(() => copy(options, moved, how === "as a dump does"))
          const after = yield* on(
            moved,
            Effect.gen(function* () {
              const [next] = yield* create()
              const change = changeOf(before.invoice, InvoiceCommand.Pay({ paidAt: startAt }))
              yield* InvoiceStore.use((store) => store.commitMany([change]))
              const found = yield* readFrom(before.cursor)
              const whole = yield* readFrom(beginning)
              return { found: found.events, whole: whole.events, next: next!, last: change.event.id }
            })
          )
          assert.strictEqual(after.found.length, 3, "what was not read, and what came since")
          assert.deepStrictEqual([after.found[0], after.found[2]], [before.unread, after.last])
          assert.deepStrictEqual(after.whole, [...before.events, ...after.found], "behind the same as before")
        })
        yield* Effect.ensuring(
          program,
          Effect.promise(() => server.dispose())
        )
      })
    )
  }
})

/** Copies every row; a dump restores the rows first and makes the triggers after that. */
const copy = async (from: OwnOptions, to: OwnOptions, isDump: boolean) => {
  const [source, target] = [await connect(Redacted.value(from.url)), await connect(Redacted.value(to.url))]
  try {
    await target.query(`set session_replication_role = ${isDump ? "replica" : "origin"}`)
    const { rows } = await source.query<{ tablename: string }>(
      `select tablename from pg_tables
        where schemaname = $1 and tablename !~ '^tolem_(migrations$|attempts_)' order by tablename`,
      [from.schema]
    )
    for (const { tablename } of rows) {
      const all = await source.query(
        `select coalesce(json_agg(t), '[]')::text as all from ${from.schema}.${tablename} t`
      )
      const name = `${to.schema}.${tablename}`
      // What a trigger has noted of the rows before stays beside what is copied.
      const conflict = isDump ? "" : "on conflict do nothing"
      // A dump makes its tables empty: the rows that migrations put into them come from the dump.
      if (isDump) {
        await target.query(`delete from ${name}`)
      }
      await target.query(
        `insert into ${name} overriding system value
         select * from json_populate_recordset(null::${name}, $1::json) ${conflict}`,
        [all.rows[0]?.["all"]]
      )
    }
    const sequence = `pg_get_serial_sequence('${to.schema}.tolem_feed_arrivals', 'id')`
    await target.query(
      `select setval(${sequence}, (select coalesce(max(id), 0) + 1 from ${to.schema}.tolem_feed_arrivals))`
    )
  } finally {
    await source.end()
    await target.end()
  }
}
