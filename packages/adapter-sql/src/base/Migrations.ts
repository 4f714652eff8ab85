/** The schema, as numbered steps that only go forward. */
import * as Progress from "@tolem/core/work/Progress"
import { Data, Effect, Layer, Record } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { makeDialect } from "./Dialect.ts"
import type { Step } from "./Step.ts"
import { allSteps, stepsAhead } from "./Steps.ts"
import { hasTable, migrationsTable, type TableNaming } from "./Tables.ts"

/** A step that was run: its number and its name. */
export type MigrationStep = readonly [id: number, name: string]

/**
 * Brings the schema up to date, or to the step `until`, and answers the steps that ran; none if it was. Each step of a
 * schema that is in use is a transaction of its own, so that what one locks is free while a later one reads for long;
 * a run that was killed goes on where it ended. Two at once do the work once. Fails with `MigrationError` if a step
 * does, and then of that step nothing has changed.
 */
export const migrate = (
  naming: TableNaming = {},
  until = Number.POSITIVE_INFINITY
): Effect.Effect<ReadonlyArray<MigrationStep>, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const newest = yield* newestStep(naming)
    if (newest === 0) return yield* migrateAtOnce(naming, until)
    const missing = Object.entries(allSteps).filter(([name]) => numberOf(name) > newest && numberOf(name) <= until)
    const ran: Array<MigrationStep> = []
    for (const [done, [name, step]] of missing.entries()) {
      yield* Progress.tell({ what: name, done, of: missing.length })
      ran.push(...(yield* runApart(naming, name, step)))
    }
    return ran
  })

/** The same in one transaction, for a schema that is in use by none yet. */
export const migrateAtOnce = (
  naming: TableNaming = {},
  until = Number.POSITIVE_INFINITY
): Effect.Effect<ReadonlyArray<MigrationStep>, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  Migrator.make({})({ table: migrationsTable(naming), loader: Migrator.fromRecord(steps(naming, until)) })

/** Migrates when the layer is built. */
export const layer = (
  naming: TableNaming = {}
): Layer.Layer<never, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  Layer.effectDiscard(migrate(naming))

/** The database has no schema yet, or an older one: `migrate` has work to do. `pending` names the missing steps. */
export class SchemaOutdated extends Data.TaggedError("SchemaOutdated")<{ readonly pending: ReadonlyArray<string> }> {
  /** The missing steps for people: the first ones by name. */
  readonly lacking = fewOf(this.pending)
  override readonly message = `the database lacks ${this.lacking}: migrate it first`
}

const maxNamed = 3

const fewOf = (steps: ReadonlyArray<string>): string =>
  steps.slice(0, maxNamed).join(", ") + (steps.length > maxNamed ? ` and ${steps.length - maxNamed} more` : "")

/** Fails if the schema lacks a step when the layer is built; changes nothing. */
export const upToDate = (
  naming: TableNaming = {}
): Layer.Layer<never, SchemaOutdated | SqlError.SqlError, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.flatMap(pending(naming), (missing) =>
      missing.length === 0 ? Effect.void : Effect.fail(new SchemaOutdated({ pending: missing }))
    )
  )

/**
 * The names of the steps that a database lacks, changing nothing; all of them if it has no schema yet. A
 * schema that is newer than this version lacks none, see `standing`.
 */
export const pending = (
  naming: TableNaming = {}
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.map(newestStep(naming), (newest) => Object.keys(allSteps).filter((name) => numberOf(name) > newest))

/** How the schema of a database stands to that of this version. Names of steps, as `0001_init`. */
export interface Standing {
  /** What `migrate` would run. */
  readonly pending: ReadonlyArray<string>
  /** The same for people, the first ones by name. */
  readonly lacking: string
  /** What is missing below the newest step of the database: `migrate` never runs it. */
  readonly skipped: ReadonlyArray<string>
  /** What only a newer version than this one knows. */
  readonly newer: ReadonlyArray<string>
  /** The newest step that the database has; null: it has no schema. */
  readonly newest: string | null
}

/** The standing of a database, changing nothing. */
export const standing = Effect.fnUntraced(function* (naming: TableNaming = {}) {
  const sql = yield* SqlClient.SqlClient
  const table = migrationsTable(naming)
  const select = sql<{ id: number; name: string }>`select migration_id as id, name from ${sql(table)} order by id`
  const rows = (yield* hasTable(sql, table)) ? yield* select : []
  const there = rows.map((row) => `${String(row.id).padStart(4, "0")}_${row.name}`)
  const newest = numberOf(there.at(-1) ?? "0")
  const missing = Object.keys(allSteps).filter((step) => rows.every(({ id }) => id !== numberOf(step)))
  const pending = missing.filter((step) => numberOf(step) > newest)
  return {
    pending,
    lacking: fewOf(pending),
    skipped: missing.filter((step) => numberOf(step) < newest),
    newer: there.filter((step) => numberOf(step) > lastStep),
    newest: there.at(-1) ?? null
  } satisfies Standing
})

/** The number of the newest step that a database has; 0: none. */
const newestStep = Effect.fnUntraced(function* (naming: TableNaming) {
  const sql = yield* SqlClient.SqlClient
  const name = migrationsTable(naming)
  if (!(yield* hasTable(sql, name))) return 0
  const rows = yield* sql<{ readonly newest: number | null }>`select max(migration_id) as newest from ${sql(name)}`
  return rows[0]?.newest ?? 0
})

const numberOf = (name: string) => Number.parseInt(name, 10)

const lastStep = Math.max(...Object.keys(allSteps).map(numberOf))

const made = (step: Step, naming: TableNaming) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* step(sql, yield* makeDialect(sql, naming), naming)
  })

const steps = (naming: TableNaming, until: number) => {
  const wanted = Record.filter(allSteps, (_, name) => numberOf(name) <= until)
  const names = Object.keys(wanted)
  return Record.map(wanted, (step, what) =>
    Effect.andThen(Progress.tell({ what, done: names.indexOf(what), of: names.length }), made(step, naming))
  )
}

/** One step in a transaction of its own. Its row keeps rivals waiting, and none who only read which steps there are. */
const runApart = (naming: TableNaming, name: string, step: Step) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [id, title] = [numberOf(name), name.slice(name.indexOf("_") + 1)]
    const portions = stepsAhead[name]
    if (portions !== undefined) yield* made(portions, naming)
    const transaction = Effect.gen(function* () {
      const noted = yield* sql`insert into ${sql(migrationsTable(naming))} (migration_id, name)
        values (${id}, ${title}) on conflict (migration_id) do nothing returning migration_id`
      if (noted.length === 0) return []
      yield* made(step, naming)
      return [[id, title] as const]
    })
    return yield* sql.withTransaction(transaction)
  }).pipe(
    Effect.mapError(
      (cause) => new Migrator.MigrationError({ kind: "Failed", cause, message: `Migration "${name}" failed` })
    )
  )
