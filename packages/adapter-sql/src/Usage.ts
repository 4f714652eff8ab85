/** Live invoices counted by organization, Almaty month and Almaty day, and refused where a quota is used up. */
import type { Invoice } from "@tolem/core/invoice/Invoice"
import type { Creation } from "@tolem/core/invoice/InvoiceStore"
import { overQuota, type QuotaCode } from "@tolem/core/tariff/Tariff"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Database } from "./Database.ts"
import { almatyDay } from "./rows/InvoiceRow.ts"

/** What may be written, and why the rest may not, by invoice. */
export interface Admission {
  readonly admitted: ReadonlyArray<Creation>
  readonly refused: ReadonlyMap<string, QuotaCode>
}

/** The statements, for use in the transaction that writes the invoices. */
export interface Usage {
  /**
   * Locks the counters of live invoices and answers which of these new ones are within their quotas, in their order.
   * `replaysOf` is asked after the lock: what repeats an earlier request is admitted, whatever the quota.
   */
  readonly admit: <E>(
    creations: ReadonlyArray<Creation>,
    replaysOf: (invoices: ReadonlyArray<Invoice>) => Effect.Effect<ReadonlySet<string>, E>
  ) => Effect.Effect<Admission, E | SqlError.SqlError>
  /** Counts live invoices that were written. */
  readonly count: (invoices: ReadonlyArray<Invoice>) => Effect.Effect<unknown, SqlError.SqlError>
}

/** The periods that an invoice counts in, month and day of Almaty. */
const periodsOf = ({ createdAt }: Invoice): readonly [month: string, day: string] => {
  const day = almatyDay(createdAt)
  return [day.slice(0, 7), day]
}

const keyOf = (organizationId: string, period: string): string => `${organizationId}\n${period}`

/** The statements over this database. */
export const make = ({ sql, dialect, tables }: Database["Service"]): Usage => {
  const source = dialect.source("s", { organization_id: "text", period: "text", used: "bigint" })

  /** Adds to the counters, and answers what they are then. Their rows are locked, in one order. */
  const add = (invoices: ReadonlyArray<Invoice>, by: 0 | 1) => {
    const counts = new Map<string, { organization_id: string; period: string; used: number }>()
    for (const invoice of invoices) {
      for (const period of periodsOf(invoice)) {
        const key = keyOf(invoice.organizationId, period)
        const row = counts.get(key) ?? { organization_id: invoice.organizationId, period, used: 0 }
        counts.set(key, { ...row, used: row.used + by })
      }
    }
    const rows = Array.from(counts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row)
    return sql<{ readonly organization_id: string; readonly period: string; readonly used: number }>`
      insert into ${tables.usage} as t (organization_id, period, used)
      select organization_id, period, used from ${source(rows)} where true
      on conflict (organization_id, period) do update set used = t.used + excluded.used
      returning organization_id, period, used`
  }

  const admit: Usage["admit"] = Effect.fnUntraced(function* (creations, replaysOf) {
    const live = creations.filter(isLive).map(({ invoice }) => invoice)
    const limited = creations.filter((creation) => isLive(creation) && creation.quota)
    if (limited.length === 0) return { admitted: creations, refused: new Map() }
    const counted = yield* add(live, 0)
    const used = new Map(counted.map((row) => [keyOf(row.organization_id, row.period), row.used]))
    // Read after the lock: what a rival has committed before is seen, and none can commit until we are done.
    const replays = yield* replaysOf(live)
    const admitted: Array<Creation> = []
    const refused = new Map<string, QuotaCode>()
    for (const creation of creations) {
      const { invoice, quota } = creation
      if (!isLive(creation) || replays.has(invoice.id)) {
        admitted.push(creation)
        continue
      }
      const [month, day] = periodsOf(invoice).map((period) => keyOf(invoice.organizationId, period))
      const [ofMonth, ofDay] = [used.get(month!) ?? 0, used.get(day!) ?? 0]
      const code = quota ? overQuota(quota, { month: ofMonth, day: ofDay }) : undefined
      if (code !== undefined) {
        refused.set(invoice.id, code)
        continue
      }
      used.set(month!, ofMonth + 1)
      used.set(day!, ofDay + 1)
      admitted.push(creation)
    }
    return { admitted, refused }
  })

  return { admit, count: (invoices) => (invoices.length === 0 ? Effect.void : add(invoices, 1)) }
}

const isLive = ({ invoice }: Creation): boolean => invoice.mode === "live"
