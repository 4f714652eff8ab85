/** Rows of a file as invoices that are to be made: which are good, and what is wrong with each of the others. Pure. */
import { Result } from "effect"
import { checkInvoice, type DraftCode } from "../../invoice/InvoiceDraft.ts"
import type { InvoiceSettings } from "../../invoice/InvoiceSettings.ts"
import { tengeOfText } from "../../value/AmountText.ts"
import { optionalUrl } from "../../value/Checks.ts"
import { phoneOfText } from "../../value/Phone.ts"
import type { TableLanguage } from "../export/Table.ts"
import { type CellRow, type FileFault, maxBulkRows } from "./BulkFile.ts"

/** What a column may hold. */
export const bulkColumns = [
  "amount",
  "description",
  "orderId",
  "customerName",
  "phone",
  "email",
  "kind",
  "successUrl",
  "failUrl"
] as const

/** See the list. */
export type BulkColumn = (typeof bulkColumns)[number]

/** The heads of a file to fill in. */
export const bulkHeads: Readonly<Record<TableLanguage, Readonly<Record<BulkColumn, string>>>> = {
  kk: {
    amount: "Сомасы, ₸",
    description: "Сипаттамасы",
    orderId: "Тапсырыс нөмірі",
    customerName: "Клиент",
    phone: "Телефон",
    email: "Электрондық пошта",
    kind: "Түрі",
    successUrl: "successUrl",
    failUrl: "failUrl"
  },
  ru: {
    amount: "Сумма, ₸",
    description: "Описание",
    orderId: "Номер заказа",
    customerName: "Клиент",
    phone: "Телефон",
    email: "Почта",
    kind: "Вид",
    successUrl: "successUrl",
    failUrl: "failUrl"
  },
  en: {
    amount: "Amount, KZT",
    description: "Description",
    orderId: "Order number",
    customerName: "Customer",
    phone: "Phone",
    email: "Email",
    kind: "Kind",
    successUrl: "successUrl",
    failUrl: "failUrl"
  }
}

// What else columns are called, beside the heads above and the names of the interface.
const otherNames: Readonly<Record<BulkColumn, ReadonlyArray<string>>> = {
  amount: ["amount", "sum", "сумма", "сомасы", "сома"],
  description: ["comment", "комментарий", "назначение", "сипаттама", "түсініктеме"],
  orderId: ["externalorderid", "order id", "order", "заказ", "тапсырыс"],
  customerName: ["name", "customer name", "имя", "фио", "покупатель", "аты"],
  phone: ["customer phone", "телефон клиента", "клиенттің телефоны"],
  email: ["e-mail", "customer email", "электронная почта", "пошта"],
  kind: [],
  successUrl: [],
  failUrl: []
}

const plain = (head: string): string => head.trim().toLowerCase().replaceAll(/\s+/g, " ")

const names = new Map(
  bulkColumns.flatMap((column) =>
    [column, ...Object.values(bulkHeads).map((heads) => heads[column]), ...otherNames[column]].map(
      (name) => [plain(name), column] as const
    )
  )
)

/** What is wrong with a row: in which column, and what stands there. */
export interface RowFault {
  readonly row: number
  readonly column: BulkColumn
  readonly code: Exclude<DraftCode, "invalid_metadata" | "invalid_idempotency_key">
  readonly value: string
}

/** An invoice that a row asks for, as a create request has it. */
export interface BulkInvoice {
  readonly amount: number
  readonly kind: "qr" | "phone"
  readonly description: string | null
  readonly externalOrderId: string | null
  readonly customer: { readonly name: string | null; readonly phone: string | null; readonly email: string | null }
  readonly successUrl: string | null
  readonly failUrl: string | null
  readonly idempotencyKey: string
}

/** What a file asks for. */
export interface BulkSheet {
  readonly total: number
  /** Heads that say nothing to us: their columns are left out. */
  readonly ignored: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{ readonly row: number; readonly invoice: BulkInvoice }>
  readonly faults: ReadonlyArray<RowFault>
}

/**
 * What the rows ask for, the first of them holding the heads. `upload` names the file: the same row of the same file
 * has the same idempotency key, so that nothing is made of it twice.
 */
export const checkSheet = (
  [head, ...rows]: ReadonlyArray<CellRow>,
  upload: string,
  settings: InvoiceSettings
): Result.Result<BulkSheet, FileFault> => {
  const fault = (cause: FileFault["cause"], row: number | null = null) => Result.fail({ cause, row })
  if (head === undefined || rows.length === 0) return fault("empty")
  if (rows.length > maxBulkRows) return fault("rows")
  const columns = head.cells.map((cell) => names.get(plain(cell)))
  const known = columns.filter((column) => column !== undefined)
  if (new Set(known).size < known.length) return fault("head_twice", head.row)
  if (!known.includes("amount")) return fault("no_amount", head.row)
  const ignored = head.cells.filter((cell, at) => columns[at] === undefined && cell.trim() !== "")
  const judged = rows.map(({ row, cells }) => {
    const given: Given = {}
    for (const [at, column] of columns.entries()) if (column !== undefined) given[column] = (cells[at] ?? "").trim()
    return judge(row, given, `file-${upload}-${row}`, settings)
  })
  return Result.succeed({
    total: rows.length,
    ignored: ignored.map(short),
    rows: judged.filter((one) => "invoice" in one),
    faults: judged.filter((one) => "code" in one)
  })
}

type Given = { [C in BulkColumn]?: string }

const judge = (row: number, given: Given, idempotencyKey: string, settings: InvoiceSettings) => {
  const text = (column: BulkColumn) => (given[column] === undefined || given[column] === "" ? null : given[column])
  const kind = kinds.get(text("kind")?.toLowerCase() ?? "qr")
  const phone = text("phone")
  const invoice = {
    amount: amountOf(given.amount ?? ""),
    kind: kind ?? "?",
    description: text("description"),
    externalOrderId: text("orderId"),
    customer: { name: text("customerName"), phone: phone === null ? null : phoneOfText(phone), email: text("email") },
    successUrl: text("successUrl"),
    failUrl: text("failUrl"),
    idempotencyKey
  }
  const wrong = (code: RowFault["code"], column: BulkColumn): RowFault => ({
    row,
    column,
    code,
    value: short(given[column] ?? "")
  })
  const checked = checkInvoice(invoice, {}, settings)
  if (Result.isSuccess(checked) && kind !== undefined) return { row, invoice: { ...invoice, kind } }
  const code = Result.isFailure(checked) ? checked.failure.code : "invalid_kind"
  if (code === "invalid_url") return wrong(code, isFailed(optionalUrl(invoice.successUrl)) ? "successUrl" : "failUrl")
  // Neither can be: there is no metadata, and the key is ours.
  if (code === "invalid_metadata" || code === "invalid_idempotency_key") return wrong("invalid_amount", "amount")
  return wrong(code, columnsOfCodes[code])
}

const isFailed = (result: Result.Result<unknown, unknown>): boolean => Result.isFailure(result)

const kinds = new Map<string, "qr" | "phone">([
  ["qr", "qr"],
  ["phone", "phone"],
  ["телефон", "phone"]
])

const columnsOfCodes: Readonly<Record<Exclude<RowFault["code"], "invalid_url">, BulkColumn>> = {
  invalid_amount: "amount",
  amount_too_small: "amount",
  amount_too_large: "amount",
  amount_must_be_whole_tenge: "amount",
  invalid_kind: "kind",
  invalid_customer: "customerName",
  invalid_phone: "phone",
  phone_required: "phone",
  invalid_email: "email",
  invalid_description: "description",
  invalid_external_order_id: "orderId"
}

/** What the forms take beside: points or commas between groups, apostrophes, and signs. */
const beyondFiles = /[.,][0-9]+[.,]|['\u2019+\u2212-]/

/**
 * An amount as people write it, with spaces between groups of three, a decimal comma and the currency; no number if it
 * is none, or could be another one.
 */
const amountOf = (text: string): number => (beyondFiles.test(text) ? Number.NaN : (tengeOfText(text) ?? Number.NaN))

const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text)
