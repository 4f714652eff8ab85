/** The core's `FormRefusalStore` in SQL. */
import type { FieldProblem } from "@tolem/core/formhook/FormProblems"
import { type FormRefusalCount, type KeptFormRefusal, refusalDayOf } from "@tolem/core/formhook/FormRefusal"
import { FormRefusalStore, type RefusedForms } from "@tolem/core/formhook/FormRefusalStore"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { once, type RowOf, table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"

/** The store over the database. */
export const layer: Layer.Layer<FormRefusalStore, never, Database> = Layer.effect(
  FormRefusalStore,
  Effect.map(Database, (database) => make(database))
)

type Store = FormRefusalStore["Service"]

/** A count, and whose hook it is of. */
type OwnedCount = FormRefusalCount & Pick<KeptFormRefusal, "organizationId">

const countTable = table<OwnedCount>("form_refusal_counts")(
  {
    organizationId: once("text"),
    hookId: once("text"),
    reason: once("text"),
    refused: "bigint",
    firstAt: "bigint",
    lastAt: "bigint"
  },
  { day_at: { type: "bigint", of: ({ lastAt }: OwnedCount) => refusalDayOf(lastAt) } }
)

type CountRow = RowOf<typeof countTable>

const wordsIn = (stored: string | null): ReadonlyArray<string> => (stored === null ? [] : stored.split(" "))

const textOf = (words: ReadonlyArray<string>): string | null => (words.length === 0 ? null : words.join(" "))

const faultIn = (word: string): FieldProblem => {
  const end = word.indexOf(":")
  return { field: word.slice(0, end), code: word.slice(end + 1) } as FieldProblem
}

const refusalTable = table<KeptFormRefusal>("form_refusals")(
  {
    organizationId: once("text"),
    hookId: once("text"),
    reason: once("text"),
    place: once("bigint"),
    at: "bigint",
    faults: {
      type: "text",
      encode: (faults: ReadonlyArray<FieldProblem>) => textOf(faults.map(({ field, code }) => `${field}:${code}`)),
      decode: (stored: string | null) => wordsIn(stored).map(faultIn)
    },
    names: { type: "text", encode: textOf, decode: wordsIn },
    site: "text"
  },
  { day_at: { type: "bigint", of: ({ at }: KeptFormRefusal) => refusalDayOf(at) } }
)

type RefusalRow = RowOf<typeof refusalTable>

const make = (database: Database["Service"]): Store => {
  const { sql, dialect, tables, all, statement } = database
  const { form_refusals: refusals, form_refusal_counts: counts, form_hooks: hooks } = tables
  const countRows = TableStatements.make(database, countTable)
  const refusalRows = TableStatements.make(database, refusalTable)

  const add: Store["add"] = Effect.fnUntraced(function* (forms, perReason) {
    if (forms.length === 0) return
    // Sorted: servers take the locks of the rows in one order, so that they cannot wait for each other.
    const sorted = forms.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    const batch = countRows.batch(sorted.map((each) => ({ ...each, organizationId: "" })))
    const count = dialect.unflushed(
      (condition) => sql<CountRow>`
        insert into ${counts} as t (${countRows.names})
        select h.organization_id, s.hook_id, s.reason, s.refused, s.first_at, s.last_at, s.day_at
        from ${batch} join ${hooks} h on h.id = s.hook_id
        where h.removed_at is null and ${condition}
        on conflict (organization_id, hook_id, reason) do update set refused = t.refused + excluded.refused,
          last_at = case when t.last_at > excluded.last_at then t.last_at else excluded.last_at end,
          day_at = case when t.day_at > excluded.day_at then t.day_at else excluded.day_at end
        returning ${countRows.names}`
    )
    const counted = yield* statement("FormRefusalStore.add", count, { writes: true })
    // What a server has counted it has reserved: no other one writes to these places, however late this one does.
    const totals = new Map(counted.map((row) => [keyOf(countTable.decode(row)), countTable.decode(row)]))
    const kept = sorted.flatMap((each) => placed(each, totals.get(keyOf(each)), perReason))
    if (kept.length === 0) return
    const keep = dialect.unflushed(
      (condition) => sql`
        insert into ${refusals} as t (${refusalRows.names})
        select ${refusalRows.names} from ${refusalRows.batch(kept)} where ${condition}
        on conflict (organization_id, hook_id, reason, place) do update set ${sql.literal(refusalRows.changes)}`
    )
    yield* statement("FormRefusalStore.add", keep, { writes: true })
  })

  const list: Store["list"] = ({ organizationId, hookId, since, reason, limit }) => {
    const conditions = [
      sql`organization_id = ${organizationId} and hook_id = ${hookId} and at >= cast(${since} as bigint)`,
      ...(reason === null ? [] : [sql`reason = ${reason}`])
    ]
    const select = sql<RefusalRow>`
      select ${refusalRows.names} from ${refusals} where ${sql.and(conditions)}
      order by at desc, reason, place desc limit cast(${limit} as bigint)`
    return all("FormRefusalStore.list", select, refusalTable.decode)
  }

  const listCounts: Store["counts"] = ({ organizationId, hookId, since }) => {
    const select = sql<CountRow>`
      select ${countRows.names} from ${counts}
      where organization_id = ${organizationId} and hook_id = ${hookId} and last_at >= cast(${since} as bigint)
      order by refused desc, reason`
    return all("FormRefusalStore.counts", select, (row): FormRefusalCount => {
      const { organizationId: _, ...count } = countTable.decode(row)
      return count
    })
  }

  const forget: Store["forget"] = Effect.fnUntraced(function* (before, limit) {
    const old = sql`t.day_at < cast(${before} as bigint) order by t.day_at limit cast(${limit} as bigint)
      ${dialect.lockFreeRows("t")}`
    const forgetRefusals = sql`
      delete from ${refusals} where (organization_id, hook_id, reason, place) in (
        select t.organization_id, t.hook_id, t.reason, t.place from ${refusals} t where ${old})
      returning place`
    const forgetCounts = sql`
      delete from ${counts} where (organization_id, hook_id, reason) in (
        select t.organization_id, t.hook_id, t.reason from ${counts} t where ${old})
      returning reason`
    const gone = yield* statement("FormRefusalStore.forget", forgetRefusals, { writes: true })
    const uncounted = yield* statement("FormRefusalStore.forget", forgetCounts, { writes: true })
    return Math.max(gone.length, uncounted.length)
  })

  return { add, list, counts: listCounts, forget }
}

const keyOf = ({ hookId, reason }: FormRefusalCount): string => `${hookId} ${reason}`

/** Refusals at the last places that their count has given out; none: there is no such hook. */
const placed = (
  { kept, ...count }: RefusedForms,
  total: OwnedCount | undefined,
  perReason: number
): ReadonlyArray<KeptFormRefusal> => {
  if (total === undefined) return []
  const newest = kept.slice(-Math.min(perReason, count.refused))
  return newest.map((refusal, index) => ({
    ...refusal,
    organizationId: total.organizationId,
    place: (total.refused - newest.length + index) % perReason
  }))
}
