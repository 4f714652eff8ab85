/** Rules that take more than SQL: rows pass by in pages, so that memory does not grow with the data. */
import type { SecretBox } from "@tolem/core/secret/SecretBox"
import { dateOf } from "@tolem/core/value/Rhythm"
import { Effect } from "effect"
import { eventTable } from "../invoice/EventRow.ts"
import { type InvoiceRow, invoiceTable } from "../invoice/InvoiceRow.ts"
import { mailTable } from "../mail/MailRow.ts"
import { runTable } from "../subscription/RunRow.ts"
import { type SubscriptionRow, subscriptionTable } from "../subscription/SubscriptionRow.ts"
import { deliveryTable } from "../webhook/DeliveryRow.ts"
import { endpointTable } from "../webhook/EndpointRow.ts"
import { type Breach, maxBreaches, type Parts, type Rule } from "./Rule.ts"
import { pageSize, sweep } from "./Sweep.ts"

/** The rules. */
export const sweeps = (parts: Parts, box: SecretBox["Service"]): ReadonlyArray<Rule> => [
  readable(parts),
  derivedColumns(parts),
  schedules(parts),
  ...secrets(parts, box)
]

/** What agents claim, and what they read with it. */
const claimed = [
  { table: invoiceTable, key: ["id"] },
  { table: eventTable, key: ["invoice_id", "sequence"] },
  { table: deliveryTable, key: ["id"] },
  { table: endpointTable, key: ["id"] },
  { table: subscriptionTable, key: ["id"] },
  { table: runTable, key: ["subscription_id", "run"] },
  { table: mailTable, key: ["id"] }
] as const

// Agents set aside what breaks it, so that nothing is done about such a row until it is repaired.
const readable = (parts: Parts): Rule => {
  const rowsOf = ({ table, key }: (typeof claimed)[number]) =>
    sweep(parts, { table: parts.tables[table.name], key, breachOf: table.check })
  return { name: "rows_can_be_read", breaches: Effect.map(Effect.forEach(claimed, rowsOf), (found) => found.flat()) }
}

const derivedColumns = (parts: Parts): Rule => {
  const { tables } = parts
  return {
    name: "derived_columns_follow",
    breaches: sweep(parts, {
      table: tables.invoices,
      key: ["id"],
      breachOf: (row: InvoiceRow) => {
        const made = invoiceTable.encode(invoiceTable.decode(row))
        if (made.day !== row.day) return `created on ${made.day}, counted on ${row.day}`
        return made.search_text === row.search_text ? undefined : "its search text is not made of its texts"
      }
    })
  }
}

/** More than any subscription has: a thousand years of days. */
const mostDates = 366_000

const schedules = (parts: Parts): Rule => {
  const { tables } = parts
  return {
    name: "dates_follow_the_rhythm",
    breaches: sweep(parts, {
      table: tables.subscriptions,
      key: ["id"],
      breachOf: (row: SubscriptionRow) => {
        const { step, next_index, next_run_at } = row
        const isRhythm = ["day", "week", "month"].includes(step) && row.every >= 1 && row.every <= mostDates
        if (!isRhythm || next_index < 0 || next_index > mostDates) return "no rhythm"
        const rhythm = { interval: step, every: row.every, dayOfMonth: row.day_of_month, anchorAt: row.anchor_at }
        const date = dateOf(rhythm, next_index)
        return date === next_run_at ? undefined : `next at ${next_run_at}, by its rhythm at ${date}`
      }
    })
  }
}

/** Where secrets are kept: the row's id is the context that they were sealed in. */
const sealed = [
  { name: "endpoints", column: "secret", isSet: "secret <> ''" },
  { name: "endpoints", column: "previous_secret", isSet: "previous_secret is not null" },
  { name: "connections", column: "session", isSet: "session is not null" },
  { name: "secret_checks", column: "sealed", isSet: "true" }
] as const

const secrets = (parts: Parts, box: SecretBox["Service"]): ReadonlyArray<Rule> => {
  const { sql, tables } = parts
  interface SecretRow {
    readonly id: string
    readonly secret: string
  }
  const unopened = Effect.fnUntraced(function* ({ name, column, isSet }: (typeof sealed)[number]) {
    const found: Array<Breach> = []
    let after = ""
    while (found.length < maxBreaches) {
      const rows: ReadonlyArray<SecretRow> = yield* sql<SecretRow>`
        select id, ${sql.literal(column)} as secret from ${tables[name]}
        where id > ${after} and ${sql.literal(isSet)} order by id limit ${sql.literal(String(pageSize))}`
      for (const { id, secret } of rows) {
        const opened = yield* Effect.isSuccess(box.open(secret, id))
        if (!opened) found.push({ subject: id, detail: `no key opens ${name}.${column}` })
      }
      if (rows.length < pageSize) break
      after = rows.at(-1)!.id
    }
    return found
  })
  return [{ name: "secrets_open", breaches: Effect.map(Effect.forEach(sealed, unopened), (found) => found.flat()) }]
}
