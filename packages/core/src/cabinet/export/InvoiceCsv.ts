/** Invoices as a table for spreadsheets: RFC 4180, one line each, in a language. Pure. */
import type { Invoice } from "../../invoice/Invoice.ts"
import { localTime } from "../../value/Calendar.ts"
import type { ConnectionId } from "../../value/Ids.ts"
import { toTenge } from "../../value/Money.ts"
import type { InvoiceSource } from "../ReportStore.ts"

/** The languages of heads. */
export const csvLanguages = ["kk", "ru", "en"] as const
/** See the list. */
export type CsvLanguage = (typeof csvLanguages)[number]

/** What marks a text as UTF-8 for programs that would take it for another one otherwise, Excel among them. */
export const byteOrderMark = "\uFEFF"

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

/** The line of heads. */
export const csvHead = (language: CsvLanguage): string => line(heads[language].map(cell))

/** The line of an invoice. `cashiers`: what they are called. */
export const csvLine = (invoice: Invoice, cashiers: ReadonlyMap<ConnectionId, string>): string => {
  const { customer, connectionId } = invoice
  return line([
    cell(invoice.id),
    localTime(invoice.createdAt),
    invoice.paidAt === null ? "" : localTime(invoice.paidAt),
    invoice.status,
    invoice.kind,
    toTenge(invoice.amount).toFixed(2),
    toTenge(invoice.refunded).toFixed(2),
    cell(invoice.description),
    cell(invoice.externalOrderId),
    cell(customer.name),
    cell(customer.phone),
    cell(customer.email),
    cell(invoice.receiptNumber),
    cell(connectionId === null ? null : (cashiers.get(connectionId) ?? connectionId)),
    sourceOf(invoice)
  ])
}

const sourceOf = ({ origin }: Invoice): InvoiceSource =>
  origin === null || origin.kind === "transaction" ? "request" : origin.kind

const line = (cells: ReadonlyArray<string>): string => `${cells.join(",")}\r\n`

// What begins so is a formula to spreadsheets, which may send what other cells hold away. An apostrophe makes it text.
const formula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

const cell = (text: string | null): string => {
  if (text === null) return ""
  const harmless = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
