/** Rows that cannot be read, for each database: they are set aside and shown; the others go on. */
import type { Stores } from "@tolem/core/engine/Engine"
import { Integrity } from "@tolem/core/engine/Integrity"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { MailStore } from "@tolem/core/mail/MailStore"
import { subscriptionCreated } from "@tolem/core/subscription/Subscription"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { changeOf, creationOf, endpointOf, freshId, startAt } from "@tolem/testing/fixtures"
import { runOf, subscriptionOf } from "@tolem/testing/storage/SubscriptionCases"
import { Effect, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"

const later = startAt + 60_000
const asideMs = 3_600_000
const beyond = "9007199254740993"

const paid = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const creation = creationOf()
  yield* store.insertMany([creation])
  yield* store.commitMany([changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }))])
  return creation.invoice.id
})

/** A delivery among three whose `tampering` leaves it without `what`. */
const delivery = (what: string, tampering: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const store = yield* WebhookStore
    yield* store.addEndpoint(endpointOf({ updatedAt: startAt - 60_000 }), 10)
    const ids = [yield* paid, yield* paid, yield* paid] as const
    yield* sql.unsafe(`${tampering} '${ids[1]}'`)
    const jobs = yield* claimDue(store, { now: later, until: later + 1000 })
    assert.deepStrictEqual(
      new Set(jobs.map(({ delivery }) => delivery.invoiceId)),
      new Set([ids[0], ids[2]]),
      "the others are claimed"
    )
    const row = sql<{ id: string; status: string; starts: number; due_at: number }>`
      select id, status, starts, due_at from tolem_deliveries where invoice_id = ${ids[1]}`
    const [kept] = yield* row
    assert.deepInclude(kept, { status: "pending", starts: 0 }, "it is kept, and no start is counted")
    if (what !== "its endpoint") assert.strictEqual(kept?.due_at, later + asideMs, "out of the way for a while")
    const findings = yield* Effect.flatMap(Integrity, (integrity) => integrity.findings)
    const rules = ["deliveries_agree_with_events", "deliveries_agree_with_endpoints", "rows_can_be_read"]
    assert.isTrue(
      findings.some(({ rule, subject }) => rules.includes(rule) && [kept?.id, ids[1], `${ids[1]} 2`].includes(subject))
    )
  })

const deliveries = [
  ["its event", "delete from tolem_events where sequence = 2 and invoice_id = "],
  ["its invoice", "delete from tolem_invoices where id = "],
  ["its endpoint", "update tolem_deliveries set endpoint_id = 'whe_gone' where invoice_id = "],
  ["an exact amount", `update tolem_invoices set amount = ${beyond} where id = `],
  ["metadata in JSON", "update tolem_invoices set metadata = '{' where id = "],
  ["an exact sum in its event", `update tolem_events set refunded = ${beyond} where sequence = 2 and invoice_id = `],
  ["an exact count of its attempts", `update tolem_deliveries set attempt_count = ${beyond} where invoice_id = `]
] as const

/** A subscription whose run has made an invoice and a letter about it. */
const made = Effect.gen(function* () {
  const store = yield* SubscriptionStore
  const subscription = subscriptionOf()
  yield* store.insert(subscription, subscriptionCreated(subscription, freshId("evt"), "api"))
  const change = runOf(subscription, { dueAt: startAt })
  yield* store.commitMany([change])
  return { subscription: subscription.id, invoice: change.creation!.invoice.id, mail: change.mail!.id }
})
type Made = Effect.Success<typeof made>

/** What is claimed, by the claim's kind: the table, the column of its ids, whose ids they are, and the claim. */
const claims = {
  invoice: {
    table: "tolem_invoices",
    column: "id",
    held: "select until as due_at from tolem_invoice_leases where id = ",
    of: "invoice",
    claim: (now: number, until: number) =>
      InvoiceStore.use((store) => Effect.map(store.claim(now, until, 1000), (all) => all.map(({ id }) => id)))
  },
  subscription: {
    table: "tolem_subscriptions",
    column: "id",
    of: "subscription",
    claim: (now: number, until: number) =>
      SubscriptionStore.use((store) => Effect.map(store.claim(now, until, 1000), (all) => all.map(({ id }) => id)))
  },
  run: {
    table: "tolem_subscription_runs",
    column: "subscription_id",
    of: "subscription",
    claim: (now: number, until: number) =>
      SubscriptionStore.use((store) =>
        Effect.map(store.claimRuns(now, until, 1000), (all) => all.map(({ subscription }) => subscription.id))
      )
  },
  mail: {
    table: "tolem_mails",
    column: "id",
    of: "mail",
    claim: (now: number, until: number) =>
      MailStore.use((store) => Effect.map(store.claim(now, until, 1000), (all) => all.map(({ id }) => id)))
  }
} as const

/** By the claim's kind: what is done to a row, behind which its id is put. */
const damages: Readonly<Record<keyof typeof claims, ReadonlyArray<string>>> = {
  invoice: [
    `update tolem_invoices set amount = ${beyond} where id = `,
    "update tolem_invoices set metadata = '{' where id = ",
    "update tolem_invoices set status = 'odd' where id = ",
    "update tolem_invoices set making = 'odd' where id = "
  ],
  subscription: [
    `update tolem_subscriptions set amount = ${beyond} where id = `,
    "update tolem_subscriptions set retry_hours = '[1,' where id = ",
    `update tolem_subscriptions set retry_hours = '["1"]' where id = `,
    "update tolem_subscriptions set metadata = '{' where id = ",
    "update tolem_subscriptions set step = 'odd' where id = "
  ],
  run: [
    `update tolem_subscription_runs set scheduled_at = ${beyond} where subscription_id = `,
    "update tolem_subscription_runs set invoice_ids = '[' where subscription_id = ",
    "update tolem_subscription_runs set status = 'odd' where subscription_id = ",
    `update tolem_subscriptions set amount = ${beyond} where id = `,
    "delete from tolem_subscriptions where id = "
  ],
  mail: [`update tolem_mails set created_at = ${beyond} where id = `, "update tolem_mails set kind = 'odd' where id = "]
}

const unread = (kind: string) =>
  Effect.map(Metric.snapshot, (all) => {
    const found = all.find(
      ({ id, attributes }) => id === "tolem_unreadable_rows_total" && attributes?.["kind"] === kind
    )
    return found?.type === "Counter" ? Number(found.state.count) : 0
  })

const claimed = (kind: keyof typeof claims, damage: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { table, column, of, claim, held } = { held: undefined, ...claims[kind] }
    const all: ReadonlyArray<Made> = [yield* made, yield* made, yield* made]
    const ids = all.map((each) => each[of])
    yield* sql.unsafe(`update ${table} set due_at = ${startAt}`)
    yield* sql.unsafe(`${damage}'${ids[1]}'`)
    const before = yield* unread(kind)
    const told = yield* claim(later, later + 1000)
    assert.deepStrictEqual(told.toSorted(), [ids[0], ids[2]].toSorted(), "the others are claimed")
    assert.strictEqual((yield* unread(kind)) - before, 1, "it is counted")
    const until = held ?? `select due_at from ${table} where ${column} = `
    const due = yield* sql.unsafe<{ due_at: number }>(`${until}'${ids[1]}'`)
    assert.deepStrictEqual(
      due.map((row) => row.due_at),
      [later + asideMs],
      "it is out of the way for a while"
    )
    assert.deepStrictEqual(yield* claim(later + 999, later + 2000), [], "and nothing is claimed again before its time")
    const findings = yield* Effect.flatMap(Integrity, (integrity) => integrity.findings)
    const rules = ["rows_can_be_read", "runs_agree_with_invoices"]
    const shown = findings.filter(
      ({ subject }) => subject.startsWith(ids[1]!) || subject.startsWith(all[1]!.subscription)
    )
    assert.isTrue(
      shown.some(({ rule }) => damage.startsWith("delete") || rules.includes(rule)),
      JSON.stringify(findings)
    )
  })

/** The last of more rows than are read at once. */
const behindManyOthers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const creations = Array.from({ length: 501 }, () => creationOf())
  yield* InvoiceStore.use((store) => store.insertMany(creations))
  const last = creations.map(({ invoice }) => invoice.id).toSorted()[500]
  yield* sql.unsafe(`update tolem_invoices set amount = ${beyond} where id = '${last}'`)
  yield* sql.unsafe(`update tolem_events set refunded = ${beyond} where invoice_id = '${last}'`)
  const findings = yield* Effect.flatMap(Integrity, (integrity) => integrity.findings)
  const subjects = findings.flatMap(({ rule, subject }) => (rule === "rows_can_be_read" ? [subject] : []))
  assert.deepStrictEqual(subjects, [last, `${last} 1`])
})

/** An invoice of before has the key of a new one, and cannot be read; another one comes with it. */
const batchWithReplay = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* InvoiceStore
  const [earlier, other] = [creationOf({ idempotencyKey: "order-1" }), creationOf({ idempotencyKey: "order-2" })]
  yield* store.insertMany([earlier, other])
  yield* sql.unsafe(`update tolem_invoices set metadata = '{' where id = '${earlier.invoice.id}'`)
  const batch = ["order-1", null, "order-2"].map((idempotencyKey) => creationOf({ idempotencyKey }))
  const answers = yield* store.insertMany(batch)
  assert.deepStrictEqual(
    answers.map(({ _tag }) => _tag),
    ["Unanswered", "Created", "Replayed"]
  )
})

type Program = Stores | SqlClient.SqlClient

/** Programs by name, each for a database of its own. */
export const poisonedCases: ReadonlyArray<readonly [name: string, Effect.Effect<void, unknown, Program>]> = [
  ["the last of more rows than are read at once", behindManyOthers],
  ["an earlier invoice whose key a new one has", batchWithReplay],
  ...deliveries.map(([what, tampering]) => [`a delivery without ${what}`, delivery(what, tampering)] as const),
  ...Object.entries(damages).flatMap(([kind, each]) =>
    each.map((damage) => [`of a claim: ${damage}…`, claimed(kind as keyof typeof claims, damage)] as const)
  )
]
