/** What has moved here: payments and refunds of a cashier by their instants, and invoices that are named. */
import type { OwnOperation } from "@tolem/core/reconciliation/Comparison"
import type { KnownInvoice } from "@tolem/core/reconciliation/Differences"
import type { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { Effect } from "effect"
import type { Database } from "../base/Database.ts"

type Verbs = Pick<ReconciliationStore["Service"], "own" | "known">

interface OwnRow {
  readonly kind: OwnOperation["kind"]
  readonly id: string
  readonly invoice_id: string
  readonly reference: string | null
  readonly payment: string | null
  readonly amount: OwnOperation["amount"]
  readonly at: number
}

interface KnownRow {
  readonly id: string
  readonly connection_id: string | null
  readonly status: KnownInvoice["status"]
  readonly amount: KnownInvoice["amount"]
  readonly provider_reference: string | null
  readonly paid_at: number | null
}

interface KnownRefundRow {
  readonly id: string
  readonly invoice_id: string
  readonly status: KnownInvoice["refunds"][number]["status"]
  readonly amount: KnownInvoice["amount"]
  readonly provider_reference: string | null
}

/** The reads over this database. */
export const ownOperations = ({ sql, dialect, tables, all }: Database["Service"]): Verbs => {
  const { invoices, refunds } = tables
  const texts = dialect.source("s", { name: "text" })
  const named = (names: ReadonlyArray<string>) => sql`select s.name from ${texts(names.map((name) => ({ name })))}`

  // Each part by itself, so that its index is read in order and no further than needed.
  const own: Verbs["own"] = ({ organizationId, connectionId, from, until, after, limit }) => {
    const [at, id] = after === null ? [from, ""] : [after.at, after.id]
    const span = (column: string, key: string) => sql`
      (${sql.literal(column)}, ${sql.literal(key)}) > (cast(${at} as bigint), ${id})
      and ${sql.literal(column)} < cast(${until} as bigint)`
    const tail = (column: string, key: string) =>
      sql`order by ${sql.literal(column)}, ${sql.literal(key)} limit cast(${limit} as bigint)`
    const select = sql<OwnRow>`
      select moved.* from (
        select * from (
          select 'payment' as kind, i.id, i.id as invoice_id, i.provider_reference as reference,
            i.provider_reference as payment, i.amount, i.paid_at as at
          from ${invoices} i
          where i.organization_id = ${organizationId} and i.connection_id = ${connectionId}
            and i.mode = 'live' and i.paid_at is not null and ${span("i.paid_at", "i.id")}
          ${tail("i.paid_at", "i.id")}
        ) as paid
        union all
        select * from (
          select 'refund' as kind, r.id, r.invoice_id, r.provider_reference as reference,
            i.provider_reference as payment, r.amount, r.completed_at as at
          from ${refunds} r join ${invoices} i on i.id = r.invoice_id
          where r.organization_id = ${organizationId} and r.status = 'succeeded'
            and i.mode = 'live' and i.connection_id = ${connectionId} and ${span("r.completed_at", "r.id")}
          ${tail("r.completed_at", "r.id")}
        ) as given
      ) as moved order by moved.at, moved.id limit cast(${limit} as bigint)`
    return all("ReconciliationStore.own", select, ({ invoice_id: invoiceId, ...row }) => ({ ...row, invoiceId }))
  }

  const known: Verbs["known"] = Effect.fnUntraced(function* (query) {
    const { organizationId, connectionId, from, until, invoiceIds, refundIds, references } = query
    const ofOrganization = sql`i.organization_id = ${organizationId} and i.mode = 'live'`
    const found = yield* all(
      "ReconciliationStore.known",
      sql<KnownRow>`
        select i.id, i.connection_id, i.status, i.amount, i.provider_reference, i.paid_at from ${invoices} i
        where ${ofOrganization} and (i.id in (${named(invoiceIds)}) or i.id in (
          select r.invoice_id from ${refunds} r
          where r.organization_id = ${organizationId} and r.id in (${named(refundIds)})
        ))
        union
        select i.id, i.connection_id, i.status, i.amount, i.provider_reference, i.paid_at from ${invoices} i
        where ${ofOrganization} and i.connection_id = ${connectionId}
          and i.created_at >= cast(${from} as bigint) and i.created_at < cast(${until} as bigint)
          and i.provider_reference in (${named(references)})`,
      (row) => row
    )
    const ids = found.map(({ id }) => id)
    const made = yield* all(
      "ReconciliationStore.known",
      sql<KnownRefundRow>`
        select r.id, r.invoice_id, r.status, r.amount, r.provider_reference from ${refunds} r
        where r.organization_id = ${organizationId} and r.invoice_id in (${named(ids)})
        order by r.created_at, r.id`,
      (row) => row
    )
    const byInvoice = Map.groupBy(made, (row) => row.invoice_id)
    return found.map(
      (row): KnownInvoice => ({
        id: row.id,
        connectionId: row.connection_id,
        status: row.status,
        amount: row.amount,
        providerReference: row.provider_reference,
        paidAt: row.paid_at,
        refunds: (byInvoice.get(row.id) ?? []).map(({ id, status, amount, provider_reference: providerReference }) => ({
          id,
          status,
          amount,
          providerReference
        }))
      })
    )
  })

  return { own, known }
}
