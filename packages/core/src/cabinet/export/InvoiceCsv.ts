/** Invoices as a table for spreadsheets: RFC 4180, one line each, in a language. Pure. */
import type { Invoice } from "../../invoice/Invoice.ts"
import { localTime } from "../../value/Calendar.ts"
import type { ConnectionId } from "../../value/Ids.ts"
import { type Tiyn, toTenge } from "../../value/Money.ts"
import type { InvoiceSource } from "../ReportStore.ts"

/** The languages of heads. */
export const csvLanguages = ["kk", "ru", "en"] as const
/** See the list. */
export type CsvLanguage = (typeof csvLanguages)[number]

/** How a table is written: what stands before its first line, between cells, and before the tiyn of an amount. */
export interface CsvForm {
  readonly mark: string
  readonly separator: string
  readonly decimal: string
}

/** What marks a text as UTF-8 for programs that would take it for another one otherwise, Excel among them. */
const byteOrderMark = "\uFEFF"

/** `plain`: RFC 4180. `excel`: as Excel reads it where numbers have a decimal comma, as in Kazakh and in Russian. */
export const csvForms: Readonly<Record<"plain" | "excel", CsvForm>> = {
  plain: { mark: "", separator: ",", decimal: "." },
  excel: { mark: byteOrderMark, separator: ";", decimal: "," }
}

const heads: Readonly<Record<CsvLanguage, ReadonlyArray<string>>> = {
  kk: [
    "Шот",
    "Жасалған (Алматы)",
    "Төленген (Алматы)",
    "Күйі",
    "Түрі",
    "Сомасы, ₸",
    "Қайтарылған, ₸",
    "Сипаттамасы",
    "Тапсырыс нөмірі",
    "Клиент",
    "Телефон",
    "Электрондық пошта",
    "Түбіртек нөмірі",
    "Кассир",
    "Қайдан"
  ],
  ru: [
    "Счёт",
    "Создан (Алматы)",
    "Оплачен (Алматы)",
    "Статус",
    "Вид",
    "Сумма, ₸",
    "Возвращено, ₸",
    "Описание",
    "Номер заказа",
    "Клиент",
    "Телефон",
    "Почта",
    "Номер чека",
    "Кассир",
    "Откуда"
  ],
  en: [
    "Invoice",
    "Created (Almaty)",
    "Paid (Almaty)",
    "Status",
    "Kind",
    "Amount, KZT",
    "Refunded, KZT",
    "Description",
    "Order number",
    "Customer",
    "Phone",
    "Email",
    "Receipt number",
    "Cashier",
    "Source"
  ]
}

/** The mark and the line of heads. */
export const csvHead = (language: CsvLanguage, form: CsvForm): string =>
  form.mark + line(heads[language].map(cell), form)

/** The line of an invoice. `cashiers`: what they are called. */
export const csvLine = (invoice: Invoice, cashiers: ReadonlyMap<ConnectionId, string>, form: CsvForm): string => {
  const { customer, connectionId } = invoice
  const number = (amount: Tiyn) => toTenge(amount).toFixed(2).replace(".", form.decimal)
  const cells = [
    cell(invoice.id),
    localTime(invoice.createdAt),
    invoice.paidAt === null ? "" : localTime(invoice.paidAt),
    invoice.status,
    invoice.kind,
    number(invoice.amount),
    number(invoice.refunded),
    cell(invoice.description),
    cell(invoice.externalOrderId),
    cell(customer.name),
    cell(customer.phone),
    cell(customer.email),
    cell(invoice.receiptNumber),
    cell(connectionId === null ? null : (cashiers.get(connectionId) ?? connectionId)),
    sourceOf(invoice)
  ]
  return line(cells, form)
}

const sourceOf = ({ origin }: Invoice): InvoiceSource =>
  origin === null || origin.kind === "transaction" ? "request" : origin.kind

const line = (cells: ReadonlyArray<string>, { separator }: CsvForm): string => `${cells.join(separator)}\r\n`

// What begins so is a formula to spreadsheets, which may send what other cells hold away; an apostrophe makes it text.
// They may split a line at other separators than ours, and then know nothing of our quotes: so each part counts.
const formulas = /(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])(?<=(?:^|[;,|\t\r\n])["'\s]*)|(?<=^|[;,|\t])(?=[\t\r])|^(?=\n)/g

const cell = (text: string | null): string => {
  if (text === null) return ""
  const harmless = text.replaceAll(formulas, "'")
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
