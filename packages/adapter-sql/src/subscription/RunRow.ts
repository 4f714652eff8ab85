/** Runs and events of subscriptions as rows. */
import type { Run } from "@tolem/core/subscription/Run"
import type { SubscriptionEvent } from "@tolem/core/subscription/Subscription"
import type { Mode } from "@tolem/core/value/Mode"
import { json, once, oneOf, type RowOf, table } from "../base/Table.ts"

/** A run, and the mode of its subscription. */
export type RunInMode = Run & { readonly mode: Mode }

const isIds = (value: unknown): boolean => Array.isArray(value) && value.every((id) => typeof id === "string")

/** The table of runs. */
export const runTable = table<Run, RunInMode>("subscription_runs")(
  {
    subscriptionId: once("text"),
    run: once("bigint"),
    organizationId: once("text"),
    scheduledAt: once("bigint"),
    /** All invoices, oldest first. */
    invoiceIds: json<Run["invoiceIds"]>(isIds),
    status: oneOf(["issuing", "open", "ended"]),
    faults: "bigint",
    dueAt: "bigint",
    createdAt: once("bigint"),
    updatedAt: "bigint"
  },
  {
    mode: { type: "text", once: true, words: ["live", "sandbox"], of: ({ mode }: RunInMode) => mode },
    /** The invoice in force. */
    invoice_id: { type: "text", of: ({ invoiceIds }: Run) => invoiceIds.at(-1) ?? "" }
  }
)

/** A row of the table of runs. */
export type RunRow = RowOf<typeof runTable>

/** The table of subscriptions' events. */
export const subscriptionEventTable = table<SubscriptionEvent>("subscription_events")({
  subscriptionId: "text",
  sequence: "bigint",
  id: "text",
  organizationId: "text",
  type: "text",
  source: "text",
  run: "bigint",
  invoiceId: "text",
  code: "text",
  createdAt: "bigint"
})

/** A row of the table of subscriptions' events. */
export type SubscriptionEventRow = RowOf<typeof subscriptionEventTable>
