/** What reports tell of deliveries: those of an invoice, and those of a time. */
import type { ReportStore } from "@tolem/core/cabinet/ReportStore"
import type { Database } from "../base/Database.ts"
import { type DeliveryRow, deliveryTable } from "../webhook/DeliveryRow.ts"

type Verbs = ReportStore["Service"]

/** The verbs over this database. */
export const deliveries = ({
  sql,
  tables,
  all
}: Database["Service"]): Pick<Verbs, "deliveriesOf" | "deliveriesIn"> => ({
  deliveriesOf: ({ organizationId, invoiceId }, limit) =>
    all(
      "ReportStore.deliveriesOf",
      // Both modes have an index of theirs.
      sql<DeliveryRow>`
        select d.* from (
          select d.id from ${tables.deliveries} d where d.invoice_id = ${invoiceId} and d.mode = 'live'
          union all
          select d.id from ${tables.deliveries} d where d.invoice_id = ${invoiceId} and d.mode = 'sandbox'
        ) as part
        join ${tables.deliveries} d on d.id = part.id
        where d.organization_id = ${organizationId}
        order by d.created_at, d.id limit cast(${limit} as bigint)`,
      deliveryTable.decode
    ),
  deliveriesIn: ({ organizationId, mode }, { endpointId, isFailedOnly, from, to, after, limit }) => {
    // By the index of invoices of the mode, which names it as it is: an event has few deliveries there.
    const siblings = sql`
      select 1 from ${tables.deliveries} e
      where e.invoice_id = d.invoice_id and e.mode = ${sql.literal(mode === "live" ? "'live'" : "'sandbox'")}
        and coalesce(e.endpoint_id, '') = d.endpoint_id and e.event_id = d.event_id`
    const isEarlier = sql`
      coalesce(e.created_at, 0) >= cast(${from} as bigint)
        and (e.created_at < d.created_at or (e.created_at = d.created_at and e.id < d.id))`
    const conditions = [
      sql`d.endpoint_id = ${endpointId}`,
      ...(isFailedOnly ? [sql`d.status = 'failed'`] : []),
      sql`d.created_at >= cast(${after?.createdAt ?? from} as bigint)`,
      sql`d.created_at <= cast(${to} as bigint)`,
      sql`d.organization_id = ${organizationId}`,
      sql`d.mode = ${mode}`,
      sql`d.kind <> 'webhook.test'`,
      ...(after === null ? [] : [sql`(d.created_at > cast(${after.createdAt} as bigint) or d.id > ${after.id})`]),
      ...(isFailedOnly ? [sql`not exists (${siblings} and coalesce(e.status, '') <> 'failed')`] : []),
      sql`not exists (${siblings} and ${isEarlier})`
    ]
    return all(
      "ReportStore.deliveriesIn",
      sql<DeliveryRow>`
        select d.* from ${tables.deliveries} d where ${sql.and(conditions)}
        order by d.created_at, d.id limit cast(${limit} as bigint)`,
      deliveryTable.decode
    )
  }
})
