/** Nobody can keep others from being sent to: neither with slow receivers nor with deliveries that end the server. */
import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Layer, Scope } from "effect"
import { assert } from "vitest"
import type { WebhookRequest } from "../../../src/webhook/sending/WebhookSender.ts"
import { Hints } from "../../../src/work/Hints.ts"
import { ProcessEnd } from "../../../src/work/ProcessEnd.ts"
import { answering, storageAway } from "./fakes.ts"
import { begin, pass, scoped, started, stoppable, told, world } from "./world.ts"

type World = ReturnType<typeof world>

/** An endpoint of an organization of its own or of a named one. */
const owned = ({ given, change }: World, id: string, organizationId: string, mode: "live" | "sandbox" = "sandbox") => {
  given(id, answering(200))
  change(id, { organizationId, mode })
}

/** Endpoints with a backlog each, whose receivers answer when `answer` is there. */
const slow = (world: World, count: number, of: (n: number) => string, answer: Deferred.Deferred<void>) => {
  for (let n = 0; n < count; n++) {
    const id = `slow${n}`
    world.given(id, (request) => Effect.andThen(Deferred.await(answer), answering(200)(request)))
    world.change(id, { organizationId: of(n) })
    for (let i = 0; i < 20; i++) world.due(id)
  }
}

/**
 * How many attempts of others begin between something of a newcomer's being due, at the endpoint, and its attempt. A
 * hundred organizations have two dead endpoints each; when 150 attempts are made, the newcomer comes.
 */
const betweenNewcomers = Effect.fnUntraced(function* (endpoint: string, limits: Parameters<typeof started>[1]) {
  const here = world()
  const hints = yield* Deferred.make<Hints["Service"]>()
  owned(here, endpoint, "org_victim")
  let found: { readonly id: string; readonly at: number } | undefined
  for (let n = 0; n < 200; n++) {
    const id = `dead${n}`
    here.given(id, (request) =>
      Effect.gen(function* () {
        if (here.sent.length === 150 && found === undefined) {
          found = { id: here.due(endpoint), at: here.sent.length }
          yield* (yield* Deferred.await(hints)).deliveriesDue({ organizationId: "org_victim", mode: "sandbox" })
        }
        return yield* answering(500)(request)
      })
    )
    here.change(id, { organizationId: `org_dead${n % 100}` })
    for (let i = 0; i < 3; i++) here.due(id)
  }
  yield* begin
  const context = yield* started(here.layer, limits)
  yield* Deferred.succeed(hints, yield* Effect.provide(Hints, context))
  // Places that come free are filled together, after a moment.
  for (let n = 0; n < 5; n++) yield* pass(1)
  assert.strictEqual(here.delivery(found?.id ?? "").status, "delivered")
  return here.sent.findIndex(({ url }) => url.includes(`${endpoint}.kz`)) - (found?.at ?? 0)
})

describe("dispatcher: shares", () => {
  it.effect("sends to others while two organizations' slow receivers hold all that they can get", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        const answer = yield* Deferred.make<void>()
        slow(here, 20, (n) => `org_greedy${n % 2}`, answer)
        owned(here, "shop", "org_victim")
        yield* begin
        yield* started(here.layer, { timeoutMs: 60_000, concurrency: 64, concurrencyOfSandbox: 32 })
        yield* pass(5)
        const held = here.sent.length
        assert.isAtLeast(held, 8, "the slow ones have many places")
        const ids = Array.from({ length: 100 }, () => here.due("shop"))
        yield* pass(1)
        assert.isTrue(ids.every((id) => here.delivery(id).status === "delivered"))
        assert.lengthOf(here.sent, held + 100, "while every one of those is unanswered")
        yield* Deferred.succeed(answer, undefined)
      })
    )
  )

  it.effect(
    "goes on sending to an endpoint while the storage writes down what was sent, of which there is a bound",
    () =>
      scoped(
        Effect.gen(function* () {
          const here = world()
          owned(here, "shop", "org_shop")
          for (let n = 0; n < 40; n++) here.due("shop")
          // The first write takes long; all that ends meanwhile waits for the next one.
          here.trouble.settleMany = [Effect.sleep("5 seconds")]
          yield* begin
          yield* started(here.layer, { concurrency: 10, concurrencyOfSandbox: 10, freePerPlace: 0 })
          yield* pass(3)
          assert.isAtLeast(here.sent.length, 20, "twice as many as there are places wait to be settled")
          assert.isAtMost(here.sent.length, 23, "and what had begun by then")
          assert.isAtMost(here.mostRunning.get("shop.kz") ?? 0, 4, "at once")
          yield* pass(5)
          // Places that come free are filled together, a moment later.
          yield* pass(1)
          assert.lengthOf(here.sent, 40)
        })
      )
  )

  it.effect("does not look for more at an endpoint while what it has claimed of it waits", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        const slowly = (request: WebhookRequest) => Effect.andThen(Effect.sleep("50 millis"), answering(200)(request))
        here.given("shop", slowly)
        for (let n = 0; n < 60; n++) here.due("shop")
        yield* begin
        yield* started(here.layer, { pollMs: 60_000 })
        for (let n = 0; n < 11; n++) yield* pass(0.05)
        assert.isAtLeast(here.to("shop").length, 40, "sent in places that came free")
        assert.isAtMost(here.to("shop").length, 56)
        assert.strictEqual(here.calls.due, 1)
        here.due("shop")
        for (let n = 0; n < 8; n++) yield* pass(0.05)
        assert.lengthOf(here.to("shop"), 61, "one that fell due meanwhile comes after them")
      })
    )
  )

  it.effect("begins a few at a time while very many are refused at once, and a newcomer's before theirs", () =>
    scoped(
      Effect.gen(function* () {
        const between = yield* betweenNewcomers("shop", {})
        assert.isBelow(between, 64, "attempts of others that began in between")
      })
    )
  )

  it.effect("sends to a newcomer whose endpoint would be looked at last, of very many that are due", () =>
    scoped(
      Effect.gen(function* () {
        const between = yield* betweenNewcomers("zzz", { endpointsPerLook: 4 })
        assert.isBelow(between, 16, "attempts of others that began in between")
      })
    )
  )

  it.effect("sends at once to one whose receiver works while those of very many others hang", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        owned(here, "shop", "org_victim")
        const first = here.due("shop")
        yield* begin
        const context = yield* started(here.layer, { endpointsPerLook: 20, pollMs: 1_000 })
        yield* pass(1)
        assert.strictEqual(here.delivery(first).status, "delivered")
        // Their endpoints are found page by page: the first ones get more places than there would be for all.
        slow(here, 200, (n) => `org_slow${n % 100}`, yield* Deferred.make<void>())
        yield* pass(2)
        const looks = here.calls.due
        for (let n = 0; n < 5; n++) {
          const id = here.due("shop")
          yield* Effect.provide(told("org_victim"), context)
          yield* pass(0.1)
          assert.strictEqual(here.delivery(id).status, "delivered", `the ${n + 1}. one`)
        }
        assert.isAtMost(here.calls.due - looks, 11, "all endpoints are walked through once, when it is time to")
      })
    )
  )

  /** A dispatcher that walks through all endpoints once a minute, in several looks; nothing is due any more. */
  const longWalk = Effect.fnUntraced(function* () {
    const here = world()
    const answer = yield* Deferred.make<void>()
    slow(here, 6, (n) => `org_slow${n}`, answer)
    owned(here, "shop", "org_victim")
    yield* begin
    const scope = yield* Scope.make()
    const built = started(here.layer, { endpointsPerLook: 2, pollMs: 60_000 })
    const context = yield* Effect.provideService(built, Scope.Scope, scope)
    yield* pass(1)
    yield* Deferred.succeed(answer, undefined)
    yield* pass(5)
    return {
      here,
      told: Effect.provide(told("org_victim"), context),
      stop: Effect.forkChild(Scope.close(scope, Exit.void))
    }
  })

  it.effect("gives back what it has claimed by name while it is stopped", () =>
    scoped(
      Effect.gen(function* () {
        const { here, told, stop } = yield* longWalk()
        here.trouble.heardClaim = [Effect.sleep("1 second")]
        const id = here.due("shop")
        yield* told
        yield* pass(0)
        assert.strictEqual(here.starts(id), 1)
        yield* stop
        yield* pass(5)
        assert.strictEqual(here.starts(id), 0)
        assert.strictEqual(here.delivery(id).status, "pending")
      })
    )
  )

  it.effect("walks through all endpoints if a look by name fails", () =>
    scoped(
      Effect.gen(function* () {
        const { here, told, stop } = yield* longWalk()
        here.trouble.dueOf = [Effect.fail(storageAway("dueOf"))]
        const id = here.due("shop")
        yield* told
        yield* pass(0.1)
        assert.strictEqual(here.delivery(id).status, "delivered")
        yield* stop
      })
    )
  )

  it.effect("sends a first one at once beside more greedy organizations than it can send to at a time", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        slow(here, 300, (n) => `org_greedy${n}`, yield* Deferred.make<void>())
        owned(here, "shop", "org_victim", "live")
        yield* begin
        yield* started(here.layer, { timeoutMs: 8_000 })
        yield* pass(2)
        assert.lengthOf(
          here.sent,
          96,
          "sandboxes have no more places than theirs, and some of these are for sound ones"
        )
        const id = here.due("shop", { mode: "live" })
        yield* pass(1)
        assert.strictEqual(here.delivery(id).status, "delivered", "a live one has its own")
      })
    )
  )

  it.effect("comes to each of many greedy organizations in turn, however old the backlog of the others is", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        const names = Array.from({ length: 30 }, (_, n) => `shop${n}`)
        for (const name of names) {
          here.given(name, (request) => Effect.andThen(Effect.sleep("1 second"), answering(200)(request)))
          here.change(name, { organizationId: `org_${name}` })
        }
        for (const name of names.slice(0, 20)) for (let n = 0; n < 50; n++) here.due(name)
        yield* begin
        yield* started(here.layer, { concurrency: 8, concurrencyOfSandbox: 8, freePerPlace: 0 })
        yield* pass(3)
        for (const name of names.slice(20)) here.due(name)
        yield* pass(5)
        for (const name of names) assert.isAbove(here.to(name).length, 0, name)
      })
    )
  )
})

describe("dispatcher: deliveries that end their server", () => {
  /** A server that ends whenever it sends to `deadly`: nothing of it runs any more, and nothing is given back. */
  const fatal = (here: World) =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      here.given("deadly", () => Effect.andThen(Deferred.succeed(ended, undefined), Effect.never))
      const { stop } = yield* stoppable(Layer.fresh(here.layer).pipe(Layer.provide(faulty)), impatient)
      yield* pass(25)
      const died = yield* Deferred.isDone(ended)
      yield* stop
      yield* pass(10)
      return died
    })
  const faulty = Layer.succeed(ProcessEnd, { faulty: true })
  const impatient = { timeoutMs: 3_600_000, leaseMs: 20_000, calmMs: 0 }

  it.effect("are given up when that has happened three times, and what comes after them goes on in order", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        here.given("deadly", answering(200))
        here.given("shop", answering(200))
        const first = here.due("deadly", { invoiceId: "inv_a", sequence: 2 })
        const second = here.due("deadly", { invoiceId: "inv_a", sequence: 3 })
        const others = Array.from({ length: 20 }, () => here.due("shop"))
        yield* begin
        for (const starts of [1, 2, 3]) {
          here.passLease()
          assert.isTrue(yield* fatal(here), `start ${starts}`)
          assert.deepInclude(here.delivery(first), { status: "pending", attemptCount: 0 })
          assert.strictEqual(here.starts(first), starts)
        }
        here.passLease()
        here.given("deadly", answering(200))
        yield* started(here.layer)
        yield* pass(10)
        assert.strictEqual(here.delivery(first).status, "failed")
        assert.deepInclude(here.attempts(first)[0], { number: 1, status: null, error: "unfinished", requestBody: "" })
        assert.strictEqual(here.delivery(second).status, "delivered")
        assert.isTrue(others.every((id) => here.delivery(id).status === "delivered"))
        assert.isTrue(here.logs.some((line) => line.includes("delivery given up") && line.includes("unfinished")))
      })
    )
  )

  it.effect("are started again a few at a time, and the last time alone", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        const answer = yield* Deferred.make<void>()
        here.given("shop", (request) => Effect.andThen(Deferred.await(answer), answering(200)(request)))
        const ids = Array.from({ length: 30 }, () => here.due("shop"))
        for (const [index, id] of ids.entries()) here.lose(id, index < 20 ? 1 : 2)
        yield* begin
        yield* started(here.layer, { concurrencyPerEndpoint: 30, timeoutMs: 60_000, leaseMs: 60_000 })
        yield* pass(25)
        assert.strictEqual(here.mostRunning.get("all"), 8, "eight that were started once")
        yield* pass(10)
        assert.strictEqual(here.mostRunning.get("all"), 9, "and one that was started twice, when the server has lasted")
        yield* Deferred.succeed(answer, undefined)
        yield* pass(30)
        assert.isTrue(ids.every((id) => here.delivery(id).status === "delivered"))
      })
    )
  )

  it.effect("count no start that a server gives back when it is stopped", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        here.given("dead", () => Effect.never)
        const id = here.due("dead")
        yield* begin
        for (let n = 0; n < 5; n++) {
          const { stop } = yield* stoppable(Layer.fresh(here.layer))
          yield* stop
          yield* pass(5)
        }
        assert.strictEqual(here.starts(id), 0)
        assert.strictEqual(here.delivery(id).status, "pending")
      })
    )
  )
})
