/** Rows that a statement looks up one by one, whatever the planner expects them to be. */
import type { SqlClient, Statement } from "effect/sql"

/** What is looked up for each row before it. */
export interface Lookup {
  readonly table: Statement.Identifier
  readonly alias: string
  /** About the row before it, answered by an index. */
  readonly condition: Statement.Fragment
}

/**
 * Joins, for each row before it, the rows of a table that meet the condition. An inner join leaves it to the planner
 * where to begin, and of a table that has filled since it was last looked at PostgreSQL expects hardly a row: it begins
 * with all of it, and keeps that plan.
 */
export const joinLookedUp = (sql: SqlClient.SqlClient, { table, alias, condition }: Lookup): Statement.Fragment => {
  const name = sql.literal(alias)
  return sql.onDialectOrElse({
    // The offset keeps the planner from making one join of it.
    pg: () => sql`cross join lateral (select ${name}.* from ${table} ${name} where ${condition} offset 0) as ${name}`,
    orElse: () => sql`cross join ${table} ${name} on ${condition}`
  })
}
