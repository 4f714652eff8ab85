/** What subscriptions do as time passes, with the agents of one server or of several. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { HandOver } from "@tolem/core/mail/Mailer"
import { MailStore } from "@tolem/core/mail/MailStore"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { merchant, pass, startAt, world } from "./world.ts"

const day = 86_400_000
const daily = { amount: 500, interval: "day", kind: "phone", customer: { phone: "77011112233" } }

const subscribe = Effect.fnUntraced(function* (caller: Caller, body: object = {}) {
  const { subscriptions } = yield* Engine
  return (yield* subscriptions.create(caller, { body: { ...daily, ...body } })).subscription
})

/** All invoices, oldest first. */
const invoicesOf = Effect.fnUntraced(function* (caller: Caller) {
  const { invoices } = yield* Engine
  const page = yield* invoices.list(caller, { limit: 200 })
  return page.invoices.toReversed()
})

const runOf = ({ metadata }: Invoice): number => JSON.parse(metadata ?? "{}").run
const days = (invoices: ReadonlyArray<Invoice>) =>
  invoices.map(({ createdAt }) => Math.round((createdAt - startAt) / day))

const sound = Effect.gen(function* () {
  const { integrity } = yield* Engine
  assert.deepStrictEqual(yield* integrity.findings, [])
})

describe("a subscription", () => {
  it.effect("makes one invoice a date, however many servers compete for it, and ends with its last run", () => {
    const { engine, agents } = world(3_600_000)
    return Effect.gen(function* () {
      const { caller } = yield* merchant("sandbox")
      const { id } = yield* subscribe(caller, { maxRuns: 4, metadata: { plan: "A" } })
      yield* agents
      yield* agents
      yield* pass("6 days", "2 hours")
      const made = yield* invoicesOf(caller)
      assert.deepStrictEqual(days(made), [0, 1, 2, 3])
      assert.deepStrictEqual(made.map(runOf), [1, 2, 3, 4])
      assert.deepStrictEqual(JSON.parse(made[0]?.metadata ?? ""), { plan: "A", subscriptionId: id, run: 1 })
      const { subscriptions } = yield* Engine
      const ended = yield* subscriptions.get(caller, id)
      assert.deepInclude(ended, { status: "finished", runs: 4, lastInvoiceId: made[3]!.id, dueAt: null })
      yield* sound
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  for (const [misfire, expected] of [
    ["run_once", [0, 5, 6]],
    ["skip", [0, 6]]
  ] as const) {
    it.effect(`makes ${misfire === "skip" ? "none" : "one"} for dates that nobody served (${misfire})`, () => {
      const { engine, agents } = world()
      return Effect.gen(function* () {
        const { caller } = yield* merchant("sandbox")
        yield* subscribe(caller, { misfire })
        yield* Effect.scoped(Effect.andThen(agents, pass("1 hour")))
        // Away from the second date to some hours after the sixth.
        yield* TestClock.adjust("5 days")
        yield* TestClock.adjust("5 hours")
        yield* agents
        yield* pass("20 hours", "1 hour")
        const made = yield* invoicesOf(caller)
        assert.deepStrictEqual(days(made), [...expected])
        yield* sound
      }).pipe(Effect.scoped, Effect.provide(engine))
    })
  }

  it.effect("keeps a run due that has no cashier, says so once, and makes it once there is one", () => {
    const { engine, bank, agents } = world()
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant("live")
      const { id } = yield* subscribe(caller)
      const { subscriptions } = yield* Engine
      yield* agents
      yield* pass("3 hours")
      const waiting = yield* subscriptions.get(caller, id)
      assert.deepInclude(waiting, { runs: 0, status: "active", nextRunAt: startAt, fault: "connection_not_active" })
      assert.isAbove(waiting.faults, 3)
      assert.isAtMost(waiting.dueAt! - startAt, 4 * 3_600_000)
      yield* logIn
      yield* pass("2 hours")
      const { events, runs } = yield* subscriptions.detail(caller, id)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["subscription.created", "subscription.run_failed", "subscription.run"]
      )
      assert.strictEqual(runs.length, 1)
      assert.strictEqual(bank.control.payments(startAt + 5 * 3_600_000).length, 1)
      assert.deepInclude((yield* invoicesOf(caller))[0], { status: "pending", kind: "phone" })
      yield* sound
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("keeps a live run due while the organization works in its sandbox", () => {
    const { engine, bank, agents } = world()
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant("live")
      yield* logIn
      const { subscriptions, modes } = yield* Engine
      yield* modes.switchTo(caller.organizationId, "sandbox")
      const { id } = yield* subscribe(caller)
      yield* agents
      yield* pass("3 hours")
      assert.deepInclude(yield* subscriptions.get(caller, id), { runs: 0, nextRunAt: startAt, fault: "not_live" })
      assert.deepStrictEqual(yield* invoicesOf(caller), [])
      yield* modes.switchTo(caller.organizationId, "live")
      yield* pass("2 hours")
      const { events } = yield* subscriptions.detail(caller, id)
      const types = ["subscription.created", "subscription.run_failed", "subscription.run"]
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        types
      )
      assert.strictEqual(bank.control.payments(startAt + 5 * 3_600_000).length, 1)
      yield* sound
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("offers a run's invoice again where the provider does not take it, under the same reference", () => {
    const { engine, bank, agents } = world(60_000)
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant("live")
      yield* logIn
      bank.control.faults.add({ call: "createPush", times: 2, fault: { kind: "throttle", retryAfterMs: 1000 } })
      bank.control.faults.add({ call: "createPush", times: 1, fault: { kind: "drop", done: true } })
      const { id } = yield* subscribe(caller)
      yield* agents
      yield* pass("30 minutes", "1 minute")
      const [made, ...others] = yield* invoicesOf(caller)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(made?.status, "pending")
      assert.strictEqual(bank.control.payments(startAt + 3_600_000).length, 1)
      const { subscriptions } = yield* Engine
      const { runs, events } = yield* subscriptions.detail(caller, id)
      assert.deepInclude(runs[0], { status: "open", faults: 0, invoiceIds: [made!.id] })
      assert.strictEqual(events.filter(({ type }) => type === "subscription.run_failed").length, 1)
      yield* sound
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("issues an invoice again that expired, as the same run, until one is paid", () => {
    const { engine, bank, agents } = world()
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant("live")
      yield* logIn
      const { id } = yield* subscribe(caller, { interval: "month", retry: [5, 12, 24] })
      yield* agents
      yield* pass("48 hours", "30 minutes")
      const [first, second] = yield* invoicesOf(caller)
      assert.strictEqual(first?.status, "expired")
      assert.strictEqual(second?.status, "pending")
      assert.deepStrictEqual([first!, second!].map(runOf), [1, 1])
      assert.approximately(second!.createdAt - first!.updatedAt, 5 * 3_600_000, 601_000)
      const { subscriptions } = yield* Engine
      assert.deepInclude(yield* subscriptions.get(caller, id), { runs: 1, lastInvoiceId: second!.id })
      const now = startAt + 48 * 3_600_000
      const reference = bank.control.payments(now).find(({ ours }) => ours === second!.id)!.reference
      bank.control.act(reference, { does: "pay" }, now)
      yield* pass("5 days", "2 hours")
      const all = yield* invoicesOf(caller)
      assert.deepStrictEqual(
        all.map(({ status }) => status),
        ["expired", "paid"]
      )
      yield* sound
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect(
    "closes the invoice that a customer has asked for again once late money has come for the one before",
    () => {
      const { engine, agents } = world(60_000)
      return Effect.gen(function* () {
        const { caller } = yield* merchant("sandbox")
        yield* subscribe(caller, { kind: "qr", interval: "month" })
        const { invoices, opening, successors } = yield* Engine
        yield* agents
        yield* pass("1 minute", "1 minute")
        const [first] = yield* invoicesOf(caller)
        yield* opening.open(first!)
        yield* pass("5 minutes", "1 minute")
        const second = yield* successors.next((yield* invoicesOf(caller))[0]!)
        assert.deepStrictEqual([second.status, runOf(second)], ["new", 1])
        assert.strictEqual(second.validUntil, first!.validUntil)
        yield* opening.open(second)
        yield* invoices.simulate(caller, first!.id, { status: "paid" })
        yield* pass("2 minutes", "1 minute")
        assert.deepStrictEqual(
          (yield* invoicesOf(caller)).map(({ status }) => status),
          ["paid", "cancelled"]
        )
        assert.strictEqual((yield* successors.next(second)).id, first!.id)
        yield* sound
      }).pipe(Effect.scoped, Effect.provide(engine))
    }
  )

  it.effect("mails a pay link once a run, and the receipt once it is paid", () => {
    const { engine, letters, post, agents, agentsEvery } = world(30_000)
    return Effect.gen(function* () {
      const { caller } = yield* merchant("sandbox")
      const customer = { email: "aliya@example.kz" }
      yield* subscribe(caller, { kind: "qr", interval: "week", customer, description: "Клуб <b>" })
      post.outcome = HandOver.Rejected({ retryable: true, reason: "451" })
      yield* Effect.scoped(Effect.andThen(agents, pass("90 seconds", "30 seconds")))
      assert.strictEqual(letters.length, 1)
      post.outcome = HandOver.Taken()
      yield* agentsEvery(1_800_000)
      yield* pass("2 days", "1 hour")
      assert.strictEqual(letters.length, 2)
      const [invoice] = yield* invoicesOf(caller)
      assert.deepInclude(invoice, { status: "new", qrUrl: null, expiresAt: null })
      assert.include(letters[1]?.text, `/pay/${invoice!.id}`)
      assert.include(letters[1]?.html, "Клуб &lt;b&gt;")
      assert.strictEqual(letters[0]?.id, letters[1]?.id)
      const { invoices } = yield* Engine
      yield* invoices.simulate(caller, invoice!.id, { status: "paid" })
      yield* pass("1 hour")
      assert.strictEqual(letters.length, 3)
      assert.include(letters[2]?.text, `/receipts/${invoice!.id}`)
      const mails = yield* MailStore.use((store) => store.list(caller.organizationId, invoice!.id))
      assert.deepStrictEqual(
        mails.map(({ kind, status, attempts }) => [kind, status, attempts]),
        [
          ["invoice", "sent", 2],
          ["receipt", "sent", 1]
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("gives up a letter that a server was handing over when it ended", () => {
    const { engine, letters, post, agents } = world(30_000)
    return Effect.gen(function* () {
      const { caller } = yield* merchant("sandbox")
      yield* subscribe(caller, { kind: "qr", interval: "month", customer: { email: "aliya@example.kz" } })
      post.hangs = true
      const server = yield* Effect.forkChild(Effect.scoped(Effect.andThen(agents, Effect.never)))
      yield* pass("1 minute", "10 seconds")
      assert.strictEqual(letters.length, 1)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(server))
      yield* pass("30 seconds", "5 seconds")
      yield* Fiber.join(stopping)
      post.hangs = false
      yield* agents
      yield* pass("1 hour", "1 minute")
      assert.strictEqual(letters.length, 1)
      const [invoice] = yield* invoicesOf(caller)
      const [mail] = yield* MailStore.use((store) => store.list(caller.organizationId, invoice!.id))
      assert.deepInclude(mail, { status: "unknown", attempts: 1, dueAt: null })
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("never hands a letter over again that may have been taken", () => {
    const { engine, letters, post, agents } = world()
    return Effect.gen(function* () {
      const { caller } = yield* merchant("sandbox")
      yield* subscribe(caller, { kind: "qr", interval: "month", customer: { email: "aliya@example.kz" } })
      post.outcome = HandOver.Unknown({ reason: "connection" })
      yield* agents
      yield* pass("1 day", "1 hour")
      assert.strictEqual(letters.length, 1)
      const [invoice] = yield* invoicesOf(caller)
      const [mail] = yield* MailStore.use((store) => store.list(caller.organizationId, invoice!.id))
      assert.deepInclude(mail, { status: "unknown", dueAt: null })
    }).pipe(Effect.scoped, Effect.provide(engine))
  })
})
