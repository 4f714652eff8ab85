/** The core's `SubscriptionStore` in SQL. */
import type { Subscription, SubscriptionEvent } from "@tolem/core/subscription/Subscription"
import { SubscriptionInsertion, SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import * as DueRows from "../base/DueRows.ts"
import { Unreadable } from "../base/ReadableRows.ts"
import * as Shards from "../base/Shards.ts"
import * as TableStatements from "../base/TableStatements.ts"
import * as Chains from "../seal/Chains.ts"
import { type RunRow, runTable, subscriptionEventTable } from "./RunRow.ts"
import * as SubscriptionCommit from "./SubscriptionCommit.ts"
import * as SubscriptionReads from "./SubscriptionReads.ts"
import { type SubscriptionRow, subscriptionTable } from "./SubscriptionRow.ts"

/** Settings of the store. */
export interface Options {
  /** See `InvoiceStore`. */
  readonly process?: number | undefined
}

/** The store over the database. */
export const layer = (options: Options = {}): Layer.Layer<SubscriptionStore, never, Database> =>
  Layer.effect(
    SubscriptionStore,
    Effect.map(Database, (database) => ({
      ...SubscriptionReads.make(database),
      ...claims(database),
      insert: makeInsert(database),
      commitMany: SubscriptionCommit.make(database, Shards.make(options.process ?? 0))
    }))
  )

const unlessTaken = `on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
  returning *`

const makeInsert = (database: Database["Service"]) => {
  const { sql, tables, statement, transaction } = database
  const chains = Chains.make(database)
  const subscriptions = TableStatements.make(database, subscriptionTable)
  const events = TableStatements.make(database, subscriptionEventTable)

  return Effect.fnUntraced(function* (subscription: Subscription, event: SubscriptionEvent) {
    const { organizationId, mode, idempotencyKey } = subscription
    const write = Effect.gen(function* () {
      const rows = yield* subscriptions.insertAll([subscription], unlessTaken)
      if (rows.length === 0) return false
      yield* events.insertAll([event])
      yield* chains.append(rows.map((row) => ({ kind: "subscriptions", row })))
      return true
    })
    if (yield* transaction("SubscriptionStore.insert", write)) return SubscriptionInsertion.Created({ subscription })
    const earlier = sql<SubscriptionRow>`
      select * from ${tables.subscriptions}
      where organization_id = ${organizationId} and mode = ${mode} and idempotency_key = ${idempotencyKey}`
    const [row] = yield* statement("SubscriptionStore.insert", earlier, { writes: false })
    if (row === undefined) throw new Error("SubscriptionStore.insert: neither written nor found")
    return SubscriptionInsertion.Replayed({ subscription: subscriptionTable.decode(row) })
  })
}

const claims = (database: Database["Service"]) => {
  const { sql, dialect, tables, statement } = database
  const due = DueRows.make<SubscriptionRow>(database, {
    table: tables.subscriptions,
    key: { id: "text" },
    kind: "subscription",
    port: "SubscriptionStore"
  })
  const dueRuns = DueRows.make<RunRow>(database, {
    table: tables.subscription_runs,
    key: { subscription_id: "text", run: "bigint" },
    kind: "run",
    port: "SubscriptionStore"
  })

  const claim: SubscriptionStore["Service"]["claim"] = Effect.fnUntraced(function* (now, until, limit, among) {
    const rows = yield* due.lease(now, until, limit, among)
    const read = yield* due.readEach(rows, { now, until }, subscriptionTable.read)
    return read.toSorted((a, b) => a.nextRunAt - b.nextRunAt || (a.id < b.id ? -1 : 1))
  })

  const claimRuns: SubscriptionStore["Service"]["claimRuns"] = Effect.fnUntraced(function* (now, until, limit, among) {
    const rows = yield* dueRuns.lease(now, until, limit, among)
    if (rows.length === 0) return []
    const ids = Array.from(new Set(rows.map((row) => row.subscription_id)))
    const owners = sql<SubscriptionRow>`
      select * from ${tables.subscriptions} where id in ${sql.in(ids)}`
    const found = yield* statement("SubscriptionStore.claimRuns", dialect.exact(owners), { writes: false })
    const byId = new Map(found.map((row) => [row.id, row]))
    const read = yield* dueRuns.readEach(rows, { now, until }, (row) => {
      const owner = byId.get(row.subscription_id)
      if (owner === undefined) throw new Unreadable("subscription_id")
      return { run: runTable.read(row), subscription: subscriptionTable.read(owner) }
    })
    return read.toSorted(({ run: a }, { run: b }) => a.createdAt - b.createdAt || a.run - b.run)
  })

  return { claim, claimRuns, waiting: due.waiting, waitingRuns: dueRuns.waiting }
}
