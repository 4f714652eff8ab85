/** The invoices that were made of a file, with the addresses at which they are paid, as a table. Pure. */

import { Result, Stream } from "effect"
import { isObject, isStorable } from "../../value/Checks.ts"
import { fromTenge } from "../../value/Money.ts"
import { columnsOf, type Row, type Table, type TableLanguage } from "../export/Table.ts"
import { maxBulkRows, maxCellLength } from "./BulkFile.ts"
import { bulkHeads } from "./BulkSheet.ts"

const ends: Readonly<Record<TableLanguage, readonly [row: string, invoice: string, link: string]>> = {
  kk: ["Жол", "Шот", "Төлем сілтемесі"],
  ru: ["Строка", "Счёт", "Ссылка на оплату"],
  en: ["Row", "Invoice", "Payment link"]
}

/** The table of what a page says was made; null if it is not such a list. Nothing of it is looked up. */
export const linkTable = (rows: unknown, language: TableLanguage): Table | null => {
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > maxBulkRows) return null
  const shown = rows.map(rowOf)
  if (!shown.every((row) => row !== null)) return null
  const { amount, description, orderId, customerName, phone } = bulkHeads[language]
  const [row, invoice, link] = ends[language]
  const columns = columnsOf([row, amount, description, orderId, customerName, phone, invoice, link])
  return { columns, parts: Stream.make(shown) }
}

const rowOf = (given: unknown): Row | null => {
  if (!isObject(given) || !Number.isSafeInteger(given["row"])) return null
  const amount = fromTenge(given["amount"])
  const names = ["description", "externalOrderId", "name", "phone", "id", "payUrl"]
  const texts = names.map((name) => given[name] ?? null)
  const isText = (text: unknown): text is string | null =>
    text === null || (typeof text === "string" && text.length <= maxCellLength && isStorable(text))
  if (Result.isFailure(amount) || !texts.every(isText)) return null
  return [Number(given["row"]), BigInt(amount.success), ...texts]
}

/** A file to fill in: the heads alone, so that no example is billed. */
export const bulkTemplate = (language: TableLanguage): Table => {
  const { successUrl: _success, failUrl: _fail, ...heads } = bulkHeads[language]
  return { columns: columnsOf(Object.values(heads)), parts: Stream.empty }
}
