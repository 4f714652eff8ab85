/** Port: who wants the statement of each month by letter, and when the next one is due. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../../audit/Audit.ts"
import type { StorageError } from "../../error/StorageError.ts"
import type { AccountId, OrganizationId } from "../../value/Ids.ts"
import type { Among, LookAtWaiting } from "../../value/Tenant.ts"
import type { StatementLetter } from "./StatementLetter.ts"

/** Port: the wishes of members, one of each in an organization at most. */
export class StatementLetterStore extends Context.Service<
  StatementLetterStore,
  {
    readonly find: (
      organizationId: OrganizationId,
      accountId: AccountId
    ) => Effect.Effect<Option.Option<StatementLetter>, StorageError>
    /** Adds a wish, with the record of it; false, and nothing is written, if there is one. */
    readonly add: (row: StatementLetter, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** Ends a wish, with the record of it; false, and nothing is written, if there is none. */
    readonly remove: (
      organizationId: OrganizationId,
      accountId: AccountId,
      audit: AuditRecord
    ) => Effect.Effect<boolean, StorageError>
    /** Leases wishes that are due at `now`, oldest first, by moving their `dueAt` to `until`. */
    readonly claim: (
      now: number,
      until: number,
      limit: number,
      among?: Among
    ) => Effect.Effect<ReadonlyArray<StatementLetter>, StorageError>
    /** Who has wishes that are due. */
    readonly waiting: LookAtWaiting<StorageError>
    /** Writes a row in place of the one of the version before. False if that is not there any more. */
    readonly replace: (row: StatementLetter) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/StatementLetterStore") {}
