/** Port: checks of the stored data against itself. */
import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.ts"

/** A rule that the stored data breaks, and the row that breaks it. */
export interface Finding {
  readonly rule:
    | "refunds_within_payment"
    | "refunded_equals_refunds"
    | "totals_equal_rows"
    | "sequences_gap_free"
    | "status_equals_last_event"
    | "events_have_deliveries"
    | "runs_equal_rows"
    | "usage_equals_totals"
    | "run_invoices_have_runs"
    | "run_invoices_equal_events"
    | "subscriptions_agree_with_runs"
    | "subscription_events_gap_free"
  readonly subject: string
  readonly detail: string
}

/** See the file's head. */
export class Integrity extends Context.Service<
  Integrity,
  {
    /** Everything that is wrong; empty where all is well. At most 1 000 findings a rule. */
    readonly findings: Effect.Effect<ReadonlyArray<Finding>, StorageError>
  }
>()("@tolem/core/Integrity") {}
