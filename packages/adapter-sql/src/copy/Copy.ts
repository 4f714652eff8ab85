/**
 * Copies a whole installation into an empty database, of the same kind or of another, in portions. Each portion is one
 * transaction of the target, with how far the copy has come: whatever ends a copy, the next call goes on behind the
 * last portion. Afterwards both are read again and held against each other. Until `open` no engine opens the target.
 */
import * as Progress from "@tolem/core/work/Progress"
import { Effect } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import * as CopyMark from "../base/CopyMark.ts"
import { pending } from "../base/Migrations.ts"
import { hasTable, migrationsTable, type TableName, tableName, tables } from "../base/Tables.ts"
import * as Comparison from "./Comparison.ts"
import * as Ledger from "./Ledger.ts"
import * as Pages from "./Pages.ts"
import * as Shapes from "./Shapes.ts"
import { CopyRefused, type CopySource, type CopyTarget, refused, type Side } from "./Sides.ts"
import * as Triggers from "./Triggers.ts"

export { CopyRefused, type CopySource, type CopyTarget }

/** How much is read and written at once. */
export interface Portions {
  /** Rows at most. Default 1 000. */
  readonly rows?: number | undefined
  /** Characters that a portion is to have; it may have more after one with less in as many rows. Default 2 million. */
  readonly size?: number | undefined
}

/** What was copied. */
export interface CopyReport {
  /** Rows of each table. */
  readonly tables: Readonly<Partial<Record<TableName, number>>>
  readonly rows: number
  /** Rows that an earlier call had copied. */
  readonly resumed: number
}

/** What a copy may fail with. */
export type CopyError = SqlError.SqlError | Migrator.MigrationError | CopyRefused

/**
 * Copies and compares. The target may be empty, or one that an earlier call of this for the same source has begun. May
 * be called again after any failure but one of the rows themselves.
 */
export const fill = Effect.fn("Copy.fill")(function* (
  source: CopySource,
  target: CopyTarget,
  portions: Portions = {}
): Effect.fn.Return<CopyReport, CopyError> {
  const shapes = yield* prepared(source, target)
  const ledger = yield* Ledger.read(target)
  const counts = new Map<TableName, number>()
  for (const { name } of shapes) counts.set(name, yield* source.held(Pages.count(source, name)))
  const rows = sum(counts.values())
  const resumed = sum(Array.from(ledger.tables.values(), (table) => table.rows))
  // Every row is copied once and read again once.
  const told = { done: resumed, of: 2 * rows }
  const tell = (what: string, more: number) => {
    told.done += more
    return Progress.tell({ what, ...told })
  }
  for (const shape of shapes) yield* copyTable({ source, target, shape, portions, tell }, ledger.tables.get(shape.name))
  yield* settled(target, shapes, ledger)
  for (const shape of shapes) yield* compareTable({ source, target, shape, portions, tell })
  return { tables: Object.fromEntries(counts), rows, resumed }
})

/** Takes the mark away: from now on engines open the target. */
export const open = (target: CopyTarget): Effect.Effect<void, SqlError.SqlError> => Effect.asVoid(Ledger.drop(target))

/** One table on its way. */
interface Passage {
  readonly source: CopySource
  readonly target: CopyTarget
  readonly shape: Shapes.Shape
  readonly portions: Portions
  readonly tell: (what: string, more: number) => Effect.Effect<void>
}

/** The tables, of a target that is ready to be filled. */
const prepared = Effect.fnUntraced(function* (source: CopySource, target: CopyTarget) {
  yield* checkSource(source)
  const identity = yield* source.held(identityOf(source))
  const isMarked = yield* on(target, CopyMark.isMarked(target.naming))
  if (!isMarked) {
    yield* checkEmpty(target)
    yield* target.migrate
  }
  const shapes = yield* agreed(source, target)
  if (!isMarked) yield* begin(target, shapes, identity)
  if ((yield* Ledger.read(target)).source !== identity) {
    return yield* refused("other_source", "A copy of another database into this one has not ended")
  }
  return shapes
})

const on = <A, E>({ sql }: Side, self: Effect.Effect<A, E, SqlClient.SqlClient>): Effect.Effect<A, E> =>
  Effect.provideService(self, SqlClient.SqlClient, sql)

const checkSource = Effect.fnUntraced(function* (source: CopySource) {
  if (!(yield* source.held(hasTable(source.sql, migrationsTable(source.naming))))) {
    return yield* refused("schema_differs", "The source has no tables")
  }
  if (yield* source.held(on(source, CopyMark.isMarked(source.naming)))) {
    return yield* refused("source_in_use", "The source is itself the target of a copy that has not ended")
  }
  const missing = yield* source.held(on(source, pending(source.naming)))
  if (missing.length === 0) return
  return yield* refused("schema_differs", `The source lacks ${missing.join(", ")}: migrate it first`)
})

/** What tells an installation from others: a text that its first server has sealed. */
const identityOf = ({ sql, naming }: CopySource) =>
  Effect.map(
    sql<{ readonly sealed: string }>`select sealed from ${tables(sql, naming).secret_checks} order by id`,
    (rows) => rows.map(({ sealed }) => sealed).join(" ")
  )

/** Tables that a migration leaves with rows. What is in them is the source's afterwards. */
const seeded: ReadonlyArray<TableName> = ["link_sweeps"]

const checkEmpty = Effect.fnUntraced(function* (target: CopyTarget) {
  const { sql, naming } = target
  const all = tables(sql, naming)
  for (const name of Object.keys(all) as Array<TableName>) {
    if (seeded.includes(name) || !(yield* hasTable(sql, tableName(naming, name)))) continue
    const [row] = yield* sql`select 1 as found from ${all[name]} limit 1`
    if (row !== undefined) return yield* refused("target_not_empty", `There are rows in ${tableName(naming, name)}`)
  }
})

/** The tables, if both databases have the same. */
const agreed = Effect.fnUntraced(function* (source: CopySource, target: CopyTarget) {
  const [from, to] = [yield* source.held(Shapes.stepsOf(source)), yield* Shapes.stepsOf(target)]
  if (from.join() !== to.join()) {
    const message = `The source has the steps up to ${from.at(-1)}, the target those up to ${to.at(-1)}`
    return yield* refused("schema_differs", message)
  }
  const theirs = yield* source.held(Shapes.shapesOf(source))
  const shapes = yield* Shapes.shapesOf(target)
  for (const shape of shapes) {
    const other = theirs.find(({ name }) => name === shape.name)
    const difference = other && Shapes.differenceOf(other, shape)
    if (difference !== undefined) return yield* refused("schema_differs", `The databases differ in ${difference}`)
  }
  return shapes
})

const begin = (target: CopyTarget, shapes: ReadonlyArray<Shapes.Shape>, identity: string) => {
  const { sql, naming } = target
  return sql.withTransaction(
    Effect.gen(function* () {
      yield* Ledger.make(target, identity)
      yield* checkEmpty(target)
      yield* Triggers.takeAway(target)
      for (const { name } of shapes) if (seeded.includes(name)) yield* sql`delete from ${tables(sql, naming)[name]}`
    })
  )
}

const copyTable = Effect.fnUntraced(function* (passage: Passage, known: Ledger.TableProgress | undefined) {
  const { source, target, shape, portions, tell } = passage
  const next = pages(portions)
  let before = known
  while (before?.done !== true) {
    const { after, rows } = before ?? Ledger.begun
    const limit = next()
    const found = yield* source.held(Pages.read(source, shape, { after, limit }))
    const last = found.at(-1)
    const progress = {
      after: last === undefined ? after : Pages.keyOf(shape, last),
      rows: rows + found.length,
      done: found.length < limit
    }
    const from = before
    yield* target.sql.withTransaction(
      Effect.andThen(Pages.insert(target, shape, found), Ledger.advance(target, shape.name, from, progress))
    )
    before = progress
    next(found)
    yield* tell(shape.name, found.length)
  }
})

const compareTable = Effect.fnUntraced(function* ({ source, target, shape, portions, tell }: Passage) {
  const next = pages(portions)
  const differences: Array<string> = []
  let after: Pages.Key | null = null
  for (let isLast = false; !isLast && differences.length < Comparison.maxDifferences; ) {
    const limit = next()
    const { rows, differences: more }: Comparison.Comparison = yield* Comparison.compare(source, target, shape, {
      after,
      limit
    })
    differences.push(...more)
    const last = rows.at(-1)
    if (last !== undefined) after = Pages.keyOf(shape, last)
    isLast = rows.length < limit
    next(rows)
    yield* tell(shape.name, rows.length)
  }
  const [ours, theirs] = [yield* source.held(Pages.count(source, shape.name)), yield* Pages.count(target, shape.name)]
  if (ours !== theirs && differences.length === 0) differences.push(`${shape.name}: ${theirs} rows in place of ${ours}`)
  if (differences.length > 0) return yield* refused("copy_differs", differences.join("\n"))
})

/** How many rows to read next; called with rows it hears what those were. */
const pages = ({ rows: most = 1000, size = 2_000_000 }: Portions) => {
  let limit = Math.min(64, most)
  return (rows?: ReadonlyArray<Pages.ExactRow>): number => {
    if (rows === undefined || rows.length === 0) return limit
    const average = Math.max(1, sum(rows.map(Pages.sizeOf)) / rows.length)
    limit = Math.max(1, Math.min(most, 2 * limit, Math.floor(size / average)))
    return limit
  }
}

/** Everything is copied: what the database does by itself goes on behind it. */
const settled = Effect.fnUntraced(function* (
  target: CopyTarget,
  shapes: ReadonlyArray<Shapes.Shape>,
  { triggers }: Ledger.Ledger
) {
  if (triggers.size === 0) return
  const { sql, naming } = target
  const all = tables(sql, naming)
  yield* sql.withTransaction(
    Effect.gen(function* () {
      for (const { name, counted } of shapes) {
        if (counted === undefined) continue
        const [quoted] = sql`${all[name]}`.compile(true)
        yield* sql`select setval(pg_get_serial_sequence(${quoted}, ${counted}),
          greatest((select coalesce(max(${sql(counted)}), 0) from ${all[name]}), 1))::text as next`
      }
      yield* Triggers.bringBack(target, { triggers })
    })
  )
  // The planner knows nothing of rows that came all at once.
  yield* sql.onDialectOrElse({
    pg: () => Effect.forEach(shapes, ({ name }) => sql`analyze ${all[name]}`, { discard: true }),
    orElse: () => Effect.void
  })
})

const sum = (numbers: Iterable<number>): number => Array.from(numbers).reduce((total, each) => total + each, 0)
