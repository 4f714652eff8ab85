/** `WebhookStore`'s verbs about deliveries on their way: claimed with all that sending needs, and given back. */
import type { StorageError } from "@tolem/core/error/StorageError"
import type { Mode } from "@tolem/core/value/Mode"
import type { Tenant } from "@tolem/core/value/Tenant"
import type { Endpoint, Job } from "@tolem/core/webhook/Webhook"
import type { DeliveryClaim, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { joinLookedUp } from "../base/Lookups.ts"
import { readEach } from "../base/ReadableRows.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { type EventRow, eventTable } from "../invoice/EventRow.ts"
import { type InvoiceRow, invoiceTable } from "../invoice/InvoiceRow.ts"
import type { DeliveryMonths } from "./DeliveryMonths.ts"
import { type DeliveryRow, deliveryTable } from "./DeliveryRow.ts"
import { type EndpointRow, endpointTable } from "./EndpointRow.ts"
import type { WebhookSecrets } from "./WebhookSecrets.ts"

type Verbs = Pick<WebhookStore["Service"], "due" | "dueOf" | "claim" | "reclaim" | "release">

/** Which deliveries to lease: the endpoints' next ones, or those that were lost. */
interface Lease extends DeliveryClaim {
  readonly which: Statement.Fragment
}

/** A delivery under a lease. */
interface Leased {
  readonly id: string
  readonly lease: string
}

/** An endpoint that was looked at; with its owner if it takes deliveries. Past the last one there is a null. */
interface LookedAt {
  readonly id: string
  readonly organization_id: string | null
  readonly mode: Mode | null
  readonly due_at: number
}

/** The verbs over this database. */
export const make = (database: Database["Service"], secrets: WebhookSecrets, months: DeliveryMonths): Verbs => {
  const { dialect, statement } = database
  const statements = makeStatements(database, months)
  const read = <A extends object>(select: Statement.Statement<A>) =>
    statement("WebhookStore.claim", dialect.exact(select), { writes: false })

  const due: Verbs["due"] = (request) =>
    Effect.map(statement("WebhookStore.due", statements.due(request), { writes: false }), (rows) => {
      const looked = rows.filter((row) => row.id !== null)
      return {
        endpoints: looked.flatMap(({ id, organization_id, mode, due_at }) =>
          organization_id === null || mode === null || due_at > request.now
            ? []
            : [{ id, organizationId: organization_id, mode, dueAt: due_at }]
        ),
        next: looked.length < request.limit ? null : (looked.at(-1)?.id ?? null)
      }
    })

  const dueOf: Verbs["dueOf"] = (tenants, now) => {
    if (tenants.length === 0) return Effect.succeed([])
    const select = statements.dueOf(tenants, now)
    return Effect.map(statement("WebhookStore.dueOf", select, { writes: false }), (rows) =>
      rows.flatMap(({ id, organization_id: organizationId, mode, due_at: dueAt }) =>
        organizationId === null || mode === null ? [] : [{ id, organizationId, mode, dueAt }]
      )
    )
  }

  // A lease that is lost with the power only ends early.
  const lease = (request: Lease) => {
    const leased = dialect.exact(dialect.unflushed((condition) => statements.lease(request, condition)))
    return statement("WebhookStore.claim", leased, { writes: true })
  }

  const rowsOf = (deliveries: ReadonlyArray<DeliveryRow>) => {
    const ofInvoices = deliveries.filter(isOfInvoice)
    return Effect.all(
      {
        endpoints: read(statements.endpoints(deliveries)),
        events: read(statements.events(ofInvoices)),
        invoices: read(statements.invoices(ofInvoices))
      },
      { concurrency: "unbounded" }
    )
  }

  // One endpoint whose secret cannot be read must not hold up the others. Its deliveries fall due again and again.
  const openAll = Effect.fnUntraced(function* (rows: ReadonlyArray<EndpointRow>) {
    const opened = new Map<string, Endpoint>()
    const { read: sound } = yield* readEach("endpoint", rows, (row) => {
      endpointTable.check(row)
      return row
    })
    for (const row of sound) {
      yield* Effect.matchEffect(secrets.open(row), {
        onSuccess: (endpoint) => Effect.sync(() => opened.set(row.id, endpoint)),
        onFailure: ({ keyId }) => Effect.logError(`WebhookStore: no key ${keyId} for the secret of endpoint ${row.id}`)
      })
    }
    return opened
  })

  const jobsOf = Effect.fnUntraced(function* (request: Lease): Effect.fn.Return<ReadonlyArray<Job>, StorageError> {
    const deliveries = yield* lease(request)
    if (deliveries.length === 0) return []
    // Nothing was tried if this fails, so that no start counts.
    return yield* Effect.tapError(jobsIn(request, deliveries.toSorted(byAge)), () =>
      Effect.ignore(giveBack(deliveries.map(leasedBy(request)), request.until))
    )
  })

  const jobsIn = Effect.fnUntraced(function* (request: Lease, deliveries: ReadonlyArray<DeliveryRow>) {
    const rows = yield* rowsOf(deliveries)
    const endpoints = yield* openAll(rows.endpoints)
    const events = new Map(rows.events.map((row) => [row.invoice_id + row.sequence, row]))
    const invoices = new Map(rows.invoices.map((row) => [row.id, row]))
    const jobOf = (row: DeliveryRow, endpoint: Endpoint): Job => {
      const claimed = { delivery: deliveryTable.read(row), endpoint, lease: request.lease, starts: row.starts }
      if (!isOfInvoice(row)) return { ...claimed, fact: null }
      const event = events.get(row.invoice_id + row.sequence)
      const invoice = invoices.get(row.invoice_id)
      if (event === undefined || invoice === undefined) throw new Error("it has no event or no invoice")
      return { ...claimed, fact: { event: eventTable.read(event), invoice: invoiceTable.read(invoice) } }
    }
    const known = deliveries.filter((row) => endpoints.has(row.endpoint_id))
    const closed = deliveries.filter((row) => !endpoints.has(row.endpoint_id))
    const { read, unread } = yield* readEach("delivery", known, (row) => jobOf(row, endpoints.get(row.endpoint_id)!))
    // Their starts are not counted either.
    yield* giveBack(closed.map(leasedBy(request)), request.until)
    yield* giveBack(unread.map(leasedBy(request)), request.now + request.asideMs)
    return read
  })

  const giveBack = (rows: ReadonlyArray<Leased>, dueAt: number): Effect.Effect<void, StorageError> =>
    rows.length === 0
      ? Effect.void
      : Effect.asVoid(statement("WebhookStore.release", statements.release(rows, dueAt), { writes: true }))

  const claim: Verbs["claim"] = (request) =>
    request.endpoints.length === 0
      ? Effect.succeed([])
      : jobsOf({ ...request, which: statements.next(request, request.endpoints, request.each) })

  const reclaim: Verbs["reclaim"] = (request) => jobsOf({ ...request, which: statements.lost(request, request.limits) })

  const release: Verbs["release"] = (jobs, dueAt) =>
    giveBack(
      jobs.map(({ delivery: { id }, lease }) => ({ id, lease })),
      dueAt
    )

  return { due, dueOf, claim, reclaim, release }
}

const leasedBy =
  ({ lease }: Lease) =>
  ({ id }: DeliveryRow): Leased => ({ id, lease })

/** Test deliveries tell of an invoice that exists nowhere. */
const isOfInvoice = (row: DeliveryRow): boolean => row.kind !== "webhook.test"

const byAge = (a: DeliveryRow, b: DeliveryRow): number =>
  a.ready_at - b.ready_at || a.created_at - b.created_at || a.sequence - b.sequence || (a.id < b.id ? -1 : 1)

const makeStatements = (database: Database["Service"], { isNear }: DeliveryMonths) => {
  const { sql, dialect, tables } = database
  const { names } = TableStatements.make(database, deliveryTable)
  const tenantSource = dialect.source("s", { organization_id: "text", mode: "text" })
  const idSource = dialect.source("s", { id: "text" })
  const eventSource = dialect.source("s", { invoice_id: "text", sequence: "bigint" })
  const leaseSource = dialect.source("s", { id: "text", lease: "text" })
  const idsOf = (ids: ReadonlyArray<string>) => idSource(Array.from(new Set(ids), (id) => ({ id })))

  // Whether nothing of the same invoice has to go to the endpoint first.
  const isFirst = (alias: string) => {
    const d = sql.literal(alias)
    return sql`(${d}.kind = 'webhook.test' or not exists (
      select 1 from ${tables.deliveries} earlier
      where earlier.status = 'pending' and earlier.endpoint_id = ${d}.endpoint_id
        and earlier.invoice_id = ${d}.invoice_id and earlier.sequence < ${d}.sequence${isNear("earlier")}
    ))`
  }
  const takes = (now: number) => sql`
    e.disabled = 0 and e.removed_at is null and (e.paused_until is null or e.paused_until <= cast(${now} as bigint))`

  return {
    // From endpoint to endpoint, however much each has: one step of the index for each, and one for its oldest.
    due: ({ now, after, limit }: Parameters<Verbs["due"]>[0]) =>
      sql<LookedAt>`
        with recursive looked(id, n) as (
          select (select min(d.endpoint_id) from ${tables.deliveries} d
            where d.status = 'pending' and d.starts = 0 and d.endpoint_id > ${after ?? ""}${isNear("d")}), 1
          union all
          select (select min(d.endpoint_id) from ${tables.deliveries} d
            where d.status = 'pending' and d.starts = 0 and d.endpoint_id > looked.id${isNear("d")}), looked.n + 1
          from looked where looked.id is not null and looked.n < cast(${limit} as bigint)
        )
        select looked.id, e.organization_id, e.mode,
          (select min(d.due_at) from ${tables.deliveries} d
            where d.status = 'pending' and d.starts = 0 and d.endpoint_id = looked.id${isNear("d")}) as due_at
        from looked left join ${tables.endpoints} e on e.id = looked.id and ${takes(now)}
        order by looked.n`,

    dueOf: (tenants: ReadonlyArray<Tenant>, now: number) => {
      const rows = tenants.map(({ organizationId, mode }) => ({ organization_id: organizationId, mode }))
      const own = sql`e.organization_id = s.organization_id and e.mode = s.mode and ${takes(now)}`
      return sql<LookedAt>`
        select * from (
          select e.id, e.organization_id, e.mode,
            (select min(d.due_at) from ${tables.deliveries} d
              where d.status = 'pending' and d.starts = 0 and d.endpoint_id = e.id${isNear("d")}) as due_at
          from ${tenantSource(rows)} ${joinLookedUp(sql, { table: tables.endpoints, alias: "e", condition: own })}
        ) as looked where due_at <= cast(${now} as bigint)`
    },

    // Endpoint by endpoint, whatever the planner knows of the table: of one that has filled since it was last looked at
    // it expects hardly a row, and would begin with all that is due.
    next: ({ now }: DeliveryClaim, endpoints: ReadonlyArray<string>, each: number) => {
      const rows = sql`
        select own.id from ${tables.deliveries} own
        where own.endpoint_id = s.id and own.status = 'pending' and own.starts = 0
          and own.due_at <= cast(${now} as bigint)${isNear("own")} and ${isFirst("own")}
        order by own.due_at limit cast(${each} as bigint) ${dialect.lockFreeRows("own")}`
      const joined = dialect.joinEach({ table: tables.deliveries, alias: "d", tuple: sql.literal("d.id"), rows })
      return sql`select d.id from ${idsOf(endpoints)} ${joined}`
    },

    // The last part is what was started too often, to be given up.
    lost: ({ now }: DeliveryClaim, limits: ReadonlyArray<number>) => {
      const started = (starts: Statement.Fragment, limit: number) => sql`
        select * from (
          select own.id from ${tables.deliveries} own join ${tables.endpoints} e on e.id = own.endpoint_id
          where own.status = 'pending' and own.starts > 0 and ${starts} and own.due_at <= cast(${now} as bigint)
            and ${takes(now)}${isNear("own")} and ${isFirst("own")}
          order by own.due_at limit cast(${limit} as bigint)
        ) as part`
      const [first, ...others] = [
        ...limits.map((limit, index) => started(sql`own.starts = cast(${index + 1} as bigint)`, limit)),
        started(sql`own.starts > cast(${limits.length} as bigint)`, maxGivenUp)
      ]
      const all = others.reduce((before, each) => sql`${before} union all ${each}`, first!)
      return sql`
        select d.id from ${tables.deliveries} d where ${dialect.isOneOf("d.id", all)}
          and d.status = 'pending' and d.starts > 0 and d.due_at <= cast(${now} as bigint)${isNear("d")}
        ${dialect.lockFreeRows("d")}`
    },

    lease: ({ until, lease, which }: Lease, condition: Statement.Fragment) =>
      sql<DeliveryRow>`
        with due as (${which})
        update ${tables.deliveries} as d set
          due_at = cast(${until} as bigint), lease = ${lease}, starts = d.starts + 1
        where ${dialect.isOneOf("d.id", sql`select id from due`)}${isNear("d")} and ${condition}
        returning ${names}, starts`,

    endpoints: (rows: ReadonlyArray<DeliveryRow>) =>
      sql<EndpointRow>`
        select e.* from ${idsOf(rows.map((row) => row.endpoint_id))} join ${tables.endpoints} e on e.id = s.id`,

    events: (rows: ReadonlyArray<DeliveryRow>) =>
      sql<EventRow>`
        select e.* from ${eventSource(rows.map(({ invoice_id, sequence }) => ({ invoice_id, sequence })))}
        join ${tables.events} e on e.invoice_id = s.invoice_id and e.sequence = s.sequence`,

    invoices: (rows: ReadonlyArray<DeliveryRow>) =>
      sql<InvoiceRow>`
        select i.* from ${idsOf(rows.map((row) => row.invoice_id))} join ${tables.invoices} i on i.id = s.id`,

    release: (leased: ReadonlyArray<Leased>, dueAt: number) =>
      sql`
        update ${tables.deliveries} as d set due_at = cast(${dueAt} as bigint), lease = null, starts = d.starts - 1
        from ${leaseSource(leased)}
        where d.id = s.id and d.lease = s.lease${isNear("d")}`
  }
}

/** Given up in one claim. */
const maxGivenUp = 64
