/** A server that stands still between its write and its call to the provider, and goes on after others were there. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Clock, Context, Deferred, Effect, Fiber, Layer } from "effect"
import { assert } from "vitest"
import { merchant, pass, world } from "../subscriptions/world.ts"

/** A server that hears of its next change of an invoice when `goesOn` is done, once `holds` is set. */
const frozen = () => {
  const state = { holds: false, stands: Deferred.makeUnsafe<void>(), goesOn: Deferred.makeUnsafe<void>() }
  const held = <A>(answer: A) =>
    Effect.suspend(() => {
      if (!state.holds) return Effect.succeed(answer)
      state.holds = false
      return Deferred.succeed(state.stands, undefined).pipe(
        Effect.andThen(Deferred.await(state.goesOn)),
        Effect.as(answer)
      )
    })
  const stores = Layer.effect(
    InvoiceStore,
    Effect.map(InvoiceStore, (store) => ({
      ...store,
      commitMany: (...args: Parameters<typeof store.commitMany>) => Effect.flatMap(store.commitMany(...args), held)
    }))
  )
  return { ...world(3_600_000, { stores }), state }
}

const shop = Effect.fnUntraced(function* (made: ReturnType<typeof frozen>) {
  const { caller, logIn } = yield* merchant("live")
  yield* logIn
  const { invoices } = yield* Engine
  const other = Context.get(yield* Layer.build(Layer.fresh(Engine.layer())), Engine).invoices
  const payments = Effect.map(Clock.currentTimeMillis, made.bank.control.payments)
  return { caller, invoices, other, payments }
})

/** Has it begin and stand still for `still`; `meanwhile` is done before it goes on. Answers how it ended. */
const standingStill = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  { state }: ReturnType<typeof frozen>,
  request: Effect.Effect<A, E, R>,
  meanwhile: Effect.Effect<void, E2, R2>
) {
  state.holds = true
  const fiber = yield* Effect.forkChild(Effect.result(request))
  yield* Deferred.await(state.stands)
  yield* pass("90 seconds", "10 seconds")
  yield* meanwhile
  yield* Deferred.succeed(state.goesOn, undefined)
  yield* pass("10 seconds", "1 second")
  const result = yield* Fiber.join(fiber)
  return result._tag === "Failure" ? result.failure : result.success
})

describe("a server that stood still", () => {
  it.effect("gives no money back that was given back by another request meanwhile", () => {
    const made = frozen()
    return Effect.gen(function* () {
      const { caller, invoices, other, payments } = yield* shop(made)
      const { invoice } = yield* invoices.create(caller, { body: { amount: 5000 } })
      const [payment] = yield* payments
      made.bank.control.act(payment!.reference, { does: "pay" }, yield* Clock.currentTimeMillis)
      yield* invoices.get(caller, invoice.id, { live: true })
      const request = { body: { amount: 1000 }, headerKey: "refund-1" }
      const meanwhile = Effect.gen(function* () {
        // The provider knows nothing of it, so that it counts as failed, and may be asked for again.
        const { refunds } = yield* other.get(caller, invoice.id, { live: true })
        assert.deepStrictEqual(
          refunds.map(({ status }) => status),
          ["failed"]
        )
        assert.isFalse((yield* other.refund(caller, invoice.id, request)).replayed)
      })
      const ended = yield* standingStill(made, invoices.refund(caller, invoice.id, request), meanwhile)
      assert.strictEqual((ended as { readonly _tag?: string })._tag, "RefundUnknown")
      const [after] = yield* payments
      assert.lengthOf(after!.signal._tag === "Paid" ? after!.signal.refunds : [], 1)
      assert.strictEqual((yield* invoices.get(caller, invoice.id, { live: true })).invoice.refunded, 100_000)
    }).pipe(Effect.scoped, Effect.provide(made.engine))
  })

  it.effect("makes nothing at the provider that counts as failed by now", () => {
    const made = frozen()
    return Effect.gen(function* () {
      const { caller, invoices, other, payments } = yield* shop(made)
      made.bank.control.faults.add({ call: "createQr", times: 1, fault: { kind: "drop", done: false } })
      const create = invoices.create(caller, { body: { amount: 5000 }, headerKey: "order-1" })
      assert.strictEqual((yield* Effect.flip(create))._tag, "ProviderError")
      const { id } = (yield* other.list(caller, {})).invoices[0]!
      const meanwhile = Effect.gen(function* () {
        assert.strictEqual((yield* other.get(caller, id, { live: true })).invoice.status, "failed")
      })
      const ended = yield* standingStill(made, create, meanwhile)
      assert.strictEqual((ended as { readonly _tag?: string })._tag, "ProviderError")
      assert.lengthOf(yield* payments, 0)
      // The key is free again.
      assert.strictEqual((yield* create).invoice.status, "pending")
    }).pipe(Effect.scoped, Effect.provide(made.engine))
  })
})
