/**
 * Invoices counted and refused where a quota is used up: live ones by organization, Almaty month and Almaty day;
 * sandbox ones by the day, where that is limited.
 */
import type { Invoice } from "@tolem/core/invoice/Invoice"
import type { Creation } from "@tolem/core/invoice/InvoiceStore"
import type { Mode } from "@tolem/core/Mode"
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
   * Locks the counters and answers which of these new invoices are within their quotas, in their order.
   * `replaysOf` is asked after the lock: what repeats an earlier request is admitted, whatever the quota.
   */
  readonly admit: <E>(
    creations: ReadonlyArray<Creation>,
    replaysOf: (invoices: ReadonlyArray<Invoice>) => Effect.Effect<ReadonlySet<string>, E>
  ) => Effect.Effect<Admission, E | SqlError.SqlError>
  /** Counts those that were written. */
  readonly count: (written: ReadonlyArray<Creation>) => Effect.Effect<unknown, SqlError.SqlError>
}

/** The period of sandbox invoices made at an instant. With its slash it is no count of rows, and may be forgotten. */
const sandboxPeriod = (at: number): string => `sandbox/${almatyDay(at)}`

/** The same of letters that are sent. */
export const lettersPeriod = (mode: Mode, at: number): string => `letters/${mode}/${almatyDay(at)}`

/** The periods that an invoice counts in, the day last: month and day of Almaty, or a sandbox's day. */
const periodsOf = ({ invoice, quota }: Creation): ReadonlyArray<string> => {
  const at = quota?.countedAt ?? invoice.createdAt
  if (invoice.mode === "sandbox") return quota ? [sandboxPeriod(at)] : []
  const day = almatyDay(at)
  return [day.slice(0, 7), day]
}

const isCounted = (creation: Creation): boolean => periodsOf(creation).length > 0

const keyOf = (organizationId: string, period: string): string => `${organizationId}\n${period}`

/** The statements over this database. */
export const make = ({ sql, dialect, tables }: Database["Service"]): Usage => {
  const source = dialect.source("s", { organization_id: "text", period: "text", used: "bigint" })

  /** Adds to the counters, and answers what they are then. Their rows are locked, in one order. */
  const add = (creations: ReadonlyArray<Creation>, by: 0 | 1) => {
    const counts = new Map<string, { organization_id: string; period: string; used: number }>()
    for (const creation of creations) {
      const { organizationId } = creation.invoice
      for (const period of periodsOf(creation)) {
        const key = keyOf(organizationId, period)
        const row = counts.get(key) ?? { organization_id: organizationId, period, used: 0 }
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
    const counted = creations.filter(isCounted)
    if (!counted.some(({ quota }) => quota)) return { admitted: creations, refused: new Map() }
    const rows = yield* add(counted, 0)
    const used = new Map(rows.map((row) => [keyOf(row.organization_id, row.period), row.used]))
    // Read after the lock: what a rival has committed before is seen, and none can commit until we are done.
    const replays = yield* replaysOf(counted.map(({ invoice }) => invoice))
    const admitted: Array<Creation> = []
    const refused = new Map<string, QuotaCode>()
    for (const creation of creations) {
      const { invoice, quota } = creation
      const keys = periodsOf(creation).map((period) => keyOf(invoice.organizationId, period))
      if (keys.length === 0 || replays.has(invoice.id)) {
        admitted.push(creation)
        continue
      }
      const [ofMonth, ofDay] = [used.get(keys[0]!) ?? 0, used.get(keys.at(-1)!) ?? 0]
      const code = quota ? overQuota(quota, { month: ofMonth, day: ofDay }, invoice.mode) : undefined
      if (code !== undefined) {
        refused.set(invoice.id, code)
        continue
      }
      for (const key of keys) used.set(key, (used.get(key) ?? 0) + 1)
      admitted.push(creation)
    }
    return { admitted, refused }
  })

  const count = (written: ReadonlyArray<Creation>) => {
    const counted = written.filter(isCounted)
    return counted.length === 0 ? Effect.void : add(counted, 1)
  }

  return { admit, count }
}
