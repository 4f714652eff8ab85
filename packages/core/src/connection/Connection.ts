/** A cashier of an organization at the provider: which live invoices are made with, watched and refunded. Pure. */
import type { Redacted } from "effect"
import type { ProviderSession } from "../provider/PaymentProvider.ts"
import { toIso } from "../value/Calendar.ts"
import type { ConnectionId, LoginProcessId, OrganizationId } from "../value/Ids.ts"
import { masked } from "../value/Phone.ts"

/** `pending`: never logged in. `expired`: the provider has ended the session; the cashier must log in again. */
export type ConnectionStatus = "pending" | "active" | "expired" | "disabled"

/** A cashier as they are kept. Instants are epoch milliseconds. */
export interface Connection {
  readonly id: ConnectionId
  readonly organizationId: OrganizationId
  readonly name: string
  readonly status: ConnectionStatus
  /** The cashier's own phone, 7XXXXXXXXXX; null before the first login. */
  readonly phone: string | null
  /** The one that unbound keys use. Of an organization's connections one is at most. */
  readonly isDefault: boolean
  /** A secret: sealed at rest. Null if no cashier is logged in. */
  readonly session: ProviderSession | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
}

/** A cashier as they begin: logged in already if they have a session. */
export const newConnection = (
  facts: Pick<Connection, "id" | "organizationId" | "name" | "session"> & { readonly now: number }
): Connection => {
  const { now, ...given } = facts
  const status = given.session === null ? "pending" : "active"
  return { ...given, status, phone: null, isDefault: false, createdAt: now, updatedAt: now, version: 1 }
}

/** A connection as answers show it: enough of the phone to recognise it by, and never the session. */
export const connectionJson = ({ id, name, status, phone, isDefault, createdAt }: Connection) => ({
  id,
  name,
  status,
  phone: phone === null ? null : masked(phone),
  isDefault,
  createdAt: toIso(createdAt)
})

/** A connection that can be used at the provider. */
export interface UsableConnection {
  readonly id: ConnectionId
  readonly organizationId: OrganizationId
  readonly session: ProviderSession
}

/** A login that has begun. It ends with its time, with the right code, or with too many wrong ones. */
export interface Login {
  readonly id: LoginProcessId
  readonly connectionId: ConnectionId
  readonly organizationId: OrganizationId
  /** The provider's name of it. */
  readonly providerProcessId: string
  readonly phone: string | null
  /** Codes that were tried. */
  readonly tries: number
  readonly expiresAt: number
  readonly usedAt: number | null
}

/** A login that has begun, as its next steps name it. */
export const loginJson = ({ id }: Login) => ({ processId: id })

/** Step 2 of a login. */
export interface LoginPhone {
  readonly processId: LoginProcessId
  readonly phone: unknown
}

/** Step 3 of a login. */
export interface LoginCode {
  readonly processId: LoginProcessId
  readonly otp: Redacted.Redacted
}

/** What can become of a connection. */
export type Transition =
  | { readonly _tag: "LoggedIn"; readonly session: ProviderSession; readonly phone: string | null }
  | { readonly _tag: "SessionLost" }
  | { readonly _tag: "Disabled" }
  | { readonly _tag: "Enabled" }
  | { readonly _tag: "MadeDefault" }

/** The connection after a transition; the same one where that changes nothing. */
export const after = (connection: Connection, transition: Transition, now: number): Connection => {
  const members = membersAfter(connection, transition)
  return members === null ? connection : { ...connection, ...members, updatedAt: now, version: connection.version + 1 }
}

const membersAfter = (
  { status, session, isDefault }: Connection,
  transition: Transition
): Partial<Connection> | null => {
  switch (transition._tag) {
    case "LoggedIn":
      return {
        status: "active",
        session: transition.session,
        ...(transition.phone !== null && { phone: transition.phone })
      }
    case "SessionLost":
      return status === "active" ? { status: "expired", session: null } : null
    case "Disabled":
      return status === "disabled" ? null : { status: "disabled", isDefault: false }
    case "Enabled":
      return status === "disabled" ? { status: session === null ? "pending" : "active" } : null
    case "MadeDefault":
      return isDefault ? null : { isDefault: true }
  }
}
