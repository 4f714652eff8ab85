/** Rows of which a statement wants few, said so that PostgreSQL plans it once. */
import type { SqlClient, Statement } from "effect/sql"

/** The first rows of a statement. */
export interface First {
  /** All rows, in their order. */
  readonly rows: Statement.Fragment
  /** The same order, by the names of the columns that `rows` answers. */
  readonly order: string
  readonly limit: number
  /** What `limit` is hardly ever above. With more, and always with 0, it is planned each time. */
  readonly most: number
}

/**
 * A statement that answers them. What a parameter of `limit` stands for, PostgreSQL knows only if it plans anew: else
 * it expects a tenth of all rows. With very many it therefore planned at each call, and planning took as long as
 * reading the rows. A number in the text tells it that there are few.
 */
export const first = (sql: SqlClient.SqlClient, { rows, order, limit, most }: First): Statement.Fragment => {
  const wanted = sql`limit cast(${limit} as bigint)`
  return sql.onDialectOrElse({
    pg: () =>
      limit > most
        ? sql`${rows} ${wanted}`
        : sql`select * from (${rows} limit ${sql.literal(String(most))}) as few
            order by ${sql.literal(order)} ${wanted}`,
    orElse: () => sql`${rows} ${wanted}`
  })
}
