/**
 * Days on which a server of an earlier version has counted what is of all kinds: what is kept of them tells a sum, and
 * no kinds and sources. They are told apart by their rows, as many as a request looks at.
 */
import type { ListFilter } from "@tolem/core/cabinet/ReportStore"
import type { Tenant } from "@tolem/core/value/Tenant"
import { Effect } from "effect"
import type { Database } from "../base/Database.ts"
import { conditionsOf } from "./InvoiceLooks.ts"

/** Rows of all kinds that are looked at. Where there are more, all days from there back are taken for mixed. */
export const maxMixed = 1_000

/** Days of Almaty, both included; null: to the end. */
interface Span {
  readonly from: string | null
  readonly to: string | null
}

/** The mixed days of a span, and how they are to be counted. */
export interface MixedDays {
  /** Those that are counted from their rows. */
  readonly counted: ReadonlyArray<string>
  /** Those that have too many. */
  readonly left: ReadonlyArray<string>
  /** All days up to this one are left as well; null: none are. */
  readonly leftTo: string | null
}

/** The verbs over this database. */
export const mixedDays = (database: Database["Service"]) => {
  const { sql, dialect, tables, all } = database
  const { ofTenant } = conditionsOf(database)
  const daySource = dialect.source("s", { day: "text" })

  /** The rows of all kinds that are looked at, the newest days first, as a part of a statement. */
  const looked = (tenant: Tenant, { from, to }: Span) => sql`
    select i.day, i.connection_id, i.status, i.invoice_count, i.amount, i.refunded from ${tables.daily_totals} i
    where ${sql.and([
      ...ofTenant(tenant),
      sql`i.kind is null`,
      ...(from === null ? [] : [sql`i.day >= ${from}`]),
      ...(to === null ? [] : [sql`i.day <= ${to}`])
    ])}
    order by i.day desc limit ${sql.literal(String(maxMixed + 1))}`

  const isSome = sql.literal("sum(invoice_count) <> 0 or sum(amount) <> 0 or sum(refunded) <> 0")

  /** Whether any day is, or may be, of those that a filter by kind or source asks for. */
  const isMixed = (filter: ListFilter, span: Span) =>
    filter.kind === null && filter.source === null
      ? Effect.succeed(false)
      : Effect.map(
          all(
            "ReportStore.isMixed",
            sql<{ readonly day: string }>`
              with looked as (${looked(filter, span)})
              select day from looked group by connection_id, status, day
              having ${isSome} or (select count(*) from looked) > ${sql.literal(String(maxMixed))} limit 1`,
            ({ day }) => day
          ),
          (found) => found.length > 0
        )

  /** Those of a span, and which of them have no more than `rows` invoices together, newest first. */
  const told = Effect.fnUntraced(function* (tenant: Tenant, span: Span, rows: number) {
    const found = yield* all(
      "ReportStore.mixedDays",
      sql<{ readonly day: string; readonly is_last: number }>`
        with looked as (${looked(tenant, span)})
        select day, 0 as is_last from looked group by connection_id, status, day having ${isSome}
        union
        select min(day) as day, 1 as is_last from looked
        having count(*) > ${sql.literal(String(maxMixed))}`,
      (row) => row
    )
    const leftTo = found.find(({ is_last }) => is_last === 1)?.day ?? null
    const days = found.filter(({ day, is_last }) => is_last === 0 && (leftTo === null || day > leftTo))
    if (days.length === 0) return { counted: [], left: [], leftTo } satisfies MixedDays
    const sizes = yield* all(
      "ReportStore.mixedDays",
      sql<{ readonly day: string; readonly n: number }>`
        select i.day, cast(sum(i.invoice_count) as bigint) as n
        from ${daySource(days.map(({ day }) => ({ day })))} cross join ${tables.daily_totals} i
        where ${sql.and(ofTenant(tenant))} and i.day = s.day group by i.day order by i.day desc`,
      (row) => row
    )
    const [counted, left]: [Array<string>, Array<string>] = [[], []]
    let room = rows
    for (const { day, n } of sizes) {
      if (n > room) left.push(day)
      else {
        room -= n
        counted.push(day)
      }
    }
    return { counted, left, leftTo } satisfies MixedDays
  })

  return { isMixed, told }
}
