/** The core's `ClockStore` in SQL. */
import { ClockStore } from "@tolem/core/time/ClockStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"

/** The store over the database. */
export const layer: Layer.Layer<ClockStore, never, Database> = Layer.effect(ClockStore, Effect.map(Database, make))

function make({ sql, tables, statement }: Database["Service"]): ClockStore["Service"] {
  const all = sql<{ readonly id: string; readonly clock_ahead_ms: number }>`
    select id, clock_ahead_ms from ${tables.organizations} where clock_ahead_ms > 0`
  const ahead = Effect.map(
    statement("ClockStore.ahead", all, { writes: false }),
    (rows) => new Map(rows.map((row) => [row.id, row.clock_ahead_ms]))
  )

  const advance = Effect.fnUntraced(function* (organizationId: OrganizationId, aheadMs: number) {
    const update = sql`
      update ${tables.organizations} set clock_ahead_ms = cast(${aheadMs} as bigint)
      where id = ${organizationId} and clock_ahead_ms < cast(${aheadMs} as bigint)`
    yield* statement("ClockStore.advance", update, { writes: true })
    const rows = sql<{ readonly clock_ahead_ms: number }>`
      select clock_ahead_ms from ${tables.organizations} where id = ${organizationId}`
    const [row] = yield* statement("ClockStore.advance", rows, { writes: false })
    return row?.clock_ahead_ms ?? 0
  })

  const nextDueAt = (organizationId: OrganizationId) => {
    const rows = sql<{ readonly due_at: number | null }>`
      select min(due_at) as due_at from (
        select min(case when l.until > i.due_at then l.until else i.due_at end) as due_at from ${tables.invoices} i
        left join ${tables.invoice_leases} l on l.id = i.id and l.due_at = i.due_at
        where i.organization_id = ${organizationId} and i.mode = 'sandbox' and i.status in ('new', 'pending')
        union all
        select min(due_at) from ${tables.subscriptions} where organization_id = ${organizationId} and mode = 'sandbox'
        union all
        select min(due_at) from ${tables.subscription_runs}
        where organization_id = ${organizationId} and mode = 'sandbox' and due_at is not null
      ) as dates`
    return Effect.map(statement("ClockStore.nextDueAt", rows, { writes: false }), ([row]) => row?.due_at ?? null)
  }

  return { ahead, advance, nextDueAt }
}
