/** `WebhookStore`'s verbs about the delivery log. */
import type { Delivery } from "@tolem/core/webhook/Webhook"
import type { DeliveryQuery, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option } from "effect"
import type { Database } from "./Database.ts"
import * as Row from "./rows/DeliveryRow.ts"

type Verbs = Pick<WebhookStore["Service"], "addDelivery" | "deliveries" | "delivery">

/** The verbs over this database. */
export const make = ({ sql, dialect, tables, statement, snapshot }: Database["Service"]): Verbs => {
  const source = dialect.source("s", Row.columns)
  const names = sql.literal(Object.keys(Row.columns).join(", "))

  const addDelivery = (delivery: Delivery) => {
    const insert = sql`
      insert into ${tables.deliveries} (${names}) select ${names} from ${source([Row.toRow(delivery)])} where true`
    return Effect.asVoid(statement("WebhookStore.addDelivery", insert, { writes: true }))
  }

  const deliveries = Effect.fnUntraced(function* (query: DeliveryQuery) {
    const ofEndpoint = sql`endpoint_id = ${query.endpointId}`
    const matching = query.status === null ? ofEndpoint : sql`${ofEndpoint} and status = ${query.status}`
    const { counted, page } = yield* snapshot("WebhookStore.deliveries", {
      counted: sql<{ readonly total: number }>`
        select count(*) as total from ${tables.deliveries} where ${matching}`,
      page: sql<Row.DeliveryRow>`
        select * from ${tables.deliveries} where ${matching} order by created_at desc, id desc
        limit cast(${query.limit} as bigint) offset cast(${query.offset} as bigint)`
    })
    return { total: counted[0]?.total ?? 0, deliveries: page.map(Row.fromRow) }
  })

  const delivery = Effect.fnUntraced(function* (endpointId: string, id: string) {
    const { deliveries, attempts } = yield* snapshot("WebhookStore.delivery", {
      deliveries: sql<Row.DeliveryRow>`
        select * from ${tables.deliveries} where id = ${id} and endpoint_id = ${endpointId}`,
      attempts: sql<Row.AttemptRow>`
        select * from ${tables.attempts} where delivery_id = ${id} order by number`
    })
    return Option.map(Option.fromUndefinedOr(deliveries[0]), (row) => ({
      delivery: Row.fromRow(row),
      attempts: attempts.map(Row.fromAttemptRow)
    }))
  })

  return { addDelivery, deliveries, delivery }
}
