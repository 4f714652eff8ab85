/** What is read of subscriptions: one, pages of them, their sums and their schedules. */
import type { SubscriptionStatus } from "@tolem/core/subscription/Subscription"
import type {
  ScheduleGroup,
  ScheduleQuery,
  SubscriptionQuery,
  SubscriptionStore
} from "@tolem/core/subscription/SubscriptionStore"
import { isStorable } from "@tolem/core/value/Checks"
import type { SubscriptionId } from "@tolem/core/value/Ids"
import { tenantKey, type Viewer } from "@tolem/core/value/Tenant"
import { Effect, Option } from "effect"
import type { Database } from "../base/Database.ts"
import { type RunRow, runTable, type SubscriptionEventRow, subscriptionEventTable } from "./RunRow.ts"
import { type SubscriptionRow, subscriptionTable } from "./SubscriptionRow.ts"

type Verbs = Pick<SubscriptionStore["Service"], "find" | "list" | "detail" | "sums" | "schedule" | "scheduled" | "runs">

/** The verbs over this database. */
export const make = (database: Database["Service"]): Verbs => ({
  ...single(database),
  ...many(database),
  ...schedules(database)
})

const single = ({ sql, tables, one, all, snapshot }: Database["Service"]) => {
  const find = (id: string) => {
    if (!isStorable(id)) return Effect.succeedNone
    const rows = sql<SubscriptionRow>`select * from ${tables.subscriptions} where id = ${id}`
    return one("SubscriptionStore.find", rows, subscriptionTable.decode)
  }

  const detail = Effect.fnUntraced(function* (id: SubscriptionId) {
    if (!isStorable(id)) return Option.none()
    const { subscriptions, events, runs } = yield* snapshot("SubscriptionStore.detail", {
      subscriptions: sql<SubscriptionRow>`select * from ${tables.subscriptions} where id = ${id}`,
      events: sql<SubscriptionEventRow>`
        select * from ${tables.subscription_events} where subscription_id = ${id} order by sequence`,
      runs: sql<RunRow>`select * from ${tables.subscription_runs} where subscription_id = ${id} order by run`
    })
    return Option.map(Option.fromUndefinedOr(subscriptions[0]), (row) => ({
      subscription: subscriptionTable.decode(row),
      events: events.map(subscriptionEventTable.decode),
      runs: runs.map(runTable.decode)
    }))
  })

  const runs = (id: SubscriptionId, before: number | null, limit: number) => {
    const bound = before === null ? sql.literal("") : sql`and run < cast(${before} as bigint)`
    const rows = sql<RunRow>`
      select * from ${tables.subscription_runs} where subscription_id = ${id} ${bound}
      order by run desc limit cast(${limit} as bigint)`
    return all("SubscriptionStore.runs", rows, runTable.decode)
  }

  return { find, detail, runs }
}

const ofViewer = ({ sql }: Database["Service"], { organizationId, mode, connectionId }: Viewer) => [
  sql`d.organization_id = ${organizationId}`,
  sql`d.mode = ${mode}`,
  ...(connectionId === null ? [] : [sql`d.connection_id = ${connectionId}`])
]

// A separator that is never typed, so that no search matches across two members.
const searched = ["d.description", "d.customer_name", "d.customer_phone", "d.customer_email"]
  .map((column) => ` || '\u001f' || coalesce(${column}, '')`)
  .join("")

interface SumRow {
  readonly status: SubscriptionStatus
  readonly step: ScheduleGroup["interval"]
  readonly every: number
  readonly count: number
  readonly amount: string
  readonly stuck: number
}

const many = (database: Database["Service"]) => {
  const { sql, dialect, tables, snapshot, longRead } = database

  const list = Effect.fnUntraced(function* (query: SubscriptionQuery) {
    const { statuses, search, isStuck, limit, offset } = query
    if (!isStorable(search ?? "")) return { total: 0, subscriptions: [] }
    const matches = sql.and([
      ...ofViewer(database, query),
      ...(statuses.length === 0 ? [] : [sql`d.status in ${sql.in(statuses)}`]),
      ...(isStuck ? [sql`d.status = 'active' and d.faults > 0`] : []),
      ...(search === null ? [] : [dialect.containsAnyCase(sql.literal(`(d.id${searched})`), search)])
    ])
    const counted = sql<{
      readonly total: number
    }>`select count(*) as total from ${tables.subscriptions} d where ${matches}`
    const page = sql<SubscriptionRow>`
      select d.* from ${tables.subscriptions} d where ${matches} order by d.created_at desc, d.id desc
      limit cast(${limit} as bigint) offset cast(${offset} as bigint)`
    if (search === null) {
      const found = yield* snapshot("SubscriptionStore.list", { counted, page })
      return { total: found.counted[0]?.total ?? 0, subscriptions: found.page.map(subscriptionTable.decode) }
    }
    // All of a tenant may have to be read. One statement: the number and the rows are of one moment.
    const rows = yield* longRead(
      "SubscriptionStore.list",
      tenantKey(query),
      sql<SubscriptionRow & { readonly total: number }>`
        with counted as (${counted})
        select page.*, counted.total from counted left join (${page}) as page on true
        order by page.created_at desc, page.id desc`
    )
    const [first] = rows
    const isEmpty = first === undefined || first.id === null
    return { total: first?.total ?? 0, subscriptions: isEmpty ? [] : rows.map(subscriptionTable.decode) }
  })

  const sums = (viewer: Viewer) =>
    Effect.map(
      longRead(
        "SubscriptionStore.sums",
        tenantKey(viewer),
        sql<SumRow>`
          select d.status, d.step, d.every, count(*) as count, cast(sum(d.amount) as text) as amount,
            cast(sum(case when d.status = 'active' and d.faults > 0 then 1 else 0 end) as bigint) as stuck
          from ${tables.subscriptions} d where ${sql.and(ofViewer(database, viewer))}
          group by d.status, d.step, d.every`
      ),
      (rows) => rows.map(({ step, amount, ...rest }) => ({ ...rest, interval: step, amount: BigInt(amount) }))
    )

  return { list, sums }
}

interface GroupRow {
  readonly step: ScheduleGroup["interval"]
  readonly every: number
  readonly anchor_at: number
  readonly next_run_at: number
  readonly misfire: ScheduleGroup["misfire"]
  readonly failing: number
  readonly left_over: number | null
  readonly count: number
  readonly amount: string
  readonly last_id: string
}

const groupOf = (row: GroupRow): ScheduleGroup => ({
  interval: row.step,
  every: row.every,
  dayOfMonth: null,
  anchorAt: row.anchor_at,
  nextRunAt: row.next_run_at,
  misfire: row.misfire,
  faults: row.failing,
  left: row.left_over,
  count: row.count,
  amount: BigInt(row.amount)
})

const schedules = (database: Database["Service"]) => {
  const { sql, tables, longRead } = database

  const next = (query: ScheduleQuery) => {
    const { before, after, rows } = query
    const behind =
      after === null ? [] : [sql`(d.next_run_at, d.id) > (cast(${after.nextRunAt} as bigint), ${after.id})`]
    const conditions = [
      ...ofViewer(database, query),
      sql`d.status = 'active'`,
      sql`d.next_run_at < cast(${before} as bigint)`,
      ...behind
    ]
    return sql`select d.* from ${tables.subscriptions} d where ${sql.and(conditions)}
      order by d.next_run_at, d.id limit cast(${rows} as bigint)`
  }

  const schedule = Effect.fnUntraced(function* (query: ScheduleQuery) {
    // Many subscriptions have one schedule.
    const select = sql<GroupRow>`
      select step, every, anchor_at, next_run_at, misfire, failing, left_over, count(*) as count,
        cast(sum(amount) as text) as amount, max(id) as last_id
      from (
        select part.id, part.step, part.every, part.anchor_at, part.next_run_at, part.misfire, part.amount,
          case when part.faults > 0 then 1 else 0 end as failing, part.max_runs - part.runs as left_over
        from (${next(query)}) as part
      ) as looked
      group by step, every, anchor_at, next_run_at, misfire, failing, left_over`
    const found = yield* longRead("SubscriptionStore.schedule", tenantKey(query), select)
    const looked = found.reduce((sum, { count }) => sum + count, 0)
    const end = { nextRunAt: Number.NEGATIVE_INFINITY, id: "" }
    for (const { next_run_at: nextRunAt, last_id: id } of found) {
      if (nextRunAt > end.nextRunAt || (nextRunAt === end.nextRunAt && id > end.id))
        Object.assign(end, { nextRunAt, id })
    }
    return { groups: found.map(groupOf), end: looked < query.rows ? null : end }
  })

  const scheduled = (query: ScheduleQuery) =>
    Effect.map(
      longRead("SubscriptionStore.scheduled", tenantKey(query), sql<SubscriptionRow>`${next(query)}`),
      (rows) => rows.map(subscriptionTable.decode)
    )

  return { schedule, scheduled }
}
