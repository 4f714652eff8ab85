import type { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import type { InvoiceQuery } from "@tolem/core/invoice/InvoiceStore"
import { isStorable } from "@tolem/core/value/Checks"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { first } from "../base/Few.ts"
import { type InvoiceRow, invoiceTable } from "./InvoiceRow.ts"

/** The verb over this database. */
export const make = (database: Database["Service"]) => {
  const { sql, tables, statement, longRead } = database
  const conditions = makeConditions(database)

  const totalOfDays = (query: InvoiceQuery) =>
    sql<{ readonly total: number }>`
      select cast(coalesce(sum(invoice_count), 0) as bigint) as total from ${tables.daily_totals} i
      where ${sql.and([...conditions.ofOwner(query), ...conditions.ofStatuses(query.statuses)])}`

  const totalOfRows = (query: InvoiceQuery) =>
    sql<{ readonly total: number }>`
      select count(*) as total from ${tables.invoices} i
      where ${sql.and([...conditions.ofRows(query), ...conditions.ofStatuses(query.statuses)])}`

  // A page behind the last row is known to be empty without reading all that is in front of it.
  const isReached = (query: InvoiceQuery) => sql`cast(${query.offset} as bigint) < (select total from counted)`

  // Each status has its own range of the index that is already in order. Asked for several at once, a database
  // either sorts all their rows or reads the rows of all other statuses too.
  const newestOf = (query: InvoiceQuery, status: ReadonlyArray<InvoiceStatus>, columns: string) =>
    first(sql, {
      rows: sql`select ${sql.literal(columns)} from ${tables.invoices} i
        where ${sql.and([...conditions.ofRows(query), ...conditions.ofStatuses(status), isReached(query)])}
        order by i.created_at desc, i.id desc`,
      order: "created_at desc, id desc",
      limit: query.limit + query.offset,
      most: isOneRange(query) ? usualRows : 0
    })

  const page = (query: InvoiceQuery) => {
    const [only = [], ...others] = query.statuses.map((status) => [status])
    // The first page of one range is read as it is. Otherwise rows are looked at that the page does not have.
    if (isOneRange(query) && others.length === 0 && query.offset === 0) return newestOf(query, only, "i.*")
    const branches = [only, ...others].map(
      (status) => sql`select * from (${newestOf(query, status, "i.id, i.created_at")}) as newest`
    )
    return sql`
      select i.* from (
        select id from (${sql.join(" union all ", false)(branches)}) as candidates
        order by created_at desc, id desc
        limit cast(${query.limit} as bigint) offset cast(${query.offset} as bigint)
      ) as chosen
      join ${tables.invoices} i on i.id = chosen.id`
  }

  // One statement each: the number and the rows are of one moment.
  const withTotal = (query: InvoiceQuery) => sql<CountedRow>`
    with counted as (${isPlain(query) ? totalOfDays(query) : totalOfRows(query)})
    select page.*, counted.total from counted left join (${page(query)}) as page on true
    order by page.created_at desc, page.id desc`

  // What a text is part of is looked for once. With very many that would be sorted where an index has them in order.
  const fewWithTotal = (query: InvoiceQuery) => sql<CountedRow>`
    with matched as materialized (
      select i.id, i.created_at from ${tables.invoices} i
      where ${sql.and([...conditions.ofRows(query, { byKeys: true }), ...conditions.ofStatuses(query.statuses)])}
      limit ${sql.literal(String(fewMatches + 1))}
    ), counted as (select count(*) as total from matched)
    select page.*, counted.total from counted left join (
      select i.* from (
        select id from matched order by created_at desc, id desc
        limit cast(${query.limit} as bigint) offset cast(${query.offset} as bigint)
      ) as chosen join ${tables.invoices} i on i.id = chosen.id
    ) as page on true
    order by page.created_at desc, page.id desc`

  return Effect.fnUntraced(function* (asked: InvoiceQuery) {
    const query = { ...asked, statuses: [...new Set(asked.statuses)] }
    if (!isStorable(query.externalOrderId ?? "") || !isStorable(query.search ?? "")) return { total: 0, invoices: [] }
    const read = (select: Statement.Statement<CountedRow>) =>
      isLong(query)
        ? longRead(operation, `${query.organizationId} ${query.mode}`, select)
        : statement(operation, select, { writes: false })
    const few = query.search === null ? undefined : yield* read(fewWithTotal(query))
    const rows = few === undefined || few[0]!.total > fewMatches ? yield* read(withTotal(query)) : few
    const [first] = rows
    const isEmpty = first === undefined || first.id === null
    return { total: first?.total ?? 0, invoices: isEmpty ? [] : rows.map(invoiceTable.decode) }
  })
}

const operation = "InvoiceStore.list"

/** Matches of a search that are counted and put in order by themselves. */
const fewMatches = 1_000

/** Rows of a page, and those before it, at most: nearly always. */
const usualRows = 200

type CountedRow = InvoiceRow & { readonly total: number }

/** Whether only members that the daily totals know do filter. */
const isPlain = ({ externalOrderId, search, from, to }: InvoiceQuery): boolean =>
  externalOrderId === null && search === null && from === null && to === null

/**
 * Whether an index has the rows in their order, each status by itself, whatever is asked for. Otherwise the best plan
 * depends on how many rows have it, which a plan that is kept does not know.
 */
const isOneRange = ({ externalOrderId, search, connectionId, statuses }: InvoiceQuery): boolean =>
  externalOrderId === null && search === null && (connectionId === null || statuses.length === 0)

/** Whether all invoices of a tenant may have to be read, or all of a time. */
const isLong = ({ externalOrderId, search, from, to }: InvoiceQuery): boolean =>
  externalOrderId === null && (search !== null || from !== null || to !== null)

type Conditions = ReadonlyArray<Statement.Fragment>

const makeConditions = ({ sql, dialect }: Database["Service"]) => {
  const ofOwner = (query: InvoiceQuery): Conditions => [
    sql`i.organization_id = ${query.organizationId}`,
    sql`i.mode = ${query.mode}`,
    ...(query.connectionId === null ? [] : [sql`i.connection_id = ${query.connectionId}`])
  ]
  const ofStatuses = (statuses: ReadonlyArray<InvoiceStatus>): Conditions =>
    statuses.length === 0 ? [] : [sql`i.status in ${sql.in(statuses)}`]
  const ofRows = (query: InvoiceQuery, way = { byKeys: false }): Conditions => [
    ...ofOwner(query),
    ...(query.externalOrderId === null ? [] : [sql`i.external_order_id = ${query.externalOrderId}`]),
    ...(query.from === null ? [] : [sql`i.created_at >= cast(${query.from} as bigint)`]),
    ...(query.to === null ? [] : [sql`i.created_at <= cast(${query.to} as bigint)`]),
    ...(query.search === null ? [] : [dialect.contains(sql.literal("i.search_text"), query.search.toLowerCase(), way)])
  ]
  return { ofOwner, ofStatuses, ofRows }
}
