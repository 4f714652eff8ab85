/** The webhook endpoint as a row. Its secrets are sealed here, see `WebhookSecrets`. */
import type { Mode } from "@tolem/core/value/Mode"
import type { Endpoint, EventKind } from "@tolem/core/webhook/Webhook"
import { checkOf } from "../base/ReadableRows.ts"

/** Columns that batches carry, in order. */
export const columns = {
  id: "text",
  organization_id: "text",
  mode: "text",
  connection_id: "text",
  url: "text",
  events: "text",
  secret: "text",
  previous_secret: "text",
  previous_secret_until: "bigint",
  disabled: "bigint",
  failure_count: "bigint",
  pause_count: "bigint",
  paused_until: "bigint",
  created_at: "bigint",
  updated_at: "bigint"
} as const

/** A row as the database answers it. */
export interface EndpointRow {
  readonly id: string
  readonly organization_id: string
  readonly mode: Mode
  readonly connection_id: string | null
  readonly url: string
  /** `,invoice.paid,invoice.failed,`: each kind between commas, so that a statement finds one; empty means all. */
  readonly events: string
  readonly secret: string
  readonly previous_secret: string | null
  readonly previous_secret_until: number | null
  readonly disabled: number
  readonly failure_count: number
  readonly pause_count: number
  readonly paused_until: number | null
  readonly created_at: number
  readonly updated_at: number
}

/** The secrets of an endpoint, sealed. */
export interface SealedSecrets {
  readonly secret: string
  readonly previousSecret: string | null
}

/** The secrets of an endpoint, as they sign. */
export type Secrets = Pick<Endpoint, "secret" | "previousSecret">

/** The row of an endpoint. */
export const toRow = (endpoint: Endpoint, sealed: SealedSecrets): EndpointRow => ({
  id: endpoint.id,
  organization_id: endpoint.organizationId,
  mode: endpoint.mode,
  connection_id: endpoint.connectionId,
  url: endpoint.url,
  events: fromEvents(endpoint.events),
  secret: sealed.secret,
  previous_secret: sealed.previousSecret,
  previous_secret_until: endpoint.previousSecret?.until ?? null,
  disabled: endpoint.disabled ? 1 : 0,
  failure_count: endpoint.failureCount,
  pause_count: endpoint.pauseCount,
  paused_until: endpoint.pausedUntil,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt
})

/** The endpoint of a row. */
export const fromRow = (row: EndpointRow, secrets: Secrets): Endpoint => ({
  id: row.id,
  organizationId: row.organization_id,
  mode: row.mode,
  connectionId: row.connection_id,
  url: row.url,
  events: row.events === "" ? [] : (row.events.slice(1, -1).split(",") as Array<EventKind>),
  secret: secrets.secret,
  previousSecret: secrets.previousSecret,
  disabled: row.disabled === 1,
  failureCount: row.failure_count,
  pauseCount: row.pause_count,
  pausedUntil: row.paused_until,
  createdAt: row.created_at,
  updatedAt: row.updated_at
})

/** The column `events`. */
export const fromEvents = (events: ReadonlyArray<EventKind>): string =>
  events.length === 0 ? "" : `,${events.join(",")},`

/** Throws where a column of the row, as `Dialect.exact` reads it, cannot be read. */
export const check = checkOf(columns, { words: { mode: ["live", "sandbox"] } })
