/** Deliveries by the month of their end, as PostgreSQL keeps them; elsewhere they are one table: see step 104. */
import type { Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { qualifiedIndex } from "../base/Tables.ts"

/** The parts of statements about months. */
export const make = ({ sql, tables, naming }: Database["Service"]) => {
  const monthOf = (at: Statement.Fragment) => {
    const part = (name: string) =>
      sql`cast(extract(${sql.literal(name)} from to_timestamp(${at} / 1000.0) at time zone 'UTC') as bigint)`
    return sql`${part("year")} * 100 + ${part("month")}`
  }
  return {
    /** Of an update that ends deliveries: what moves them into the month of the instant, if it is not null. */
    moved: (at: Statement.Fragment): Statement.Fragment =>
      sql.onDialectOrElse({ pg: () => sql`, ended_month = ${monthOf(at)}`, orElse: () => sql`` }),

    /**
     * Of a look for deliveries by their ids: that no month has to be looked into. The status would tell that, too, but
     * has indexes of its own, of all that is pending, which are then read as well.
     */
    underway: (alias: string): Statement.Fragment =>
      sql.onDialectOrElse({ pg: () => sql.literal(` and ${alias}.ended_month is null`), orElse: () => sql`` }),

    /** The tables from which deliveries go one by one: all but the months, which are dropped with those in them. */
    outside: sql.onDialectOrElse({
      pg: () => ["current", "default"].map((part) => qualifiedIndex(sql, naming, `deliveries_${part}`)),
      orElse: () => [tables.deliveries]
    })
  }
}
