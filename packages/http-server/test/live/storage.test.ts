/** Live requests that lose their storage after they have stored something: the 503 names what it was. */
import { StorageError } from "@tolem/core/error/StorageError"
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type Live, live } from "./cashier.ts"

let shop: Live
let isAway = false
const away = new StorageError({
  operation: "commit",
  outcome: "nothing_written",
  retryable: true,
  cause: new Error("no disk")
})

beforeEach(async () => {
  isAway = false
  shop = await live(100, {
    alter: (store) => ({
      ...store,
      commitMany: (changes) => Effect.suspend(() => (isAway ? Effect.fail(away) : store.commitMany(changes)))
    })
  })
})
afterEach(() => shop.stop())

it("a create names the invoice that was stored, which its key then leads to", async () => {
  const key = { "idempotency-key": "order-1" }
  isAway = true
  const first = await shop.create({}, key)
  expect([first.status, first.body["error"]]).toEqual([503, "service_unavailable"])
  const id = first.headers.get("x-invoice-id")
  expect((await shop.stored(String(id))).invoice.status).toBe("new")
  shop.pass(30_000) // longer than the first one can be under way
  const again = await shop.create({}, key)
  expect([again.status, again.headers.get("x-invoice-id")]).toEqual([503, id])
  isAway = false
  const last = await shop.create({}, key)
  expect([last.status, last.body["id"], last.body["status"]]).toEqual([200, id, "pending"])
  expect(shop.payments().map(({ ours }) => ours)).toEqual([id])
})
