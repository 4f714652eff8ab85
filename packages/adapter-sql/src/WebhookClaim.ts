/** `WebhookStore`'s verbs about deliveries on their way: claimed with all that sending needs, and given back. */
import type { StorageError } from "@tolem/core/StorageError"
import type { Endpoint, Job } from "@tolem/core/webhook/Webhook"
import type { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "./Database.ts"
import * as DeliveryRow from "./rows/DeliveryRow.ts"
import type { EndpointRow } from "./rows/EndpointRow.ts"
import * as EventRow from "./rows/EventRow.ts"
import * as InvoiceRow from "./rows/InvoiceRow.ts"
import type { WebhookSecrets } from "./WebhookSecrets.ts"

type Verbs = Pick<WebhookStore["Service"], "claim" | "release">
type Request = Parameters<Verbs["claim"]>[0]

/** The verbs over this database. */
export const make = (database: Database["Service"], secrets: WebhookSecrets): Verbs => {
  const { dialect, statement } = database
  const statements = makeStatements(database)
  const read = <A extends object>(select: Statement.Statement<A>) =>
    statement("WebhookStore.claim", select, { writes: false })

  // A lease that is lost with the power, or whose rows cannot be read, only ends early or late.
  const lease = Effect.fnUntraced(function* (request: Request) {
    const leased = dialect.unflushed((condition) => statements.lease(request, condition))
    const deliveries = yield* statement("WebhookStore.claim", leased, { writes: true })
    if (deliveries.length === 0) return { deliveries, endpoints: [], events: [], invoices: [] }
    const ofInvoices = deliveries.filter(isOfInvoice)
    return yield* Effect.all(
      {
        deliveries: Effect.succeed(deliveries.toSorted(byAge)),
        endpoints: read(statements.endpoints(deliveries)),
        events: read(statements.events(ofInvoices)),
        invoices: read(statements.invoices(ofInvoices))
      },
      { concurrency: "unbounded" }
    )
  })

  // One endpoint whose secret cannot be read must not hold up the others. Its deliveries fall due again and again.
  const openAll = Effect.fnUntraced(function* (rows: ReadonlyArray<EndpointRow>) {
    const opened = new Map<string, Endpoint>()
    for (const row of rows) {
      yield* Effect.matchEffect(secrets.open(row), {
        onSuccess: (endpoint) => Effect.sync(() => opened.set(row.id, endpoint)),
        onFailure: ({ keyId }) => Effect.logError(`WebhookStore: no key ${keyId} for the secret of endpoint ${row.id}`)
      })
    }
    return opened
  })

  const claim = Effect.fnUntraced(function* (request: Request): Effect.fn.Return<ReadonlyArray<Job>, StorageError> {
    const rows = yield* lease(request)
    const endpoints = yield* openAll(rows.endpoints)
    const events = new Map(rows.events.map((row) => [row.invoice_id + row.sequence, EventRow.fromRow(row)]))
    const invoices = new Map(rows.invoices.map((row) => [row.id, InvoiceRow.fromRow(row)]))
    return rows.deliveries.flatMap((row): ReadonlyArray<Job> => {
      const endpoint = endpoints.get(row.endpoint_id)
      if (endpoint === undefined) return []
      const delivery = DeliveryRow.fromRow(row)
      if (!isOfInvoice(row)) return [{ delivery, endpoint, fact: null, lease: request.lease }]
      const event = events.get(row.invoice_id + row.sequence)
      const invoice = invoices.get(row.invoice_id)
      if (event === undefined || invoice === undefined) throw new Error(`delivery ${row.id} has no event or no invoice`)
      return [{ delivery, endpoint, fact: { event, invoice }, lease: request.lease }]
    })
  })

  const release = (jobs: ReadonlyArray<Job>, dueAt: number) =>
    jobs.length === 0
      ? Effect.void
      : Effect.asVoid(statement("WebhookStore.release", statements.release(jobs, dueAt), { writes: true }))

  return { claim, release }
}

/** Test deliveries tell of an invoice that exists nowhere. */
const isOfInvoice = (row: DeliveryRow.DeliveryRow): boolean => row.kind !== "webhook.test"

const byAge = (a: DeliveryRow.DeliveryRow, b: DeliveryRow.DeliveryRow): number =>
  a.ready_at - b.ready_at || a.created_at - b.created_at || a.sequence - b.sequence || (a.id < b.id ? -1 : 1)

const makeStatements = ({ sql, dialect, tables }: Database["Service"]) => {
  const idSource = dialect.source("s", { id: "text" })
  const eventSource = dialect.source("s", { invoice_id: "text", sequence: "bigint" })
  const leaseSource = dialect.source("s", { id: "text", lease: "text" })
  const idsOf = (ids: ReadonlyArray<string>) => idSource(Array.from(new Set(ids), (id) => ({ id })))

  return {
    lease: ({ now, until, limit, lease, busy }: Request, condition: Statement.Fragment) =>
      sql<DeliveryRow.DeliveryRow>`
        with due as (
          select d.id from ${tables.deliveries} d
          where d.status = 'pending' and d.due_at <= cast(${now} as bigint)
            and d.endpoint_id not in (select id from ${idsOf(busy)})
            and d.endpoint_id not in (select e.id from ${tables.endpoints} e where e.disabled = 1)
            and (d.kind = 'webhook.test' or not exists (
              select 1 from ${tables.deliveries} earlier
              where earlier.status = 'pending' and earlier.endpoint_id = d.endpoint_id
                and earlier.invoice_id = d.invoice_id and earlier.sequence < d.sequence
            ))
          order by d.due_at limit cast(${limit} as bigint) ${dialect.lockFreeRows("d")}
        )
        update ${tables.deliveries} set due_at = cast(${until} as bigint), lease = ${lease}
        where id in (select id from due) and ${condition}
        returning *`,

    endpoints: (rows: ReadonlyArray<DeliveryRow.DeliveryRow>) =>
      sql<EndpointRow>`
        select e.* from ${idsOf(rows.map((row) => row.endpoint_id))} join ${tables.endpoints} e on e.id = s.id`,

    events: (rows: ReadonlyArray<DeliveryRow.DeliveryRow>) =>
      sql<EventRow.EventRow>`
        select e.* from ${eventSource(rows.map(({ invoice_id, sequence }) => ({ invoice_id, sequence })))}
        join ${tables.events} e on e.invoice_id = s.invoice_id and e.sequence = s.sequence`,

    invoices: (rows: ReadonlyArray<DeliveryRow.DeliveryRow>) =>
      sql<InvoiceRow.InvoiceRow>`
        select i.* from ${idsOf(rows.map((row) => row.invoice_id))} join ${tables.invoices} i on i.id = s.id`,

    release: (jobs: ReadonlyArray<Job>, dueAt: number) =>
      sql`
        update ${tables.deliveries} as d set due_at = cast(${dueAt} as bigint), lease = null
        from ${leaseSource(jobs.map(({ delivery: { id }, lease }) => ({ id, lease })))}
        where d.id = s.id and d.lease = s.lease and d.status = 'pending'`
  }
}
