/** The core's `RequestLogStore` in SQL. */
import type { KeptRequest, RequestHour } from "@tolem/core/requestlog/LoggedRequest"
import { requestHourOf } from "@tolem/core/requestlog/LoggedRequest"
import { type LoggedHour, RequestLogStore } from "@tolem/core/requestlog/RequestLogStore"
import { tenantKey } from "@tolem/core/value/Tenant"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { once, oneOf, type RowOf, table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"

/** The store over the database. */
export const layer: Layer.Layer<RequestLogStore, never, Database> = Layer.effect(
  RequestLogStore,
  Effect.map(Database, (database) => make(database))
)

type Store = RequestLogStore["Service"]

const mode = once(oneOf(["sandbox", "live"]))

const hourTable = table<RequestHour>("request_hours")({
  organizationId: once("text"),
  mode,
  hourAt: once("bigint"),
  requests: "bigint",
  refused: "bigint",
  failed: "bigint"
})

type HourRow = RowOf<typeof hourTable>

/** The even places of an hour are of requests that were answered, the odd ones of those that were not. */
const requestTable = table<KeptRequest>("requests")(
  {
    organizationId: once("text"),
    mode,
    place: once("bigint"),
    at: "bigint",
    requestId: "text",
    keyEnding: "text",
    method: "text",
    route: "text",
    status: "bigint",
    code: "text",
    durationMs: "bigint"
  },
  { hour_at: { type: "bigint", once: true, of: ({ at }: KeptRequest) => requestHourOf(at) } }
)

type RequestRow = RowOf<typeof requestTable>

const make = (database: Database["Service"]): Store => {
  const { sql, dialect, tables, all, statement } = database
  const { requests, request_hours: hours } = tables
  const hourRows = TableStatements.make(database, hourTable)
  const requestRows = TableStatements.make(database, requestTable)

  const add: Store["add"] = Effect.fnUntraced(function* (added, perHour) {
    if (added.length === 0) return
    // Sorted: servers take the locks of the rows in one order, so that they cannot wait for each other.
    const counts = added.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    const count = dialect.unflushed(
      (condition) => sql<HourRow>`
        insert into ${hours} as t (${hourRows.names}) select ${hourRows.names} from ${hourRows.batch(counts)}
        where ${condition}
        on conflict (organization_id, mode, hour_at) do update set requests = t.requests + excluded.requests,
          refused = t.refused + excluded.refused, failed = t.failed + excluded.failed
        returning ${hourRows.names}`
    )
    const counted = yield* statement("RequestLogStore.add", count, { writes: true })
    // What a server has counted it has reserved: no other one writes to these places, however late this one does.
    const totals = new Map(counted.map((row) => [keyOf(hourTable.decode(row)), hourTable.decode(row)]))
    const kept = counts.flatMap((hour) => placed(hour, totals.get(keyOf(hour))!, perHour))
    if (kept.length === 0) return
    const keep = dialect.unflushed(
      (condition) => sql`
        insert into ${requests} as t (${requestRows.names}) select ${requestRows.names} from ${requestRows.batch(kept)}
        where ${condition}
        on conflict (organization_id, mode, hour_at, place) do update set ${sql.literal(requestRows.changes)}`
    )
    yield* statement("RequestLogStore.add", keep, { writes: true })
  })

  const list: Store["list"] = ({ organizationId, mode }, { since, before, errorsOnly, requestId, limit }) => {
    const conditions = [
      sql`organization_id = ${organizationId} and mode = ${mode}`,
      sql`hour_at >= cast(${requestHourOf(since)} as bigint) and at >= cast(${since} as bigint)`,
      ...(before === null
        ? []
        : [
            sql`at <= cast(${before.at} as bigint)`,
            sql`(at < cast(${before.at} as bigint) or place < cast(${before.place} as bigint))`
          ]),
      ...(errorsOnly ? [sql`status >= 400`] : []),
      ...(requestId === null ? [] : [sql`request_id = ${requestId}`])
    ]
    const select = sql<RequestRow>`
      select ${requestRows.names} from ${requests} where ${sql.and(conditions)}
      order by at desc, place desc limit cast(${limit} as bigint)`
    return all("RequestLogStore.list", select, requestTable.decode)
  }

  const listHours: Store["hours"] = ({ organizationId, mode }, since) => {
    const select = sql<HourRow>`
      select ${hourRows.names} from ${hours} where organization_id = ${organizationId} and mode = ${mode}
        and hour_at >= cast(${since} as bigint) order by hour_at`
    return all("RequestLogStore.hours", select, hourTable.decode)
  }

  const forget: Store["forget"] = Effect.fnUntraced(function* (before, limit) {
    const old = sql`t.hour_at < cast(${before} as bigint) order by t.hour_at limit cast(${limit} as bigint)
      ${dialect.lockFreeRows("t")}`
    const forgetRequests = sql`
      delete from ${requests} where (organization_id, mode, hour_at, place) in (
        select t.organization_id, t.mode, t.hour_at, t.place from ${requests} t where ${old})
      returning place`
    const forgetHours = sql`
      delete from ${hours} where (organization_id, mode, hour_at) in (
        select t.organization_id, t.mode, t.hour_at from ${hours} t where ${old})
      returning hour_at`
    const gone = yield* statement("RequestLogStore.forget", forgetRequests, { writes: true })
    const uncounted = yield* statement("RequestLogStore.forget", forgetHours, { writes: true })
    return Math.max(gone.length, uncounted.length)
  })

  return { add, list, hours: listHours, forget }
}

const keyOf = (hour: RequestHour): string => `${tenantKey(hour)} ${hour.hourAt}`

/** The requests of an hour at the last places that its counts, these included, have given out. */
const placed = (hour: LoggedHour, total: RequestHour, perHour: number): ReadonlyArray<KeptRequest> => {
  const errors = total.refused + total.failed
  const fill = (isError: boolean, last: number) => {
    const found = hour.kept.filter(({ status }) => status >= 400 === isError).slice(-perHour)
    return found.map((request, index): KeptRequest => {
      const turn = last - found.length + index
      return { ...request, place: (turn % perHour) * 2 + (isError ? 1 : 0) }
    })
  }
  return [...fill(false, total.requests - errors), ...fill(true, errors)]
}
