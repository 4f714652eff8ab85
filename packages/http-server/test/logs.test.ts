/** What the log says of a storage that refuses a row: enough to mend it, and nothing of whom the row is about. */
import type { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Service, start } from "./support/service.ts"

const person = { name: "Әлия Қасымова", phone: "77009998877", email: "aliya@example.kz" }
const members = { amount: 100, customer: person, metadata: { passport: "N01234567" }, externalOrderId: "order-4711" }
const personal = /Қасымова|77009998877|aliya@|N01234567|order-4711|k-secret/

/** Writes rows that the database refuses. */
const broken: Readonly<Record<string, (store: InvoiceStore["Service"]) => InvoiceStore["Service"]["insertMany"]>> = {
  "a member that is missing": (store) => (creations) =>
    store.insertMany(creations.map((one) => ({ ...one, invoice: { ...one.invoice, status: null as never } }))),
  "a number that is none": (store) => (creations) =>
    store.insertMany(
      creations.map((one) => ({ ...one, invoice: { ...one.invoice, expiresAt: person.phone.repeat(9) as never } }))
    )
}

describe.each(Object.entries(broken))("a row with %s", (name, insertMany) => {
  let service: Service
  beforeAll(async () => {
    service = await start({ alter: (store) => ({ ...store, insertMany: insertMany(store) }) })
  })
  afterAll(() => service.stop())

  // SQLite takes any value in any column.
  it.skipIf(name === "a number that is none" && inject("database") === "sqlite")(
    "is refused, and logged without its values",
    async () => {
      const body = { ...members, idempotencyKey: "k-secret" }
      const answer = await call(service, "POST", "/api/v1/invoices", { key: await service.key(), body })
      const log = service.logs.join("\n")
      expect([answer.status, log]).toEqual([503, expect.stringMatching(/Storage away[\s\S]*InvoiceStore\.insertMany/)])
      expect(log).toMatch(/"column":"status"|tolem_invoices\.status|"22003"/)
      expect(log).not.toMatch(personal)
    }
  )
})
