/** The subscription as a row. */
import { InvoiceKind } from "@tolem/core/invoice/Invoice"
import type { Subscription } from "@tolem/core/subscription/Subscription"
import { json, once, oneOf, type RowOf, table } from "../base/Table.ts"

const isHours = (value: unknown): boolean => Array.isArray(value) && value.every(Number.isSafeInteger)

/** The table of subscriptions. */
export const subscriptionTable = table<Subscription>("subscriptions")({
  id: once("text"),
  organizationId: once("text"),
  mode: once(oneOf(["live", "sandbox"])),
  connectionId: once("text"),
  status: oneOf(["active", "paused", "cancelled", "finished"]),
  amount: "bigint",
  kind: oneOf(InvoiceKind.literals),
  description: "text",
  customer: { name: "text", phone: "text", email: "text" },
  metadata: { type: "text", holds: (value) => typeof value === "object" },
  /** Interval is a type of PostgreSQL's. */
  interval: { type: "text", name: "step", words: ["day", "week", "month"] },
  every: "bigint",
  dayOfMonth: "bigint",
  anchorAt: "bigint",
  retryHours: json<Subscription["retryHours"]>(isHours),
  misfire: oneOf(["run_once", "skip"]),
  nextIndex: "bigint",
  nextRunAt: "bigint",
  lastRunAt: "bigint",
  lastInvoiceId: "text",
  runs: "bigint",
  maxRuns: "bigint",
  faults: "bigint",
  fault: "text",
  idempotencyKey: once("text"),
  fingerprint: once("text"),
  dueAt: "bigint",
  createdAt: once("bigint"),
  updatedAt: "bigint",
  sequence: "bigint",
  version: "bigint"
})

/** A row of the table. */
export type SubscriptionRow = RowOf<typeof subscriptionTable>
