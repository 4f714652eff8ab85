/** Payments and refunds as a table. Pure. */
import { localTime } from "../../value/Calendar.ts"
import type { ConnectionId } from "../../value/Ids.ts"
import type { Movement } from "../statement/MovementStore.ts"
import { type Column, columnsOf, type Row, type TableLanguage } from "./Table.ts"

const heads: Readonly<Record<TableLanguage, ReadonlyArray<string>>> = {
  kk: [
    "Қозғалған уақыты (Алматы)",
    "Қозғалыс",
    "Сомасы, ₸",
    "Кешіккен",
    "Шот",
    "Қайтару",
    "Түбіртек нөмірі",
    "Тапсырыс нөмірі",
    "Сипаттамасы",
    "Клиент",
    "Кассир",
    "Қайдан",
    "Төлем жүйесіндегі нөмірі",
    "Қайтару себебі"
  ],
  ru: [
    "Время движения (Алматы)",
    "Движение",
    "Сумма, ₸",
    "Поздний",
    "Счёт",
    "Возврат",
    "Номер чека",
    "Номер заказа",
    "Описание",
    "Клиент",
    "Кассир",
    "Откуда",
    "Номер в платёжной системе",
    "Причина возврата"
  ],
  en: [
    "Moved at (Almaty)",
    "Movement",
    "Amount, KZT",
    "Late",
    "Invoice",
    "Refund",
    "Receipt number",
    "Order number",
    "Description",
    "Customer",
    "Cashier",
    "Source",
    "Reference of the provider",
    "Reason of the refund"
  ]
}

/** The columns. */
export const movementColumns = (language: TableLanguage): ReadonlyArray<Column> => columnsOf(heads[language])

/** The row of a movement; what went back is below zero, so that the column adds up to the net. */
export const movementRow = (movement: Movement, cashiers: ReadonlyMap<ConnectionId, string>): Row => {
  const { kind, id, invoiceId, connectionId } = movement
  const amount = BigInt(movement.amount)
  return [
    localTime(movement.at),
    kind,
    kind === "refund" ? -amount : amount,
    movement.late ? "late" : null,
    invoiceId,
    kind === "refund" ? id : null,
    movement.receiptNumber,
    movement.externalOrderId,
    movement.description,
    movement.customerName,
    connectionId === null ? null : (cashiers.get(connectionId) ?? connectionId),
    movement.source,
    movement.providerReference,
    movement.reason
  ]
}
