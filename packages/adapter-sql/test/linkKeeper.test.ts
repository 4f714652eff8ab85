/** The agent over the sums of links: what two servers send for it, and how it goes on where another has ended. */
import { it } from "@effect/vitest"
import { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import { freshId, paymentLinkOf } from "@tolem/testing/fixtures"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import * as LinkKeeper from "../../core/src/paymentlink/LinkKeeper.ts"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { type Exchange, recording } from "./support/recorder.ts"
import { box } from "./support/sqlite.ts"

const log: Array<Exchange> = []
const client = recording(log)
const stores = Stores.layer().pipe(Layer.provide(box()), Layer.provideMerge(Layer.effectDiscard(Migrations.migrate())))
const world = Layer.provideMerge(stores, client)

const hour = 60 * 60_000
/** How many statements were sent since the last look that have this text. */
const sent = (text: string) => {
  const count = log.filter(({ sql }) => sql.includes(text)).length
  return count
}
const mends = () => sent('insert into "tolem_link_totals"')
const lends = () => sent('update "tolem_link_sweeps" set due_at')

/** Starts the agent of one server; the answer ends it. */
const server = Effect.gen(function* () {
  const scope = yield* Scope.make()
  yield* Layer.buildWithScope(Layer.fresh(LinkKeeper.layer), scope)
  return Scope.close(scope, Exit.void)
})

const add = (count: number, maxPayments: number | null) =>
  PaymentLinkStore.use((store) =>
    Effect.forEach(
      Array.from({ length: count }, () => paymentLinkOf({ id: freshId("lnk"), maxPayments })),
      (link) => store.add(link, 1000),
      { discard: true }
    )
  )

describe("the keeper of links", () => {
  it.effect("counts each link once an hour, however many servers there are, and soon only those that sell out", () =>
    Effect.gen(function* () {
      yield* add(20, null)
      yield* add(10, 5)
      log.length = 0
      yield* server
      yield* server
      yield* TestClock.adjust(hour - 1)
      // Thirty links, eight at once; each server looks every five minutes.
      assert.strictEqual(mends(), 4)
      assert.strictEqual(lends(), 24)
      log.length = 0
      yield* TestClock.adjust(hour)
      assert.strictEqual(mends(), 4)
      yield* TestClock.adjust(24 * hour)
      log.length = 0
      yield* TestClock.adjust(hour)
      assert.strictEqual(mends(), 2)
    }).pipe(Effect.provide(Layer.fresh(world)))
  )

  it.effect("goes on where a server has ended", () =>
    Effect.gen(function* () {
      yield* add(24, 5)
      log.length = 0
      const end = yield* server
      yield* TestClock.adjust(1)
      assert.strictEqual(mends(), 1)
      yield* end
      yield* server
      yield* TestClock.adjust(6 * 60_000)
      // Two more steps, and one that finds the end.
      assert.strictEqual(mends(), 3)
    }).pipe(Effect.provide(Layer.fresh(world)))
  )
})
