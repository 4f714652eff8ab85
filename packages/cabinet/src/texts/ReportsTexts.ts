/** The words of reports: the statement of a period, and the report of a till. The same set in each language. */

/** Of the screen. */
export interface ReportsTexts extends FiguresTexts, ShiftTexts, FilesTexts, MonthlyTexts {
  readonly title: string
  readonly statement: string
  readonly statementText: string
  readonly presets: string
  readonly preset: Readonly<Record<"today" | "yesterday" | "month" | "lastMonth", string>>
  readonly from: string
  readonly to: string
  readonly cashier: string
  readonly allCashiers: string
  readonly noCashier: string
  readonly grouped: string
  readonly by: Readonly<Record<"day" | "month" | "cashier" | "source", string>>
  /** From January on. */
  readonly months: ReadonlyArray<string>
  readonly none: string
  readonly print: string
}

/** Of the statement of each month by letter. */
interface MonthlyTexts {
  readonly letter: string
  readonly letterTo: (email: string) => string
  readonly letterText: string
  readonly letterNeedsAddress: string
  readonly toProfile: string
  readonly letterSent: (month: string) => string
}

/** Of the files that are taken along. */
interface FilesTexts {
  readonly files: string
  readonly filesText: string
  readonly ofStatement: string
  readonly ofMovements: string
  readonly account: string
  readonly accountHint: string
  readonly forBooks: string
}

interface FiguresTexts {
  readonly payments: string
  readonly paid: string
  readonly late: string
  readonly lateText: string
  readonly refunds: string
  readonly refunded: string
  readonly net: string
  readonly sum: string
}

interface ShiftTexts {
  readonly shift: string
  readonly shiftText: string
  readonly day: string
  readonly fromTime: string
  readonly toTime: string
  readonly nextDay: string
  readonly first: string
  readonly last: string
  readonly receipt: (number: string) => string
}
