/** The tables as the database itself describes them, so that a copy leaves nothing out that a migration has added. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Columns } from "../base/Columns.ts"
import { migrationsTable, names, type TableName, tableName, tables } from "../base/Tables.ts"
import { type CopyRefused, refused, type Side } from "./Sides.ts"

/** A table. */
export interface Shape {
  readonly name: TableName
  /** By name. */
  readonly columns: Columns
  /** The columns of the primary key in their order. */
  readonly key: ReadonlyArray<string>
  /** The tables that its foreign keys name. */
  readonly parents: ReadonlyArray<TableName>
  /** A column whose values the database counts; PostgreSQL only. */
  readonly counted: string | undefined
}

/** Columns by which a database chooses the part of a table in which it keeps a row: they tell nothing of the row. */
const placing = ["placed_at"]

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly counted: number
}

/** The tables of a database, each behind those that its foreign keys name. Fails if a table cannot be copied. */
export const shapesOf = (side: Side): Effect.Effect<ReadonlyArray<Shape>, SqlError.SqlError | CopyRefused> =>
  Effect.map(
    Effect.forEach(names, (name) => shapeOf(side, name)),
    inOrder
  )

const shapeOf = Effect.fnUntraced(function* (side: Side, name: TableName) {
  const { columns, key, parents } = readings(side, name)
  const found = yield* columns
  const wrong = found.find(({ type }) => type !== "text" && type !== "bigint")
  if (wrong !== undefined)
    return yield* refused("schema_differs", `Column ${wrong.name} of ${name} is of type ${wrong.type}`)
  const keys = (yield* key).map((row) => row.name)
  if (keys.length === 0) return yield* refused("schema_differs", `There is no table ${name} with a primary key`)
  const tables = (yield* parents).map((row) => ownName(side, row.name)).filter((each) => each !== undefined)
  return {
    name,
    columns: Object.fromEntries(found.map((row) => [row.name, row.type])) as Columns,
    key: keys,
    parents: tables.filter((parent) => parent !== name),
    counted: found.find(({ counted }) => counted === 1)?.name
  } satisfies Shape
})

// Differs by necessity: each database describes itself in tables of its own.
const readings = ({ sql, naming }: Side, name: TableName) => {
  const [quoted] = sql`${tables(sql, naming)[name]}`.compile(true)
  const plain = tableName(naming, name)
  type Named = { readonly name: string }
  return sql.onDialectOrElse({
    pg: () => ({
      columns: sql<ColumnRow>`
        select attname::text as name, format_type(atttypid, atttypmod) as type,
          case when attidentity = '' then 0 else 1 end as counted
        from pg_attribute where attrelid = to_regclass(${quoted}) and attnum > 0 and not attisdropped
          and attname not in ${sql.in(placing)} order by attnum`,
      // Of a table in parts each has the key.
      key: sql<Named>`
        select a.attname::text as name
        from pg_index x
        cross join lateral unnest(x.indkey::int2[]) with ordinality as k(number, place)
        join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number
        where x.indisprimary and x.indrelid = coalesce(
          (select min(inhrelid::oid) from pg_inherits where inhparent = to_regclass(${quoted})), to_regclass(${quoted}))
        order by k.place`,
      parents: sql<Named>`
        select p.relname::text as name from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = to_regclass(${quoted})`
    }),
    orElse: () => ({
      columns: sql<ColumnRow>`select name, lower(type) as type, 0 as counted from pragma_table_info(${plain})`,
      key: sql<Named>`select name from pragma_table_info(${plain}) where pk > 0 order by pk`,
      parents: sql<Named>`select "table" as name from pragma_foreign_key_list(${plain})`
    })
  })
}

const ownName = ({ naming }: Side, found: string): TableName | undefined =>
  names.find((name) => tableName({ ...naming, schema: undefined }, name) === found)

/** Parents first. The order of the list stays where nothing speaks against it. */
const inOrder = (shapes: ReadonlyArray<Shape>): ReadonlyArray<Shape> => {
  const ordered: Array<Shape> = []
  const visit = (shape: Shape): void => {
    if (ordered.includes(shape)) return
    for (const parent of shapes.filter(({ name }) => shape.parents.includes(name))) visit(parent)
    ordered.push(shape)
  }
  for (const shape of shapes) visit(shape)
  return ordered
}

/** The steps of the schema that a database has, by number. */
export const stepsOf = ({ sql, naming }: Side): Effect.Effect<ReadonlyArray<number>, SqlError.SqlError> =>
  Effect.map(
    sql<{ readonly id: number }>`select migration_id as id from ${sql(migrationsTable(naming))} order by migration_id`,
    (rows) => rows.map(({ id }) => id)
  )

/** What is different between two tables of one name, if anything. */
export const differenceOf = (one: Shape, other: Shape): string | undefined => {
  const unlike = [...Object.keys(one.columns), ...Object.keys(other.columns)].find(
    (name) => one.columns[name] !== other.columns[name]
  )
  if (unlike !== undefined) return `column ${unlike} of ${one.name}`
  return one.key.join() === other.key.join() ? undefined : `the primary key of ${one.name}`
}
