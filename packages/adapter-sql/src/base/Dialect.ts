/** Everything in which the two databases differ. All other SQL of this package is one text for both. */
import { Effect, Option } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { unnested } from "./Arrays.ts"
import type { Columns, Stored, Values } from "./Columns.ts"
import { exactJson } from "./ExactJson.ts"
import { anyCase, containing } from "./SearchPart.ts"
import type { TableNaming } from "./Tables.ts"
import { inTransaction } from "./Transactions.ts"

/** A row of a batch: its values by column. */
export type SourceRow<C extends Columns> = { readonly [K in keyof C]: Stored }

/** Makes a table expression of a batch. */
export type Source<C extends Columns> = (rows: ReadonlyArray<SourceRow<C>>) => Statement.Fragment

/** Selects by the names of their results. */
export type Selects = Readonly<Record<string, Statement.Statement<object>>>

/** The rows of each select. */
export type RowsOf<S extends Selects> = {
  readonly [K in keyof S]: S[K] extends Statement.Statement<infer A> ? ReadonlyArray<A> : never
}

/** A table by its alias and the tuple of its key, and the keys of the rows to be joined. */
export interface JoinEach {
  readonly table: Statement.Identifier
  readonly alias: string
  readonly tuple: Statement.Fragment
  readonly rows: Statement.Fragment
}

type OneMoment<A, E, R> = Effect.Effect<A, E | SqlError.SqlError, R>

/** The fragments in which databases differ. */
export interface Dialect {
  /**
   * A batch as the table expression `alias`. The whole batch is one parameter, or one for each column, so a statement
   * has one text, whatever the number of rows, and stays prepared.
   */
  readonly source: <const C extends Columns>(alias: string, columns: C) => Source<C>
  /** The same of rows whose values are in the order of the columns. */
  readonly batch: (alias: string, columns: Columns) => (rows: ReadonlyArray<Values>) => Statement.Fragment
  /**
   * Inserts into a table, for use in a transaction. Rows that meet others are left out where `onConflict` says so.
   * Answers the ids of those that were written.
   */
  readonly insertion: (
    table: Statement.Identifier,
    columns: Columns,
    onConflict?: string
  ) => (rows: ReadonlyArray<Values>) => Effect.Effect<ReadonlySet<string>, SqlError.SqlError>
  /** Position of a text within another, 0 if it is not in it: `position(text, part)`. */
  readonly position: Statement.Fragment
  /** Whether `text` holds a part as it is, in a form that an index may answer. For `byKeys` see `SearchPart`. */
  readonly contains: (text: Statement.Fragment, part: string, way: { readonly byKeys: boolean }) => Statement.Fragment
  /** Whether `text` holds a part in any case. No index answers it: for the rows of one tenant. */
  readonly containsAnyCase: (text: Statement.Fragment, part: string) => Statement.Fragment
  /** A member of the JSON object in `column`, as text; null if there is none, or if the text is no JSON. */
  readonly member: (column: string, name: string) => Statement.Fragment
  /** Lets what reads in it see one state, whatever is written meanwhile. Of `kept` no part is dropped until its end. */
  readonly atOneMoment: <A, E, R>(self: Effect.Effect<A, E, R>, kept: Statement.Fragment) => OneMoment<A, E, R>
  /** Locks the rows of `alias` until the transaction ends. */
  readonly lockRows: (alias: string) => Statement.Fragment
  /** Keeps the rows of `alias` as they are until the transaction ends, for any number of transactions at once. */
  readonly shareRows: (alias: string) => Statement.Fragment
  /** Locks the rows of `alias`, leaving out those that another transaction has locked. */
  readonly lockFreeRows: (alias: string) => Statement.Fragment
  /**
   * Joins, for each row before it, the rows of a table whose keys a statement about that row answers. On PostgreSQL it
   * may lock them.
   */
  readonly joinEach: (join: JoinEach) => Statement.Fragment
  /** Lets no other transaction be between this and its end with the same name. */
  readonly lockName: (name: string) => Effect.Effect<void, SqlError.SqlError>
  /**
   * Runs a statement whose loss with the power is no harm, without waiting for the disk. It must have the condition
   * that it is built with. Not for use in a transaction. What is committed after it as usual is as durable as ever.
   */
  readonly unflushed: <A>(
    build: (condition: Statement.Fragment) => Effect.Effect<A, SqlError.SqlError>
  ) => Effect.Effect<A, SqlError.SqlError>
  /** Answers whole numbers that JavaScript cannot hold as `bigint`, where otherwise the statement could fail. */
  readonly exact: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Runs selects so that all of them see the tables as they were at one moment. Whole numbers are as exact as those of
   * one select: see `exact`.
   */
  readonly together: <S extends Selects>(selects: S) => Effect.Effect<RowsOf<S>, SqlError.SqlError>
  /**
   * Whether `column` is one of the few values that `select` answers, which may be about another row of the statement;
   * in the form that is answered by an index, whatever the database expects the number of values to be.
   */
  readonly isOneOf: (column: string, select: Statement.Fragment) => Statement.Fragment
  /** Whether a statement may write to several tables, through `with`. */
  readonly writesInWith: boolean
  /** Column type of texts, compared byte by byte. */
  readonly text: Statement.Fragment
  /** Table option: rows are kept in the order of the primary key, if the database can do so. */
  readonly clustered: Statement.Fragment
}

/** The dialect of the client's database. */
export const makeDialect = (sql: SqlClient.SqlClient, naming: TableNaming): Effect.Effect<Dialect, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.succeed(postgres(sql, naming)),
    orElse: () =>
      Effect.map(
        sql<Sqlite>`select sqlite_version() as version, synchronous from pragma_synchronous`,
        ([row = { version: "", synchronous: 2 }]) => sqlite(sql, row)
      )
  })

const sourceOf =
  (batch: Dialect["batch"]): Dialect["source"] =>
  (alias, columns) => {
    const names = Object.keys(columns)
    const made = batch(alias, columns)
    return (rows) => made(rows.map((row) => names.map((name) => row[name] ?? null)))
  }

const postgres = (sql: SqlClient.SqlClient, naming: TableNaming): Dialect => ({
  source: sourceOf(unnested(sql)),
  batch: unnested(sql),
  insertion: (table, columns, onConflict = "") => {
    const names = sql.literal(Object.keys(columns).join(", "))
    const batch = unnested(sql)("s", columns)
    return (rows) =>
      Effect.map(
        sql<{ readonly id: string }>`insert into ${table} (${names})
          select ${names} from ${batch(rows)} where true ${sql.literal(onConflict)} returning id`,
        (written) => new Set(written.map(({ id }) => id))
      )
  },
  position: sql.literal("strpos"),
  contains: containing(sql, naming),
  // A backslash before anything but a letter or digit makes it stand for itself.
  containsAnyCase: (text, part) => sql`${text} ~ ${anyCase(part, (one) => one.replace(/[!-/:-@[-`{-~]/, "\\$&"))}`,
  member: (column, name) =>
    sql.literal(`case when pg_input_is_valid(${column}, 'json') then ${column}::json ->> '${name}' end`),
  atOneMoment: (self, kept) =>
    Effect.gen(function* () {
      // Within a transaction of the caller's the caller has chosen what is seen.
      if (Option.isSome(yield* Effect.serviceOption(sql.transactionService))) return yield* self
      return yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`set transaction isolation level repeatable read, read only`
          yield* sql`lock table ${kept} in access share mode` // The next one chooses the moment: a drop is seen in all.
          yield* sql`select set_config('statement_timeout', '0', true), set_config('enable_seqscan', 'on', true)`
          return yield* self
        })
      )
    }),
  lockRows: (alias) => sql.literal(`for update of ${alias}`),
  shareRows: (alias) => sql.literal(`for share of ${alias}`),
  lockFreeRows: (alias) => sql.literal(`for update of ${alias} skip locked`),
  joinEach: ({ alias, rows }) => sql`cross join lateral (${rows}) as ${sql.literal(alias)}`,
  lockName: (name) => Effect.asVoid(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`),
  // Of an `in` it makes a filter of the whole table as soon as it expects many values, or cannot join them.
  isOneOf: (column, select) => sql`${sql.literal(column)} = any(array(${select}))`,
  // Its numbers come so in any case.
  exact: (self) => self,
  unflushed: (build) => build(sql.literal("(select set_config('synchronous_commit', 'off', true)) is not null")),
  // One statement has one snapshot, and takes one round trip. Whole numbers, texts and nulls come through unharmed.
  together: <S extends Selects>(selects: S) => {
    const columns = Object.entries(selects).map(
      ([name, select]) => sql`(select coalesce(json_agg(r), '[]')::text from (${select}) as r) as ${sql(name)}`
    )
    const all = sql<Record<keyof S, string>>`select ${sql.join(", ", false)(columns)}`
    return Effect.map(
      all,
      ([row]) => Object.fromEntries(Object.entries(row!).map(([name, text]) => [name, exactJson(text)])) as RowsOf<S>
    )
  },
  writesInWith: true,
  // The database's own collation is slower, may differ from SQLite's order, and mixes with no other.
  text: sql.literal(collatedText),
  clustered: sql.literal("")
})

const collatedText = `text collate "C"`

const arrays =
  (sql: SqlClient.SqlClient, version: string): Dialect["batch"] =>
  (alias, columns) => {
    const list = Object.keys(columns).map((name, position) => `value->>${position} as ${name}`)
    // json_each turns each row back to text, to be parsed again for every column: half as fast.
    const each = isAtLeast(version, 3, 51) ? "jsonb_each" : "json_each"
    const head = sql.literal(`(select ${list.join(", ")} from ${each}(`)
    const tail = sql.literal(`)) as ${alias}`)
    return (rows) => sql`${head}${JSON.stringify(rows)}${tail}`
  }

/** What SQLite says of itself: its version, and how it waits for the disk. */
interface Sqlite {
  readonly version: string
  readonly synchronous: number
}

// Differs by necessity from PostgreSQL: SQLite has no record sets, and one writer instead of row locks.
const sqlite = (sql: SqlClient.SqlClient, { version, synchronous }: Sqlite): Dialect => ({
  source: sourceOf(arrays(sql, version)),
  batch: arrays(sql, version),
  // A statement of many rows keeps what would undo it, page by page, and reads each value out of JSON: twice the work.
  insertion: (table, columns, onConflict = "") => {
    const names = Object.keys(columns)
    const values = names.map(() => "?").join(", ")
    const id = names.indexOf("id")
    const [text] =
      sql`insert into ${table} ${sql.literal(`(${names.join(", ")}) values (${values}) ${onConflict}`)}`.compile()
    return (rows) =>
      Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) => {
        const [connection] = Option.getOrThrow(transaction)
        const written = new Set<string>()
        const insert = (row: Values) =>
          Effect.map(connection.executeRaw(text, row), (result) => {
            if (isChange(result)) written.add(row[id] as string)
          })
        return Effect.as(Effect.forEach(rows, insert, { discard: true }), written)
      })
  },
  position: sql.literal("instr"),
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  containsAnyCase: (text, part) =>
    sql`${text} glob ${`*${anyCase(part, (one) => (/[*?[]/.test(one) ? `[${one}]` : one))}*`}`,
  member: (column, name) =>
    sql.literal(`case when json_valid(${column}) then cast(${column} ->> '${name}' as text) end`),
  // Each statement sees one state by itself. A transaction would keep others from the only connection for all the time.
  atOneMoment: (self) => self,
  lockRows: () => sql.literal(""),
  shareRows: () => sql.literal(""),
  lockFreeRows: () => sql.literal(""),
  // It knows no lateral join.
  joinEach: ({ table, alias, tuple, rows }) => sql`cross join ${table} ${sql.literal(alias)} on ${tuple} in (${rows})`,
  lockName: () => Effect.void,
  isOneOf: (column, select) => sql`${sql.literal(column)} in (${select})`,
  unflushed: (build) =>
    Effect.scoped(
      Effect.gen(function* () {
        // The connection is ours alone meanwhile, so only we commit with this setting.
        const connection = yield* sql.reserve
        const set = (level: number) => connection.execute(`pragma synchronous = ${level}`, [], undefined)
        yield* Effect.acquireRelease(set(Math.min(normal, synchronous)), () => Effect.orDie(set(synchronous)))
        return yield* Effect.provideService(build(sql.literal("true")), sql.transactionService, [connection, 0])
      })
    ),
  exact: (self) => Effect.map(Effect.provideService(self, SqlClient.SafeIntegers, true), narrowed),
  // There are no round trips to save, and no JSON of rows whose columns are not named. Deferred, it waits for no other
  // process that writes.
  together: <S extends Selects>(selects: S) =>
    Effect.provideService(
      inTransaction(sql, Effect.all(selects as Selects) as Effect.Effect<RowsOf<S>, SqlError.SqlError>),
      SqlClient.BeginTransaction,
      "BEGIN"
    ),
  writesInWith: false,
  text: sql.literal("text"),
  clustered: sql.literal("without rowid")
})

/** The level at which a commit does not wait for the disk. */
const normal = 1

/** Whether a statement has changed a row, as `node:sqlite` answers it. */
const isChange = (result: unknown): boolean =>
  typeof result === "object" && result !== null && "changes" in result && Number(result.changes) > 0

/** The same rows with numbers in place of every `bigint` that is a safe integer. */
const narrowed = <A>(value: A): A => {
  if (typeof value !== "object" || value === null) return value
  const members = value as Record<string, unknown>
  for (const [name, member] of Object.entries(members)) {
    if (typeof member === "object") narrowed(member)
    else if (typeof member === "bigint" && Number.isSafeInteger(Number(member))) members[name] = Number(member)
  }
  return value
}

const isAtLeast = (version: string, major: number, minor: number): boolean => {
  const [ours = 0, theirs = 0] = version.split(".").map(Number)
  return ours > major || (ours === major && theirs >= minor)
}
