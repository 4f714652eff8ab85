/** The core's `ReconciliationStore` in SQL. */
import { newReconciliation } from "@tolem/core/reconciliation/Reconciliation"
import {
  type ComparisonWrite,
  ReconciliationStore,
  type WorkItemQuery
} from "@tolem/core/reconciliation/ReconciliationStore"
import type { WorkItem } from "@tolem/core/reconciliation/WorkItem"
import { Data, Effect, Layer } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as DueRows from "../base/DueRows.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { ownOperations } from "./OwnOperations.ts"
import { type ReconciliationRow, reconciliationTable, type WorkItemRow, workItemTable } from "./ReconciliationRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<ReconciliationStore, never, Database> = Layer.effect(
  ReconciliationStore,
  Effect.map(Database, (database) => ({ ...days(database), ...items(database), ...ownOperations(database) }))
)

type Store = ReconciliationStore["Service"]

/** Another writer was faster: nothing is written. */
class Outrun extends Data.TaggedError("Outrun") {}

const days = (
  database: Database["Service"]
): Pick<Store, "enrol" | "claim" | "waiting" | "ask" | "days" | "replace"> => {
  const { sql, tables, all, statement } = database
  const { reconciliations, connections, organizations, accounts } = tables
  const rows = TableStatements.make(database, reconciliationTable)
  const audits = AuditLog.make(database)
  const due = DueRows.make<ReconciliationRow>(database, {
    table: reconciliations,
    key: { organization_id: "text", connection_id: "text", day: "text" },
    kind: "reconciliation",
    port: "ReconciliationStore",
    isLiveOnly: true
  })

  return {
    enrol: (day, dueAt, after, limit) => {
      const insert = sql<{ readonly connection_id: string }>`
        insert into ${reconciliations} (organization_id, connection_id, day, status, due_at, tries, version)
        select c.organization_id, c.id, ${day}, 'waiting', cast(${dueAt} as bigint), 0, 1
        from ${connections} c join ${organizations} o on o.id = c.organization_id
          join ${accounts} w on w.id = o.owner_id
        where c.id > ${after} and c.status = 'active' and o.mode = 'live' and o.status = 'active'
          and w.status = 'active'
          and not exists (
            select 1 from ${reconciliations} r
            where r.organization_id = c.organization_id and r.connection_id = c.id and r.day = ${day})
        order by c.id limit cast(${limit} as bigint)
        on conflict (organization_id, connection_id, day) do nothing returning connection_id`
      return Effect.map(statement("ReconciliationStore.enrol", insert, { writes: true }), (added) =>
        added.map((row) => row.connection_id).sort()
      )
    },
    claim: Effect.fnUntraced(function* (now, until, limit, among) {
      const leased = yield* due.lease(now, until, limit, among)
      return yield* due.readEach(leased, { now, until }, reconciliationTable.read)
    }),
    waiting: due.waiting,
    ask: (of, dueAt, audit) => {
      const row = newReconciliation(of, dueAt)
      const again = `on conflict (organization_id, connection_id, day) do update set status = 'waiting',
        due_at = excluded.due_at, tries = 0, fault = null, version = reconciled.version + 1 returning *`
      const insert = sql<ReconciliationRow>`
        insert into ${reconciliations} as reconciled (${rows.names})
        select ${rows.names} from ${rows.batch([row])} where true ${sql.literal(again)}`
      return Effect.map(audits.writing("ReconciliationStore.ask", insert, audit), ([found]) =>
        reconciliationTable.decode(found!)
      )
    },
    days: (organizationId, { from, to }, limit) => {
      const select = sql<ReconciliationRow>`
        select r.* from ${reconciliations} r
        where r.organization_id = ${organizationId} and r.day >= ${from} and r.day <= ${to}
        order by r.day desc, r.connection_id limit cast(${limit} as bigint)`
      return all("ReconciliationStore.days", select, reconciliationTable.decode)
    },
    replace: (row) => {
      const { organizationId, connectionId, day, version } = row
      const update = sql`
        update ${reconciliations} set ${rows.set(row)}
        where organization_id = ${organizationId} and connection_id = ${connectionId} and day = ${day}
          and version = cast(${version - 1} as bigint) returning day`
      return Effect.map(
        statement("ReconciliationStore.replace", update, { writes: true }),
        (written) => written.length > 0
      )
    }
  }
}

type ItemVerbs = Pick<Store, "itemsOf" | "items" | "openCounts" | "item" | "settle" | "replaceItem">

const items = (database: Database["Service"]): ItemVerbs => {
  const { sql, tables, all, one, transaction } = database
  const { work_items, reconciliations } = tables
  const rows = TableStatements.make(database, workItemTable)
  const dayRows = TableStatements.make(database, reconciliationTable)
  const audits = AuditLog.make(database)

  const matching = ({ organizationId, status, from, to }: WorkItemQuery) => sql`
    w.organization_id = ${organizationId} and w.day >= ${from} and w.day <= ${to}
      ${status === null ? sql.literal("") : sql`and w.status = ${status}`}`

  const update = (item: WorkItem) => sql`
    update ${work_items} set ${rows.set(item)}
    where id = ${item.id} and organization_id = ${item.organizationId}
      and version = cast(${item.version - 1} as bigint) returning id`

  const write = Effect.fnUntraced(function* ({ reconciliation, added, changed, records }: ComparisonWrite) {
    const { organizationId, connectionId, day, version } = reconciliation
    const [written] = yield* sql`
      update ${reconciliations} set ${dayRows.set(reconciliation)}
      where organization_id = ${organizationId} and connection_id = ${connectionId} and day = ${day}
        and version = cast(${version - 1} as bigint) returning day`
    if (written === undefined) return yield* new Outrun()
    for (const item of changed) if ((yield* update(item)).length === 0) return yield* new Outrun()
    if (added.length > 0) yield* rows.insertAll(added)
    yield* audits.insert(records)
    return true
  })

  return {
    itemsOf: ({ organizationId, connectionId, day }) => {
      const select = sql<WorkItemRow>`
        select w.* from ${work_items} w
        where w.organization_id = ${organizationId} and w.connection_id = ${connectionId} and w.day = ${day}
        order by w.subject`
      return all("ReconciliationStore.itemsOf", select, workItemTable.decode)
    },
    items: Effect.fnUntraced(function* (query) {
      const [counted] = yield* all(
        "ReconciliationStore.items",
        sql<{ readonly n: number }>`select count(*) as n from ${work_items} w where ${matching(query)}`,
        ({ n }) => n
      )
      const select = sql<WorkItemRow>`
        select w.* from ${work_items} w where ${matching(query)}
        order by w.status, w.day desc, w.id desc
        limit cast(${query.limit} as bigint) offset cast(${query.offset} as bigint)`
      return { total: counted ?? 0, items: yield* all("ReconciliationStore.items", select, workItemTable.decode) }
    }),
    openCounts: (organizationId, { from, to }) => {
      const select = sql<{ readonly connection_id: string; readonly day: string; readonly n: number }>`
        select w.connection_id, w.day, count(*) as n from ${work_items} w
        where w.organization_id = ${organizationId} and w.status = 'open' and w.day >= ${from} and w.day <= ${to}
        group by w.connection_id, w.day`
      return all("ReconciliationStore.openCounts", select, ({ connection_id: connectionId, day, n: count }) => ({
        connectionId,
        day,
        count
      }))
    },
    item: (organizationId, id) => {
      const select = sql<WorkItemRow>`
        select w.* from ${work_items} w where w.id = ${id} and w.organization_id = ${organizationId}`
      return one("ReconciliationStore.item", select, workItemTable.decode)
    },
    settle: (given) =>
      Effect.catchTag(transaction("ReconciliationStore.settle", write(given)), "Outrun", () => Effect.succeed(false)),
    replaceItem: (item, audit) =>
      Effect.map(audits.writing("ReconciliationStore.replaceItem", update(item), audit), ({ length }) => length > 0)
  }
}
