/** A whole installation moves between the databases, whatever ends the copy meanwhile, and arrives as it was. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { nodePlatform } from "@tolem/adapter-node"
import * as PostgresSides from "@tolem/adapter-postgres/CopySides"
import * as Postgres from "@tolem/adapter-postgres/Postgres"
import * as Sides from "@tolem/adapter-sqlite/CopySides"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { createEngine } from "@tolem/core"
import { Integrity } from "@tolem/core/engine/Integrity"
import { type Progress, ProgressListener } from "@tolem/core/work/Progress"
import { connect } from "@tolem/testing-postgres/Client"
import { createDatabase } from "@tolem/testing-postgres/Databases"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { names, type TableName } from "../../../adapter-sql/src/base/Tables.ts"
import { populate } from "../../../adapter-sql/test/support/population.ts"
import { box as boxOf } from "../../../adapter-sql/test/support/sqlite.ts"

const box = boxOf()
const home = mkdtempSync(join(tmpdir(), "tolem-copy-"))
let files = 0
const freshFile = (): string => join(home, `${++files}.db`)

/** A file with rows in every table, and with what only few rows have. */
const original = freshFile()
const hugest = "9223372036854775807"
const odd = 'ә "\\\t\u0001\u2028\u202e👩\u200d👧 e\u0301 \uFFFD \u{10FFFF}'

beforeAll(async () => {
  await Effect.runPromise(Effect.provide(populate, Sqlite.layer({ filename: original }).pipe(Layer.provide(box))))
  const db = new DatabaseSync(original)
  const window = db.prepare("insert into tolem_rate_windows (window_at, key_id, kind, hits) values (?, ?, ?, ?)")
  for (const hits of [9_007_199_254_740_993n, -9_007_199_254_740_993n, BigInt(hugest)])
    window.run(hits, odd, "read", hits)
  for (const key of ["", "A", "a", "Z", "z", "é", "ё", "\uffff", "\u{10000}"]) window.run(1, key, "read", 1)
  db.prepare("update tolem_attempts set response_body = ?").run(odd)
  // On PostgreSQL in a part of a month, or in the one of the rest.
  const later = db.prepare(
    "update tolem_attempts set started_at = ? where rowid = (select max(rowid) from tolem_attempts)"
  )
  expect(later.run(Date.now() + 70 * 86_400_000).changes).toBe(1)
  db.close()
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

const freshDatabase = async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  return { url: Redacted.make(database.url) }
}

type Opened<A> = Effect.Effect<A, unknown, Scope.Scope>

/** Copies, and opens the target if all went well. */
const copied = (
  source: Opened<Sides.CopySource>,
  target: Opened<Sides.CopyTarget>,
  portions: Sides.Portions = {},
  listener: (progress: Progress) => Effect.Effect<void> = () => Effect.void
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const [from, to] = [yield* source, yield* target]
      const report = yield* Sides.fill(from, to, portions)
      yield* Sides.open(to)
      return report
    })
  ).pipe(
    Effect.provideService(ProgressListener, (progress) => (isOfTable(progress) ? listener(progress) : Effect.void))
  )

/** Steps of the schema are told of, too. */
const isOfTable = ({ what }: Progress) => names.some((name) => name === what)

const run = <A>(effect: Effect.Effect<A, unknown>) => Effect.runPromise(effect)

/** The reason and the words of the refusal that an effect ends with. */
const refusal = (effect: Effect.Effect<unknown, unknown>) =>
  run(
    Effect.match(effect, {
      onFailure: (error) => (error instanceof Sides.CopyRefused ? [error.reason, error.message] : [String(error)]),
      onSuccess: () => ["no refusal"]
    })
  )

/** Every row of a file, read without the copy's own code. */
const rowsOfFile = (filename: string) => {
  const db = new DatabaseSync(filename, { readOnly: true })
  const tables = names.map((name) => {
    const statement = db.prepare(`select * from tolem_${name}`)
    statement.setReadBigInts(true)
    return [name, statement.all().map(shown).sort()] as const
  })
  db.close()
  return Object.fromEntries(tables)
}

/** The same of a database, without when a row was put where it is, which PostgreSQL alone keeps. */
const rowsOfDatabase = async ({ url }: { readonly url: Redacted.Redacted }) => {
  const client = await connect(Redacted.value(url))
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const name of names) {
    const { rows } = await client.query<{ readonly row: Record<string, string | null> }>(
      `select (
        select json_object_agg(key, value) from json_each_text(to_json(t)) where key <> 'placed_at'
      ) as row from tolem_${name} as t`
    )
    found[name] = rows.map(({ row }) => shown(row)).sort()
  }
  await client.end()
  return found
}

const shown = (row: Record<string, unknown>): string =>
  JSON.stringify(
    Object.entries(row)
      .map(([name, value]) => [name, value === null ? null : String(value)])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
  )

describe("a file", () => {
  it("has rows in every table that is copied", () => {
    const empty = Object.entries(rowsOfFile(original)).filter(([, rows]) => rows.length === 0)
    expect(empty.map(([name]) => name)).toEqual([])
  })

  it("arrives in PostgreSQL as it was, and what servers count goes on", async () => {
    const database = await freshDatabase()
    const report = await run(copied(Sides.source({ filename: original }), PostgresSides.target(database)))
    const before = rowsOfFile(original)
    expect(await rowsOfDatabase(database)).toEqual(before)
    expect(report.tables).toEqual(Object.fromEntries(names.map((name) => [name, before[name]?.length])))
    const client = await connect(Redacted.value(database.url))
    const { rows } = await client.query(
      `insert into tolem_feed_arrivals (organization_id, invoice_id, sequence) values ('o', 'i', 1)
       returning id > (select max(id) from tolem_feed_arrivals) as is_behind`
    )
    const triggers = await client.query("select 1 from pg_trigger where tgenabled = 'D'")
    const marks = await client.query("select to_regclass('tolem_copy')::text as mark")
    await client.end()
    expect([rows, triggers.rows, marks.rows]).toEqual([[{ is_behind: true }], [], [{ mark: null }]])
  })

  it("arrives whole however often the copy is killed", async () => {
    const database = await freshDatabase()
    let kills = 0
    const once = (portions: number) => {
      let told = 0
      const dying = () => (++told > portions ? Effect.die("killed") : Effect.void)
      return run(
        Effect.exit(copied(Sides.source({ filename: original }), PostgresSides.target(database), { rows: 4 }, dying))
      )
    }
    for (let isCopied = false; !isCopied; kills++) {
      expect((await once(7))._tag).toBe("Failure")
      expect(String(await run(Effect.exit(Effect.scoped(Layer.build(served(database))))))).toContain("CopyUnfinished")
      const client = await connect(Redacted.value(database.url))
      const { rows } = await client.query("select 1 from tolem_copy where name like 'trigger %'")
      await client.end()
      isCopied = rows.length === 0
    }
    expect(kills).toBeGreaterThan(10)
    // Now all are there, and it is killed while they are compared.
    expect((await once(20))._tag).toBe("Failure")
    const report = await run(copied(Sides.source({ filename: original }), PostgresSides.target(database), { rows: 4 }))
    expect(report.resumed).toBe(report.rows)
    expect(await rowsOfDatabase(database)).toEqual(rowsOfFile(original))
    await run(Effect.scoped(Layer.build(served(database))))
  })

  it("comes back from PostgreSQL as it was, and the same way into another file", async () => {
    const [database, back, again] = [await freshDatabase(), freshFile(), freshFile()]
    await run(copied(Sides.source({ filename: original }), PostgresSides.target(database)))
    await run(copied(PostgresSides.source(database), Sides.target({ filename: back }), { rows: 3 }))
    await run(copied(Sides.source({ filename: back }), Sides.target({ filename: again })))
    expect(rowsOfFile(back)).toEqual(rowsOfFile(original))
    expect(rowsOfFile(again)).toEqual(rowsOfFile(original))
    expect(triggersOf(again)).toEqual(triggersOf(original))
  })

  it("says the same of itself afterwards, with the same keys", async () => {
    const database = await freshDatabase()
    const file = freshFile()
    const made = Effect.provide(populate, Sqlite.layer({ filename: file }).pipe(Layer.provide(box)))
    await run(made)
    await run(copied(Sides.source({ filename: file }), PostgresSides.target(database)))
    const report = Integrity.use((integrity) => integrity.report)
    const before = await run(Effect.provide(report, Sqlite.layer({ filename: file }).pipe(Layer.provide(box))))
    const after = await run(Effect.provide(report, served(database)))
    expect([after.findings, after.rows]).toEqual([before.findings, before.rows])
  })
})

const served = (database: { readonly url: Redacted.Redacted }) => Postgres.layer(database).pipe(Layer.provide(box))

const triggersOf = (filename: string) => {
  const db = new DatabaseSync(filename, { readOnly: true })
  const found = db.prepare("select name, sql from sqlite_schema where type = 'trigger' order by name").all()
  db.close()
  return found
}

/** Copies everything, and ends before it is compared. */
const halfway = (filename: string, database: { readonly url: Redacted.Redacted }) => {
  const dying = ({ done, of }: Progress) => (done >= of / 2 ? Effect.die("killed") : Effect.void)
  return run(Effect.exit(copied(Sides.source({ filename }), PostgresSides.target(database), {}, dying)))
}

describe("what is changed in the target meanwhile", () => {
  it.each<[TableName, string, RegExp]>([
    [
      "invoices",
      "update tolem_invoices set amount = amount + 1 where id = 'inv_paid'",
      /^invoices inv_paid: differs in amount$/
    ],
    ["attempts", "update tolem_attempts set error = '' where error is null", /^attempts .*: differs in error$/m],
    ["feed", "delete from tolem_feed where position = 1 and mode = 'sandbox'", /^feed org_shop sandbox 1: is missing$/],
    ["usage", "insert into tolem_usage values ('zzz', '2026', 1)", /^usage zzz 2026: is not in the source$/]
  ])("is found in %s", async (_, statement, words) => {
    const database = await freshDatabase()
    await halfway(original, database)
    const client = await connect(Redacted.value(database.url))
    await client.query(statement)
    await client.end()
    const again = copied(Sides.source({ filename: original }), PostgresSides.target(database))
    expect(await refusal(again)).toEqual(["copy_differs", expect.stringMatching(words)])
    const opened = await run(Effect.exit(Effect.scoped(Layer.build(served(database)))))
    expect(String(opened)).toContain("CopyUnfinished")
  })
})

describe("refused is", () => {
  it("a target with rows, which stays as it was", async () => {
    const [database, file] = [await freshDatabase(), freshFile()]
    await run(Postgres.migrate(database))
    await run(Effect.scoped(Layer.build(served(database))))
    await run(Effect.scoped(Layer.build(Sqlite.layer({ filename: file }).pipe(Layer.provide(box)))))
    const source = () => Sides.source({ filename: original })
    const words = ["target_not_empty", expect.stringMatching(/^There are rows in tolem_/)]
    expect(await refusal(copied(source(), PostgresSides.target(database)))).toEqual(words)
    expect(await refusal(copied(source(), Sides.target({ filename: file })))).toEqual(words)
  })

  it("another source than the one that was begun with", async () => {
    const [database, other] = [await freshDatabase(), freshFile()]
    await run(Effect.scoped(Layer.build(Sqlite.layer({ filename: other }).pipe(Layer.provide(box)))))
    await halfway(original, database)
    const [reason] = await refusal(copied(Sides.source({ filename: other }), PostgresSides.target(database)))
    expect(reason).toBe("other_source")
  })

  it("a source that has no schema, an older one, or is a target itself", async () => {
    const [database, empty] = [await freshDatabase(), await freshDatabase()]
    const target = () => Sides.target({ filename: freshFile() })
    expect(await refusal(copied(PostgresSides.source(empty), target()))).toEqual([
      "schema_differs",
      "The source has no tables"
    ])
    await halfway(original, database)
    const [reason] = await refusal(copied(PostgresSides.source(database), target()))
    expect(reason).toBe("source_in_use")
    const older = freshFile()
    await run(copied(Sides.source({ filename: original }), Sides.target({ filename: older })))
    const db = new DatabaseSync(older)
    db.exec("delete from tolem_migrations where migration_id = (select max(migration_id) from tolem_migrations)")
    db.close()
    expect(await refusal(copied(Sides.source({ filename: older }), target()))).toEqual([
      "schema_differs",
      expect.stringMatching(/^The source lacks \d{4}_\w+: migrate it first$/)
    ])
  })

  it("a source or target that others have open", async () => {
    const [database, file] = [await freshDatabase(), freshFile()]
    await run(copied(Sides.source({ filename: original }), Sides.target({ filename: file })))
    await run(copied(Sides.source({ filename: original }), PostgresSides.target(database)))
    const onFile = Effect.provide(
      refused(copied(Sides.source({ filename: file }), Sides.target({ filename: freshFile() }))),
      Sqlite.layer({ filename: file }).pipe(Layer.provide(box))
    )
    const secretKeys = ["a key for tests only, of no use anywhere else"] as const
    const engine = await createEngine({ database: Postgres.postgres(database), platform: nodePlatform(), secretKeys })
    await listened(database)
    const onDatabase = refusal(copied(PostgresSides.source(database), Sides.target({ filename: freshFile() })))
    const reasons = [await run(onFile), await onDatabase]
    await engine.close()
    expect(reasons).toEqual(["source_in_use", ["source_in_use", "A server works on the source: stop it"]])
  })

  it("what writes to a source on PostgreSQL while it is copied", async () => {
    const database = await freshDatabase()
    await run(copied(Sides.source({ filename: original }), PostgresSides.target(database)))
    const client = await connect(Redacted.value(database.url))
    await client.query("set lock_timeout = 100")
    const held = Effect.scoped(
      Effect.andThen(
        PostgresSides.source(database),
        Effect.promise(() => client.query("delete from tolem_sessions").then(() => "written", String))
      )
    )
    expect(await run(held)).toContain("lock timeout")
    const free = await client.query("select count(*)::int as n from tolem_sessions")
    await client.end()
    expect(free.rows).toEqual([{ n: rowsOfFile(original)["sessions"]?.length }])
  })

  it.each([
    ["a NUL in a text", "update tolem_attempts set error = 'a' || char(0)", /has a NUL character/],
    [
      "bytes that are no text",
      "update tolem_attempts set error = cast(x'61ff62' as text)",
      /holds bytes that are no text/
    ],
    ["a fraction", "update tolem_rate_windows set hits = 0.5", /^Column hits of rate_windows .* is no bigint$/s]
  ])("%s, with the row that has it", async (_, statement, words) => {
    const [database, file] = [await freshDatabase(), freshFile()]
    await run(copied(Sides.source({ filename: original }), Sides.target({ filename: file })))
    const db = new DatabaseSync(file)
    db.exec(statement)
    db.close()
    const ended = await refusal(copied(Sides.source({ filename: file }), PostgresSides.target(database)))
    expect(ended).toEqual(["value_unfit", expect.stringMatching(words)])
  })
})

/** A server listens soon after it has begun. */
const listened = async ({ url }: { readonly url: Redacted.Redacted }) => {
  const client = await connect(Redacted.value(url))
  const asked = () =>
    client.query("select 1 from pg_stat_activity where query like 'LISTEN%' and datname = current_database()")
  await expect.poll(async () => (await asked()).rows.length).toBe(1)
  await client.end()
}

const refused = (effect: Effect.Effect<unknown, unknown>) =>
  Effect.match(effect, {
    onFailure: (error) => (error instanceof Sides.CopyRefused ? error.reason : String(error)),
    onSuccess: () => "no refusal"
  })

describe("every table of the schema is copied", () => {
  it("on SQLite", () => {
    const db = new DatabaseSync(":memory:")
    db.exec(Sqlite.script())
    const found = db.prepare("select name from sqlite_schema where type = 'table'").all()
    expect(found.map(({ name }) => String(name)).sort()).toEqual(expected)
  })

  it("on PostgreSQL", async () => {
    const database = await freshDatabase()
    await run(Postgres.migrate(database))
    const client = await connect(Redacted.value(database.url))
    const { rows } = await client.query<{ readonly name: string }>(
      `select relname::text as name from pg_class
       where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`
    )
    await client.end()
    expect(rows.map(({ name }) => name).sort()).toEqual(expected)
  })
})

const expected = [...names.map((name) => `tolem_${name}`), "tolem_migrations"].sort()
