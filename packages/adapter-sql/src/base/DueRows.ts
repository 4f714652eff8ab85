/** Rows that fall due, leased: the oldest of all, or some of each of several tenants. One text for every table. */
import type { StorageError } from "@tolem/core/error/StorageError"
import type { Among, LookAtWaiting } from "@tolem/core/value/Tenant"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "./Database.ts"
import * as DueLeases from "./DueLeases.ts"
import { type DueTable, type Only, tupleOf } from "./DueTable.ts"
import { asideMs, readEach } from "./ReadableRows.ts"

/** What is due of one kind of row. The rows come in no order. */
export interface DueRows<Row> {
  readonly lease: (
    now: number,
    until: number,
    limit: number,
    among?: Among,
    only?: Only
  ) => Effect.Effect<ReadonlyArray<Row>, StorageError>
  /** What `read` makes of leased rows. Those that it throws at are set aside, logged and counted; the others go on. */
  readonly readEach: <A>(
    rows: ReadonlyArray<Row>,
    lease: { readonly now: number; readonly until: number },
    read: (row: Row) => A
  ) => Effect.Effect<ReadonlyArray<A>, StorageError>
  readonly waiting: LookAtWaiting<StorageError>
}

/** Organizations that one look at who waits takes in: a few milliseconds, however many there are. */
const organizationsOfLook = 256

/** The statements over this table, which has the indexes (due_at) and (organization_id, mode, due_at). */
export const make = <Row extends object>(database: Database["Service"], due: DueTable): DueRows<Row> => {
  const { sql, dialect, statement } = database
  const { table, key: columns, kind, port } = due
  const leases: DueLeases.DueLeases<Row> =
    due.leases === undefined ? DueLeases.inRows(database, due) : DueLeases.beside(database, due, due.leases)
  const key = Object.keys(columns)
  const columnsOf = (alias: string) => key.map((column) => `${alias}.${column}`)
  const keyOf = (alias: string) => sql.literal(columnsOf(alias).join(", "))
  const tenants = dialect.source("s", { organization_id: "text", mode: "text" })
  const modeOf = (alias: string) => sql.literal(due.isLiveOnly === true ? "'live'" : `${alias}.mode`)

  const all: Only = () => sql.literal("")

  const oldest = (now: number, limit: number, only: Only) => sql`
    select ${keyOf("d")} from ${table} d
    where d.due_at <= cast(${now} as bigint)${leases.free(now)("d")}${only("d")}
    order by d.due_at limit cast(${limit} as bigint) ${dialect.lockFreeRows("d")}`

  const oldestOfEach = (now: number, limit: number, among: Among, only: Only) => {
    const rows = among.tenants.map(({ organizationId, mode }) => ({ organization_id: organizationId, mode }))
    const first = sql`
      select ${keyOf("f")} from ${table} f
      where f.organization_id = s.organization_id and ${modeOf("f")} = s.mode
        and f.due_at <= cast(${now} as bigint)${leases.free(now)("f")}${only("f")}
      order by f.due_at limit cast(${among.each} as bigint) ${dialect.lockFreeRows("f")}`
    const joined = dialect.joinEach({ table, alias: "d", tuple: sql.literal(tupleOf(columnsOf("d"))), rows: first })
    return sql`
      select ${keyOf("d")} from ${tenants(rows)} ${joined}
      limit cast(${limit} as bigint)`
  }

  const lease: DueRows<Row>["lease"] = (now, until, limit, among, only = all) => {
    const found = among === undefined ? oldest(now, limit, only) : oldestOfEach(now, limit, among, only)
    const taken = dialect.exact(dialect.unflushed(leases.take(found, { now, until })))
    return Effect.andThen(leases.tidy, statement(`${port}.claim`, taken, { writes: true }))
  }

  // As texts: a number of the key may be what cannot be read.
  const keysOf = (row: Row) =>
    Object.fromEntries(key.map((column) => [column, String(row[column as keyof Row])])) as Record<string, string>

  const readAll: DueRows<Row>["readEach"] = Effect.fnUntraced(function* (rows, { now, until }, readOne) {
    const named = rows.map((row) => ({ id: Object.values(keysOf(row)).join(" "), row }))
    const { read, unread } = yield* readEach(kind, named, ({ row }) => readOne(row))
    if (unread.length === 0) return read
    const keys = unread.map(({ row }) => keysOf(row))
    const aside = leases.extend(keys, { now, until }, now + asideMs)
    yield* statement(`${port}.setAside`, aside, { writes: true })
    return read
  })

  const nextAfter = (place: Statement.Fragment) => sql`
    (select min(f.organization_id) from ${table} f where f.due_at is not null and f.organization_id > ${place})`

  // From one organization's rows to the next one's through the index, over its many rows: a step each.
  const look = (now: number, after: string) => sql<WaitingRow>`
    with recursive places (organization_id, step) as (
      select ${nextAfter(sql`${after}`)}, 1
      union all
      select ${nextAfter(sql.literal("places.organization_id"))}, places.step + 1 from places
      where places.organization_id is not null and places.step < ${sql.literal(String(organizationsOfLook))}
    )
    select places.organization_id, places.step, modes.mode, case when exists (
      select 1 from ${table} f
      where f.organization_id = places.organization_id and ${modeOf("f")} = modes.mode
        and f.due_at <= cast(${now} as bigint)${leases.free(now)("f")}
    ) then 1 else 0 end as due
    from places cross join (select 'live' as mode union all select 'sandbox') as modes
    where places.organization_id is not null order by places.step, modes.mode`

  const waiting: LookAtWaiting<StorageError> = (now, after) =>
    Effect.map(statement(`${port}.waiting`, look(now, after), { writes: false }), (rows) => {
      const last = rows.at(-1)
      return {
        tenants: rows
          .filter(({ due }) => due === 1)
          .map(({ organization_id: organizationId, mode }) => ({ organizationId, mode })),
        next: last?.step === organizationsOfLook ? last.organization_id : null
      }
    })

  return { lease, readEach: readAll, waiting }
}

interface WaitingRow {
  readonly organization_id: string
  readonly step: number
  readonly mode: "live" | "sandbox"
  readonly due: number
}
