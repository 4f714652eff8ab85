/**
 * Invoices counted and refused if a quota is used up: live ones by organization, Almaty month and Almaty day;
 * sandbox ones by the day, where that is limited.
 */
import type { Invoice } from "@tolem/core/invoice/Invoice"
import type { Creation } from "@tolem/core/invoice/InvoiceStore"
import { isCountedWhenMade } from "@tolem/core/invoice/live/CreationStages"
import { overQuota, type QuotaCode, visitorsQuota } from "@tolem/core/tariff/Tariff"
import { dayOf } from "@tolem/core/value/Calendar"
import type { OrganizationId } from "@tolem/core/value/Ids"
import type { Mode } from "@tolem/core/value/Mode"
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"

/** What may be written, and why the rest may not, by invoice. */
export interface Admission {
  readonly admitted: ReadonlyArray<Creation>
  readonly refused: ReadonlyMap<string, QuotaCode>
}

/** An invoice and the quota that it needs a place in. */
export type Place = Pick<Creation, "invoice" | "quota">

/** A place that is taken (1) or given back (-1); 0 locks its counters. */
export interface UsageStep extends Place {
  readonly by: 1 | 0 | -1
}

/** Counters by `keyOf`. */
type Used = ReadonlyMap<string, number>

/** The period of sandbox invoices made at an instant. With its slash it is no count of rows, and may be forgotten. */
const sandboxPeriod = (at: number): string => `sandbox/${dayOf(at)}`

/** The same of those among them that visitors have made. */
const visitorsPeriod = (at: number): string => `sandbox/visitors/${dayOf(at)}`

/** The same of letters that are sent. */
export const lettersPeriod = (mode: Mode, at: number): string => `letters/${mode}/${dayOf(at)}`

/**
 * The periods that an invoice counts in: month and day of Almaty; or a sandbox's day, and that of its visitors if it is
 * made by one of them.
 */
const periodsOf = ({ invoice, quota }: Place): ReadonlyArray<string> => {
  const { mode, createdAt, countedOn } = invoice
  if (mode === "sandbox") {
    if (!quota) return []
    const at = quota.countedAt ?? createdAt
    return isCountedWhenMade(invoice) ? [sandboxPeriod(at), visitorsPeriod(at)] : [sandboxPeriod(at)]
  }
  return countedOn === null ? [] : [countedOn.slice(0, 7), countedOn]
}

const isCounted = (place: Place): boolean => periodsOf(place).length > 0

const keyOf = (organizationId: OrganizationId, period: string): string => `${organizationId}\n${period}`

/** Why one more invoice like this one would be over its quota, counters as they are; undefined if it would not. */
export const refusalOf = (place: Place, used: Used): QuotaCode | undefined => {
  const { invoice, quota } = place
  if (!quota) return undefined
  const { mode, organizationId } = invoice
  const [first = 0, second = 0] = periodsOf(place).map((period) => used.get(keyOf(organizationId, period)) ?? 0)
  if (!isCounted(place)) return undefined
  if (mode === "live") return overQuota(quota, { month: first, day: second }, mode)
  const code = overQuota(quota, { month: first, day: first }, mode)
  return code ?? overQuota(visitorsQuota(quota), { month: second, day: second }, mode)
}

const writtenColumns = { invoice_id: "text", organization_id: "text", period: "text" } as const

/** The part of a statement that counts the rows of `written`, which the same statement inserts into the invoices. */
export const countWritten = ({ sql, dialect, tables }: Database["Service"]) => {
  const source = dialect.source("s", writtenColumns)
  return (places: ReadonlyArray<Place>): Statement.Fragment => {
    const rows = places.flatMap((place) => {
      const { id, organizationId } = place.invoice
      return periodsOf(place).map((period) => ({ invoice_id: id, organization_id: organizationId, period }))
    })
    return sql`insert into ${tables.usage} as t (organization_id, period, used)
      select s.organization_id, s.period, count(*) from ${source(rows)} join written on written.id = s.invoice_id
      group by 1, 2 order by 1, 2
      on conflict (organization_id, period) do update set used = t.used + excluded.used`
  }
}

/** Whether the row of an invoice was made by a visitor, as the index of what these have not paid has it. */
const isOfVisitorText: string = "(substr(origin, 1, 13) = 'payment-link/' or substr(origin, 1, 10) = 'form-hook/')"

/** The statements, for use in the transaction that writes the invoices. Counters are locked before any invoice is. */
export const make = ({ sql, dialect, tables }: Database["Service"]) => {
  /** Live invoices of visitors that count from one day to another and are not paid, up to so many. */
  const countUnpaid = (organizationId: OrganizationId, [from, to]: readonly [string, string], most: number) =>
    Effect.map(
      sql<{ readonly unpaid: number }>`
        select count(*) as unpaid from (
          select 1 as one from ${tables.invoices}
          where organization_id = ${organizationId} and counted_on >= ${from} and counted_on <= ${to}
            and mode = 'live' and paid_at is null and ${sql.literal(isOfVisitorText)}
          limit cast(${most} as bigint)
        ) as counted`,
      ([row]) => Number(row?.unpaid ?? 0)
    )

  /**
   * Why a visitor's live invoice has no place in what is theirs of its quota: counters as they were locked, its own row
   * as it was written after that. Rows are counted only once all that is used could be theirs.
   */
  const visitorsRefusalOf = Effect.fnUntraced(function* (place: Place, used: Used) {
    const { invoice, quota } = place
    const { organizationId, countedOn, mode } = invoice
    if (!quota || countedOn === null || mode !== "live" || !isCountedWhenMade(invoice)) return undefined
    const share = visitorsQuota(quota)
    const month = countedOn.slice(0, 7)
    const unpaid = (period: string, days: readonly [string, string], limit: number) => {
      const all = used.get(keyOf(organizationId, period)) ?? 0
      if (all < limit) return Effect.succeed(all)
      return Effect.map(countUnpaid(organizationId, days, limit + 1), (count) => count - 1)
    }
    const taken = {
      month: yield* unpaid(month, [`${month}-01`, `${month}-31`], share.monthlyLimit),
      day: yield* unpaid(countedOn, [countedOn, countedOn], share.dailyLimit)
    }
    return overQuota(share, taken, mode)
  })

  const source = dialect.source("s", { organization_id: "text", period: "text", used: "bigint" })

  /**
   * Moves the counters, locked in one order; an invoice that does not count moves none. Answers what they are then.
   */
  const move = Effect.fnUntraced(function* (
    steps: ReadonlyArray<UsageStep>
  ): Effect.fn.Return<Used, SqlError.SqlError> {
    const counts = new Map<string, { organization_id: string; period: string; used: number }>()
    for (const step of steps) {
      const { organizationId } = step.invoice
      for (const period of periodsOf(step)) {
        const key = keyOf(organizationId, period)
        const row = counts.get(key) ?? { organization_id: organizationId, period, used: 0 }
        counts.set(key, { ...row, used: row.used + step.by })
      }
    }
    if (counts.size === 0) return new Map()
    const rows = Array.from(counts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row)
    const moved = yield* sql<{ readonly organization_id: string; readonly period: string; readonly used: number }>`
      insert into ${tables.usage} as t (organization_id, period, used)
      select organization_id, period, used from ${source(rows)} where true
      on conflict (organization_id, period) do update set used = t.used + excluded.used
      returning organization_id, period, used`
    return new Map(moved.map((row) => [keyOf(row.organization_id, row.period), row.used]))
  })

  /**
   * Locks the counters and answers which of these new invoices are within their quotas, in their order.
   * `replaysOf` is asked after the lock: what repeats an earlier request is admitted, whatever the quota.
   */
  const admit = Effect.fnUntraced(function* <E>(
    creations: ReadonlyArray<Creation>,
    replaysOf: (invoices: ReadonlyArray<Invoice>) => Effect.Effect<ReadonlySet<string>, E>
  ): Effect.fn.Return<Admission, E | SqlError.SqlError> {
    const counted = creations.filter(isCounted)
    if (!counted.some(({ quota }) => quota)) return { admitted: creations, refused: new Map() }
    const used = new Map(yield* move(counted.map((creation) => ({ ...creation, by: 0 }))))
    // Read after the lock: what a rival has committed before is seen, and none can commit until we are done.
    const replays = yield* replaysOf(counted.map(({ invoice }) => invoice))
    const admitted: Array<Creation> = []
    const refused = new Map<string, QuotaCode>()
    for (const creation of creations) {
      const { invoice } = creation
      const isReplay = replays.has(invoice.id)
      const code = isReplay ? undefined : refusalOf(creation, used)
      if (code !== undefined) {
        refused.set(invoice.id, code)
        continue
      }
      const keys = isReplay ? [] : periodsOf(creation).map((period) => keyOf(invoice.organizationId, period))
      for (const key of keys) used.set(key, (used.get(key) ?? 0) + 1)
      admitted.push(creation)
    }
    return { admitted, refused }
  })

  return { admit, move, visitorsRefusalOf }
}
