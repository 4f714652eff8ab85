/** Port: what sandboxes hold, and the removal of what was not touched for long. Live rows are out of its reach. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { OrganizationId } from "../value/Ids.ts"

/** Where a sweep of a sandbox stands: behind the invoice with this age and id. */
export interface SandboxPlace {
  readonly createdAt: number
  readonly id: string
}

/** What to remove: of this sandbox, what has not changed since `before`, at most `limit` invoices, behind `after`. */
export interface RemovalRequest {
  readonly organizationId: OrganizationId
  readonly before: number
  readonly limit: number
  readonly after: SandboxPlace | null
}

/** What was removed, and where to go on; null: there is no more. */
export interface RemovalResult {
  readonly invoices: number
  readonly next: SandboxPlace | null
}

/** Port: removes what sandboxes no longer need. */
export class SandboxStore extends Context.Service<
  SandboxStore,
  {
    /** Organizations in the order of their ids, behind `after`. */
    readonly organizations: (after: string, limit: number) => Effect.Effect<ReadonlyArray<string>, StorageError>
    /**
     * Removes invoices of a sandbox with their events, refunds, deliveries, attempts and letters, and takes them out of
     * the daily totals, in one step. Their idempotency keys are free again. Those of subscriptions stay with these, and
     * those that pay for tariffs stay.
     */
    readonly forgetInvoices: (forgetting: RemovalRequest) => Effect.Effect<RemovalResult, StorageError>
    /**
     * The same for subscriptions of which neither row nor invoice has changed, with their runs, events and invoices.
     * Answers how many were removed: as many as `limit`, and there may be more.
     */
    readonly forgetSubscriptions: (forgetting: Omit<RemovalRequest, "after">) => Effect.Effect<number, StorageError>
    /**
     * Forgets test deliveries, and counts of limits, of days before. Both go by real time, and so does `before`.
     * Answers how many deliveries, as above.
     */
    readonly forgetTraces: (forgetting: Omit<RemovalRequest, "after">) => Effect.Effect<number, StorageError>
  }
>()("@tolem/core/SandboxStore") {}
