/** `WebhookStore`'s verbs about what is removed by its age. */
import type { AttemptPlace, ForgettingPlace, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import * as Removals from "../base/Removals.ts"
import { qualifiedIndex } from "../base/Tables.ts"
import * as AttemptMonths from "./AttemptMonths.ts"
import type { DeliveryMonths } from "./DeliveryMonths.ts"
import { noBody } from "./DeliveryRow.ts"

type Verbs = Pick<WebhookStore["Service"], "forgetAttempts" | "forgetBodies" | "tendMonths" | "forgetDeliveries">

/** Deliveries that have ended one way, in one table. */
interface EndedPart {
  readonly table: Statement.Identifier
  readonly status: string
}

/** A delivery that is looked at. */
interface Candidate {
  readonly id: string
  readonly created_at: number
  readonly completed_at: number
}

/** The verbs over this database. */
export const make = (database: Database["Service"], deliveryMonths: DeliveryMonths): Verbs => {
  const { statement, transaction } = database
  const statements = makeStatements(database, deliveryMonths)
  const months = AttemptMonths.make(database)
  const tendMonths = tending(database)

  const forgetAttempts: Verbs["forgetAttempts"] = (before, limit) => {
    const write = Effect.gen(function* () {
      const old = yield* months.oldOutside(before, limit)
      if (old.length === 0) return 0
      yield* Removals.note(database, "attempts", before)
      yield* statements.removeAttempts(old)
      return old.length
    })
    return transaction("WebhookStore.forgetAttempts", write)
  }

  const forgetBodies: Verbs["forgetBodies"] = ({ before, limit, after }) => {
    const write = Effect.gen(function* () {
      const noted = yield* Removals.notedBefore(database, "bodies")
      if (noted >= before) return { removed: 0, next: null }
      // Another server may have come further.
      const place = after !== null && after.startedAt >= noted ? after : { startedAt: noted, deliveryId: "", number: 0 }
      const old = yield* statements.attemptsBehind(place, before, limit)
      const last = old.at(-1)
      const isAll = last === undefined || old.length < limit
      yield* Removals.note(database, "bodies", isAll ? before : last.started_at)
      const emptied = last === undefined ? [] : yield* statements.emptyBodies(old)
      const next = isAll ? null : { startedAt: last.started_at, deliveryId: last.delivery_id, number: last.number }
      return { removed: emptied.length, next }
    })
    return transaction("WebhookStore.forgetBodies", write)
  }

  const remove = (ids: ReadonlyArray<string>, before: number) => {
    const write = Effect.gen(function* () {
      const locked = yield* statements.lock(ids)
      if (locked.length === 0) return 0
      yield* Removals.note(database, "deliveries", before)
      yield* statements.removeAttemptsOf(locked)
      yield* statements.removeDeliveries(locked)
      return locked.length
    })
    return ids.length === 0 ? Effect.succeed(0) : transaction("WebhookStore.forgetDeliveries", write)
  }

  const forgetDeliveries: Verbs["forgetDeliveries"] = Effect.fnUntraced(function* ({ before, limit, after }) {
    const operation = "WebhookStore.forgetDeliveries"
    /** The beginning of the next endpoint that has any; null: there is none. */
    const begin = (behind: string) =>
      Effect.map(
        statement(operation, statements.nextEndpoint(behind, before), { writes: false }),
        ([endpoint]): ForgettingPlace | null =>
          endpoint === undefined ? null : { endpointId: endpoint.id, createdAt: -1, id: "" }
      )
    const place = after ?? (yield* begin(""))
    if (place === null) return { removed: 0, next: null }
    const found = yield* statement(operation, statements.candidates(place, before, limit), { writes: false })
    const last = found.at(-1)
    const ended = found.filter((row) => row.completed_at < before)
    const removed = yield* remove(
      ended.map(({ id }) => id),
      before
    )
    const next =
      last === undefined || found.length < limit
        ? yield* begin(place.endpointId)
        : { endpointId: place.endpointId, createdAt: last.created_at, id: last.id }
    return { removed, next }
  })

  return { tendMonths, forgetAttempts, forgetBodies, forgetDeliveries }
}

/** Calls of a sweep for what is to be dropped: one notes it, others place anew what has to stay, or drop a month. */
const callsForDrops = 100

/** What looks after the months about an instant. */
const tending = ({ sql, naming, transaction }: Database["Service"]): Verbs["tendMonths"] => {
  // A month is read before it is dropped, once: that may take longer than a statement of others may.
  const answerOf = (name: string, at: number) => {
    const call = Effect.gen(function* () {
      yield* sql`select set_config('statement_timeout', '0', true)`
      const called = sql<{ readonly answer: number }>`
        select ${qualifiedIndex(sql, naming, name)}(cast(${at} as bigint)) as answer`
      return (yield* called)[0]?.answer ?? 0
    })
    return transaction("WebhookStore.tendMonths", call, { unhurried: true })
  }
  const dropped = Effect.fnUntraced(function* (name: string, before: number | null) {
    if (before === null) return
    for (let call = 0; call < callsForDrops; call++) if ((yield* answerOf(name, before)) >= 0) return
  })
  return sql.onDialectOrElse({
    pg:
      (): Verbs["tendMonths"] =>
      (now, { attempts, deliveries }) =>
        Effect.gen(function* () {
          yield* answerOf("attempts_room", now)
          yield* answerOf("deliveries_room", now)
          yield* dropped("attempts_forget", attempts)
          yield* dropped("deliveries_forget", deliveries)
        }),
    orElse: (): Verbs["tendMonths"] => () => Effect.void
  })
}

const makeStatements = ({ sql, dialect, tables }: Database["Service"], { outside }: DeliveryMonths) => {
  const idSource = dialect.source("s", { id: "text" })
  const attemptSource = dialect.source("s", { delivery_id: "text", number: "bigint" })
  const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) =>
    sql`(select s.id from ${idSource(rows.map(({ id }) => ({ id })))})`
  const keysOf = (rows: ReadonlyArray<AttemptMonths.AttemptKey>) => {
    const keys = rows.map(({ delivery_id, number }) => ({ delivery_id, number }))
    return sql`(select s.delivery_id, s.number from ${attemptSource(keys)})`
  }
  // Those that have ended are two parts of an index, and what is still to be sent is never read, however much that is.
  const ended = outside.flatMap((table) => ["'delivered'", "'failed'"].map((status) => ({ table, status })))
  const oldest = ({ table, status }: EndedPart) => sql`
    (select d.created_at from ${table} d where d.endpoint_id = e.id and d.status = ${sql.literal(status)}
      order by d.created_at limit 1)`
  const oldEnds = ({ table, status }: EndedPart, place: ForgettingPlace, before: number, limit: number) => sql`
    select * from (
      select d.id, d.created_at, d.completed_at from ${table} d
      where d.endpoint_id = ${place.endpointId} and d.status = ${sql.literal(status)}
        and (d.created_at, d.id) > (cast(${place.createdAt} as bigint), ${place.id})
        and d.created_at < cast(${before} as bigint)
      order by d.created_at, d.id limit cast(${limit} as bigint)
    ) as part`

  return {
    removeAttempts: (rows: ReadonlyArray<AttemptMonths.AttemptKey>) =>
      sql`delete from ${tables.attempts} where (delivery_id, number) in ${keysOf(rows)}`,

    attemptsBehind: ({ startedAt, deliveryId, number }: AttemptPlace, before: number, limit: number) =>
      sql<AttemptMonths.AttemptKey & { readonly started_at: number }>`
        select a.delivery_id, a.number, a.started_at from ${tables.attempts} a
        where (a.started_at, a.delivery_id, a.number)
          > (cast(${startedAt} as bigint), ${deliveryId}, cast(${number} as bigint))
          and a.started_at < cast(${before} as bigint)
        order by a.started_at, a.delivery_id, a.number limit cast(${limit} as bigint)`,

    emptyBodies: (rows: ReadonlyArray<AttemptMonths.AttemptKey>) =>
      sql`update ${tables.attempts} set request_body = '${sql.literal(noBody)}', response_body = null
        where (delivery_id, number) in ${keysOf(rows)}
          and (request_body not in ('', '${sql.literal(noBody)}') or response_body is not null)
        returning number`,

    nextEndpoint: (behind: string, before: number) =>
      sql<{ readonly id: string }>`
        select e.id from ${tables.endpoints} e
        where e.id > ${behind}
          and (${sql.join(" or ", false)(ended.map((part) => sql`${oldest(part)} < cast(${before} as bigint)`))})
        order by e.id limit 1`,

    candidates: (place: ForgettingPlace, before: number, limit: number) =>
      sql<Candidate>`
        ${sql.join(" union all ", false)(ended.map((part) => oldEnds(part, place, before, limit)))}
        order by created_at, id limit cast(${limit} as bigint)`,

    lock: (ids: ReadonlyArray<string>) =>
      sql<{ readonly id: string }>`
        select d.id from ${idSource(ids.map((id) => ({ id })))} join ${tables.deliveries} d on d.id = s.id
        where d.status <> 'pending' order by d.id ${dialect.lockFreeRows("d")}`,

    removeAttemptsOf: (rows: ReadonlyArray<{ readonly id: string }>) =>
      sql`delete from ${tables.attempts} where delivery_id in ${idsOf(rows)}`,

    removeDeliveries: (rows: ReadonlyArray<{ readonly id: string }>) =>
      sql`delete from ${tables.deliveries} where id in ${idsOf(rows)}`
  }
}
