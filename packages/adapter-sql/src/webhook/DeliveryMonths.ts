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
   * A day more than there can be, as clocks of databases that take each other's place differ.
   */
  readonly isNear: (alias: string) => Statement.Fragment
  /** Places those anew that are still on their way since a month that has passed, `limit` at most: how many. */
  readonly gather: (limit: number) => Effect.Effect<number, StorageError>
  /** The tables from which deliveries go one by one: all but the months, which are dropped with those in them. */
  readonly outside: ReadonlyArray<Statement.Identifier>
}

/** Of one store: it knows the oldest month in which any can be on its way as soon as it has gathered. */
export const make = ({ sql, tables, naming, statement }: Database["Service"]): DeliveryMonths => {
  const operation = "WebhookStore.gatherDeliveries"
  let oldest = "-infinity"

  // Most arrive within days: those of a month are gathered a week after it.
  const bound = sql`(date_trunc('month', now() at time zone 'UTC' - interval '7 days') at time zone 'UTC')`
  const late = sql`d.status = 'pending' and d.placed_at < ${bound}`

  const gatherLate = Effect.fnUntraced(function* (limit: number) {
    const move = sql`
      with late as (
        select d.id, d.placed_at from ${tables.deliveries} d where ${late}
        limit cast(${limit} as bigint) for update of d skip locked
      )
      update ${tables.deliveries} as d set placed_at = now()
      from late where d.id = late.id and d.placed_at = late.placed_at
      returning d.id`
    const moved = yield* statement(operation, move, { writes: true })
    if (moved.length < limit) {
      const passed = sql<{ readonly before: string }>`
        select to_char(${bound} at time zone 'UTC', 'YYYY-MM-DD"Z"') as before
        where not exists (select 1 from ${tables.deliveries} d where ${late})`
      const [found] = yield* statement(operation, passed, { writes: false })
      // None is placed in a month that has passed, so that this holds from now on.
      if (found !== undefined) oldest = found.before
    }
    return moved.length
  })

  return sql.onDialectOrElse({
    pg: (): DeliveryMonths => ({
      isNear: (alias) => {
        const placed = sql.literal(`${alias}.placed_at`)
        return sql` and ${placed} >= cast(${oldest} as timestamptz) and ${placed} < now() + interval '24 hours'`
      },
      gather: gatherLate,
      outside: ["before", "default"].map((part) => qualifiedIndex(sql, naming, `deliveries_${part}`))
    }),
    orElse: (): DeliveryMonths => ({
      isNear: () => sql``,
      gather: () => Effect.succeed(0),
      outside: [tables.deliveries]
    })
  })
}
