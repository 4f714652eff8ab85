/** The words of invoices that are made of a file, in English. */
import type { BulkTexts } from "./BulkTexts.ts"

/** The texts of invoices of files in English. */
export const englishBulk: BulkTexts = {
  title: "Invoices from a file",
  text: "Choose a table. You see what is wrong with each row before anything is made.",
  file: "File",
  fileText: "CSV or XLSX, at most 1,000 rows and 1 MB. The first row holds the heads; only the amount is required.",
  choose: "Choose a file",
  other: "Choose another file",
  template: "Empty table to fill in:",
  columns: {
    amount: "Amount",
    description: "Description",
    orderId: "Order number",
    customerName: "Customer",
    phone: "Phone",
    email: "Email",
    kind: "Kind",
    successUrl: "successUrl",
    failUrl: "failUrl"
  },
  causes: {
    bytes: "The file is larger than 1 MB. Split it.",
    encoding: "This is no text that we can read. Save the file as CSV UTF-8 or as XLSX.",
    quote: "A quotation mark is opened and never closed.",
    columns: "There are too many columns: at most 64.",
    rows: "There are more than 1,000 rows. Split the file.",
    workbook: "The workbook cannot be read. Save it as XLSX again, without a password.",
    unpacked: "The workbook unpacks to more than 8 MB. Save only this table to a new file.",
    empty: "There are no rows below the heads.",
    no_amount: "No column is called “Amount”.",
    head_twice: "Two columns mean the same."
  },
  inRow: (row) => `Row ${row}.`,
  unread: "The file could not be read from the device.",
  found: "What is in the file",
  total: (rows, good, bad) => `Rows: ${rows}. Good: ${good}. With errors: ${bad}.`,
  ignored: (heads) => `Columns that are left out: ${heads}`,
  bad: "Rows with errors",
  badText: "Mend them in the file before you make the others, or later in a file that holds these rows alone.",
  row: "Row",
  column: "Column",
  cause: "What is wrong",
  make: (count, sum) => `Make invoices: ${count}, ${sum} in all`,
  goOn: "Go on",
  stopped: "Stopped. What was made stays; going on makes nothing twice.",
  progress: (made, all) => `${made} of ${all}`,
  made: "Made",
  madeText: (count) => `Invoices with links: ${count}.`,
  before: (count) => `Made of this same file before: ${count}. To bill once more, change the rows.`,
  failed: (count) => `Not made: ${count}`,
  links: "Download links:"
}
