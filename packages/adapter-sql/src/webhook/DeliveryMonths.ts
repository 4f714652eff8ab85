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

/** Of one store: it looks near as soon as it has gathered, and found that nothing is elsewhere. */
export const make = ({ sql, tables, naming, statement }: Database["Service"]): DeliveryMonths => {
  const operation = "WebhookStore.gatherDeliveries"
  const everywhere = sql``
  /** The oldest month in which any can be on its way, if that is known. */
  let oldest: string | undefined

  // Most arrive within days: those of a month are gathered a week after it. So are those that a clock ahead has placed.
  const bound = sql`(date_trunc('month', now() at time zone 'UTC' - interval '7 days') at time zone 'UTC')`
  const isFar = sql`d.status = 'pending' and (d.placed_at < ${bound} or d.placed_at > now() + interval '12 hours')`

  const gatherFar = Effect.fnUntraced(function* (limit: number) {
    const move = sql`
      with far as (
        select d.id, d.placed_at from ${tables.deliveries} d where ${isFar}
        limit cast(${limit} as bigint) for update of d skip locked
      )
      update ${tables.deliveries} as d set placed_at = now()
      from far where d.id = far.id and d.placed_at = far.placed_at
      returning d.id`
    const moved = yield* statement(operation, move, { writes: true })
    if (moved.length >= limit) return moved.length
    const passed = sql<{ readonly before: string }>`
      select to_char(${bound} at time zone 'UTC', 'YYYY-MM-DD"Z"') as before
      where not exists (select 1 from ${tables.deliveries} d where ${isFar})`
    // None is placed in a month that has passed: where nothing is left, nothing comes.
    oldest = (yield* statement(operation, passed, { writes: false }))[0]?.before
    return moved.length
  })

  const near = (alias: string, since: string) => {
    const placed = sql.literal(`${alias}.placed_at`)
    return sql` and ${placed} >= cast(${since} as timestamptz) and ${placed} < now() + interval '24 hours'`
  }

  return sql.onDialectOrElse({
    pg: (): DeliveryMonths => ({
      isNear: (alias) => (oldest === undefined ? everywhere : near(alias, oldest)),
      gather: gatherFar,
      outside: ["before", "default"].map((part) => qualifiedIndex(sql, naming, `deliveries_${part}`))
    }),
    orElse: (): DeliveryMonths => ({
      isNear: () => everywhere,
      gather: () => Effect.succeed(0),
      outside: [tables.deliveries]
    })
  })
}
