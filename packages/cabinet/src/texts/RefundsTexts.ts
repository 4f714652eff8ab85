/** The words of refunds over all invoices. The same set in each language. */
import type { RefundFilter } from "../app/RefundFilter.ts"

/** A status that is shown and asked for. */
type Status = NonNullable<RefundFilter["status"]>

/** The words of the screen. */
export interface RefundsTexts {
  readonly title: string
  readonly text: string
  readonly filters: string
  readonly status: string
  readonly any: string
  readonly from: string
  readonly to: string
  readonly reset: string
  readonly statuses: Readonly<Record<Status, string>>
  readonly sums: string
  /** Where only the newest were added up. */
  readonly ofNewest: string
  readonly unclear: string
  readonly unclearText: string
  readonly since: (ago: string) => string
  readonly asked: (count: number) => string
  readonly asks: (soon: string) => string
  readonly asksNoMore: string
  readonly askNow: string
  readonly stillUnclear: string
  readonly cleared: string
  readonly all: string
  readonly none: string
  readonly noneText: string
  readonly older: string
  readonly order: (number: string) => string
  readonly number: (reference: string) => string
  readonly toInvoice: string
  readonly resolve: string
  readonly resolveTitle: (amount: string) => string
  readonly resolveText: string
  readonly outcome: string
  readonly outcomeWrong: string
  readonly made: string
  readonly madeText: string
  readonly notMade: string
  readonly notMadeText: string
  readonly reference: string
  readonly referenceWrong: string
  readonly note: string
  readonly noteWrong: string
  readonly save: string
  readonly saved: string
  readonly conflict: string
}
