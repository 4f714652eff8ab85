/** Connections and logins as rows. */
import type { Connection, Login } from "@tolem/core/connection/Connection"
import { flag, once, type RowOf, table } from "../base/Table.ts"

/** A connection with its session sealed, see `ConnectionStore`. */
export type SealedConnection = Omit<Connection, "session"> & { readonly session: string | null }

/** The table of connections. */
export const connectionTable = table<SealedConnection>("connections")({
  id: once("text"),
  organizationId: once("text"),
  name: "text",
  status: "text",
  phone: "text",
  isDefault: flag,
  session: "text",
  createdAt: once("bigint"),
  updatedAt: "bigint",
  version: "bigint"
})

/** A row of the table of connections. */
export type ConnectionRow = RowOf<typeof connectionTable>

/** Without the session: it is not shown, so it is not opened. */
export const toShownConnection = (row: ConnectionRow): Connection => ({ ...connectionTable.decode(row), session: null })

/** The table of logins. */
export const loginTable = table<Login>("logins")({
  id: "text",
  connectionId: "text",
  organizationId: "text",
  providerProcessId: "text",
  phone: "text",
  tries: "bigint",
  expiresAt: "bigint",
  usedAt: "bigint"
})

/** A row of the table of logins. */
export type LoginRow = RowOf<typeof loginTable>
