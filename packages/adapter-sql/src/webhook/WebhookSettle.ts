/** `WebhookStore`'s verbs about what became of attempts, and about the pauses of endpoints. */

import type { EndpointId } from "@tolem/core/value/Ids"
import { deliveryAfter } from "@tolem/core/webhook/Delivery"
import { type EndpointHealth, healthAfter, isSame } from "@tolem/core/webhook/sending/EndpointHealth"
import type { Settlement, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"
import type { Database } from "../base/Database.ts"
import * as TableStatements from "../base/TableStatements.ts"
import type { DeliveryMonths } from "./DeliveryMonths.ts"
import { attemptTable } from "./DeliveryRow.ts"

type Verbs = Pick<WebhookStore["Service"], "settleMany" | "takeProbe">

/** What attempts change of an endpoint, as its row has it. */
interface HealthRow {
  readonly id: string
  readonly failure_count: number
  readonly pause_count: number
  readonly paused_until: number | null
}

/** The verbs over this database. */
export const make = (database: Database["Service"], months: DeliveryMonths): Verbs => {
  const { dialect, statement, transaction } = database
  const statements = makeStatements(database, months)

  const write = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, now: number) {
    // Endpoints before deliveries, each in one order: every lock of both follows it, so that there is no deadlock.
    const before = yield* statements.lockEndpoints(settlements)
    const held = heldLeases(settlements, yield* statements.lockDeliveries(settlements))
    const winners = settlements.filter((_, index) => held[index])
    if (winners.length === 0) return held
    yield* statements.insertAttempts(winners)
    yield* statements.updateDeliveries(winners, now)
    const changed = changedHealth(winners, before)
    if (changed.length > 0) yield* statements.updateEndpoints(changed)
    return held
  })

  /** In one statement, without a lock of an endpoint: where all arrived, at endpoints that nothing failed at lately. */
  const writeArrivals = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, now: number) {
    const rows = yield* statement("WebhookStore.settleMany", statements.arrivals(settlements, now), { writes: true })
    const held = new Set(rows.map(({ id }) => id))
    return settlements.map(({ job }) => held.has(job.delivery.id))
  })

  const settleMany = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, now: number) {
    if (settlements.length === 0) return []
    if (dialect.writesInWith && isOfArrivals(settlements)) {
      const held = yield* writeArrivals(settlements, now)
      if (held.includes(true)) return held
    }
    return yield* transaction("WebhookStore.settleMany", write(settlements, now))
  })

  const takeProbe = (endpointId: EndpointId, pausedUntil: number, until: number) =>
    Effect.map(
      statement("WebhookStore.takeProbe", statements.takeProbe(endpointId, pausedUntil, until), { writes: true }),
      (taken) => taken.length > 0
    )

  return { settleMany, takeProbe }
}

const isOfArrivals = (settlements: ReadonlyArray<Settlement>): boolean =>
  settlements.every(({ outcome }) => outcome._tag === "Delivered") &&
  new Set(settlements.map(({ job }) => job.delivery.id)).size === settlements.length

// Of two settlements of one delivery the first wins: it ends the lease.
const heldLeases = (
  settlements: ReadonlyArray<Settlement>,
  rows: ReadonlyArray<{ readonly id: string; readonly lease: string }>
): ReadonlyArray<boolean> => {
  const leases = new Map(rows.map(({ id, lease }) => [id, lease]))
  return settlements.map(({ job }) => {
    const holds = leases.get(job.delivery.id) === job.lease
    if (holds) leases.delete(job.delivery.id)
    return holds
  })
}

const changedHealth = (
  settlements: ReadonlyArray<Settlement>,
  rows: ReadonlyArray<HealthRow>
): ReadonlyArray<HealthRow> => {
  const of = Map.groupBy(settlements, ({ job }) => job.endpoint.id)
  return rows.flatMap((row) => {
    const before = fromRow(row)
    const after = (of.get(row.id) ?? []).reduce(
      (health, { job, outcome }) => healthAfter({ outcome, claimedAt: job.endpoint.pauseCount }, health),
      before
    )
    return isSame(before, after) ? [] : [toRow(row.id, after)]
  })
}

const fromRow = (row: HealthRow): EndpointHealth => ({
  failureCount: row.failure_count,
  pauseCount: row.pause_count,
  pausedUntil: row.paused_until
})

const toRow = (id: string, { failureCount, pauseCount, pausedUntil }: EndpointHealth): HealthRow => ({
  id,
  failure_count: failureCount,
  pause_count: pauseCount,
  paused_until: pausedUntil
})

const makeStatements = (database: Database["Service"], months: DeliveryMonths) => {
  const { isNear } = months
  const { sql, dialect, tables } = database
  const idSource = dialect.source("s", { id: "text" })
  const leaseSource = dialect.source("s", { id: "text", lease: "text" })
  const attempts = TableStatements.make(database, attemptTable)
  const outcomeSource = dialect.source("s", {
    id: "text",
    status: "text",
    attempt_count: "bigint",
    due_at: "bigint",
    completed_at: "bigint"
  })
  const healthSource = dialect.source("s", {
    id: "text",
    failure_count: "bigint",
    pause_count: "bigint",
    paused_until: "bigint"
  })

  return {
    arrivals: makeArrivals(database, months),

    lockEndpoints: (settlements: ReadonlyArray<Settlement>) => {
      const ids = new Set(settlements.map(({ job }) => job.endpoint.id))
      return sql<HealthRow>`
        select e.id, e.failure_count, e.pause_count, e.paused_until from ${idSource(Array.from(ids, (id) => ({ id })))}
        join ${tables.endpoints} e on e.id = s.id
        order by e.id ${dialect.lockRows("e")}`
    },

    lockDeliveries: (settlements: ReadonlyArray<Settlement>) =>
      sql<{ readonly id: string; readonly lease: string }>`
        select d.id, d.lease
        from ${leaseSource(settlements.map(({ job: { delivery, lease } }) => ({ id: delivery.id, lease })))}
        join ${tables.deliveries} d on d.id = s.id and d.lease = s.lease${isNear("d")}
        order by d.id ${dialect.lockRows("d")}`,

    insertAttempts: (settlements: ReadonlyArray<Settlement>) =>
      attempts.insertAll(settlements.map(({ job, attempt }) => ({ ...attempt, deliveryId: job.delivery.id }))),

    updateDeliveries: (settlements: ReadonlyArray<Settlement>, now: number) =>
      sql`
        update ${tables.deliveries} as d set
          status = s.status, attempt_count = s.attempt_count, lease = null, starts = 0, completed_at = s.completed_at,
          due_at = coalesce(s.due_at, d.due_at), ready_at = coalesce(s.due_at, d.ready_at)
        from ${outcomeSource(settlements.map((settlement) => outcomeRow(settlement, now)))}
        where d.id = s.id${isNear("d")}`,

    updateEndpoints: (changed: ReadonlyArray<HealthRow>) =>
      sql`
        update ${tables.endpoints} as e set
          failure_count = s.failure_count, pause_count = s.pause_count, paused_until = s.paused_until
        from ${healthSource(changed.map((row) => ({ ...row })))}
        where e.id = s.id`,

    takeProbe: (endpointId: EndpointId, pausedUntil: number, until: number) =>
      sql`
        update ${tables.endpoints} set paused_until = cast(${until} as bigint)
        where id = ${endpointId} and paused_until = cast(${pausedUntil} as bigint) and removed_at is null
        returning id`
  }
}

// Nothing is written if one of the endpoints has failed lately: its health then changes with the deliveries. One that
// fails meanwhile does so after this, which leaves it as it is.
const makeArrivals = (database: Database["Service"], { isNear }: DeliveryMonths) => {
  const { sql, dialect, tables } = database
  const attempts = TableStatements.make(database, attemptTable)
  const arrivalSource = dialect.batch("s", {
    ...attemptTable.columns,
    endpoint_id: "text",
    lease: "text",
    settled_status: "text",
    attempt_count: "bigint",
    completed_at: "bigint"
  })
  const arrivalRow = ({ job: { delivery, lease }, attempt, outcome }: Settlement, now: number) => {
    const { id, endpointId, status, attemptCount, completedAt } = deliveryAfter(delivery, attempt.number, outcome, now)
    const logged = attemptTable.values({ ...attempt, deliveryId: id })
    return [...logged, endpointId, lease, status, attemptCount, completedAt]
  }
  return (settlements: ReadonlyArray<Settlement>, now: number) =>
    sql<{ readonly id: string }>`
      with arrived as materialized (
        select * from ${arrivalSource(inOrder(settlements).map((settlement) => arrivalRow(settlement, now)))}
      ), settled as (
        update ${tables.deliveries} as d set
          status = s.settled_status, attempt_count = s.attempt_count, lease = null, starts = 0,
          completed_at = s.completed_at
        from arrived s
        where d.id = s.delivery_id and d.lease = s.lease${isNear("d")} and not exists (
          select 1 from ${tables.endpoints} e where e.id = any(array(select endpoint_id from arrived))
            and (e.failure_count <> 0 or e.pause_count <> 0 or e.paused_until is not null)
        )
        returning d.id
      ), logged as (
        insert into ${tables.attempts} (${attempts.names})
        select ${attempts.names} from arrived join settled on settled.id = arrived.delivery_id
      )
      select id from settled`
}

// Deliveries are found in this order, and so locked in that of the transaction.
const inOrder = (settlements: ReadonlyArray<Settlement>): ReadonlyArray<Settlement> =>
  settlements.toSorted(({ job: { delivery: a } }, { job: { delivery: b } }) => (a.id < b.id ? -1 : 1))

const outcomeRow = ({ job, attempt, outcome }: Settlement, now: number) => {
  const { id, status, attemptCount, dueAt, completedAt } = deliveryAfter(job.delivery, attempt.number, outcome, now)
  return {
    id,
    status,
    attempt_count: attemptCount,
    due_at: status === "pending" ? dueAt : null,
    completed_at: completedAt
  }
}
