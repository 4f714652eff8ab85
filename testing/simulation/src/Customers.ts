/** Customers of a merchant whose shop embeds the engine: they order, tap twice, and repeat what got no answer. */
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { Effect } from "effect"
import type { Application, Order } from "./Application.ts"
import type { Cluster } from "./Cluster.ts"
import type { Shop } from "./World.ts"

/** How often an order is repeated that got no answer. */
const maxTries = 4

/** Who orders, of which shop, and how many times. */
interface Orders {
  readonly cluster: Cluster
  readonly application: Application
  readonly shop: Shop
  readonly name: string
  readonly count: number
}

/** Orders for a while. */
export const order = ({ cluster, application, shop, name, count }: Orders): Effect.Effect<void> => {
  const { world } = cluster
  const { simulation } = world
  let serial = 0

  const draft = (): Order => {
    const mode = simulation.chance(0.7) ? "live" : "sandbox"
    const caller: Caller = { organizationId: shop.organizationId, mode, connectionId: null, source: "api" }
    const kind = simulation.chance(0.6) ? "qr" : "phone"
    const id = `${name} ${++serial}`
    const isWithdrawn = simulation.chance(0.2)
    return { id, caller, kind, amount: simulation.between(1, 5000), hasKey: simulation.chance(0.5), isWithdrawn }
  }

  const ask = Effect.fnUntraced(function* (one: Order) {
    for (let tries = 0; tries < maxTries; tries++) {
      const heard = yield* cluster.anyServer()?.call((_, host) => application.place(one, host)) ??
        Effect.succeed("nothing" as const)
      world.note(name, `order ${one.id}: ${heard === "nothing" ? "no answer" : heard._tag}`)
      if (heard !== "nothing" && heard._tag === "Success") return void application.placed.add(one.id)
      yield* Effect.sleep(simulation.between(1, 3000))
    }
  })

  /** In the sandbox no customer pays: the merchant says that they did. */
  const pay = Effect.fnUntraced(function* ({ id, caller }: Order) {
    yield* cluster.anyServer()?.call(({ invoices }) =>
      Effect.gen(function* () {
        const page = yield* invoices.list(caller, { externalOrderId: id })
        yield* Effect.forEach(page.invoices, (invoice) => invoices.simulate(caller, invoice.id, { status: "paid" }))
      })
    ) ?? Effect.void
  })

  const step = Effect.gen(function* () {
    yield* Effect.sleep(simulation.between(1, 2500))
    const one = draft()
    if (one.isWithdrawn) application.withdrawn.add(one.id)
    yield* Effect.all(simulation.chance(0.2) ? [ask(one), ask(one)] : [ask(one)], { concurrency: "unbounded" })
    if (one.caller.mode === "sandbox" && simulation.chance(0.7)) yield* pay(one)
  })
  return Effect.asVoid(Effect.repeat(step, { times: count - 1 }))
}
