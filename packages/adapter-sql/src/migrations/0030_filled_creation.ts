/**
 * Fills in what servers from before `0012_creation` left empty while they were replaced. Nothing is guessed from then
 * on: what is null in a row that is sealed since, which only its key could seal anew, means what `InvoiceRow` says.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type TableNaming, tables } from "../base/Tables.ts"

/** Gives the rows without a seal their origins, their stages and the days on which they count. */
export const fillCreation = (sql: SqlClient.SqlClient, naming: TableNaming): Effect.Effect<void, SqlError.SqlError> =>
  fill(sql, naming, sql.literal(""))

/**
 * The same before the step, each so many rows at once: who repeats a request waits for the row that it made, and who
 * changes an invoice for its own, until a change of all of them would end.
 */
export const fillInPortions = (
  sql: SqlClient.SqlClient,
  naming: TableNaming,
  size = 2_000
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { invoices } = tables(sql, naming)
    for (let last = ""; ; ) {
      const [end] = yield* sql<{ readonly id: string | null }>`select max(id) as id
        from (select id from ${invoices} where id > ${last} order by id limit ${sql.literal(String(size))}) as portion`
      if (typeof end?.id !== "string") return
      yield* sql.withTransaction(fill(sql, naming, sql`id > ${last} and id <= ${end.id} and `))
      last = end.id
    }
  })

const fill = (sql: SqlClient.SqlClient, naming: TableNaming, among: Statement.Fragment) => {
  const { invoices } = tables(sql, naming)
  const without = (column: string) => sql`${among}${sql.literal(`seal is null and ${column} is null`)}`
  const statements = [
    // The key was the origin, and after it, where there may be any number of invoices, the invoice's own id.
    sql`update ${invoices} set origin = idempotency_key
      where ${without("origin")} and fingerprint is null and idempotency_key like 'subscription/%'
        and not exists (select 1 from ${invoices} o where o.origin = ${invoices}.idempotency_key)`,
    sql`update ${invoices} set origin = substr(idempotency_key, 1, length(idempotency_key) - 31)
      where ${without("origin")} and fingerprint is null
        and (idempotency_key like 'payment-link/%/inv_%' or idempotency_key like 'form-hook/%/inv_%')`,
    sql`update ${invoices} set making = case when status <> 'new' or provider_reference is not null then 'made'
        when due_at is null then 'waits' else 'asked' end
      where ${without("making")}`,
    sql`update ${invoices} set counted_on = case when mode = 'live' then day else '' end
      where ${without("counted_on")}`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
