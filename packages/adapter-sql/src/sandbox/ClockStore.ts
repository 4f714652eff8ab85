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
        select * from (
          select i.due_at from ${tables.invoices} i
          where i.organization_id = ${organizationId} and i.mode = 'sandbox' and i.status in ('new', 'pending')
            and i.due_at is not null and not exists (
              select 1 from ${tables.invoice_leases} l where l.id = i.id and l.due_at = i.due_at
            )
          order by i.due_at limit 1
        ) as free
        union all
        select min(held.until) from ${tables.invoice_leases} held join ${tables.invoices} i on i.id = held.id
        where i.organization_id = ${organizationId} and i.mode = 'sandbox' and i.due_at = held.due_at
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
