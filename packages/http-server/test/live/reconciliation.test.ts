/** Days that are compared with the provider's own list, by agents as time passes. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import { Integrity } from "@tolem/core/engine/Integrity"
import { defaults } from "@tolem/core/engine/Settings"
import { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { dayOf } from "@tolem/core/value/Calendar"
import type { SandboxBank } from "@tolem/provider-sandbox/SandboxBank"
import { Clock, Effect } from "effect"
import { assert } from "vitest"
import { merchant, pass, world as worldOfDays } from "../subscriptions/world.ts"

/** A world that looks for days to compare as often as a server does. */
const world = () =>
  worldOfDays(600_000, { settings: (settings) => ({ ...settings, reconciliation: defaults.reconciliation }) })

const allDays = { from: "2000-01-01", to: "2100-01-01" }

const found = Effect.fnUntraced(function* (organizationId: string) {
  const store = yield* ReconciliationStore
  const { items } = yield* store.items({ organizationId, status: null, ...allDays, limit: 100, offset: 0 })
  return items
})

const daysOf = (organizationId: string) => ReconciliationStore.use((store) => store.days(organizationId, allDays, 100))

const shown = (items: Effect.Success<ReturnType<typeof found>>) =>
  items
    .map(({ kind, cause, status, amountHere, amountThere }) => [kind, cause, status, amountHere, amountThere].join(" "))
    .sort()

/** Takes `count` payments of 5 000 tenge, and answers what the bank has of them. */
const paid = Effect.fnUntraced(function* (
  bank: SandboxBank,
  given: Effect.Success<ReturnType<typeof merchant>>,
  count: number
) {
  const { invoices } = yield* Engine
  const made = []
  for (let n = 0; n < count; n++) {
    const { invoice } = yield* invoices.create(given.caller, { body: { amount: 5000 } })
    const now = yield* Clock.currentTimeMillis
    const payment = bank.control.payments(now).find(({ ours }) => ours === invoice.id)!
    assert.isDefined(bank.control.act(payment.reference, { does: "pay" }, now))
    made.push({ id: invoice.id, reference: payment.reference })
  }
  yield* pass("30 minutes")
  return made
})

const plant = (bank: SandboxBank, planted: Parameters<SandboxBank["control"]["plant"]>[0]) =>
  Effect.map(Clock.currentTimeMillis, (now) => bank.control.plant(planted, now))

/** Five differences: hidden there, another amount, an unknown payment, a payment not noticed, a refund elsewhere. */
const differences = Effect.fnUntraced(function* (
  bank: SandboxBank,
  given: Effect.Success<ReturnType<typeof merchant>>
) {
  const { invoices } = yield* Engine
  const [hidden, other, , refunded] = yield* paid(bank, given, 5)
  const { invoice: unnoticed } = yield* invoices.create(given.caller, { body: { amount: 700 } })
  yield* plant(bank, { does: "hidden", reference: `${hidden!.reference}-paid` })
  yield* plant(bank, { does: "amount", reference: `${other!.reference}-paid`, amount: 499_000 })
  const extra = { kind: "payment", reference: "m-9", payment: "p-9", amount: 90_000 } as const
  yield* plant(bank, { does: "extra", cashier: "77010000000", ...extra })
  const payment = { kind: "payment", reference: "m-8", payment: "p-8", ours: unnoticed.id, amount: 70_000 } as const
  yield* plant(bank, { does: "extra", cashier: "77010000000", ...payment })
  const refund = { kind: "refund", reference: "r-7", payment: refunded!.reference, amount: 100_000 } as const
  yield* plant(bank, { does: "extra", cashier: "77010000000", ...refund })
})

const five = [
  "amount_differs amounts open 500000 499000",
  "missing_here not_noticed open  70000",
  "missing_here unknown_invoice open  90000",
  "missing_there not_listed open 500000 ",
  "refunded_elsewhere made_elsewhere open  100000"
]

describe("the reconciler", () => {
  it.effect("finds the differences of yesterday once, with two servers, and closes those that have gone", () => {
    const { engine, bank, agents } = world()
    return Effect.gen(function* () {
      const given = yield* merchant("live")
      const { organizationId } = given.caller
      yield* given.logIn
      yield* Effect.all([agents, agents])
      const day = dayOf(yield* Clock.currentTimeMillis)
      yield* differences(bank, given)
      yield* pass("13 hours", "30 minutes")
      assert.deepStrictEqual(yield* found(organizationId), [], "not before two hours after the day's end")
      yield* pass("2 hours", "10 minutes")
      const items = yield* found(organizationId)
      assert.deepStrictEqual(shown(items), five)
      const yesterday = (yield* daysOf(organizationId)).find((each) => each.day === day)
      assert.deepInclude(yesterday, { status: "compared", fault: null })
      const here = { payments: 5, paid: 2_500_000, refunds: 0, refunded: 0 }
      const there = { payments: 6, paid: 2_159_000, refunds: 1, refunded: 100_000 }
      assert.deepStrictEqual(yesterday?.sums, { here, there })
      const store = yield* ReconciliationStore
      yield* store.ask(yesterday!, yield* Clock.currentTimeMillis)
      yield* pass("20 minutes")
      assert.deepStrictEqual(yield* found(organizationId), items, "again, and nothing is new")
      yield* plant(bank, null)
      yield* store.ask(yesterday!, yield* Clock.currentTimeMillis)
      yield* pass("20 minutes")
      const gone = yield* found(organizationId)
      assert.deepStrictEqual(
        gone.map(({ status, resolution }) => `${status} ${resolution}`),
        five.map(() => "resolved gone")
      )
      const { audit } = yield* Engine
      const records = yield* audit.list({ organizationId, before: null, limit: 99 })
      const actions = records.map(({ action }) => action)
      assert.strictEqual(actions.filter((action) => action === "work_item.found").length, 5)
      assert.strictEqual(actions.filter((action) => action === "work_item.gone").length, 5)
      assert.deepStrictEqual(
        (yield* Integrity.use(({ findings }) => findings)).map(({ rule }) => rule),
        []
      )
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("tries again while the provider does not answer, and gives up after some tries", () => {
    const { engine, bank, agents } = world()
    return Effect.gen(function* () {
      const given = yield* merchant("live")
      const { organizationId } = given.caller
      yield* given.logIn
      yield* agents
      yield* differences(bank, given)
      bank.control.faults.add({ call: "listOperations", times: 6, fault: { kind: "drop", done: false } })
      yield* pass("13 hours", "30 minutes")
      yield* pass("34 minutes", "10 seconds")
      assert.deepInclude((yield* daysOf(organizationId))[0], { status: "waiting", fault: "no_answer", tries: 2 })
      assert.deepStrictEqual(yield* found(organizationId), [])
      yield* pass("10 minutes", "1 minute")
      assert.deepInclude((yield* daysOf(organizationId))[0], { status: "compared", fault: null })
      assert.deepStrictEqual(shown(yield* found(organizationId)), five)
      bank.control.faults.add({
        call: "listOperations",
        times: null,
        fault: { kind: "error", status: 500, done: false }
      })
      const store = yield* ReconciliationStore
      yield* store.ask((yield* daysOf(organizationId))[0]!, yield* Clock.currentTimeMillis)
      yield* pass("20 hours", "10 minutes")
      const asked = (yield* daysOf(organizationId))[0]
      assert.deepInclude(asked, { status: "failed", fault: "no_answer", dueAt: null, tries: 8 })
      assert.deepStrictEqual(shown(yield* found(organizationId)), five, "as they were")
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("marks a cashier whose session has ended, and compares when they are back", () => {
    const { engine, bank, agents } = world()
    return Effect.gen(function* () {
      const given = yield* merchant("live")
      const { organizationId } = given.caller
      yield* given.logIn
      yield* agents
      yield* paid(bank, given, 2)
      yield* pass("13 hours", "30 minutes")
      bank.control.loseSessions(null)
      yield* pass("90 minutes", "10 minutes")
      assert.deepInclude((yield* daysOf(organizationId))[0], { status: "waiting", fault: "no_cashier" })
      const { connections } = yield* Engine
      assert.strictEqual((yield* connections.get(organizationId, given.cashier.id)).status, "expired")
      yield* given.logIn
      yield* pass("4 hours", "10 minutes")
      assert.deepInclude((yield* daysOf(organizationId))[0], { status: "compared", fault: null })
      assert.deepStrictEqual(yield* found(organizationId), [])
    }).pipe(Effect.scoped, Effect.provide(engine))
  })
})
