/** Rows in the order of their keys, exactly as they are: whole numbers of any size, texts with any character. */
import { Effect, Option } from "effect"
import { Hex } from "effect/encoding"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { unnested } from "../base/Arrays.ts"
import type { Stored } from "../base/Columns.ts"
import { tables } from "../base/Tables.ts"
import type { Shape } from "./Shapes.ts"
import { type CopyRefused, refused, type Side } from "./Sides.ts"

/** A row in the order of the columns of its table. Whole numbers are in digits. */
export type ExactRow = ReadonlyArray<string | null>

/** A key, in the order of its columns. Whole numbers are in digits. */
export type Key = ReadonlyArray<string>

/** Which rows of a table. */
export interface Range {
  /** Behind this key; null: from the first row on. */
  readonly after: Key | null
  /** Up to this key; null: to the last row. */
  readonly to?: Key | null
  /** No more than so many. */
  readonly limit: number
}

/** The rows of a range. Fails if a value is none of its column. */
export const read = (
  side: Side,
  shape: Shape,
  { after, to = null, limit }: Range
): Effect.Effect<ReadonlyArray<ExactRow>, SqlError.SqlError | CopyRefused> =>
  Effect.gen(function* () {
    const { sql, naming } = side
    const names = sql.literal(Object.keys(shape.columns).join(", "))
    const tuple = sql.literal(`(${shape.key.join(", ")})`)
    const from = after === null ? sql.literal("true") : sql`${tuple} > ${keyTuple(side, shape, after)}`
    const until = to === null ? sql.literal("true") : sql`${tuple} <= ${keyTuple(side, shape, to)}`
    const select = sql`select ${names} from ${tables(sql, naming)[shape.name]} where ${from} and ${until}
      order by ${sql.literal(shape.key.join(", "))} limit cast(${limit} as bigint)`
    const found = yield* Effect.provideService(select.values, SqlClient.SafeIntegers, true)
    const rows: Array<ExactRow> = []
    for (const values of found) rows.push(yield* exact(side, shape, values))
    return rows
  })

const keyTuple = ({ sql }: Side, { key, columns }: Shape, values: Key): Statement.Fragment => {
  const parts = key.map((name, index) =>
    columns[name] === "bigint"
      ? sql`cast(cast(${values[index]} as text) as bigint)`
      : sql`cast(${values[index]} as text)`
  )
  return sql`(${sql.join(", ", false)(parts)})`
}

/** The key of a row. */
export const keyOf = ({ key, columns }: Shape, row: ExactRow): Key => {
  const names = Object.keys(columns)
  return key.map((name) => row[names.indexOf(name)] ?? "")
}

/** How a row is called where people read of it. */
export const called = ({ name }: Pick<Shape, "name">, key: ReadonlyArray<unknown>): string =>
  `${name} ${key.map(String).join(" ")}`

const exact = Effect.fnUntraced(function* (side: Side, shape: Shape, values: ReadonlyArray<unknown>) {
  const names = Object.keys(shape.columns)
  const row: Array<string | null> = []
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? null
    const text = shape.columns[name] === "text" ? textOf(value) : digitsOf(value)
    if (text === undefined) {
      const key = shape.key.map((part) => values[names.indexOf(part)])
      const message = `Column ${name} of ${called(shape, key)} holds what is no ${shape.columns[name]}`
      return yield* refused("value_unfit", message)
    }
    row.push(text)
  }
  if (row.some((text) => text?.includes(replacement))) yield* checkBytes(side, shape, row)
  return row
})

const textOf = (value: unknown): string | null | undefined =>
  value === null || typeof value === "string" ? value : undefined

const digitsOf = (value: unknown): string | null | undefined => {
  if (value === null) return null
  return typeof value === "bigint" || Number.isSafeInteger(value) ? String(value) : undefined
}

/** What stands for bytes that are no UTF-8, when it is not meant itself. */
const replacement = "\uFFFD"

// PostgreSQL refuses such bytes; SQLite keeps any, and the driver answers another text for them.
const checkBytes = Effect.fnUntraced(function* (side: Side, shape: Shape, row: ExactRow) {
  const { sql, naming } = side
  const isAny = sql.onDialectOrElse({ pg: () => false, orElse: () => true })
  if (!isAny) return
  const key = keyOf(shape, row)
  for (const [index, name] of Object.keys(shape.columns).entries()) {
    const text = row[index]
    if (!text?.includes(replacement)) continue
    const [stored] = yield* sql<{ readonly bytes: string }>`
      select hex(${sql(name)}) as bytes from ${tables(sql, naming)[shape.name]}
      where (${sql.literal(shape.key.join(", "))}) = ${keyTuple(side, shape, key)}`
    if (stored?.bytes.toLowerCase() === Hex.encode(text)) continue
    return yield* refused("value_unfit", `Column ${name} of ${called(shape, key)} holds bytes that are no text`)
  }
})

/** Inserts rows, for use in a transaction. Fails if the database cannot keep a value. */
export const insert = (
  side: Side,
  shape: Shape,
  rows: ReadonlyArray<ExactRow>
): Effect.Effect<void, SqlError.SqlError | CopyRefused> =>
  Effect.gen(function* () {
    if (rows.length === 0) return
    const { sql, naming } = side
    const columns = Object.entries(shape.columns)
    const table = tables(sql, naming)[shape.name]
    const list = columns.map(([name]) => name).join(", ")
    const unkept = sql.onDialectOrElse({
      pg: () => rows.find((row) => row.some((text) => text?.includes("\0"))),
      orElse: () => undefined
    })
    if (unkept !== undefined) {
      const what = called(shape, keyOf(shape, unkept))
      return yield* refused("value_unfit", `${what} has a NUL character, which PostgreSQL cannot keep`)
    }
    yield* sql.onDialectOrElse({
      pg: () => sql`
        insert into ${table} (${sql.literal(list)}) select ${sql.literal(list)}
        from ${unnested(sql)("s", shape.columns)(rows)}`,
      // Bound one by one: a text in JSON would end at a NUL.
      orElse: () => {
        const places = columns.map(() => "?").join(", ")
        const [statement] = sql`insert into ${table} ${sql.literal(`(${list}) values (${places})`)}`.compile()
        return Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) => {
          const [connection] = Option.getOrThrow(transaction)
          const values = (row: ExactRow) => row.map((text, index) => bound(text, columns[index]?.[1]))
          return Effect.forEach(rows, (row) => connection.executeRaw(statement, values(row)), { discard: true })
        })
      }
    })
  })

const bound = (text: string | null, type: "text" | "bigint" | undefined): Stored | bigint =>
  text !== null && type === "bigint" ? BigInt(text) : text

/** How much text a row is. */
export const sizeOf = (row: ExactRow): number => row.reduce((sum, text) => sum + (text?.length ?? 0), 0)

/** How many rows there are. */
export const count = ({ sql, naming }: Side, name: Shape["name"]): Effect.Effect<number, SqlError.SqlError> =>
  Effect.map(
    sql<{ readonly n: number }>`select count(*) as n from ${tables(sql, naming)[name]}`,
    ([row]) => row?.n ?? 0
  )
