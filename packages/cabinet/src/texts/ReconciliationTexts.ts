/** The words of reconciliation. The same set in each language. */

import type { ReconciliationFault } from "@tolem/core/reconciliation/Reconciliation"
import type { WorkItemCause, WorkItemResolution } from "@tolem/core/reconciliation/WorkItem"

/** The words of the screen. */
export interface ReconciliationTexts {
  readonly title: string
  readonly text: string
  readonly sandbox: string
  readonly noList: string
  readonly earlier: string
  readonly later: string
  readonly days: string
  readonly daysText: string
  readonly noDays: string
  readonly day: string
  readonly cashier: string
  readonly here: string
  readonly there: string
  readonly result: string
  readonly alike: string
  /** Both sides differ, and all that differs has been looked into. */
  readonly closed: string
  readonly waits: string
  readonly failed: string
  readonly open: (count: number) => string
  readonly faults: Readonly<Record<ReconciliationFault, string>>
  readonly again: string
  readonly asked: string
  readonly differences: string
  readonly differencesText: string
  readonly none: string
  readonly noneOpen: string
  readonly status: Readonly<Record<"open" | "all", string>>
  readonly causes: Readonly<Record<WorkItemCause, string>>
  readonly advice: Readonly<Record<WorkItemCause, string>>
  readonly amounts: (here: string, there: string) => string
  readonly nothing: string
  readonly payment: (number: string) => string
  readonly toInvoice: string
  readonly check: string
  readonly settled: string
  readonly stillDiffers: string
  readonly accept: string
  readonly acceptTitle: string
  readonly acceptText: string
  readonly note: string
  readonly noteWrong: string
  readonly accepted: string
  readonly resolutions: Readonly<Record<WorkItemResolution, string>>
  readonly more: string
}
