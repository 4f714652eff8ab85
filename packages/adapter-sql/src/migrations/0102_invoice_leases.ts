/** Which agent has which invoice: beside the invoices, whose rows have many indexes. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/**
 * Adds the table. Servers of the version before lease by moving `due_at`, and a lease in the table counts no longer
 * then: an invoice may be looked at twice while both run, and is changed once.
 */
export const createInvoiceLeases: Step = (sql, { text }, naming) => {
  const { invoice_leases: leases } = tables(sql, naming)
  const statements = [
    sql`create table ${leases} (
      id ${text} not null primary key,
      due_at bigint not null,
      until bigint not null
    )`,
    sql`create index ${index(sql, naming, "invoice_leases_until")} on ${leases} (until)`,
    ...sql.onDialectOrElse({
      pg: () => [
        sql`alter table ${leases} set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)`
      ],
      orElse: () => []
    })
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
