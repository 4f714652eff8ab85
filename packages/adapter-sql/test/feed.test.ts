/** Notes of events as a copy of the tables may leave them. */
import { describe, it } from "@effect/vitest"
import { beginning } from "@tolem/core/feed/Cursor"
import { FeedStore } from "@tolem/core/feed/FeedStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf } from "@tolem/testing/fixtures"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import { onSqlite } from "./support/sqlite.ts"

const shop = { organizationId: "org_shop", mode: "sandbox", connectionId: null } as const

describe("an event that was noted twice", () => {
  it.effect.each([10, 1])("has one place, and those behind it have theirs, %i at a time", (limit) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const feed = yield* FeedStore
      const invoices = yield* InvoiceStore
      yield* invoices.insertMany([creationOf(), creationOf()])
      yield* sql`
        insert into tolem_feed_arrivals (organization_id, id, invoice_id, sequence)
        select organization_id, id + 100, invoice_id, sequence from tolem_feed_arrivals`
      for (let turn = 0; turn < 5; turn++) yield* feed.place(shop.organizationId, limit)
      const { entries } = yield* feed.read({ ...shop, start: { after: beginning }, types: [], limit: 9, lookAt: 9 })
      assert.deepStrictEqual(
        entries.map(({ cursor }) => cursor.position),
        [1, 2]
      )
      assert.deepStrictEqual(yield* feed.arrived([shop.organizationId]), [])
    }).pipe(onSqlite)
  )
})
