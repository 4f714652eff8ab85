/** Port: where connections and logins are kept. Each verb is one atomic step. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { ConnectionId, LoginProcessId, OrganizationId } from "../value/Ids.ts"
import type { Connection, Login } from "./Connection.ts"

/** Port: cashiers at the provider. Verbs that take an audit record write it with what they do, if they do it. */
export class ConnectionStore extends Context.Service<
  ConnectionStore,
  {
    /** Adds a connection. */
    readonly add: (connection: Connection, audit?: AuditRecord) => Effect.Effect<void, StorageError>
    /** The connection of this organization. */
    readonly find: (
      organizationId: OrganizationId,
      id: ConnectionId
    ) => Effect.Effect<Option.Option<Connection>, StorageError>
    /** All of an organization, oldest first. */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Connection>, StorageError>
    /**
     * Writes a connection if the stored one has the version before. One that is the default takes it from the
     * others. False if another writer was faster: nothing was written.
     */
    readonly replace: (connection: Connection, audit?: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** Deletes a connection that no key is bound to. */
    readonly remove: (
      organizationId: OrganizationId,
      id: ConnectionId,
      audit?: AuditRecord
    ) => Effect.Effect<"removed" | "has_keys" | "absent", StorageError>
    /** Adds a login. */
    readonly addLogin: (login: Login) => Effect.Effect<void, StorageError>
    /** The login of this connection. */
    readonly login: (
      connectionId: ConnectionId,
      id: LoginProcessId
    ) => Effect.Effect<Option.Option<Login>, StorageError>
    /** Notes whose phone the code was sent to. */
    readonly notePhone: (id: LoginProcessId, phone: string) => Effect.Effect<void, StorageError>
    /** Counts a try and answers its number: each is given once, no matter who tries at the same moment. */
    readonly countTry: (id: LoginProcessId) => Effect.Effect<number, StorageError>
    /** Ends a login with the right code. False if it has ended before. */
    readonly endLogin: (id: LoginProcessId, now: number) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/ConnectionStore") {}
