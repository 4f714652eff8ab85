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
import { type Breach, type Breaches, maxBreaches, type Parts, type Rules } from "./Rule.ts"
import { pageSize, sweep } from "./Sweep.ts"

/** The rules. */
export const sweeps = (parts: Parts, box: SecretBox["Service"]): Rules => ({
  // Agents set aside what breaks it, so that nothing is done about such a row until it is repaired.
  rows_can_be_read: everywhere(claimed, ({ table, key }) =>
    sweep(parts, { table: parts.tables[table.name], key, breachOf: table.check })
  ),
  derived_columns_follow: sweep(parts, { table: parts.tables.invoices, key: ["id"], breachOf: derivedFlaw }),
  dates_follow_the_rhythm: sweep(parts, { table: parts.tables.subscriptions, key: ["id"], breachOf: dateFlaw }),
  secrets_open: unopenedSecrets(parts, box)
})

/** Sealed texts that no key of the box opens. */
export const unopenedSecrets = (parts: Pick<Parts, "sql" | "tables">, box: SecretBox["Service"]): Breaches =>
  everywhere(sealed, (secret) => unopened(parts, box, secret))

const everywhere = <A>(places: ReadonlyArray<A>, breachesOf: (place: A) => Breaches): Breaches =>
  Effect.map(Effect.forEach(places, breachesOf), (found) => found.flat())

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

const derivedFlaw = (row: InvoiceRow) => {
  const made = invoiceTable.encode(invoiceTable.decode(row))
  if (made.day !== row.day) return `created on ${made.day}, counted on ${row.day}`
  return made.search_text === row.search_text ? undefined : "its search text is not made of its texts"
}

/** More than any subscription has: a thousand years of days. */
const mostDates = 366_000

const dateFlaw = (row: SubscriptionRow) => {
  const { step, next_index, next_run_at } = row
  const isRhythm = ["day", "week", "month"].includes(step) && row.every >= 1 && row.every <= mostDates
  if (!isRhythm || next_index < 0 || next_index > mostDates) return "no rhythm"
  const rhythm = { interval: step, every: row.every, dayOfMonth: row.day_of_month, anchorAt: row.anchor_at }
  const date = dateOf(rhythm, next_index)
  return date === next_run_at ? undefined : `next at ${next_run_at}, by its rhythm at ${date}`
}

/** Where secrets are kept: the row's id is the context that they were sealed in. */
const sealed = [
  { name: "endpoints", column: "secret", isSet: "secret <> ''" },
  { name: "endpoints", column: "previous_secret", isSet: "previous_secret is not null" },
  { name: "connections", column: "session", isSet: "session is not null" },
  { name: "secret_checks", column: "sealed", isSet: "true" }
] as const

interface SecretRow {
  readonly id: string
  readonly secret: string
}

const unopened = Effect.fnUntraced(function* (
  { sql, tables }: Pick<Parts, "sql" | "tables">,
  box: SecretBox["Service"],
  { name, column, isSet }: (typeof sealed)[number]
) {
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
