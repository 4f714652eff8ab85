/** A statement as a table: a row of each day, month, cashier or source, and the sums of all at its end. Pure. */
import { Stream } from "effect"
import type { ConnectionId } from "../../value/Ids.ts"
import type { Moved, MovedSums } from "../statement/MovementStore.ts"
import { addMoved, monthsOf, unmoved } from "../statement/StatementJson.ts"
import { columnsOf, type Row, type Table, type TableLanguage } from "./Table.ts"

/** What the rows of a statement are. */
export const groupings = ["day", "month", "cashier", "source"] as const
/** See the list. */
export type Grouping = (typeof groupings)[number]

/** The grouping that is asked for; days if it is none of them. */
export const groupingOf = (asked: unknown): Grouping => groupings.find((each) => each === asked) ?? "day"

const heads: Readonly<Record<TableLanguage, Readonly<Record<Grouping | "sum" | "none", string>>>> = {
  kk: { day: "Күні", month: "Айы", cashier: "Кассир", source: "Қайдан", sum: "Барлығы", none: "Кассирсіз" },
  ru: { day: "День", month: "Месяц", cashier: "Кассир", source: "Откуда", sum: "Всего", none: "Без кассира" },
  en: { day: "Day", month: "Month", cashier: "Cashier", source: "Source", sum: "In all", none: "No cashier" }
}

const figures: Readonly<Record<TableLanguage, ReadonlyArray<string>>> = {
  kk: [
    "Төлемдер",
    "Төленді, ₸",
    "Кешіккен төлемдер",
    "Оның ішінде кешіккені, ₸",
    "Қайтарулар",
    "Қайтарылды, ₸",
    "Қорытынды, ₸"
  ],
  ru: ["Платежи", "Оплачено, ₸", "Поздние платежи", "Из них поздние, ₸", "Возвраты", "Возвращено, ₸", "Итого, ₸"],
  en: ["Payments", "Paid, KZT", "Late payments", "Of that late, KZT", "Refunds", "Given back, KZT", "Net, KZT"]
}

interface Named extends Moved {
  readonly name: string
}

/** The table. `cashiers`: what they are called. */
export const statementTable = (
  sums: MovedSums,
  by: Grouping,
  language: TableLanguage,
  cashiers: ReadonlyMap<ConnectionId, string>
): Table => {
  const words = heads[language]
  const nameOf = (id: ConnectionId | null) => (id === null ? words.none : (cashiers.get(id) ?? id))
  const rows: Readonly<Record<Grouping, ReadonlyArray<Named>>> = {
    day: sums.days.map((each) => ({ ...each, name: each.day })),
    month: monthsOf(sums.days).map((each) => ({ ...each, name: each.month })),
    cashier: sums.cashiers.map((each) => ({ ...each, name: nameOf(each.connectionId) })),
    source: sums.sources.map((each) => ({ ...each, name: each.source }))
  }
  const whole: Named = { name: words.sum, ...sums.days.reduce(addMoved, unmoved) }
  return {
    columns: columnsOf([words[by], ...figures[language]]),
    parts: Stream.make([...rows[by], whole].map(rowOf))
  }
}

const rowOf = ({ name, payments, paid, latePayments, late, refunds, refunded }: Named): Row => [
  name,
  payments,
  paid,
  latePayments,
  late,
  refunds,
  refunded,
  paid - refunded
]
