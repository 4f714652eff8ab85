import type { SubscriptionChange, SubscriptionEvent } from "@tolem/core/subscription/Subscription"
import { type CommitResult, SubscriptionChanged } from "@tolem/core/subscription/SubscriptionStore"
import { OverQuota } from "@tolem/core/tariff/Tariff"
import { Effect, Result } from "effect"
import type { Database } from "../base/Database.ts"
import type { Shards } from "../base/Shards.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { winnersOf } from "../base/Winners.ts"
import * as InvoiceInsert from "../invoice/InvoiceInsert.ts"
import * as MailStore from "../mail/MailStore.ts"
import * as Chains from "../seal/Chains.ts"
import { runTable, subscriptionEventTable } from "./RunRow.ts"
import { subscriptionTable } from "./SubscriptionRow.ts"

type Outcome = Result.Result<CommitResult, SubscriptionChanged | OverQuota>

const changed: Outcome = Result.fail(new SubscriptionChanged())

/** The verb over this database. */
export const make = (database: Database["Service"], shards: Shards) => {
  const statements = makeStatements(database)
  const invoices = InvoiceInsert.steps(database)
  const insertMails = MailStore.makeInsert(database)
  const chains = Chains.make(database)

  /** Answers for each invoice that could not be written why. */
  const insertInvoices = Effect.fnUntraced(function* (changes: ReadonlyArray<SubscriptionChange>, shard: number) {
    const creations = changes.flatMap(({ creation }) => (creation === null ? [] : [creation]))
    const unwritten = new Map<string, OverQuota>()
    if (creations.length === 0) return unwritten
    const { refused } = yield* invoices.insert(creations, shard)
    for (const [id, code] of refused) unwritten.set(id, new OverQuota({ code }))
    return unwritten
  })

  const follow = (changes: ReadonlyArray<SubscriptionChange>) => {
    const { sql, tables } = database
    const which = () => sql`id in ${sql.in(changes.map(({ next }) => next.id))}`
    const update = Effect.andThen(
      statements.update(changes),
      sql`select * from ${tables.subscriptions} where ${which()}`
    )
    return chains.following("subscriptions", which(), update)
  }

  const write = Effect.fnUntraced(function* (changes: ReadonlyArray<SubscriptionChange>, shard: number) {
    const won = winnersOf(changes, yield* statements.lock(changes))
    const unwritten = yield* insertInvoices(
      changes.filter((_, index) => won[index]),
      shard
    )
    const failureOf = ({ creation }: SubscriptionChange) =>
      creation === null ? undefined : unwritten.get(creation.invoice.id)
    const written = changes.filter((change, index) => won[index] && failureOf(change) === undefined)
    if (written.length > 0) {
      // What a merchant has changed is chained; where a subscription stands is not, so that runs chain nothing.
      const altered = written.filter(alters)
      const standing = written.filter((change) => !alters(change))
      if (standing.length > 0) yield* statements.update(standing)
      const entries = altered.length === 0 ? [] : (yield* follow(altered)).entries
      yield* statements.insertEvents(written.flatMap(({ events }) => events))
      yield* statements.upsertRuns(written)
      yield* insertMails(written.flatMap(({ mail }) => (mail === null ? [] : [mail])))
      yield* chains.append(entries)
    }
    return changes.map((change, index): Outcome => {
      if (!won[index]) return changed
      const failure = failureOf(change)
      return failure === undefined
        ? Result.succeed({ subscription: change.next, invoice: change.creation?.invoice ?? null })
        : Result.fail(failure)
    })
  })

  return (changes: ReadonlyArray<SubscriptionChange>) =>
    changes.length === 0
      ? Effect.succeed([])
      : shards.use((shard) => database.transaction("SubscriptionStore.commitMany", write(changes, shard)))
}

const alters = ({ events }: SubscriptionChange) => events.some(({ type }) => type === "subscription.changed")

const makeStatements = (database: Database["Service"]) => {
  const { sql, dialect, tables } = database
  const idSource = dialect.source("s", { id: "text" })
  const subscriptions = TableStatements.make(database, subscriptionTable)
  const eventRows = TableStatements.make(database, subscriptionEventTable)
  const runs = TableStatements.make(database, runTable)

  return {
    // Locked in one order and read first, so that of what is written after it all or nothing is.
    lock: (changes: ReadonlyArray<SubscriptionChange>) =>
      sql<{ readonly id: string; readonly version: number }>`
        select d.id, d.version from ${idSource(changes.map(({ previous: { id } }) => ({ id })))}
        join ${tables.subscriptions} d on d.id = s.id
        order by d.id ${dialect.lockRows("d")}`,

    update: (changes: ReadonlyArray<SubscriptionChange>) =>
      sql`update ${tables.subscriptions} as d set ${subscriptions.setFromBatch}
        from ${subscriptions.batch(changes.map(({ next }) => next))} where d.id = s.id`,

    insertEvents: (events: ReadonlyArray<SubscriptionEvent>) =>
      events.length === 0 ? Effect.void : eventRows.insertAll(events),

    upsertRuns: (changes: ReadonlyArray<SubscriptionChange>) => {
      const written = changes.flatMap(({ run, next: { mode } }) => (run === null ? [] : [{ ...run, mode }]))
      return written.length === 0
        ? Effect.void
        : runs.insertAll(written, `on conflict (subscription_id, run) do update set ${runs.changes}`)
    }
  }
}
