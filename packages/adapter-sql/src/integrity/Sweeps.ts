/** Rules that take more than SQL: rows pass by in pages, so that memory does not grow with the data. */
import type { SecretBox } from "@tolem/core/SecretBox"
import { dateOf } from "@tolem/core/subscription/Schedule"
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import * as InvoiceRow from "../rows/InvoiceRow.ts"
import type * as SubscriptionRow from "../rows/SubscriptionRow.ts"
import { type Breach, maxBreaches, type Parts, type Rule } from "./Rule.ts"

/** Rows of a page. An invoice is some kilobytes at most, 16 of them metadata. */
const pageSize = 500

/**
 * Takes every row of a table, in pages in the order of `key`, and answers what `breachOf` finds. `select` is given the
 * condition and the end of the statement.
 */
const sweep = <R>(
  { sql }: Parts,
  {
    key,
    select,
    keyOf,
    breachOf
  }: {
    readonly key: string
    readonly select: (condition: Statement.Fragment, page: Statement.Fragment) => Statement.Statement<R>
    readonly keyOf: (row: R) => string
    readonly breachOf: (row: R) => string | undefined
  }
): Effect.Effect<ReadonlyArray<Breach>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const found: Array<Breach> = []
    const name = sql.literal(key)
    const page = sql`order by ${name} limit ${sql.literal(String(pageSize))}`
    let after = ""
    while (found.length < maxBreaches) {
      const rows: ReadonlyArray<R> = yield* select(sql`${name} > ${after}`, page)
      for (const row of rows) {
        const detail = breachIn(row, breachOf)
        if (detail !== undefined && found.length < maxBreaches) found.push({ subject: keyOf(row), detail })
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageSize) return found
      after = keyOf(last)
    }
    return found
  })

// What no column of ours can hold fails whatever reads it.
const breachIn = <R>(row: R, breachOf: (row: R) => string | undefined): string | undefined => {
  try {
    return breachOf(row)
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : "unknown"}`
  }
}

/** The rules. */
export const sweeps = (parts: Parts, box: SecretBox["Service"]): ReadonlyArray<Rule> => [
  derivedColumns(parts),
  schedules(parts),
  ...secrets(parts, box)
]

const derivedColumns = (parts: Parts): Rule => {
  const { sql, tables } = parts
  return {
    name: "derived_columns_follow",
    breaches: sweep(parts, {
      key: "id",
      select: (after, page) => sql<InvoiceRow.InvoiceRow>`select * from ${tables.invoices} where ${after} ${page}`,
      keyOf: ({ id }) => id,
      breachOf: (row) => {
        const made = InvoiceRow.toRow(InvoiceRow.fromRow(row))
        if (made.day !== row.day) return `created on ${made.day}, counted on ${row.day}`
        return made.search_text === row.search_text ? undefined : "its search text is not made of its texts"
      }
    })
  }
}

/** More than any subscription has: a thousand years of days. */
const mostDates = 366_000

const schedules = (parts: Parts): Rule => {
  const { sql, tables } = parts
  return {
    name: "dates_follow_the_rhythm",
    breaches: sweep(parts, {
      key: "id",
      select: (after, page) =>
        sql<SubscriptionRow.SubscriptionRow>`select * from ${tables.subscriptions} where ${after} ${page}`,
      keyOf: ({ id }) => id,
      breachOf: (row) => {
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
