/** One simulated history: trouble for a while, then calm, then rest; and whether every promise was kept. */
import { Engine, type Stores, type UseCases } from "@tolem/core/engine/Engine"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Application from "./Application.ts"
import { Cluster } from "./Cluster.ts"
import * as Customers from "./Customers.ts"
import { follow } from "./Follower.ts"
import * as Merchant from "./Merchant.ts"
import type { ToldMember } from "./notice/Members.ts"
import * as Members from "./notice/Members.ts"
import * as NoticeRules from "./notice/NoticeRules.ts"
import * as OrderRules from "./OrderRules.ts"
import type { MakeParts, Parts } from "./Parts.ts"
import { hours, quick, seconds } from "./QuickSettings.ts"
import * as Rules from "./Rules.ts"
import { Simulation } from "./Simulation.ts"
import { stored } from "./Stored.ts"
import * as Trouble from "./Trouble.ts"
import { World } from "./World.ts"

/** What became of a history. The same seed gives the same one. */
export interface Outcome {
  readonly seed: number
  /** Broken promises; empty if all were kept. */
  readonly violations: ReadonlyArray<string>
  /** Turns of fibers, and what was made, to see that much has happened and that two runs are one history. */
  readonly steps: number
  readonly invoices: number
  readonly payments: number
  readonly deliveries: number
  /** Servers that were ended by what they sent. */
  readonly ended: number
  /** Orders of the application that were placed, and payments that its consumer gave up and heard after all. */
  readonly orders: number
  readonly resent: number
  /** Messages to members that arrived. */
  readonly told: number
}

/** How to run it. */
export interface Options {
  readonly seed: number
  readonly parts: MakeParts
  /** Hears every line of the history. */
  readonly tell?: (line: string) => void
}

/** Chances that a fiber is preempted after one of its operations, in trouble and afterwards. */
const preemption = 0.05
const calmPreemption = 0.002

const startMs = 1_767_225_600_000

/** Who takes part in a history. */
interface Cast {
  /** Merchants who call the servers, have webhooks and follow feeds. */
  readonly merchants: boolean
  /** An application that the engine is embedded in. */
  readonly application: boolean
  /** Servers that stand still for a while, and come back. */
  readonly freezes: boolean
  /** Members who are told by letter and in chats. */
  readonly notices: boolean
}

/** By the seed, so that it replays the whole history: most are the merchants', which see more of the engine. */
const castOf = (n: number): Cast => ({
  merchants: n % 8 !== 4,
  application: n % 4 === 0,
  freezes: n % 5 === 0,
  notices: n % 8 === 5
})

/** Runs the history of the seed. */
export const run = ({ seed, parts: makeParts, tell = () => {} }: Options): Outcome => {
  const simulation = new Simulation({ seed, startMs, preemption })
  const parts = makeParts(simulation)
  try {
    const world = new World(simulation, parts, tell)
    const cast = castOf(seed)
    const cluster = new Cluster(world, simulation.between(1, 4), cast)
    const memory = Merchant.emptyMemory()
    const members = open(world, parts, cast)
    disturb(cluster, memory, { ...cast, members })
    calm(cluster)
    pass(cluster, cast)
    judge(cluster, memory, { ...cast, members })
    const { violations } = world
    const counts = { invoices: memory.created.length, payments: parts.bank.payments(simulation.nowMs).length }
    const { taken, fatal } = cluster.receivers
    const ended = Array.from(fatal.values()).reduce((sum, each) => sum + each, 0)
    return {
      seed,
      violations,
      steps: simulation.steps,
      ...counts,
      deliveries: taken.size,
      ended,
      orders: cluster.application?.placed.size ?? 0,
      resent: cluster.application?.resent ?? 0,
      told: cluster.post?.handedOver.filter(({ arrived }) => arrived).length ?? 0
    }
  } finally {
    parts.close()
  }
}

/** Two merchants with cashiers and endpoints, before any trouble begins. */
const open = (world: World, parts: Parts, cast: Cast): ReadonlyArray<ToldMember> => {
  const { simulation, shops } = world
  const members: Array<ToldMember> = []
  const setUp = Effect.gen(function* () {
    const { organizations, connections, webhooks, tariffs, reactions } = yield* Engine
    if (cast.application) {
      yield* Application.createTables
      yield* reactions.register(Application.consumer)
    }
    let referralCode: string | undefined
    for (const name of ["First", "Second"]) {
      const phone = `7701000000${shops.length}`
      const opened = yield* organizations.create({ name, ownerPhone: phone, referralCode })
      const grant = { organizationId: opened.organization.id, tariff: "scale", months: 120 }
      const { organization } = yield* tariffs.grant(grant)
      const { id } = yield* connections.create(organization.id, { name: "Till" })
      // Its cashier logs in later, in the midst of the trouble.
      yield* (yield* MerchantStore).setMode(organization.id, "live")
      for (const mode of ["live", "sandbox"] as const) {
        for (let count = 0; cast.merchants && count < simulation.between(0, 3); count++) {
          const url = `https://${mode}${count}.${name.toLowerCase()}.kz/hook`
          yield* webhooks.create({ organizationId: organization.id, mode }, { url })
        }
      }
      const { tariff, tariffUntil } = organization
      const isReferred = referralCode !== undefined
      const shop = { organizationId: organization.id, connectionId: id, tariff, tariffUntil, isReferred }
      shops.push(shop)
      if (cast.notices) members.push(...(yield* Members.join(world, shop, phone)))
      referralCode = opened.owner.referralCode
    }
  })
  aside(world, parts, "set-up", setUp)
  return members
}

/** A cast whose members are known. */
interface People extends Cast {
  readonly members: ReadonlyArray<ToldMember>
}

const disturb = (cluster: Cluster, memory: Merchant.Memory, cast: People): void => {
  const { world, servers, application } = cluster
  const { simulation, shops } = world
  const settings = quick(simulation.pick([400, 1200]), shops)
  for (const server of servers) server.start(settings)
  const surroundings = simulation.machine("surroundings")
  surroundings.fork(Trouble.customers(world))
  surroundings.fork(Trouble.disturbances(world))
  surroundings.fork(Trouble.crashes(cluster, settings))
  if (cast.freezes) surroundings.fork(Trouble.freezes(cluster))
  if (cast.notices) surroundings.fork(Members.removals(cluster, cast.members))
  for (const [index, shop] of shops.entries()) {
    surroundings.fork(Trouble.cashier(cluster, shop.organizationId, shop.connectionId))
    surroundings.fork(Trouble.modes(cluster, shop.organizationId))
    if (application !== null) {
      const count = simulation.between(1, cast.merchants ? 6 : 12)
      surroundings.fork(Customers.order({ cluster, application, shop, name: `order ${index + 1}`, count }))
    }
    if (!cast.merchants) continue
    const deeds = cast.notices ? simulation.between(20, 50) : simulation.between(5, 30)
    surroundings.fork(Merchant.work(cluster, shop, memory, `merchant ${index + 1}`, deeds))
    for (const mode of ["live", "sandbox"] as const) {
      surroundings.fork(follow(cluster, memory.feeds, { organizationId: shop.organizationId, mode }))
    }
  }
  // There is no session at first.
  simulation.run(simulation.nowMs + 5 * seconds)
  world.parts.troubleStorage(simulation.pick([0, 0.002, 0.01]))
  simulation.run(simulation.nowMs + (cast.freezes ? 150 : cast.notices ? 60 : 30) * seconds)
}

/** All trouble ends, one fresh server is left, and everything that is due has its time. */
const calm = ({ world, servers }: Cluster): void => {
  const { simulation, parts } = world
  world.calmed = true
  world.calmedAt = simulation.nowMs
  simulation.preemption = calmPreemption
  world.restsAt = simulation.nowMs + 1800 * seconds
  world.note("world", "is calm")
  parts.troubleStorage(0)
  parts.bank.calm()
  for (const server of servers) server.kill()
  simulation.run(simulation.nowMs + 20 * seconds)
  servers[0]!.start(quick(3 * seconds, world.shops))
  simulation.run(simulation.nowMs + 60 * seconds)
  servers[0]!.kill()
  simulation.run(simulation.nowMs + 25 * seconds)
  servers[0]!.start(quick(60 * seconds, world.shops))
  simulation.run(simulation.nowMs + 1500 * seconds)
  servers[0]!.kill()
  simulation.run(simulation.nowMs + 30 * seconds)
}

const cancelAll = Effect.fnUntraced(function* ({ shops }: World) {
  const { subscriptions } = yield* Engine
  for (const { organizationId } of shops) {
    for (const mode of ["live", "sandbox"] as const) {
      const caller = { organizationId, mode, connectionId: null, source: "system" } as const
      const open = yield* subscriptions.list(caller, { status: "active,paused", limit: 200 })
      yield* Effect.forEach(open.subscriptions, ({ id }) => subscriptions.cancel(caller, id))
    }
  }
})

/**
 * Days go by: servers are up, crash, and are away for days, until every subscription has made its runs. An application
 * by itself has none.
 */
const pass = ({ world, servers, application }: Cluster, { merchants }: Cast): void => {
  const { simulation } = world
  const server = servers[0]!
  for (let spell = 0; spell < (merchants ? 3 : 1); spell++) {
    server.start(quick(6 * hours, world.shops))
    simulation.run(simulation.nowMs + simulation.between(1, 60) * hours)
    server.crash(simulation.between(0, 300))
    simulation.run(simulation.nowMs + 1 * hours)
    server.kill()
    simulation.run(simulation.nowMs + (simulation.chance(0.4) ? simulation.between(0, 80) * hours : hours))
  }
  server.start(quick(6 * hours, world.shops))
  simulation.run(simulation.nowMs + (merchants ? 6 : 2) * 24 * hours)
  // Those that pass over their dates would go on for ever.
  aside(world, world.parts, "end of the subscriptions", cancelAll(world))
  if (application !== null) {
    const resending = Effect.flatMap(Engine, Application.resendAll)
    application.resent = aside(world, world.parts, "repair of the application", resending) ?? 0
  }
  simulation.run(simulation.nowMs + (merchants ? 4 : 1) * 24 * hours)
  server.kill()
  simulation.run(simulation.nowMs + 2 * hours)
}

const judge = (cluster: Cluster, memory: Merchant.Memory, { members, freezes }: People): void => {
  const { world, receivers, application, post } = cluster
  const { parts } = world
  const reading = Effect.gen(function* () {
    const orders = application === null ? null : yield* OrderRules.read
    const lines = yield* NoticeRules.readLines(members, yield* stored)
    return { ...(yield* Rules.read(world, memory.feeds, yield* stored)), orders, lines }
  })
  const found = aside(world, parts, "reader", reading)
  const payments = parts.bank.payments(world.simulation.nowMs)
  if (found === undefined) return
  for (const violation of Rules.broken(receivers, memory, found, payments)) world.violate(violation)
  const told = post?.handedOver ?? []
  const circumstances = { freezes, calmAt: world.calmedAt }
  for (const violation of NoticeRules.brokenNotices(found.lines, told, found.details, circumstances)) {
    world.violate(violation)
  }
  if (application === null || found.orders === null) return
  for (const violation of OrderRules.broken(application, found.details, found.orders)) world.violate(violation)
}

/** Runs a program over the use-cases in a machine of its own, without agents, to its end. */
const aside = <A, E>(
  world: World,
  parts: Parts,
  name: string,
  program: Effect.Effect<A, E, Engine | Stores | UseCases | SqlClient.SqlClient>
): A | undefined => {
  const machine = world.simulation.machine(name)
  const layer = Engine.layer(quick(1 * seconds)).pipe(
    Layer.provideMerge(Layer.mergeAll(parts.stores(machine), parts.platform))
  )
  let value: A | undefined
  machine.fork(Effect.scoped(Effect.provide(program, Layer.fresh(layer))), (exit) => {
    if (exit._tag === "Success") value = exit.value
    else world.violate(`${name} failed: ${String(exit.cause)}`)
  })
  world.simulation.run(world.simulation.nowMs + 1)
  if (value === undefined && name === "reader") world.violate(`${name} has not ended`)
  return value
}
