/** The words of invoices that are made of a file. The same set in each language. */
import type { FileFault } from "@tolem/core/cabinet/bulk/BulkFile"
import type { BulkColumn } from "@tolem/core/cabinet/bulk/BulkSheet"

/** The words of the screen. */
export interface BulkTexts {
  readonly title: string
  readonly text: string
  readonly file: string
  readonly fileText: string
  readonly choose: string
  readonly other: string
  readonly template: string
  readonly columns: Readonly<Record<BulkColumn, string>>
  readonly causes: Readonly<Record<FileFault["cause"], string>>
  readonly inRow: (row: number) => string
  readonly unread: string
  readonly found: string
  readonly total: (rows: string, good: string, bad: string) => string
  readonly ignored: (heads: string) => string
  readonly bad: string
  readonly badText: string
  readonly row: string
  readonly column: string
  readonly cause: string
  readonly make: (count: string, sum: string) => string
  readonly goOn: string
  readonly stopped: string
  readonly progress: (made: string, all: string) => string
  readonly made: string
  readonly madeText: (count: string) => string
  readonly before: (count: string) => string
  readonly failed: (count: string) => string
  readonly links: string
}
