/** Invoices as a table. Pure. */
import type { Invoice } from "../../invoice/Invoice.ts"
import { localTime } from "../../value/Calendar.ts"
import type { ConnectionId } from "../../value/Ids.ts"
import type { InvoiceSource } from "../ReportStore.ts"
import { type Column, columnsOf, type Row, type TableLanguage } from "./Table.ts"

const heads: Readonly<Record<TableLanguage, ReadonlyArray<string>>> = {
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

/** The columns. */
export const invoiceColumns = (language: TableLanguage): ReadonlyArray<Column> => columnsOf(heads[language])

/** The row of an invoice. `cashiers`: what they are called. */
export const invoiceRow = (invoice: Invoice, cashiers: ReadonlyMap<ConnectionId, string>): Row => {
  const { customer, connectionId } = invoice
  return [
    invoice.id,
    localTime(invoice.createdAt),
    invoice.paidAt === null ? null : localTime(invoice.paidAt),
    invoice.status,
    invoice.kind,
    BigInt(invoice.amount),
    BigInt(invoice.refunded),
    invoice.description,
    invoice.externalOrderId,
    customer.name,
    customer.phone,
    customer.email,
    invoice.receiptNumber,
    connectionId === null ? null : (cashiers.get(connectionId) ?? connectionId),
    sourceOf(invoice)
  ]
}

const sourceOf = ({ origin }: Invoice): InvoiceSource =>
  origin === null || origin.kind === "transaction" ? "request" : origin.kind
