/** Port: where compared days and their work items are kept. Each verb is one atomic step. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { ConnectionId, OrganizationId, WorkItemId } from "../value/Ids.ts"
import type { PageBounds } from "../value/QueryChecks.ts"
import type { Among, LookAtWaiting } from "../value/Tenant.ts"
import type { OwnOperation, Span } from "./Comparison.ts"
import type { KnownInvoice, namesOf } from "./Differences.ts"
import type { CashierDay, Reconciliation } from "./Reconciliation.ts"
import type { WorkItem } from "./WorkItem.ts"

/** Where a page of our operations goes on. */
export interface OwnPlace {
  readonly at: number
  readonly id: string
}

/** Which of our operations. */
export interface OwnQuery extends Span {
  readonly organizationId: OrganizationId
  readonly connectionId: ConnectionId
  readonly after: OwnPlace | null
  readonly limit: number
}

/** Which invoices: those that are named, by references only those of the cashier that were made within the span. */
export interface KnownQuery extends Span, ReturnType<typeof namesOf> {
  readonly organizationId: OrganizationId
  readonly connectionId: ConnectionId
}

/** Which work items: of these days, both included, and in this status where one is given. */
export interface WorkItemQuery extends PageBounds {
  readonly organizationId: OrganizationId
  readonly status: WorkItem["status"] | null
  readonly from: string
  readonly to: string
}

/** A page of work items, and the exact number of all that match. */
export interface WorkItemPage {
  readonly total: number
  readonly items: ReadonlyArray<WorkItem>
}

/** How many differences of a day of a cashier are open. */
export interface OpenCount {
  readonly connectionId: ConnectionId
  readonly day: string
  readonly count: number
}

/** What a comparison writes. */
export interface ComparisonWrite {
  readonly reconciliation: Reconciliation
  readonly added: ReadonlyArray<WorkItem>
  readonly changed: ReadonlyArray<WorkItem>
  readonly records: ReadonlyArray<AuditRecord>
}

/** Port: compared days and their work items. */
export class ReconciliationStore extends Context.Service<
  ReconciliationStore,
  {
    /**
     * Adds the day, due at `dueAt`, for active cashiers of live organizations in force that have none: so many of those
     * behind `after`, by their ids. Answers for whom.
     */
    readonly enrol: (
      day: string,
      dueAt: number,
      after: ConnectionId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ConnectionId>, StorageError>
    /** Leases days that are due at `now`, oldest first, by moving their `dueAt` to `until`. */
    readonly claim: (
      now: number,
      until: number,
      limit: number,
      among?: Among
    ) => Effect.Effect<ReadonlyArray<Reconciliation>, StorageError>
    /** Who has days that are due. */
    readonly waiting: LookAtWaiting<StorageError>
    /** Has the day compared at `dueAt`, whether or not it was before. Answers it. */
    readonly ask: (of: CashierDay, dueAt: number, audit?: AuditRecord) => Effect.Effect<Reconciliation, StorageError>
    /** The days of an organization from one day to another, both included, newest first. */
    readonly days: (
      organizationId: OrganizationId,
      span: { readonly from: string; readonly to: string },
      limit: number
    ) => Effect.Effect<ReadonlyArray<Reconciliation>, StorageError>
    /** Writes the day if the stored one has the version before. */
    readonly replace: (reconciliation: Reconciliation) => Effect.Effect<boolean, StorageError>
    /** Payments and succeeded refunds of the cashier's live invoices, by their instants and ids. */
    readonly own: (query: OwnQuery) => Effect.Effect<ReadonlyArray<OwnOperation>, StorageError>
    /** The organization's live invoices that are named, with their refunds. */
    readonly known: (query: KnownQuery) => Effect.Effect<ReadonlyArray<KnownInvoice>, StorageError>
    /** All work items of a day. */
    readonly itemsOf: (of: CashierDay) => Effect.Effect<ReadonlyArray<WorkItem>, StorageError>
    /** A page of work items: open ones first, then by day, newest first. */
    readonly items: (query: WorkItemQuery) => Effect.Effect<WorkItemPage, StorageError>
    /** Open work items of some days, both included, counted by day and cashier; days without any are left out. */
    readonly openCounts: (
      organizationId: OrganizationId,
      span: { readonly from: string; readonly to: string }
    ) => Effect.Effect<ReadonlyArray<OpenCount>, StorageError>
    /** The work item of this organization. */
    readonly item: (
      organizationId: OrganizationId,
      id: WorkItemId
    ) => Effect.Effect<Option.Option<WorkItem>, StorageError>
    /**
     * Writes what a comparison has found, if the stored day and every changed item have the versions before. False if
     * not: nothing was written.
     */
    readonly settle: (settlement: ComparisonWrite) => Effect.Effect<boolean, StorageError>
    /** Writes the item if the stored one has the version before. False if not: nothing was written. */
    readonly replaceItem: (item: WorkItem, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/ReconciliationStore") {}
