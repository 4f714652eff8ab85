import { createHmac } from "node:crypto"
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { assert } from "vitest"
import { now } from "../../invoice/given.ts"
import { answering, type Receiver } from "./fakes.ts"
import { secretText } from "./given.ts"
import { begin, failing, pass, scoped, started, told, world } from "./world.ts"

describe("dispatcher: deliveries", () => {
  it.effect("sends what is due, signed, and keeps what was said in the log", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent, delivery, attempts } = world()
        given("shop", answering(201, "thanks\u0000"))
        const id = due("shop")
        yield* begin
        yield* started(layer)
        yield* pass(1)
        assert.strictEqual(delivery(id).status, "delivered")
        assert.lengthOf(sent, 1)
        const { headers, body } = sent[0]!
        const signed = `${headers["X-Webhook-Timestamp"]}.${body}`
        const signature = createHmac("sha256", secretText).update(signed).digest("hex")
        assert.strictEqual(headers["X-Webhook-Signature"], `sha256=${signature}`)
        assert.strictEqual(headers["content-type"], "application/json")
        assert.strictEqual(headers["X-Webhook-Delivery"], id)
        assert.strictEqual(JSON.parse(body).invoice.id, "inv_0001")
        const [attempt] = attempts(id)
        assert.deepStrictEqual(
          [attempt?.number, attempt?.status, attempt?.responseBody, attempt?.error, attempt?.requestBody],
          [1, 201, "thanks\ufffd", null, body]
        )
      })
    )
  )

  it.effect("follows the ladder: 12 attempts in about 2 hours, each freshly signed, under one delivery id", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent, delivery } = world()
        given("shop", answering(500))
        const id = due("shop")
        yield* begin
        yield* started(layer, { failuresToPause: 99, pollMs: 1000 })
        yield* pass(3 * 3600)
        const waits = sent.slice(1).map((each, index) => Math.floor(each.second - sent[index]!.second))
        const ladder = [10, 20, 30, 60, 90, 120, 300, 600, 900, 1800, 3600]
        assert.lengthOf(waits, ladder.length)
        for (const [index, wait] of waits.entries()) assert.include([ladder[index]!, ladder[index]! + 1], wait)
        assert.strictEqual(delivery(id).status, "failed")
        assert.strictEqual(delivery(id).attemptCount, 12)
        const of = (name: string) => new Set(sent.map(({ headers }) => headers[name]))
        assert.deepStrictEqual([...of("X-Webhook-Delivery")], [id])
        assert.strictEqual(of("X-Webhook-Timestamp").size, 12)
        assert.strictEqual(of("X-Webhook-Signature").size, 12)
      })
    )
  )

  it.effect("counts redirects, errors, refusals and silence as failures, and says why in the log", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, attempts } = world()
        const receivers: Record<string, Receiver> = {
          redirect: answering(302),
          broken: answering(503, "sorry"),
          refused: failing("refused_address"),
          silent: () => Effect.never
        }
        for (const [name, receiver] of Object.entries(receivers)) given(name, receiver)
        const ids = Object.keys(receivers).map((name) => due(name))
        yield* begin
        yield* started(layer)
        yield* pass(0)
        yield* pass(9)
        const seen = ids.map((id) => attempts(id)[0]).map((each) => [each?.status, each?.error, each?.durationMs])
        assert.deepStrictEqual(seen, [
          [302, null, 0],
          [503, null, 0],
          [null, "refused_address", 0],
          [null, "timeout", 8250]
        ])
      })
    )
  )

  it.effect("sends at once when it is told that something is due", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent } = world()
        given("shop", answering(200))
        yield* begin
        const context = yield* started(layer, { pollMs: 3_600_000 })
        yield* pass(1)
        due("shop")
        yield* Effect.provide(told("org_1"), context)
        yield* pass(0)
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect("keeps the order of an invoice's events, and waits for an earlier one to be delivered or given up", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent, statuses } = world()
        let left = 2
        given("shop", () => (left-- > 0 ? answering(500) : answering(200))(sent[0]!))
        for (const sequence of [2, 3, 4]) due("shop", { invoiceId: "inv_a", sequence })
        due("shop", { invoiceId: "inv_b", sequence: 2 })
        yield* begin
        yield* started(layer, { concurrencyPerEndpoint: 1 })
        yield* pass(60)
        const order = sent
          .map(({ body }) => JSON.parse(body))
          .map(({ invoice, sequence }) => `${invoice.id} ${sequence}`)
        assert.deepStrictEqual(order.filter((each) => each.startsWith("inv_a")).slice(-3), [
          "inv_a 2",
          "inv_a 3",
          "inv_a 4"
        ])
        assert.deepStrictEqual(new Set(statuses()), new Set(["delivered"]))
        assert.isBelow(
          sent.findIndex((each) => each.body.includes("inv_b")),
          3,
          "another invoice does not wait"
        )
      })
    )
  )

  it.effect("two servers on one database send each delivery once", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent, statuses } = world()
        given("shop", (request) => Effect.andThen(Effect.sleep("50 millis"), answering(200)(request)))
        for (let i = 0; i < 100; i++) due("shop")
        yield* begin
        yield* started(layer)
        yield* started(Layer.fresh(layer))
        yield* pass(30)
        assert.lengthOf(sent, 100)
        assert.isTrue(statuses().every((status) => status === "delivered"))
      })
    )
  )
})

describe("dispatcher: pauses", () => {
  it.effect("begin and end at whole milliseconds, however finely a sender measures", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, attempts, delivery, endpoints } = world()
        given("shop", () => Effect.succeed({ status: 500, body: "", durationMs: 1.635 }))
        const ids = Array.from({ length: 5 }, () => due("shop"))
        yield* begin
        yield* started(layer)
        yield* pass(60)
        const { pausedUntil } = endpoints.get("shop")!
        const instants = ids.map((id) => delivery(id).dueAt)
        assert.isNotNull(pausedUntil)
        assert.isTrue([pausedUntil, ...instants].every(Number.isSafeInteger))
        assert.strictEqual(attempts(ids[0]!)[0]?.durationMs, 2)
      })
    )
  )

  it.effect("rests after five failures in a row, then lets one probe go first, ever later", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, to, delivery, endpoints } = world()
        let up = false
        given("shop", () => (up ? answering(200) : answering(500))(to("shop")[0]!))
        const ids = Array.from({ length: 30 }, () => due("shop"))
        yield* begin
        yield* started(layer)
        yield* pass(60)
        const before = to("shop").length
        assert.isAtLeast(before, 5)
        assert.isAtMost(before, 8, "those that were under way may end")
        const pausedUntil = endpoints.get("shop")?.pausedUntil
        assert.isAtLeast(pausedUntil ?? 0, now + 600_000)
        yield* pass(500)
        assert.lengthOf(to("shop"), before, "nothing is sent while it rests")

        yield* pass(60)
        assert.lengthOf(to("shop"), before + 1, "one probe")
        yield* pass(19 * 60)
        assert.lengthOf(to("shop"), before + 1, "the second pause is twenty minutes")
        yield* pass(90)
        assert.lengthOf(to("shop"), before + 2)

        up = true
        yield* pass(31 * 60)
        assert.isTrue(ids.every((id) => delivery(id).status === "delivered"))
        const untouched = ids.filter((id) => delivery(id).attemptCount === 1)
        assert.isAtLeast(untouched.length, 20, "the pause has used no attempt of those that waited")
        assert.deepInclude(endpoints.get("shop"), { failureCount: 0, pauseCount: 0, pausedUntil: null })
      })
    )
  )

  it.effect("counts attempts that fail together as one reason to rest", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, endpoints } = world()
        given("shop", (request) => Effect.andThen(Effect.sleep("1 second"), answering(500)(request)))
        for (let i = 0; i < 12; i++) due("shop")
        yield* begin
        yield* started(layer, { concurrencyPerEndpoint: 8 })
        yield* pass(30)
        assert.strictEqual(endpoints.get("shop")?.pauseCount, 1)
        assert.approximately(endpoints.get("shop")?.pausedUntil ?? 0, now + 601_000, 1_000)
      })
    )
  )

  it.effect("of several servers one probes", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent, change, statuses } = world()
        given("shop", (request) => Effect.andThen(Effect.sleep("5 seconds"), answering(200)(request)))
        change("shop", { failureCount: 5, pauseCount: 1, pausedUntil: now })
        for (let i = 0; i < 5; i++) due("shop")
        yield* begin
        for (let i = 0; i < 3; i++) yield* started(Layer.fresh(layer))
        yield* pass(2)
        due("shop")
        yield* pass(2)
        assert.lengthOf(sent, 1, "the probe goes alone")
        yield* pass(60)
        assert.lengthOf(sent, 6)
        assert.isTrue(statuses().every((status) => status === "delivered"))
      })
    )
  )
})
