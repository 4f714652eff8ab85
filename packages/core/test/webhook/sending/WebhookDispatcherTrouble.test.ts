import { describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { assert } from "vitest"
import { now } from "../../invoice/given.ts"
import { answering, storageAway } from "./fakes.ts"
import { otherSecretText, secretText } from "./given.ts"
import { begin, pass, scoped, started, stoppable, world } from "./world.ts"

describe("dispatcher: fairness", () => {
  it.effect("a receiver that never answers delays nobody else, and gets few attempts at once", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, to, mostRunning } = world()
        given("dead", () => Effect.never)
        given("shop", answering(200))
        for (let i = 0; i < 200; i++) due("dead")
        yield* begin
        yield* started(layer)
        yield* pass(0)
        for (let i = 0; i < 50; i++) due("shop")
        yield* pass(1)
        assert.lengthOf(to("shop"), 50)
        assert.strictEqual(mostRunning.get("dead.kz"), 4)
      })
    )
  )

  it.effect("never runs more attempts at once than it may, and starves nobody who waits", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, to, mostRunning, statuses } = world()
        const names = Array.from({ length: 10 }, (_, index) => `shop${index}`)
        for (const name of names) {
          given(name, (request) => Effect.andThen(Effect.sleep("1 second"), answering(200)(request)))
          for (let i = 0; i < 20; i++) due(name)
        }
        yield* begin
        yield* started(layer, { concurrency: 8, concurrencyOfSandbox: 8, freePerPlace: 0, concurrencyPerEndpoint: 2 })
        yield* pass(15)
        for (const name of names) assert.isAbove(to(name).length, 0, name)
        yield* pass(30)
        assert.strictEqual(mostRunning.get("all"), 8)
        assert.isTrue(statuses().every((status) => status === "delivered"))
      })
    )
  )

  it.effect("works through the backlog of one endpoint without claiming it over and over", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, statuses, calls } = world()
        given("shop", (request) => Effect.andThen(Effect.sleep("10 millis"), answering(200)(request)))
        for (let i = 0; i < 600; i++) due("shop")
        yield* begin
        yield* started(layer)
        yield* pass(5)
        assert.isTrue(statuses().every((status) => status === "delivered"))
        assert.strictEqual(calls.release, 0)
      })
    )
  )
})

describe("dispatcher: trouble", () => {
  it.effect("outlives failures and defects of the store", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent, trouble, delivery } = world()
        given("shop", answering(200))
        trouble.claim = [Effect.fail(storageAway("claim")), Effect.die("a bug"), Effect.fail(storageAway("claim"))]
        const id = due("shop")
        yield* begin
        yield* started(layer)
        yield* pass(5)
        assert.strictEqual(delivery(id).status, "delivered")
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect("settles again when the store was away, instead of sending again", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent, trouble, delivery } = world()
        given("shop", answering(200))
        trouble.settleMany = Array.from({ length: 5 }, () => Effect.fail(storageAway("settle")))
        const id = due("shop")
        yield* begin
        yield* started(layer)
        yield* pass(60)
        assert.strictEqual(delivery(id).status, "delivered")
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect("sends nothing of a claim that it hears of when it is over", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent, trouble, delivery } = world()
        given("shop", answering(200))
        const id = due("shop")
        const took = yield* Deferred.make<void>()
        yield* begin
        // The claim was written, and the server stood still before it heard of that.
        trouble.heardClaim = [Deferred.await(took)]
        yield* started(layer)
        yield* pass(30)
        assert.strictEqual(delivery(id).status, "delivered")
        assert.lengthOf(sent, 1)
        yield* Deferred.succeed(took, undefined)
        yield* pass(30)
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect("sends again when the store was away for longer than the claim", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, sent, trouble, delivery } = world()
        given("shop", answering(200))
        trouble.settleMany = Array.from({ length: 45 }, () => Effect.fail(storageAway("settle")))
        const id = due("shop")
        yield* begin
        yield* started(layer)
        yield* pass(60)
        assert.strictEqual(delivery(id).status, "delivered")
        assert.lengthOf(sent, 2)
        assert.isAtLeast(sent[1]!.second, 20)
      })
    )
  )

  it.effect("a defect of the sender costs its delivery an attempt, and nobody else anything", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, attempts, delivery, logs } = world()
        given("shop", answering(200))
        given("odd", () => Effect.die(new Error("a bug")))
        const odd = due("odd")
        const ids = Array.from({ length: 10 }, () => due("shop"))
        yield* begin
        yield* started(layer)
        yield* pass(1)
        assert.isTrue(ids.every((id) => delivery(id).status === "delivered"))
        assert.strictEqual(attempts(odd)[0]?.error, "internal")
        assert.strictEqual(delivery(odd).status, "pending")
        assert.isAbove(delivery(odd).dueAt, now + 9_000)
        assert.isTrue(logs.some((line) => line.includes("a bug")))
      })
    )
  )

  it.effect("says nothing secret in its logs", () =>
    scoped(
      Effect.gen(function* () {
        const { given, due, layer, logs, endpoints, trouble } = world()
        given("shop", answering(500, "the answer"))
        const shop = endpoints.get("shop")!
        endpoints.set("shop", { ...shop, url: "http://shop.kz/hook?token=hidden" })
        trouble.settleMany = [Effect.die("a bug"), Effect.fail(storageAway("settle", false))]
        for (let i = 0; i < 20; i++) due("shop")
        yield* begin
        yield* started(layer, { retryWaitsMs: [] })
        yield* pass(3600)
        assert.isTrue(logs.some((line) => line.includes("endpoint paused")))
        assert.isTrue(logs.some((line) => line.includes("delivery given up")))
        for (const secret of ["hidden", "sha256=", "the answer", secretText, secretText.slice(6), otherSecretText]) {
          assert.isFalse(
            logs.some((line) => line.includes(secret)),
            secret
          )
        }
      })
    )
  )
})

describe("dispatcher: stop", () => {
  it.effect("finishes what runs, gives back what has not begun, and begins nothing", () =>
    Effect.gen(function* () {
      const { given, due, layer, sent, delivery, statuses } = world()
      const answer = yield* Deferred.make<void>()
      given("shop", (request) => Effect.andThen(Deferred.await(answer), answering(200)(request)))
      const ids = Array.from({ length: 10 }, () => due("shop"))
      yield* begin
      const { stop } = yield* stoppable(layer)
      const stopped = yield* stop
      yield* pass(1)
      assert.isUndefined(stopped.pollUnsafe(), "it waits for what runs")
      yield* Deferred.succeed(answer, undefined)
      yield* pass(0)
      assert.isDefined(stopped.pollUnsafe())
      assert.lengthOf(sent, 4)
      assert.strictEqual(statuses().filter((status) => status === "delivered").length, 4)
      const rest = ids.map(delivery).filter((each) => each.status === "pending")
      assert.isTrue(
        rest.every((each) => each.dueAt <= now + 2_000 && each.attemptCount === 0),
        "due again at once"
      )
    })
  )

  it.effect("cuts off what does not end in time, so that another server sends it again soon", () =>
    Effect.gen(function* () {
      const { given, due, layer, delivery, attempts } = world()
      given("dead", () => Effect.never)
      const ids = Array.from({ length: 10 }, () => due("dead"))
      yield* begin
      const { stop } = yield* stoppable(layer)
      const stopped = yield* stop
      yield* pass(4)
      assert.isDefined(stopped.pollUnsafe())
      for (const id of ids) {
        assert.deepInclude(delivery(id), { status: "pending", attemptCount: 0 })
        assert.isAtMost(delivery(id).dueAt, now + 5_000)
        assert.lengthOf(attempts(id), 0)
      }
    })
  )

  it.effect("is not held up by a store that is gone", () =>
    Effect.gen(function* () {
      const { given, due, layer, trouble, sent } = world()
      given("shop", answering(200))
      due("shop")
      trouble.claim = [Effect.void, Effect.never]
      trouble.settleMany = [Effect.never]
      yield* begin
      const { stop } = yield* stoppable(layer)
      const stopped = yield* stop
      yield* pass(10)
      assert.isDefined(stopped.pollUnsafe())
      assert.lengthOf(sent, 1)
    })
  )
})
