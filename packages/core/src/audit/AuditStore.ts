/** Port: reads the audit log. Its records are written by the verbs that do what they tell of. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { AuditRecord } from "./Audit.ts"

/** Which records: of one organization where given, those before `before` (an id) where given, at most `limit`. */
export interface AuditQuery {
  readonly organizationId: OrganizationId | null
  readonly before: string | null
  readonly limit: number
}

/** Port: reads the audit log. */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** Newest first. */
    readonly list: (query: AuditQuery) => Effect.Effect<ReadonlyArray<AuditRecord>, StorageError>
    /** Adds the record of what changes no rows. */
    readonly note: (record: AuditRecord) => Effect.Effect<void, StorageError>
  }
>()("@tolem/core/AuditStore") {}
