/** Tables that are kept by months. */
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import { type KeptSince, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect, Layer } from "effect"
import * as Connection from "../../src/Connection.ts"
import { stores } from "./older.ts"
import type { OwnOptions } from "./stores.ts"

export const day = 86_400_000

export const query = (client: Client, text: string) => Effect.promise(async () => (await client.query(text)).rows)

/** The parts of a table. */
export const partNames = (client: Client, table: string) =>
  Effect.map(
    query(
      client,
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass order by 1`
    ),
    (rows) => rows.map(({ name }) => String(name))
  )

/** The part of each row, by an id. */
export const partsOf = (client: Client, table: string, id: string) =>
  query(client, `select ${id} as id, tableoid::regclass::text as part from ${table} order by ${id}`)

/** The beginning of the month that is so many months after that of an instant. */
export const monthOf = (at: number, further = 0): number => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + further, 1)
}

/** The name of the part of a month. */
export const partOf = (table: string, at: number): string =>
  `${table}_${new Date(at).toISOString().slice(0, 7).replace("-", "_")}`

/** Looks after the months as the janitor of a server does. */
export const tending = (options: OwnOptions, now: number, before: Partial<KeptSince> = {}) =>
  Effect.provide(
    WebhookStore.use((store) => store.tendMonths(now, { attempts: null, deliveries: null, ...before })),
    stores(options)
  )

/** Runs the steps of the schema up to one. */
export const until = (options: OwnOptions, step: number) =>
  Effect.provide(
    Migrations.migrate({ schema: options.schema }, step),
    Layer.fresh(Connection.layer({ ...options, statementTimeoutMs: 0 }))
  )

/** Columns of a delivery, and its values: of one that is on its way, or ended at an instant. */
export const deliveryColumns =
  "id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, " +
  "ready_at, created_at, completed_at"
export const deliveryRow = (id: string, status: string, at: string | number) =>
  `${id}, 'whe_1', 'org_1', 'live', 'webhook.test', 'inv_1', 'evt_1', 1, '${status}', 1, ${at}, ${at}, ${at},
    ${status === "pending" ? "null" : at}`

/** Adds one that was placed at an instant and ended at one, or is on its way; or `count` of them. */
export const addPlaced = (client: Client, id: string, at: number, endedAt: number | null, count?: number) =>
  query(
    client,
    `insert into tolem_deliveries (${deliveryColumns}, placed_at)
      select ${deliveryRow(
        count === undefined ? `'${id}'` : `'${id}' || n`,
        endedAt === null ? "pending" : "delivered",
        endedAt ?? at
      )}, '${new Date(at).toISOString()}' from generate_series(1, ${count ?? 1}) n`
  )
