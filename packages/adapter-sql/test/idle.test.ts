/** What agents cost an engine that has nothing for them to do, counted in statements. */
import { NodeCrypto } from "@effect/platform-node"
import { it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import { WebhookSender } from "@tolem/core/webhook/sending/WebhookSender"
import { startAt } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { type Exchange, recording } from "./support/recorder.ts"
import { box } from "./support/sqlite.ts"

const sender = Layer.succeed(WebhookSender, { send: () => Effect.die("nothing is to be sent") })

/** An engine on a database of its own, that adds its statements to `log`. */
const engine = (log: Array<Exchange>, agents: boolean) => {
  const useCases = Engine.layer()
  return (agents ? Layer.provideMerge(Engine.agents, useCases) : useCases).pipe(
    Layer.provideMerge(Stores.layer()),
    Layer.provide(Migrations.layer()),
    Layer.provide([recording(log), box(), sender]),
    Layer.provide(NodeCrypto.layer),
    Layer.fresh
  )
}

/** How far the clock is moved at once: less than any agent waits. */
const stepMs = 100

/** Lets fibers do all that they can do at this instant. */
const settle = Effect.repeat(Effect.yieldNow, { times: 20 })

/** The statement without what differs from call to call. */
const shapeOf = ({ sql }: Exchange) => sql.trim().replaceAll(/\s+/g, " ")

/** The table that a statement begins with. */
const tableOf = ({ sql }: Exchange) => /"?tolem_(\w+)"?/.exec(sql)?.[1] ?? sql

/** Runs a program with an engine that begins at an instant of our time. */
const withEngine = <A, E>(log: Array<Exchange>, agents: boolean, program: Effect.Effect<A, E, Engine>) =>
  Effect.andThen(TestClock.setTime(startAt), Effect.provide(program, engine(log, agents)))

const opened = Effect.gen(function* () {
  const { organizations, invoices } = yield* Engine
  const { organization } = yield* organizations.create({ name: "Dastarkhan", ownerPhone: "77001234567" })
  const caller = { organizationId: organization.id, mode: "sandbox", connectionId: null, source: "api" } as const
  const create = Effect.andThen(invoices.create(caller, { body: { amount: 1500 } }), settle)
  // What is kept in memory is read by the first.
  yield* create
  return create
})

/** What a create sends. */
const ofCreate = (agents: boolean, consumer: boolean) => {
  const log: Array<Exchange> = []
  const program = Effect.gen(function* () {
    const { reactions } = yield* Engine
    if (consumer) yield* reactions.register({ name: "books", organizations: [], types: [] })
    const create = yield* opened
    log.length = 0
    yield* create
    return log.map(shapeOf)
  })
  return withEngine(log, agents, program)
}

/**
 * Statements of an idle engine a minute, at most, by what they look for. Each agent waits between 80 and 100 per cent
 * of its poll: 250 ms, 500 ms for deliveries (and as long for those that were left by others), a second for tariffs.
 */
const atMost = {
  invoices: 300,
  subscriptions: 300,
  subscription_runs: 300,
  deliveries: 150 + 120,
  tariff_orders: 75,
  // How far clocks of sandboxes are ahead, which is kept in memory for half a second.
  organizations: 120
}

describe("agents with nothing to do", () => {
  it.effect("add no statement to a create, nor does a consumer before its events are given their places", () =>
    Effect.gen(function* () {
      const bare = yield* ofCreate(false, false)
      const tables = bare.map((text) => /^insert into "tolem_(\w+)"/.exec(text)?.[1])
      assert.deepStrictEqual(tables, ["invoices", "events", "daily_totals"])
      assert.deepStrictEqual(yield* ofCreate(true, false), bare)
      assert.deepStrictEqual(yield* ofCreate(true, true), bare)
    })
  )

  it.effect("look a bounded number of times a minute, and no oftener when invoices are created", () => {
    const log: Array<Exchange> = []
    const minute = (first: Effect.Effect<unknown, unknown>) =>
      Effect.gen(function* () {
        log.length = 0
        yield* first
        yield* Effect.repeat(Effect.andThen(TestClock.adjust(stepMs), settle), { times: 60_000 / stepMs - 1 })
        const looks = log.filter((sent) => !shapeOf(sent).startsWith("insert"))
        const counts = Array.from(Map.groupBy(looks, tableOf), ([table, sent]) => [table, sent.length] as const)
        return Object.fromEntries(counts)
      })
    const program = Effect.gen(function* () {
      const create = yield* opened
      const counts = [yield* minute(Effect.void), yield* minute(Effect.repeat(create, { times: 9 }))]
      for (const count of counts) {
        assert.deepStrictEqual(Object.keys(count).toSorted(), Object.keys(atMost).toSorted())
        for (const [table, most] of Object.entries(atMost)) assert.isAtMost(count[table]!, most, table)
      }
    })
    return withEngine(log, true, program)
  })
})
