/**
 * The core's `WorkStore` in SQL. Each kind is read from its place on, in the order of an index that holds little but
 * what is wanted; what else it holds is looked at and left out, a bounded number of rows at a time.
 */

import { type Work, type WorkKind, type WorkPlace, type WorkQuery, WorkStore } from "@tolem/core/platform/WorkStore"
import type { Tiyn } from "@tolem/core/value/Money"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../base/Database.ts"
import { paysFor } from "../tariff/OrderInvoice.ts"

/** The store over the database. */
export const layer: Layer.Layer<WorkStore, never, Database> = Layer.effect(
  WorkStore,
  Effect.map(Database, (database) => make(database))
)

/** Rows of a look that may find some that need no one. */
const lookedAt = 500

/** An order that was paid so lately is still taken by its agent. */
const fulfilledWithinMs = 10 * 60_000

/** A row as the selects below name its members; what they leave out is null. */
interface Row {
  readonly at: number
  readonly id: string
  /** 1: it needs a person. */
  readonly shown: number
  readonly since: number
  readonly organization_id: string
  readonly organization: string | null
  readonly until?: number
  readonly amount?: Tiyn
  readonly code?: string | null
  readonly connection_id?: string | null
  readonly endpoint_id?: string
  readonly invoice_id?: string | null
  readonly refund_id?: string | null
  readonly subscription_id?: string
  readonly delivery_id?: string
  readonly work_item_id?: string
  readonly order_id?: string
  readonly letter_id?: string
}

const decode = (row: Row): Work => ({
  organizationId: row.organization_id,
  organization: row.organization ?? "",
  since: row.since,
  until: row.until ?? null,
  amount: row.amount ?? null,
  code: row.code ?? null,
  connectionId: row.connection_id ?? null,
  endpointId: row.endpoint_id ?? null,
  invoiceId: row.invoice_id ?? null,
  refundId: row.refund_id ?? null,
  subscriptionId: row.subscription_id ?? null,
  deliveryId: row.delivery_id ?? null,
  workItemId: row.work_item_id ?? null,
  orderId: row.order_id ?? null,
  letterId: row.letter_id ?? null
})

/** How a kind is looked for: its rows, those of its index alone, and what is shown of a row. */
interface Look {
  readonly table: Statement.Identifier
  /** The column of the place; the id stands beside it. */
  readonly at: string
  readonly only: string
  /** The first place. */
  readonly from: (query: WorkQuery) => number
  readonly members: string
  readonly joins?: Statement.Fragment
  /** What a row has to be, if it may be otherwise. */
  readonly shown?: (query: WorkQuery) => Statement.Fragment
}

const fromBeginning = () => -1
const fromWindow = ({ from }: WorkQuery) => from

const make = (database: Database["Service"]): WorkStore["Service"] => {
  const { sql, tables, all } = database
  const looks = { ...money(database), ...people(database), ...sending(database) }

  const select = ({ table, at, only, from, members, joins, shown }: Look, query: WorkQuery, rows: number) => {
    const place = placeOf(query, from(query))
    return sql<Row>`
      select looked.at, looked.id, looked.organization_id, o.name as organization, ${sql.literal(members)},
        ${shown === undefined ? sql.literal("1") : sql`case when ${shown(query)} then 1 else 0 end`} as shown
      from (
        select w.${sql.literal(at)} as at, w.* from ${table} w
        where ${sql.literal(only)} and (w.${sql.literal(at)}, w.id) > (cast(${place.at} as bigint), ${place.id})
        order by w.${sql.literal(at)}, w.id limit cast(${rows} as bigint)
      ) as looked left join ${tables.organizations} o on o.id = looked.organization_id
      ${joins ?? sql.literal("")}
      order by looked.at, looked.id`
  }

  return {
    work: Effect.fnUntraced(function* (kind, query) {
      const look: Look = looks[kind]
      const { limit } = query
      const asked = look.shown === undefined ? limit + 1 : Math.max(lookedAt, limit + 1)
      const rows = yield* all("WorkStore.work", select(look, query, asked), (row) => row)
      const found = rows.filter(({ shown }) => shown === 1)
      const items = found.slice(0, limit)
      const last = found.length > limit ? items.at(-1) : rows.length === asked ? rows.at(-1) : undefined
      return { items: items.map(decode), next: last === undefined ? null : { at: last.at, id: last.id } }
    })
  }
}

type Looks<Kind extends WorkKind> = Readonly<Record<Kind, Look>>

/** A place before the first one is the first one. */
const placeOf = ({ after }: WorkQuery, first: number): WorkPlace =>
  after !== null && after.at >= first ? after : { at: first, id: "" }

const money = ({
  sql,
  tables
}: Database["Service"]): Looks<"refund_unknown" | "difference_open" | "order_unfulfilled"> => ({
  refund_unknown: {
    table: tables.refunds,
    at: "created_at",
    only: "w.status = 'unknown'",
    from: fromBeginning,
    members: `looked.created_at as since, looked.invoice_id, looked.id as refund_id, looked.amount, i.connection_id`,
    joins: sql`left join ${tables.invoices} i on i.id = looked.invoice_id`,
    shown: () => sql`i.mode = 'live'`
  },
  difference_open: {
    table: tables.work_items,
    at: "found_at",
    only: "w.status = 'open'",
    from: fromBeginning,
    members: `looked.found_at as since, looked.id as work_item_id, looked.connection_id, looked.invoice_id,
      looked.refund_id, looked.kind as code`
  },
  order_unfulfilled: {
    table: tables.tariff_orders,
    at: "created_at",
    only: "w.applied_at is null",
    from: fromWindow,
    members: `coalesce(i.paid_at, looked.created_at) as since, looked.id as order_id, looked.amount,
      looked.tariff as code`,
    joins: sql`left join ${tables.invoices} i on ${sql.literal(paysFor("looked"))}`,
    shown: ({ now }) => sql`i.paid_at <= cast(${now - fulfilledWithinMs} as bigint) and i.amount >= looked.amount`
  }
})

const people = ({ tables }: Database["Service"]): Looks<"cashier_session_lost" | "subscription_stuck"> => ({
  cashier_session_lost: {
    table: tables.connections,
    at: "created_at",
    only: "w.status = 'expired'",
    from: fromBeginning,
    members: "looked.updated_at as since, looked.id as connection_id"
  },
  // The date that could not be worked off stays the next one.
  subscription_stuck: {
    table: tables.subscriptions,
    at: "next_run_at",
    only: "w.status = 'active' and w.faults > 0 and w.mode = 'live'",
    from: fromBeginning,
    members: `looked.next_run_at as since, looked.id as subscription_id, looked.connection_id, looked.amount,
      looked.fault as code`
  }
})

const sending = ({
  sql,
  tables
}: Database["Service"]): Looks<"endpoint_paused" | "delivery_given_up" | "letter_failed"> => ({
  endpoint_paused: {
    table: tables.endpoints,
    at: "paused_until",
    only: "w.paused_until is not null and w.mode = 'live'",
    from: ({ now }) => now + 1,
    members: `looked.updated_at as since, looked.id as endpoint_id, looked.connection_id,
      looked.paused_until as until`,
    shown: () => sql`looked.removed_at is null and looked.disabled = 0`
  },
  // The newest of an event at an endpoint, if none of its deliveries there has arrived or still may.
  delivery_given_up: {
    table: tables.deliveries,
    at: "completed_at",
    only: "w.status = 'failed' and w.mode = 'live'",
    from: fromWindow,
    members: `looked.completed_at as since, looked.id as delivery_id, looked.endpoint_id, looked.invoice_id,
      e.connection_id, looked.kind as code`,
    joins: sql`left join ${tables.endpoints} e on e.id = looked.endpoint_id and e.removed_at is null`,
    shown: () => sql`e.id is not null and looked.kind <> 'webhook.test' and not exists (
      select 1 from ${tables.deliveries} d
      where d.invoice_id = looked.invoice_id and d.mode = 'live'
        and coalesce(d.endpoint_id, '') = looked.endpoint_id and d.event_id = looked.event_id
        and (coalesce(d.status, '') <> 'failed' or d.completed_at > looked.completed_at
          or (d.completed_at = looked.completed_at and d.id > looked.id)))`
  },
  letter_failed: {
    table: tables.mails,
    at: "completed_at",
    only: "w.status = 'failed' and w.mode = 'live'",
    from: fromWindow,
    members: "looked.completed_at as since, looked.id as letter_id, looked.invoice_id"
  }
})
