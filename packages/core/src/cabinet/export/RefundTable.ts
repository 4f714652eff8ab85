/** Refunds over all invoices as a table. Pure. */
import { localTime } from "../../value/Calendar.ts"
import type { ConnectionId } from "../../value/Ids.ts"
import type { ListedRefund } from "../refund/RefundListStore.ts"
import { type Column, columnsOf, type Row, type TableLanguage } from "./Table.ts"

const heads: Readonly<Record<TableLanguage, ReadonlyArray<string>>> = {
  kk: [
    "Қайтару",
    "Сұралған (Алматы)",
    "Аяқталған (Алматы)",
    "Күйі",
    "Сомасы, ₸",
    "Қайтару себебі",
    "Төлем жүйесіндегі нөмірі",
    "Шот",
    "Түбіртек нөмірі",
    "Тапсырыс нөмірі",
    "Сипаттамасы",
    "Кассир"
  ],
  ru: [
    "Возврат",
    "Запрошен (Алматы)",
    "Завершён (Алматы)",
    "Статус",
    "Сумма, ₸",
    "Причина возврата",
    "Номер в платёжной системе",
    "Счёт",
    "Номер чека",
    "Номер заказа",
    "Описание",
    "Кассир"
  ],
  en: [
    "Refund",
    "Asked for (Almaty)",
    "Ended (Almaty)",
    "Status",
    "Amount, KZT",
    "Reason of the refund",
    "Reference of the provider",
    "Invoice",
    "Receipt number",
    "Order number",
    "Description",
    "Cashier"
  ]
}

/** The columns. */
export const refundColumns = (language: TableLanguage): ReadonlyArray<Column> => columnsOf(heads[language])

/** The row of a refund. `cashiers`: what they are called. */
export const refundRow = ({ refund, ...invoice }: ListedRefund, cashiers: ReadonlyMap<ConnectionId, string>): Row => {
  const { connectionId } = invoice
  return [
    refund.id,
    localTime(refund.createdAt),
    refund.completedAt === null ? null : localTime(refund.completedAt),
    refund.status,
    BigInt(refund.amount),
    refund.reason,
    refund.providerReference,
    refund.invoiceId,
    invoice.receiptNumber,
    invoice.externalOrderId,
    invoice.description,
    connectionId === null ? null : (cashiers.get(connectionId) ?? connectionId)
  ]
}
