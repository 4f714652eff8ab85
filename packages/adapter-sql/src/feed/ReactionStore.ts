/** The core's `ReactionStore` in SQL. */
import {
  type FailedReaction,
  type InTransaction,
  type ReactionJob,
  ReactionStore
} from "@tolem/core/feed/ReactionStore"
import { CalledWithin } from "@tolem/core/work/OpenTransaction"
import { Data, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "../base/Database.ts"
import { type CallChains, TransactionChains } from "../base/TransactionChains.ts"
import { handOut, inTurn, TransactionFaces } from "../base/Transactions.ts"
import { type EventRow, eventTable } from "../invoice/EventRow.ts"
import { type InvoiceRow, invoiceTable } from "../invoice/InvoiceRow.ts"
import { listed } from "./Announcements.ts"

/** The store over the database. */
export const layer: Layer.Layer<ReactionStore, never, Database> = Layer.effect(
  ReactionStore,
  Effect.gen(function* () {
    return make(yield* Database, yield* TransactionFaces, yield* TransactionChains)
  })
)

/** The claim has ended: undoes the transaction. */
class ClaimLost extends Data.TaggedError("ClaimLost") {}

const make = (
  database: Database["Service"],
  faceOf: typeof TransactionFaces.Service,
  chains: CallChains
): ReactionStore["Service"] => ({
  ...registry(database),
  ...claims(database),
  ...failures(database),
  settle: settlement(database, faceOf, chains)
})

const registry = ({ sql, tables, statement, transaction }: Database["Service"]) => {
  const register: ReactionStore["Service"]["register"] = ({ name, types, organizations }, since) =>
    Effect.asVoid(
      statement(
        "ReactionStore.register",
        sql`insert into ${tables.consumers} (name, types, organizations, since)
          values (${name}, ${listed(types)}, ${listed(organizations)}, cast(${since} as bigint))
          on conflict (name) do update set types = excluded.types, organizations = excluded.organizations`,
        { writes: true }
      )
    )

  const remove = (name: string) =>
    transaction(
      "ReactionStore.remove",
      Effect.gen(function* () {
        // One that is not pending has failed: both are found by an index.
        yield* sql`delete from ${tables.reactions} where consumer = ${name} and status = 'pending'`
        yield* sql`delete from ${tables.reactions} where consumer = ${name} and failed_at is not null`
        const gone = yield* sql`delete from ${tables.consumers} where name = ${name} returning name`
        return gone.length > 0
      })
    )

  // From one to the next by the index, however many events of each there are.
  const arriving = (after: string, limit: number) => {
    const select = sql<{ readonly organization_id: string }>`
      with recursive arriving (organization_id) as (
        select (select min(a.organization_id) from ${tables.feed_arrivals} a where a.organization_id > ${after})
        union all
        select (select min(a.organization_id) from ${tables.feed_arrivals} a
          where a.organization_id > arriving.organization_id)
        from arriving where arriving.organization_id is not null
      )
      select organization_id from arriving where organization_id is not null limit cast(${limit} as bigint)`
    return Effect.map(statement("ReactionStore.arriving", select, { writes: false }), (rows) =>
      rows.map(({ organization_id }) => organization_id)
    )
  }

  return { register, remove, arriving }
}

const claims = ({ sql, dialect, tables, statement, snapshot }: Database["Service"]) => {
  const idSource = dialect.source("s", { id: "text", lease: "text" })

  const claim: ReactionStore["Service"]["claim"] = Effect.fnUntraced(function* (asked) {
    const { consumers, now, until, limit, lease } = asked
    if (consumers.length === 0 || limit <= 0) return []
    const update = sql<ReactionRow>`
      with due as (
        select r.id as due_id from ${tables.reactions} r
        where r.consumer in ${sql.in(consumers)} and r.status = 'pending' and r.due_at <= cast(${now} as bigint)
          and not exists (
            select 1 from ${tables.reactions} p
            where p.consumer = r.consumer and p.invoice_id = r.invoice_id and p.status = 'pending'
              and p.sequence < r.sequence)
        order by r.due_at, r.id limit cast(${limit} as bigint) ${dialect.lockFreeRows("r")}
      )
      update ${tables.reactions} as d
      set due_at = cast(${until} as bigint), lease = ${lease}, attempt_count = d.attempt_count + 1
      from due where d.id = due.due_id and d.status = 'pending'
      returning id, consumer, invoice_id, sequence, event_id, attempt_count`
    const rows = yield* statement("ReactionStore.claim", update, { writes: true })
    if (rows.length === 0) return []
    const wanted = rows.map(({ event_id }) => event_id)
    const invoiceIds = [...new Set(rows.map(({ invoice_id }) => invoice_id))]
    const found = yield* snapshot("ReactionStore.claim", {
      events: sql<EventRow>`select e.* from ${tables.events} e where e.invoice_id in ${sql.in(invoiceIds)}`,
      invoices: sql<InvoiceRow>`select i.* from ${tables.invoices} i where i.id in ${sql.in(invoiceIds)}`
    })
    const events = new Map(found.events.filter(({ id }) => wanted.includes(id)).map((row) => [row.id, row]))
    const invoices = new Map(found.invoices.map((row) => [row.id, row]))
    return rows.toSorted(byId).flatMap((row): ReadonlyArray<ReactionJob> => {
      const [event, invoice] = [events.get(row.event_id), invoices.get(row.invoice_id)]
      if (event === undefined || invoice === undefined) return []
      const { id, consumer, attempt_count: attempt } = row
      return [{ id, consumer, lease, attempt, event: eventTable.decode(event), invoice: invoiceTable.decode(invoice) }]
    })
  })

  const fail: ReactionStore["Service"]["fail"] = ({ id, lease }, { error, dueAt, now }) =>
    Effect.asVoid(
      statement(
        "ReactionStore.fail",
        sql`update ${tables.reactions} set status = ${dueAt === null ? "failed" : "pending"}, lease = null,
          due_at = cast(${dueAt ?? now} as bigint), error = ${error}, failed_at = cast(${now} as bigint)
          where id = ${id} and lease = ${lease} and status = 'pending'`,
        { writes: true }
      )
    )

  const release: ReactionStore["Service"]["release"] = (jobs, now) =>
    jobs.length === 0
      ? Effect.void
      : Effect.asVoid(
          statement(
            "ReactionStore.release",
            sql`update ${tables.reactions} as d
              set due_at = cast(${now} as bigint), lease = null, attempt_count = d.attempt_count - 1
              from ${idSource(jobs.map(({ id, lease }) => ({ id, lease })))}
              where d.id = s.id and d.lease = s.lease and d.status = 'pending'`,
            { writes: true }
          )
        )

  return { claim, fail, release }
}

const failures = ({ sql, tables, statement }: Database["Service"]) => {
  const list: ReactionStore["Service"]["failures"] = (consumer, { limit, offset }) => {
    const select = sql<FailedRow>`
      select * from ${tables.reactions} where consumer = ${consumer} and failed_at is not null
      order by failed_at desc, id desc limit cast(${limit} as bigint) offset cast(${offset} as bigint)`
    return Effect.map(statement("ReactionStore.failures", select, { writes: false }), (rows) =>
      rows.map(
        (row): FailedReaction => ({
          id: row.id,
          consumer: row.consumer,
          organizationId: row.organization_id,
          mode: row.mode,
          type: row.type,
          invoiceId: row.invoice_id,
          eventId: row.event_id,
          status: row.status,
          attemptCount: row.attempt_count,
          dueAt: row.due_at,
          failedAt: row.failed_at,
          error: row.error
        })
      )
    )
  }

  const resend = (id: string, now: number) => {
    const update = sql`
      update ${tables.reactions} set status = 'pending', attempt_count = 0, lease = null,
        due_at = cast(${now} as bigint)
      where id = ${id} and status = 'failed' returning id`
    return Effect.map(statement("ReactionStore.resend", update, { writes: true }), (rows) => rows.length > 0)
  }

  return { failures: list, resend }
}

const settlement = (
  { sql, tables, transaction }: Database["Service"],
  faceOf: typeof TransactionFaces.Service,
  chains: CallChains
): ReactionStore["Service"]["settle"] => {
  const handled = Effect.fnUntraced(function* ({ id, lease }: ReactionJob, handler: InTransaction) {
    // First: no other server can claim it while the transaction is open, however long that takes.
    const held = yield* sql`delete from ${tables.reactions}
      where id = ${id} and lease = ${lease} and status = 'pending' returning id`
    if (held.length === 0) return yield* new ClaimLost()
    const [connection] = Option.getOrThrow(yield* Effect.serviceOption(sql.transactionService))
    let open = true
    // What the engine still writes in it is refused from now on, and undone before the transaction ends.
    const close = Effect.suspend(() => {
      open = false
      return inTurn(connection, Effect.void)
    })
    const face = faceOf(connection, () => open, Effect.runPromise)
    handOut(face, connection, () => open)
    const handling = handler(face).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.provideService(
        CalledWithin,
        chains.calledWithin(connection, () => open)
      )
    )
    yield* Effect.ensuring(handling, close)
    return true
  })
  return (job, handler) =>
    Effect.catchTag(transaction("ReactionStore.settle", handled(job, handler)), "ClaimLost", () =>
      Effect.succeed(false)
    )
}

interface ReactionRow {
  readonly id: string
  readonly consumer: string
  readonly invoice_id: string
  readonly sequence: number
  readonly event_id: string
  readonly attempt_count: number
}

interface FailedRow extends ReactionRow {
  readonly organization_id: string
  readonly mode: FailedReaction["mode"]
  readonly type: FailedReaction["type"]
  readonly status: FailedReaction["status"]
  readonly due_at: number
  readonly failed_at: number
  readonly error: string
}

const byId = (a: ReactionRow, b: ReactionRow): number => (a.id < b.id ? -1 : 1)
