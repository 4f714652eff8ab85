/** Port: reads the audit log. Its records are written by the verbs that do what they tell of. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { Action, AuditRecord } from "./Audit.ts"

/** Which records: of one organization where given, those before `before` (an id) where given, at most `limit`. */
export interface AuditQuery {
  readonly organizationId: OrganizationId | null
  readonly before: string | null
  readonly limit: number
}

/** Where a record stands in a journal. */
export type JournalPlace = Pick<AuditRecord, "createdAt" | "id">

/** Which records are looked for. What is null narrows nothing down. */
export interface JournalQuery {
  readonly organizationId: OrganizationId | null
  /** Id of the account or the key that acted, or name of the user at the command line. */
  readonly actorId: string | null
  /** Any of these; of none there is nothing. */
  readonly actions: ReadonlyArray<Action> | null
  /** Real instants, both included. */
  readonly from: number | null
  readonly to: number | null
  /** Only what stands behind it, going back. */
  readonly before: JournalPlace | null
  readonly limit: number
}

/** Port: reads the audit log. */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** Newest first. */
    readonly list: (query: AuditQuery) => Effect.Effect<ReadonlyArray<AuditRecord>, StorageError>
    /** Records, of one organization or of all, by when they were made, newest first; those of one instant by ids. */
    readonly journal: (query: JournalQuery) => Effect.Effect<ReadonlyArray<AuditRecord>, StorageError>
    /** What people and organizations are called, by their ids. Those without a name, and other ids, are left out. */
    readonly names: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>, StorageError>
    /** Adds the record of what changes no rows. */
    readonly note: (record: AuditRecord) => Effect.Effect<void, StorageError>
  }
>()("@tolem/core/AuditStore") {}
