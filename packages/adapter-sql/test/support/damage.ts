/** Damages that are planted into one column each, and what is to be said of them. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { SecretBox } from "@tolem/core/secret/SecretBox"
import { Clock, Data, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../../src/base/Database.ts"
import { rulesAt } from "../../src/integrity/Integrity.ts"
import { box } from "./sqlite.ts"

/** `set column = value where …`, and the rule that finds it. */
export type Damage = readonly [value: string, where: string, rule: string]

/** By table and column: damages, or why no stored data can show any. */
export type Damages = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<Damage> | string>>>>

/** Undoes what was planted, and carries what was seen of it. */
class Undone<A> extends Data.TaggedError("Undone")<{ readonly seen: A }> {}

/** What `look` sees once `plant` has run. Nothing is left behind. Where `isGuarded`, references and triggers stay. */
const seenAfter = Effect.fnUntraced(function* <A, E1, R1, E2, R2>(
  plant: Effect.Effect<unknown, E1, R1>,
  look: Effect.Effect<A, E2, R2>,
  isGuarded = false
) {
  const sql = yield* SqlClient.SqlClient
  const planted = Effect.gen(function* () {
    const restore = isGuarded ? [] : yield* unguarded
    yield* plant
    for (const statement of restore) yield* sql.unsafe(statement)
    return yield* new Undone({ seen: yield* look })
  })
  const undone = yield* Effect.flip(sql.withTransaction(planted))
  return undone instanceof Undone ? (undone.seen as A) : yield* Effect.fail(undone)
})

const run = Effect.fnUntraced(function* (statements: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

/** Everything that is told, each finding with its rule and its subject. */
const told = Effect.map(
  Integrity.use((integrity) => integrity.findings),
  (findings) => findings.map(({ rule, subject, detail }) => `${rule} ${subject}: ${detail}`)
)

/** What `look` sees once `statements` have run, whatever references and triggers say. */
const seenOf = Effect.fnUntraced(function* <A, E, R>(statements: ReadonlyArray<string>, look: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const freely = seenAfter(run(statements), look)
  // What takes references away has SQLite prepare all statements anew, and few damages need it.
  const first = Effect.gen(function* () {
    const triggers = yield* sql<{
      readonly of: string
    }>`select tbl_name as of from sqlite_master where type = 'trigger'`
    if (triggers.some(({ of }) => statements.some((statement) => statement.includes(of)))) return yield* freely
    return yield* Effect.catchIf(seenAfter(run(statements), look, true), SqlError.isSqlError, () => freely)
  })
  return yield* sql.onDialectOrElse({ pg: () => freely, orElse: () => first })
})

/** What all rules tell of when `statements` have run. Where `isGuarded`, references and triggers stay as they are. */
export const brokenBy = (statements: ReadonlyArray<string>, isGuarded = false) =>
  Effect.orDie(isGuarded ? seenAfter(run(statements), told, true) : seenOf(statements, told))

/**
 * Whether one rule tells of what `statements` have done: a hundredth of the work of all, which `npm run test:slow` asks
 * each time.
 */
export const breaks = Effect.gen(function* () {
  if (inject("isWhole")) {
    return (statements: ReadonlyArray<string>, rule: string) =>
      Effect.map(brokenBy(statements), (broken) => broken.some((one) => one.startsWith(`${rule} `)))
  }
  const [database, secrets] = [yield* Database, yield* SecretBox]
  const { rules } = rulesAt(database, secrets, yield* Clock.currentTimeMillis)
  const byName = new Map(rules.map(({ name, breaches }) => [name, breaches]))
  return (statements: ReadonlyArray<string>, rule: string) =>
    Effect.map(Effect.orDie(seenOf(statements, byName.get(rule) ?? Effect.succeed([]))), (found) => found.length > 0)
}).pipe(Effect.provide(Layer.provideMerge(Database.layer(), box())))

/** Damages of one go of `toldOfMany`. */
const together = 25

/**
 * What all rules tell of when many damages were planted together, in goes. A rule that fails at what was planted fails
 * this. What cannot be planted beside another waits for the next go.
 */
export const toldOfMany = Effect.fnUntraced(function* (damages: ReadonlyArray<ReadonlyArray<string>>) {
  const sql = yield* SqlClient.SqlClient
  const waiting = [...damages]
  const all: Array<string> = []
  while (waiting.length > 0) {
    const go = waiting.splice(0, together)
    const planted = Effect.forEach(go, (statements, index) =>
      Effect.catchTag(sql.withTransaction(run(statements)), "SqlError", (error) =>
        index === 0 ? Effect.die(error) : Effect.sync(() => waiting.push(statements))
      )
    )
    all.push(...(yield* Effect.orDie(seenAfter(planted, told))))
  }
  return all
})

/** Lets the transaction break references and change the audit log. Answers what closes it again. */
const unguarded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.onDialectOrElse({
    pg: () => Effect.as(sql`set local session_replication_role = replica`, [] as ReadonlyArray<string>),
    orElse: () =>
      Effect.gen(function* () {
        yield* sql`pragma defer_foreign_keys = on`
        const triggers = yield* sql<{ readonly name: string; readonly sql: string }>`
          select name, sql from sqlite_master where type = 'trigger'`
        for (const { name } of triggers) yield* sql`drop trigger ${sql(name)}`
        return triggers.map((trigger) => trigger.sql)
      })
  })
})

/** The columns of every table of ours, as `table.column`. */
export const columns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () => sql<{ readonly name: string }>`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
        -- Tells only where a row is kept.
        and (c.table_name, c.column_name) <> ('tolem_deliveries', 'placed_at') and not (
        select r.relispartition from pg_class r where r.oid = format('%I.%I', c.table_schema, c.table_name)::regclass)`,
    orElse: () => sql<{ readonly name: string }>`
      select t.name || '.' || c.name as name from sqlite_master t join pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite_%'`
  })
  return rows.map(({ name }) => name.replace(/^tolem_/, "")).filter((name) => !name.startsWith("migrations."))
})
