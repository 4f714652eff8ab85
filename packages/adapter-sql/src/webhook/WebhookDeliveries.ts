/** `WebhookStore`'s verbs about the delivery log. */

import type { DeliveryId, EndpointId } from "@tolem/core/value/Ids"
import type { Delivery } from "@tolem/core/webhook/Webhook"
import type { DeliveryQuery, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { type AttemptRow, attemptTable, type DeliveryRow, deliveryTable } from "./DeliveryRow.ts"

type Verbs = Pick<WebhookStore["Service"], "addDelivery" | "deliveries" | "delivery">

/** The verbs over this database. */
export const make = (database: Database["Service"]): Verbs => {
  const { sql, dialect, tables, statement, snapshot } = database
  const { names, batch } = TableStatements.make(database, deliveryTable)

  // Indexes of a part of the rows are used where the statement itself has the status.
  const isIn: Readonly<Record<Delivery["status"], Statement.Fragment>> = {
    pending: sql`status = 'pending'`,
    delivered: sql`status = 'delivered'`,
    failed: sql`status = 'failed'`
  }

  const addDelivery = (delivery: Delivery) => {
    // Endpoint and invoice are held until the delivery is written: what removes them would miss one that is not there.
    const insert = sql`
      insert into ${tables.deliveries} (${names}) select ${names} from ${batch([delivery])}
      where exists (
        select 1 from ${tables.endpoints} d
        where d.id = s.endpoint_id and d.removed_at is null ${dialect.shareRows("d")})
      and (s.kind = 'webhook.test' or exists (
        select 1 from ${tables.events} e join ${tables.invoices} i on i.id = e.invoice_id
        where e.invoice_id = s.invoice_id and e.sequence = s.sequence and e.id = s.event_id ${dialect.shareRows("i")}))
      returning id`
    const added = statement("WebhookStore.addDelivery", insert, { writes: true })
    return Effect.map(added, (rows) => rows.length > 0)
  }

  const deliveries = Effect.fnUntraced(function* (query: DeliveryQuery) {
    const ofEndpoint = sql`endpoint_id = ${query.endpointId}`
    const matching = query.status === null ? ofEndpoint : sql`${ofEndpoint} and ${isIn[query.status]}`
    const { counted, page } = yield* snapshot("WebhookStore.deliveries", {
      counted: sql<{ readonly total: number }>`
        select count(*) as total from ${tables.deliveries} where ${matching}`,
      page: sql<DeliveryRow>`
        select * from ${tables.deliveries} where ${matching} order by created_at desc, id desc
        limit cast(${query.limit} as bigint) offset cast(${query.offset} as bigint)`
    })
    return { total: counted[0]?.total ?? 0, deliveries: page.map(deliveryTable.decode) }
  })

  const delivery = Effect.fnUntraced(function* (endpointId: EndpointId, id: DeliveryId) {
    const { deliveries, attempts } = yield* snapshot("WebhookStore.delivery", {
      deliveries: sql<DeliveryRow>`
        select * from ${tables.deliveries} where id = ${id} and endpoint_id = ${endpointId}`,
      attempts: sql<AttemptRow>`
        select * from ${tables.attempts} where delivery_id = ${id} order by number`
    })
    return Option.map(Option.fromUndefinedOr(deliveries[0]), (row) => ({
      delivery: deliveryTable.decode(row),
      attempts: attempts.map(attemptTable.decode)
    }))
  })

  return { addDelivery, deliveries, delivery }
}
