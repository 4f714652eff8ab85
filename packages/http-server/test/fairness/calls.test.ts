/** However many calls of the provider one organization has hanging, another's invoices are looked at in time. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import type { SandboxBank } from "@tolem/provider-sandbox/SandboxBank"
import { Clock, Effect } from "effect"
import { assert } from "vitest"
import { merchant, pass, world } from "../subscriptions/world.ts"

const places = 4

const pay = Effect.fnUntraced(function* (bank: SandboxBank, id: string) {
  const now = yield* Clock.currentTimeMillis
  bank.control.act(bank.control.payments(now).find(({ ours }) => ours === id)!.reference, { does: "pay" }, now)
})

describe("calls that hang", () => {
  const start = () =>
    world(500, {
      settings: (settings) => ({
        ...settings,
        live: { ...settings.live, calls: { ...settings.live.calls, callsAtOnce: places } }
      })
    })
  const shop = Effect.gen(function* () {
    const { caller, logIn } = yield* merchant("live")
    yield* logIn
    return caller
  })
  const create = (caller: Caller) => Effect.flatMap(Engine, (_) => _.invoices.create(caller, { body: { amount: 10 } }))
  const statusOf = (caller: Caller, id: string) =>
    Effect.flatMap(Engine, (_) => Effect.map(_.invoices.get(caller, id), ({ invoice }) => invoice.status))

  it.effect("and could not wait, as creates, keep no place from another organization", () => {
    const { engine, bank, agents } = start()
    return Effect.gen(function* () {
      const [hog, victim] = [yield* shop, yield* shop]
      yield* agents
      const { invoice } = yield* create(victim)
      bank.control.faults.add({ call: "createQr", times: null, fault: { kind: "silence", done: false } })
      for (let count = 0; count < 10 * places; count++) yield* Effect.forkChild(create(hog))
      yield* pass("1 second", "100 millis")
      yield* pay(bank, invoice.id)
      yield* pass("4 seconds", "100 millis")
      assert.strictEqual(yield* statusOf(victim, invoice.id), "paid", "while all of the creates hang")
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("and can wait leave a place to another organization", () => {
    const { engine, bank, agents } = start()
    return Effect.gen(function* () {
      const [hog, victim] = [yield* shop, yield* shop]
      for (let count = 0; count < 10 * places; count++) yield* create(hog)
      const hanging = { call: "stateByReference", times: 10 * places, fault: { kind: "silence", done: false } } as const
      yield* agents
      bank.control.faults.add(hanging)
      yield* pass("2 seconds", "100 millis")
      const made = yield* create(victim)
      yield* pass("1 second", "100 millis")
      bank.control.faults.clear()
      yield* pay(bank, made.invoice.id)
      yield* pass("4 seconds", "100 millis")
      assert.strictEqual(yield* statusOf(victim, made.invoice.id), "paid", "while the first looks hang for 8 seconds")
    }).pipe(Effect.scoped, Effect.provide(engine))
  })
})
