/** `WebhookStore`'s verbs about the delivery log. */
import type { Delivery } from "@tolem/core/webhook/Webhook"
import type { DeliveryQuery, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option } from "effect"
import type { Database } from "./Database.ts"
import * as Row from "./rows/DeliveryRow.ts"

type Verbs = Pick<WebhookStore["Service"], "addDelivery" | "deliveries" | "delivery">

/** The verbs over this database. */
export const make = ({ sql, dialect, tables, statement }: Database["Service"]): Verbs => {
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
    const count = sql<{ readonly total: number }>`
      select count(*) as total from ${tables.deliveries} where ${matching}`
    const [row] = yield* statement("WebhookStore.deliveries", count, { writes: false })
    const select = sql<Row.DeliveryRow>`
      select * from ${tables.deliveries} where ${matching} order by created_at desc, id desc
      limit cast(${query.limit} as bigint) offset cast(${query.offset} as bigint)`
    const rows = yield* statement("WebhookStore.deliveries", select, { writes: false })
    return { total: row?.total ?? 0, deliveries: rows.map(Row.fromRow) }
  })

  const delivery = Effect.fnUntraced(function* (endpointId: string, id: string) {
    const select = sql<Row.DeliveryRow>`
      select * from ${tables.deliveries} where id = ${id} and endpoint_id = ${endpointId}`
    const [row] = yield* statement("WebhookStore.delivery", select, { writes: false })
    if (row === undefined) return Option.none()
    const log = sql<Row.AttemptRow>`
      select * from ${tables.attempts} where delivery_id = ${id} order by number`
    const attempts = yield* statement("WebhookStore.delivery", log, { writes: false })
    return Option.some({ delivery: Row.fromRow(row), attempts: attempts.map(Row.fromAttemptRow) })
  })

  return { addDelivery, deliveries, delivery }
}
