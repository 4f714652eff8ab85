/** The core's `AttentionStore` in SQL. Each kind is read through an index that holds little but what is wanted. */
import {
  type AttentionQuery,
  AttentionStore,
  type Concern,
  concernOf,
  type StoredKind
} from "@tolem/core/attention/AttentionStore"
import type { StorageError } from "@tolem/core/error/StorageError"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"

/** The store over the database. */
export const layer: Layer.Layer<AttentionStore, never, Database> = Layer.effect(
  AttentionStore,
  Effect.map(Database, (database) => {
    const kinds = { ...people(database), ...money(database), ...webhooks(database) }
    return { concerns: (kind, query) => kinds[kind](query) }
  })
)

type Find = (query: AttentionQuery) => Effect.Effect<ReadonlyArray<Concern>, StorageError>
type Finds<Kind extends StoredKind> = Readonly<Record<Kind, Find>>

const operation = "AttentionStore.concerns"

/** How many deliveries are looked at for those of which nothing has arrived since. */
const lookedAt = 500

/** The same of money, where what is looked at is passed over if it is another cashier's, or was given back. */
const lookedAtMoney = 5_000

/** A row as the selects below name its members; what they leave out is null. */
interface ConcernRow {
  readonly since: number
  readonly name?: string | null
  readonly connection_id?: string | null
  readonly endpoint_id?: string
  readonly invoice_id?: string
  readonly refund_id?: string
  readonly subscription_id?: string
  readonly delivery_id?: string
  readonly amount?: Concern["amount"]
  readonly code?: string | null
  readonly until?: number
}

const decode = (row: ConcernRow): Concern =>
  concernOf({
    since: row.since,
    name: row.name ?? null,
    connectionId: row.connection_id ?? null,
    endpointId: row.endpoint_id ?? null,
    invoiceId: row.invoice_id ?? null,
    refundId: row.refund_id ?? null,
    subscriptionId: row.subscription_id ?? null,
    deliveryId: row.delivery_id ?? null,
    amount: row.amount ?? null,
    code: row.code ?? null,
    until: row.until ?? null
  })

const people = ({ sql, tables, all }: Database["Service"]): Finds<"cashier_session_lost" | "subscription_stuck"> => ({
  cashier_session_lost: ({ organizationId, among, limit }) =>
    all(
      operation,
      sql<ConcernRow>`
        select c.updated_at as since, c.name, c.id as connection_id from ${tables.connections} c
        where c.organization_id = ${organizationId} and c.status = 'expired'
          ${among === undefined ? sql.literal("") : sql`and c.id in ${sql.in(among)}`}
        order by c.updated_at desc, c.id desc limit cast(${limit} as bigint)`,
      decode
    ),
  // The date that could not be worked off stays the next one.
  subscription_stuck: ({ organizationId, mode, limit }) =>
    all(
      operation,
      sql<ConcernRow>`
        select s.next_run_at as since, s.description as name, s.id as subscription_id, s.connection_id, s.amount,
          s.fault as code
        from ${tables.subscriptions} s
        where s.organization_id = ${organizationId} and s.mode = ${mode} and s.status = 'active' and s.faults > 0
        order by s.next_run_at desc, s.id desc limit cast(${limit} as bigint)`,
      decode
    )
})

const money = ({ sql, tables, all }: Database["Service"]): Finds<"refund_unknown" | "late_money"> => {
  const ofCashiers = ({ among }: AttentionQuery) =>
    among === undefined ? sql.literal("") : sql`and coalesce(i.connection_id, '') in ${sql.in(among)}`
  return {
    refund_unknown: (query) =>
      all(
        operation,
        sql<ConcernRow>`
          select looked.created_at as since, i.external_order_id as name, i.connection_id, looked.invoice_id,
            looked.id as refund_id, looked.amount
          from (
            select u.* from ${tables.refunds} u
            where u.organization_id = ${query.organizationId} and u.status = 'unknown'
            order by u.created_at desc, u.id desc limit ${sql.literal(String(lookedAtMoney))}
          ) as looked join ${tables.invoices} i on i.id = looked.invoice_id
          where i.mode = ${query.mode} ${ofCashiers(query)}
          order by looked.created_at desc, looked.id desc limit cast(${query.limit} as bigint)`,
        decode
      ),
    // What was given back whole needs no one's attention any more.
    late_money: (query) =>
      all(
        operation,
        sql<ConcernRow>`
          select i.paid_at as since, i.external_order_id as name, i.connection_id, i.id as invoice_id,
            i.amount - i.refunded as amount
          from (
            select i.* from ${tables.invoices} i
            where i.organization_id = ${query.organizationId} and i.mode = ${query.mode} and i.late = 1
              and i.paid_at >= cast(${query.from} as bigint)
            order by i.paid_at desc, i.id desc limit ${sql.literal(String(lookedAtMoney))}
          ) as i
          where i.refunded < i.amount ${ofCashiers(query)}
          order by i.paid_at desc, i.id desc limit cast(${query.limit} as bigint)`,
        decode
      )
  }
}

const webhooks = ({ sql, tables, all }: Database["Service"]): Finds<"endpoint_paused" | "delivery_given_up"> => ({
  endpoint_paused: ({ organizationId, mode, now, limit }) =>
    all(
      operation,
      sql<ConcernRow>`
        select e.updated_at as since, e.url as name, e.connection_id, e.id as endpoint_id, e.paused_until as until
        from ${tables.endpoints} e
        where e.organization_id = ${organizationId} and e.mode = ${mode} and e.removed_at is null and e.disabled = 0
          and e.paused_until > cast(${now} as bigint)
        order by e.updated_at desc, e.id desc limit cast(${limit} as bigint)`,
      decode
    ),
  // The newest of an event at an endpoint, if none of its deliveries there has arrived or still may.
  delivery_given_up: ({ organizationId, mode, from, limit }) =>
    all(
      operation,
      sql<ConcernRow>`
        select looked.completed_at as since, e.url as name, e.connection_id, looked.endpoint_id, looked.invoice_id,
          looked.id as delivery_id, looked.kind as code
        from (
          select f.* from ${tables.deliveries} f
          where f.organization_id = ${organizationId} and f.mode = ${mode} and f.status = 'failed'
            and f.completed_at >= cast(${from} as bigint)
          order by f.completed_at desc, f.id desc limit ${sql.literal(String(lookedAt))}
        ) as looked
        join ${tables.endpoints} e on e.id = looked.endpoint_id and e.removed_at is null
        where looked.kind <> 'webhook.test' and not exists (
          select 1 from ${tables.deliveries} o
          where o.invoice_id = looked.invoice_id and o.mode = ${sql.literal(mode === "live" ? "'live'" : "'sandbox'")}
            and coalesce(o.endpoint_id, '') = looked.endpoint_id and o.event_id = looked.event_id
            and (coalesce(o.status, '') <> 'failed' or o.completed_at > looked.completed_at
              or (o.completed_at = looked.completed_at and o.id > looked.id)))
        order by looked.completed_at desc, looked.id desc limit cast(${limit} as bigint)`,
      decode
    )
})
