/** Connections and logins as rows. The session is sealed, see `ConnectionStore`. */
import type { Connection, ConnectionStatus, Login } from "@tolem/core/connection/Connection"

/** A connection as the database answers it. */
export interface ConnectionRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly status: ConnectionStatus
  readonly phone: string | null
  readonly is_default: number
  readonly session: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly version: number
}

/** The connection of a row, with its session as it was opened. */
export const connectionOf = (row: ConnectionRow, session: Connection["session"]): Connection => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  status: row.status,
  phone: row.phone,
  isDefault: row.is_default === 1,
  session,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  version: row.version
})

/** A login as the database answers it. */
export interface LoginRow {
  readonly id: string
  readonly connection_id: string
  readonly organization_id: string
  readonly provider_process_id: string
  readonly phone: string | null
  readonly tries: number
  readonly expires_at: number
  readonly used_at: number | null
}

/** The login of a row. */
export const toLogin = (row: LoginRow): Login => ({
  id: row.id,
  connectionId: row.connection_id,
  organizationId: row.organization_id,
  providerProcessId: row.provider_process_id,
  phone: row.phone,
  tries: row.tries,
  expiresAt: row.expires_at,
  usedAt: row.used_at
})
