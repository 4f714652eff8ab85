/** Port: what members wish to be told, and what waits to be. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { Among, LookAtWaiting } from "../value/Tenant.ts"
import type { NoticeKey, NoticeLine } from "./NoticeLine.ts"

/** Port: lines of members, one of each in an organization, mode and channel at most. */
export class NoticeStore extends Context.Service<
  NoticeStore,
  {
    /** The lines of a member in a mode, by their channels. */
    readonly list: (of: Omit<NoticeKey, "channel">) => Effect.Effect<ReadonlyArray<NoticeLine>, StorageError>
    readonly find: (key: NoticeKey) => Effect.Effect<Option.Option<NoticeLine>, StorageError>
    /** Adds a line, with the record of it. False, and nothing is written, if there is one. */
    readonly add: (line: NoticeLine, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** Writes a line in place of the one of the version before, with the record of it. False if that is gone. */
    readonly replace: (line: NoticeLine, audit?: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** Removes a line, with the record of it. False, and nothing is written, if there is none. */
    readonly remove: (key: NoticeKey, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** Leases lines that are due at `now`, oldest first, by moving their `dueAt` to `until`. */
    readonly claim: (
      now: number,
      until: number,
      limit: number,
      among?: Among
    ) => Effect.Effect<ReadonlyArray<NoticeLine>, StorageError>
    /** Who has lines that are due. */
    readonly waiting: LookAtWaiting<StorageError>
  }
>()("@tolem/core/NoticeStore") {}
