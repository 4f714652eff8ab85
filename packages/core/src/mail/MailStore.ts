/** Port: where letters to customers wait and what became of them. They are written with what causes them. */
import { Context, type Effect } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { InvoiceId, OrganizationId } from "../value/Ids.ts"
import type { Among, LookAtWaiting } from "../value/Tenant.ts"
import type { Mail } from "./Mail.ts"

/** What became of a letter that was to be handed over. */
export type MailStart = "Begun" | "Changed" | "Kept"

/** Why a letter is kept that is one too many, for people. */
export const oneTooMany = "the organization has had as many letters sent today as it may"

/** Port: letters that wait to be sent. */
export class MailStore extends Context.Service<
  MailStore,
  {
    /**
     * Leases letters that are due at `now`, oldest first, by moving their `dueAt` to `until`. One with the status
     * `sending` was left by a server that crashed.
     */
    readonly claim: (
      now: number,
      until: number,
      limit: number,
      among?: Among
    ) => Effect.Effect<ReadonlyArray<Mail>, StorageError>
    /** Who has letters that are due. */
    readonly waiting: LookAtWaiting<StorageError>
    /**
     * Notes that the letter is being handed over, before it is: pending becomes sending, and `attempts` grows. Where it
     * would be one more than `perDay` of its organization and mode in the Almaty day of `now`, it is kept instead;
     * later attempts of a letter count as one with its first. `Changed`: it is not pending with this `dueAt` any more.
     */
    readonly begin: (mail: Mail, now: number, perDay: number | null) => Effect.Effect<MailStart, StorageError>
    /** Writes what became of a claimed letter; nothing if it is neither pending nor sending any more. */
    readonly settle: (mail: Mail) => Effect.Effect<void, StorageError>
    /**
     * Writes `next` in place of `previous`, which is to be sent again, with the record of it. False if it is not as
     * `previous` says any more.
     */
    readonly sendAgain: (previous: Mail, next: Mail, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** Forgets letters that ended before an instant, oldest first, `limit` at most. Answers how many. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StorageError>
    /** The letters about an invoice of this organization, oldest first. */
    readonly list: (
      organizationId: OrganizationId,
      invoiceId: InvoiceId
    ) => Effect.Effect<ReadonlyArray<Mail>, StorageError>
  }
>()("@tolem/core/MailStore") {}
