/** A bulk request whose elements wait for a slow provider longer than an invoice that nobody has taken is kept. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import { Clock, Effect, Fiber, Result } from "effect"
import { assert } from "vitest"
import { merchant, pass, world } from "../subscriptions/world.ts"

const push = { amount: 5000, kind: "phone", customer: { phone: "77011112233" } }

describe("a bulk of many over a slow provider", () => {
  for (const [name, body, call] of [
    ["phone", push, "createPush"],
    ["qr", { amount: 5000 }, "createQr"]
  ] as const) {
    it.effect(`answers every ${name} element with what the customer can pay, and makes nothing else`, () => {
      const { engine, bank, agents } = world(5_000)
      return Effect.gen(function* () {
        const { caller, logIn } = yield* merchant("live")
        yield* logIn
        yield* agents
        bank.control.faults.add({ call, times: null, fault: { kind: "slow", delayMs: 7_000 } })
        const { invoices, tariffs, integrity } = yield* Engine
        const requests = Array.from({ length: 100 }, (_, n) => ({ body: { ...body, idempotencyKey: `order-${n}` } }))
        const bulk = yield* Effect.forkChild(invoices.bulk(caller, requests))
        yield* pass("4 minutes", "1 second")
        const made = (yield* Fiber.join(bulk)).flatMap((one) => (Result.isSuccess(one) ? [one.success.invoice] : []))
        assert.strictEqual(made.length, 100)
        for (const { id, idempotencyKey } of made) {
          const { events } = yield* invoices.get(caller, id)
          assert.deepStrictEqual(
            events.slice(0, 2).map(({ to }) => to),
            ["new", "pending"]
          )
          assert.isNotNull(idempotencyKey)
        }
        const payments = bank.control.payments(yield* Clock.currentTimeMillis)
        assert.deepStrictEqual(new Set(payments.map(({ ours }) => ours)), new Set(made.map(({ id }) => id)))
        assert.strictEqual((yield* tariffs.standing(caller.organizationId)).usage.month, 100)
        assert.deepStrictEqual(yield* integrity.findings, [])
      }).pipe(Effect.scoped, Effect.provide(engine))
    })
  }
})
