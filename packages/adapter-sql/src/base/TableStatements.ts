/** The parts of statements that name all columns of a table. */
import type { Statement } from "effect/sql"
import type { Database } from "./Database.ts"
import type { Table } from "./Table.ts"

/** The parts over this database. */
export const make = <V, W, R>({ sql, dialect, tables }: Database["Service"], table: Table<V, W, R>) => {
  const into = tables[table.name]
  const order = Object.entries(table.columns)
  const changing = Object.keys(table.changing)
  const names = sql.literal(order.map(([name]) => name).join(", "))
  const source = dialect.batch("s", table.columns)
  const batch = (values: ReadonlyArray<W>) => source(values.map(table.values))
  const list = sql.join(", ", false)
  return {
    /** The columns that are written. */
    names,
    /** Values as the table expression `s`. */
    batch,
    /** Inserts one value; `tail` stands at the end. */
    insert: (value: W, tail = "") => sql<R & object>`
      insert into ${into} (${names}) values (${list(table.values(value).map((stored) => sql`${stored}`))})
      ${sql.literal(tail)}`,
    /** Inserts any number; `tail` stands at the end, with `on conflict` or `returning`. */
    insertAll: (values: ReadonlyArray<W>, tail = "") => sql<R & object>`
      insert into ${into} (${names}) select ${names} from ${batch(values)} where true ${sql.literal(tail)}`,
    /** What a change assigns: the columns that it may alter. */
    set: (value: W): Statement.Fragment => {
      const stored = table.values(value)
      const assigned = order.flatMap(([name, type], index) => {
        if (!changing.includes(name)) return []
        const value = type === "text" ? sql`${stored[index]}` : sql`cast(${stored[index]} as bigint)`
        return [sql`${sql.literal(name)} = ${value}`]
      })
      return list(assigned)
    },
    /** The same from the table expression `s`. */
    setFromBatch: sql.literal(changing.map((name) => `${name} = s.${name}`).join(", ")),
    /** The same from what an insert meets, as a part of its `tail`. */
    changes: changing.map((name) => `${name} = excluded.${name}`).join(", ")
  }
}
