/** A delivery that cannot be read is set aside and shown; the others go on. */
import { describe, it } from "@effect/vitest"
import { Integrity } from "@tolem/core/Integrity"
import { Command } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { claimDue } from "@tolem/core/testing/claims"
import { changeOf, creationOf, endpointOf, startAt } from "@tolem/core/testing/fixtures"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import { onSqlite } from "./support/sqlite.ts"

const later = startAt + 60_000
const asideMs = 3_600_000

const paid = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const creation = creationOf()
  yield* store.insertMany([creation])
  yield* store.commitMany([changeOf(creation.invoice, Command.Pay({ paidAt: startAt }))])
  return creation.invoice.id
})

describe("a poisoned delivery", () => {
  for (const [what, tampering] of [
    ["its event", "delete from tolem_events where sequence = 2 and invoice_id = "],
    ["its invoice", "delete from tolem_invoices where id = "],
    ["its endpoint", "update tolem_deliveries set endpoint_id = 'whe_gone' where invoice_id = "]
  ] as const) {
    it.effect(`without ${what} holds up no other one, is kept, and is found`, () =>
      onSqlite(
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
          const rules = ["deliveries_agree_with_events", "deliveries_agree_with_endpoints"]
          assert.isTrue(findings.some(({ rule, subject }) => rules.includes(rule) && subject === kept?.id))
        })
      )
    )
  }
})
