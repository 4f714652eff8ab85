/** Deliveries by months, as PostgreSQL keeps them; elsewhere they are one table. Step 104 says how. */
import type { StorageError } from "@tolem/core/error/StorageError"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { qualifiedIndex } from "../base/Tables.ts"

/** Where those that are on their way are, and what keeps them there. */
export interface DeliveryMonths {
  /**
   * Of the table `alias`: that a row was placed where those on their way can be, so that no other month is looked into.
   */
  readonly isNear: (alias: string) => Statement.Fragment
  /** Places those anew that are still on their way since a month that has passed, `limit` at most: how many. */
  readonly gather: (limit: number) => Effect.Effect<number, StorageError>
  /** The tables from which deliveries go one by one: all but the months, which are dropped with those in them. */
  readonly outside: ReadonlyArray<Statement.Identifier>
}

/** From where to where agents look, as instants of the database; they are the beginnings of months. */
interface Window {
  readonly low: string
  readonly high: string
}

/** What is below every instant. */
const allTime = "-infinity"

/** Of one store: it looks near as soon as it has gathered, and found that nothing is elsewhere. */
export const make = ({ sql, tables, naming, statement, transaction }: Database["Service"]): DeliveryMonths => {
  const operation = "WebhookStore.gatherDeliveries"
  const everywhere = sql``
  const partOf = (part: "before" | "default") => qualifiedIndex(sql, naming, `deliveries_${part}`)
  let known: Window | undefined

  // Most arrive within days: those of a month are gathered a week after it, those of all time before the first month a
  // week after that begins. Those in months to come were placed by a clock that was ahead.
  const window = () => {
    const monthOf = (shift: string) => sql.literal(`date_trunc('month', now() at time zone 'UTC' ${shift})`)
    const text = sql.literal(`'YYYY-MM-DD"Z"'`)
    const end = sql.literal(`substring(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''([^'']+)''\\)')`)
    const [first] = sql`${partOf("before")}`.compile(true)
    return sql<Window>`
      select case when coalesce(b.ends <= m.low at time zone 'UTC', true) then to_char(m.low, ${text})
        else '${sql.literal(allTime)}' end as low, to_char(greatest(m.high, b.ends at time zone 'UTC'), ${text}) as high
      from (select ${monthOf("- interval '7 days'")} as low,
        ${monthOf("+ interval '1 day'")} + interval '1 month' as high) as m
      left join (
        select cast(${end} as timestamptz) as ends from pg_class c where c.oid = to_regclass(${first})
      ) as b on true`
  }
  // The bound is read as the session writes it.
  const inUtc = sql`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true)`
  const windowNow = transaction(operation, Effect.andThen(inUtc, window()))

  // Nothing is below all time: to ask for that would have the first part read.
  const isFar = ({ low, high }: Window) => {
    const below = low === allTime ? sql`` : sql`d.placed_at < cast(${low} as timestamptz) or `
    return sql`d.status = 'pending' and (${below}d.placed_at >= cast(${high} as timestamptz))`
  }

  const isAnyFar = (found: Window) => {
    const left = sql`select 1 as far from ${tables.deliveries} d where ${isFar(found)} limit 1`
    return Effect.map(statement(operation, left, { writes: false }), (rows) => rows.length > 0)
  }

  // None is placed in a month that has passed: where nothing is left, nothing comes. While something is, all is looked
  // at, so that what is found is in its order.
  const gatherFar = Effect.fnUntraced(function* (limit: number) {
    const [found] = yield* windowNow
    if (found === undefined) return 0
    known = (yield* isAnyFar(found)) ? undefined : found
    if (known !== undefined) return 0
    const move = sql`
      with far as (
        select d.id, d.placed_at from ${tables.deliveries} d where ${isFar(found)}
        limit cast(${limit} as bigint) for update of d skip locked
      )
      update ${tables.deliveries} as d set placed_at = now()
      from far where d.id = far.id and d.placed_at = far.placed_at
      returning d.id`
    const moved = yield* statement(operation, move, { writes: true })
    if (moved.length < limit && !(yield* isAnyFar(found))) known = found
    return moved.length
  })

  // However long ago it has gathered, it sees what is placed now.
  const near = (alias: string, { low, high }: Window) => {
    const placed = sql.literal(`${alias}.placed_at`)
    return sql` and ${placed} >= cast(${low} as timestamptz)
      and ${placed} < greatest(cast(${high} as timestamptz), now() + interval '24 hours')`
  }

  return sql.onDialectOrElse({
    pg: (): DeliveryMonths => ({
      isNear: (alias) => (known === undefined ? everywhere : near(alias, known)),
      gather: gatherFar,
      outside: [partOf("before"), partOf("default")]
    }),
    orElse: (): DeliveryMonths => ({
      isNear: () => everywhere,
      gather: () => Effect.succeed(0),
      outside: [tables.deliveries]
    })
  })
}
