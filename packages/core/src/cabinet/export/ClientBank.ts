/**
 * Money that has moved as the exchange file of 1C, `1CClientBankExchange` 1.03: a section of the account with its sums,
 * and a document for each payment and refund. Pure.
 */
import { localTime } from "../../value/Calendar.ts"
import type { Period } from "../Periods.ts"
import type { Moved, Movement } from "../statement/MovementStore.ts"
import { inTenge } from "./Csv.ts"

/** How a file is written: `windows` is windows-1251, in which 1C expects it. */
export const clientBankEncodings = ["windows", "utf-8"] as const
/** See the list. */
export type ClientBankEncoding = (typeof clientBankEncodings)[number]

/** The encoding that is asked for; windows-1251 if it is none of them. */
export const clientBankEncoding = (asked: unknown): ClientBankEncoding =>
  clientBankEncodings.find((each) => each === asked) ?? "windows"

/** Whose money it is. */
export interface Holder {
  readonly name: string
  /** BIN or IIN. */
  readonly idn: string | null
  /** The account as it is kept in 1C; empty: it is not said. */
  readonly account: string
}

/** What an account may be made of; the rest of what is asked for is left out. */
export const accountText = (asked: unknown): string =>
  typeof asked === "string" ? asked.replaceAll(/[^0-9A-Za-z]/g, "").slice(0, 34) : ""

const lines = (all: ReadonlyArray<readonly [name: string, value?: string]>): string =>
  all.map(([name, value]) => `${name}${value === undefined ? "" : `=${oneLine(value)}`}\r\n`).join("")

// A value ends with its line.
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()

/** `31.12.2026` of `2026-12-31`. */
const dateText = (day: string): string => day.split("-").toReversed().join(".")

interface Heading {
  readonly period: Period
  readonly holder: Holder
  readonly sums: Moved
  readonly encoding: ClientBankEncoding
  readonly now: number
}

/** What stands before the documents. The account begins with nothing, as the statement does. */
export const clientBankHead = ({ period, holder, sums, encoding, now }: Heading): string => {
  const [today = "", time = ""] = localTime(now).split(" ")
  const span = [
    ["ДатаНачала", dateText(period.from)],
    ["ДатаКонца", dateText(period.to)],
    ["РасчСчет", holder.account]
  ] as const
  return lines([
    ["1CClientBankExchange"],
    ["ВерсияФормата", "1.03"],
    ["Кодировка", encoding === "windows" ? "Windows" : "UTF-8"],
    ["Отправитель", "Tölem"],
    ["Получатель", ""],
    ["ДатаСоздания", dateText(today)],
    ["ВремяСоздания", time],
    ...span,
    ["СекцияРасчСчет"],
    ...span,
    ["НачальныйОстаток", "0.00"],
    ["ВсегоПоступило", inTenge(sums.paid)],
    ["ВсегоСписано", inTenge(sums.refunded)],
    ["КонечныйОстаток", inTenge(sums.paid - sums.refunded)],
    ["КонецРасчСчет"]
  ])
}

/** The document of a movement, with its number in the file. `till`: what its cashier is called. */
export const clientBankDocument = (
  movement: Movement,
  number: number,
  { name, idn, account }: Holder,
  till: string | null
): string => {
  const isPayment = movement.kind === "payment"
  const date = dateText(localTime(movement.at).slice(0, 10))
  const customer = movement.customerName ?? "Розничный покупатель"
  const own = (role: string) =>
    [
      [`${role}Счет`, account],
      [role, name],
      [`${role}ИНН`, idn ?? ""]
    ] as const
  const other = (role: string) =>
    [
      [`${role}Счет`, ""],
      [role, customer],
      [`${role}ИНН`, ""]
    ] as const
  return lines([
    ["СекцияДокумент", "Платежное поручение"],
    ["Номер", String(number)],
    ["Дата", date],
    ["Сумма", inTenge(BigInt(movement.amount))],
    ...(isPayment ? other("Плательщик") : own("Плательщик")),
    ...(isPayment ? [] : [["ДатаСписано", date] as const]),
    ...(isPayment ? own("Получатель") : other("Получатель")),
    ...(isPayment ? [["ДатаПоступило", date] as const] : []),
    ["ВидОплаты", "электронно"],
    ["НазначениеПлатежа", purposeOf(movement, till)],
    ["КонецДокумента"]
  ])
}

const purposeOf = (movement: Movement, till: string | null): string => {
  const { kind, invoiceId, receiptNumber, externalOrderId, description, reason } = movement
  const parts = [
    kind === "payment" ? "Оплата по QR" : "Возврат оплаты",
    receiptNumber === null ? null : `чек ${receiptNumber}`,
    externalOrderId === null ? null : `заказ ${externalOrderId}`,
    `счёт ${invoiceId}`,
    till === null ? null : `касса ${till}`,
    description,
    reason
  ]
  return parts.filter((part) => part !== null && part !== "").join(", ")
}

/** What ends the file. */
export const clientBankEnd: string = lines([["КонецФайла"]])

/** Characters of windows-1251 from 0x80 on. */
const upper =
  "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u0098™љ›њќћџ\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬\u00ad®Ї°±Ііґµ¶·ё№є»јЅѕї" +
  "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя"

/** Letters that windows-1251 lacks, by those that are read for them. */
const near: Readonly<Record<string, string>> = {
  Ә: "А",
  ә: "а",
  Ғ: "Г",
  ғ: "г",
  Қ: "К",
  қ: "к",
  Ң: "Н",
  ң: "н",
  Ө: "О",
  ө: "о",
  Ұ: "У",
  ұ: "у",
  Ү: "У",
  ү: "у",
  Һ: "Х",
  һ: "х",
  ö: "o",
  Ö: "O",
  "₸": "тг"
}

const question = 0x3f

/** The bytes of each character beyond ASCII, by its code. */
const bytesOf = new Map<number, ReadonlyArray<number>>(
  Array.from(upper, (character, index) => [character.charCodeAt(0), [0x80 + index]] as const)
)
for (const [character, written] of Object.entries(near)) {
  const bytes = Array.from(written, (each) => bytesOf.get(each.charCodeAt(0))?.[0] ?? each.charCodeAt(0))
  bytesOf.set(character.charCodeAt(0), bytes)
}

const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00
const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000

/** A text in windows-1251: Kazakh letters by those that are near them, and a question mark for all others. */
export const inWindows1251 = (text: string): Uint8Array<ArrayBuffer> => {
  // No character is written by more than two.
  const bytes = new Uint8Array(2 * text.length)
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) bytes[length++] = code
    // Both halves of a pair are one character.
    else if (!(isLow(code) && index > 0 && isHigh(text.charCodeAt(index - 1))))
      for (const byte of bytesOf.get(code) ?? [question]) bytes[length++] = byte
  }
  return bytes.slice(0, length)
}
