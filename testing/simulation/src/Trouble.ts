/** What happens to everybody: customers pay, sessions end, calls go wrong, servers crash, the database fails. */
import type { Settings } from "@tolem/core/engine/Settings"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Clock, Effect, Redacted } from "effect"
import type { Cluster } from "./Cluster.ts"
import type { Deed } from "./Parts.ts"
import type { World } from "./World.ts"

const deeds: ReadonlyArray<Deed> = [
  "scan",
  "pay",
  "pay",
  "pay",
  "pay",
  "pay",
  "pay",
  "refuse",
  "fail",
  "refund",
  "refund"
]

/** Payments that something may still happen to. */
const newest = 12

/** Customers and the bank: one payment after another is paid, refused or refunded, until all is calm. */
export const customers = (world: World): Effect.Effect<void> => {
  const { simulation, parts } = world
  const turn = Effect.gen(function* () {
    yield* Effect.sleep(simulation.between(30, 800))
    const now = yield* Clock.currentTimeMillis
    const payments = parts.bank.payments(now)
    if (payments.length === 0) return
    const { reference } = simulation.pick(payments.slice(-newest))
    const deed = simulation.pick(deeds)
    world.note("customer", `${deed} ${reference}`)
    parts.bank.act(reference, deed, now)
  })
  return Effect.repeat(turn, { until: () => world.calmed })
}

/** The provider's own trouble. */
export const disturbances = (world: World): Effect.Effect<void> => {
  const { simulation, parts } = world
  const turn = Effect.gen(function* () {
    yield* Effect.sleep(simulation.between(200, 4000))
    if (world.calmed) return
    if (simulation.chance(0.05)) {
      world.note("provider", "every session ends")
      return parts.bank.loseSessions()
    }
    parts.bank.disturb(simulation)
  })
  return Effect.repeat(turn, { until: () => world.calmed })
}

/** Servers crash between any two steps, or are stopped, and come back after a while. */
export const crashes = ({ world, servers }: Cluster, settings: Settings): Effect.Effect<void> => {
  const { simulation } = world
  const turn = Effect.gen(function* () {
    yield* Effect.sleep(simulation.between(500, 6000))
    if (world.calmed) return
    const server = simulation.pick(servers)
    if (server.isDown()) return server.start(settings)
    if (!simulation.chance(0.5)) return
    if (simulation.chance(0.8)) return server.crash(simulation.between(0, 400))
    server.stop()
  })
  return Effect.repeat(turn, { until: () => world.calmed })
}

/** Servers stand still for moments or for longer than any claim of theirs holds, and go on with what they knew. */
export const freezes = ({ world, servers }: Cluster): Effect.Effect<void> => {
  const { simulation } = world
  const turn = Effect.gen(function* () {
    yield* Effect.sleep(simulation.between(200, 6000))
    if (world.calmed) return
    const ms = simulation.chance(0.5) ? simulation.between(100, 20_000) : simulation.between(20_000, 90_000)
    simulation.pick(servers).freeze(ms, simulation.chance(0.7))
  })
  return Effect.repeat(turn, { until: () => world.calmed })
}

/** How often a cashier looks after their login long after the last trouble. */
const calmMs = 24 * 3_600_000

/** A cashier logs in as soon as their session has ended. */
export const cashier = (cluster: Cluster, organizationId: OrganizationId, id: string): Effect.Effect<void> => {
  const { world } = cluster
  const { simulation, parts } = world
  const logIn = Effect.gen(function* () {
    const server = cluster.anyServer()
    if (server === undefined) return
    const heard = yield* server.call(({ connections }) =>
      Effect.gen(function* () {
        const connection = yield* connections.get(organizationId, id)
        if (connection.status === "active") return false
        const { id: processId } = yield* connections.initLogin(organizationId, id)
        yield* connections.sendPhone(organizationId, id, { processId, phone: "77010000000" })
        yield* connections.verifyOtp(organizationId, id, { processId, otp: Redacted.make(parts.bank.code) })
        return true
      })
    )
    if (heard !== "nothing" && heard._tag === "Success" && heard.value) world.note("cashier", "is logged in")
    if (heard !== "nothing" && heard._tag === "Failure") world.note("cashier", String(heard.cause))
  })
  const pause = Effect.suspend(() =>
    Effect.sleep(world.simulation.nowMs > world.restsAt ? calmMs : simulation.between(1000, 4000))
  )
  return Effect.forever(Effect.andThen(pause, logIn))
}

/** A merchant goes back to the sandbox for a moment, in the midst of what is under way, and is live in the end. */
export const modes = (cluster: Cluster, organizationId: OrganizationId): Effect.Effect<void> => {
  const { world } = cluster
  const { simulation } = world
  const turn = Effect.gen(function* () {
    yield* Effect.sleep(simulation.between(1000, 8000))
    const mode = !world.calmed && simulation.chance(0.2) ? "sandbox" : "live"
    const heard = yield* cluster.anyServer()?.call(({ modes }) => modes.switchTo(organizationId, mode)) ??
      Effect.succeed("nothing" as const)
    world.note("merchant", `${organizationId} ${mode}: ${heard === "nothing" ? "no answer" : heard._tag}`)
    return mode === "live" && heard !== "nothing" && heard._tag === "Success"
  })
  return Effect.repeat(turn, { until: (isLive) => world.calmed && isLive })
}
