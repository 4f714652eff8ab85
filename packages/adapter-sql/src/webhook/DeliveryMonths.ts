/** Deliveries by the month of their end, as PostgreSQL keeps them; elsewhere they are one table: see step 104. */
import type { Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { qualifiedIndex } from "../base/Tables.ts"

/** The month of an instant by which deliveries are kept, in UTC: 202701 is January 2027. */
export const monthOf = (at: number | null): number | null => {
  if (at === null) return null
  const date = new Date(at)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

/** The parts of statements about months. */
export const make = ({ sql, tables, naming }: Database["Service"]) => {
  /**
   * Of `d` where it is known to be on its way: that no month has to be looked into. That it is pending is not said:
   * there are indexes of all that are, which would be read as well.
   */
  const inNoMonth = sql.onDialectOrElse({ pg: () => sql` and d.ended_month is null`, orElse: () => sql`` })
  return {
    inNoMonth,

    /**
     * The same, and that each is looked up by its id, which `d` is joined by, and `ids` selects. The part of those on
     * their way is often nearly empty when the planner is told of its size, so that it would read all of it.
     */
    lookedUp: (ids: Statement.Fragment): Statement.Fragment =>
      sql.onDialectOrElse({ pg: () => sql`${inNoMonth} and d.id = any(array(${ids}))`, orElse: () => sql`` }),

    /** Of an update that ends deliveries: what moves them into a month, if that is not null. */
    moved: (month: Statement.Fragment): Statement.Fragment =>
      sql.onDialectOrElse({ pg: () => sql`, ended_month = ${month}`, orElse: () => sql`` }),

    /** The tables from which deliveries go one by one: all but the months, which are dropped with those in them. */
    outside: sql.onDialectOrElse({
      pg: () => ["current", "default"].map((part) => qualifiedIndex(sql, naming, `deliveries_${part}`)),
      orElse: () => [tables.deliveries]
    })
  }
}
