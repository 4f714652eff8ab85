/**
 * An application that embeds the engine: its servers make an order and its invoice in one transaction, and hear of
 * payments in the transaction that settles them. It is slow, fails, and ends its process at the worst moments.
 */
import type { Engine } from "@tolem/core/engine/Engine"
import type { Consumer, ReactionJob } from "@tolem/core/feed/ReactionStore"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { World } from "./World.ts"

/** What code of the application has in the process of a server. */
export interface Host {
  readonly engine: Engine["Service"]
  readonly sql: SqlClient.SqlClient
  /** Ends the process at once. */
  readonly end: () => void
}

/** What hears of payments. */
export const consumer: Consumer = { name: "orders", types: ["invoice.paid"], organizations: [] }

/** Waits of its retries: so short that what fails is given up before the trouble is over. */
export const retryWaitsMs = [1000, 2000, 3000]

/** Handles events, as the engine calls it. */
type Handler = Parameters<Engine["Service"]["reactions"]["handle"]>[1]

/** An order, as its customer wants it. */
export interface Order {
  readonly id: string
  readonly caller: Caller
  readonly amount: number
  readonly kind: "qr" | "phone"
  readonly hasKey: boolean
  /** The application undoes it in the end, every time. */
  readonly isWithdrawn: boolean
}

/** The application has changed its mind. */
class Withdrawn extends Data.TaggedError("Withdrawn") {}

/** A handler has failed. */
class HandlerBroken extends Data.TaggedError("HandlerBroken") {}

/** How an event fares with the handler while there is trouble. */
type Fate = "well" | "refused" | "fatal"

/** Its tables. What is marked and heard is counted, so that a second time shows. */
export const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table shop_orders (id text primary key, invoice_id text, marks integer not null default 0)`
  yield* sql`create table shop_heard (event_id text not null)`
})

/** The order that follows one that was paid, as its delivery does. */
export const followerOf = (id: string): string => `${id}/delivery`

/** The application, and what its customers were told. */
export class Application {
  /** Orders that were acknowledged. */
  readonly placed = new Set<string>()
  /** Orders that were undone. */
  readonly withdrawn = new Set<string>()
  /** Events that were given up, and sent again. */
  resent = 0
  private readonly fates = new Map<string, Fate>()
  private readonly ended = new Map<string, number>()
  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** Makes an order with its invoice: both, or none. May be repeated. */
  place(order: Order, host: Host) {
    const { id, caller, isWithdrawn } = order
    const { sql, engine } = host
    const making = Effect.gen({ self: this }, function* () {
      const fresh = yield* sql`insert into shop_orders (id) values (${id}) on conflict (id) do nothing returning id`
      if (fresh.length === 0) return
      yield* this.hazard(host)
      const { invoice } = yield* engine.invoices.createWithin(caller, { body: bodyOf(order) })
      yield* this.hazard(host)
      yield* sql`update shop_orders set invoice_id = ${invoice.id} where id = ${id}`
      if (isWithdrawn) return yield* new Withdrawn()
      yield* this.hazard(host)
    })
    return sql.withTransaction(making)
  }

  /** Marks the order that was paid, and makes the one that follows it. */
  handler({ engine, end }: Pick<Host, "engine" | "end">): Handler {
    return (job, transaction) =>
      Effect.gen({ self: this }, function* () {
        const host = { engine, end, sql: yield* SqlClient.SqlClient }
        yield* this.strike(job, host)
        yield* this.failure(host)
        yield* host.sql`insert into shop_heard (event_id) values (${job.event.id})`
        yield* this.failure(host)
        const marked = yield* host.sql`
          update shop_orders set marks = marks + 1 where invoice_id = ${job.invoice.id} returning id`
        if (marked.length > 0) yield* this.follow(job, transaction, host)
        yield* this.failure(host)
      })
  }

  private follow(job: ReactionJob, transaction: unknown, { engine, sql }: Host) {
    const { externalOrderId, organizationId, mode, kind, amount } = job.invoice
    if (externalOrderId === null || externalOrderId.includes("/")) return Effect.void
    const caller: Caller = { organizationId, mode, connectionId: null, source: "api" }
    const id = followerOf(externalOrderId)
    const order: Order = { id, caller, kind, amount: Math.ceil(amount / 100), hasKey: false, isWithdrawn: false }
    return Effect.gen(function* () {
      const { invoice } = yield* engine.invoices.createWithin(caller, { body: bodyOf(order) }, transaction)
      yield* sql`insert into shop_orders (id, invoice_id) values (${id}, ${invoice.id})`
    })
  }

  /** A moment in which others have their turns, or in which the process ends. */
  private hazard({ end }: Host): Effect.Effect<void> {
    return Effect.suspend((): Effect.Effect<void> => {
      const { simulation, calmed } = this.world
      if (calmed) return Effect.void
      const drawn = simulation.next()
      if (drawn < 0.02) return Effect.andThen(Effect.sync(end), Effect.never)
      return drawn < 0.25 ? Effect.sleep(simulation.between(1, 150)) : Effect.void
    })
  }

  /** The same, or the handler fails, or does not end. */
  private failure(host: Host): Effect.Effect<void, HandlerBroken> {
    return Effect.suspend((): Effect.Effect<void, HandlerBroken> => {
      const { simulation, calmed } = this.world
      if (calmed) return Effect.void
      const drawn = simulation.next()
      if (drawn < 0.08) return new HandlerBroken()
      return drawn < 0.085 ? Effect.never : this.hazard(host)
    })
  }

  /** Some events fail at every try, and some end every process that handles them, until the application is repaired. */
  private strike({ event: { id }, attempt }: ReactionJob, { end }: Host): Effect.Effect<void, HandlerBroken> {
    return Effect.suspend((): Effect.Effect<void, HandlerBroken> => {
      const { simulation, calmed } = this.world
      const fate = this.fates.get(id) ?? simulation.pick<Fate>(["well", "well", "well", "well", "refused", "fatal"])
      this.fates.set(id, fate)
      this.world.note("handler", `try ${attempt} of ${id}${calmed ? "" : ` (${fate})`}`)
      if (calmed || fate === "well") return Effect.void
      if (fate === "refused") return new HandlerBroken()
      const ended = (this.ended.get(id) ?? 0) + 1
      this.ended.set(id, ended)
      if (ended > retryWaitsMs.length + 1) this.world.violate(`the reaction to ${id} has ended ${ended} servers`)
      return Effect.andThen(Effect.sync(end), Effect.never)
    })
  }
}

const bodyOf = ({ id, kind, amount, hasKey }: Order) => ({
  kind,
  amount,
  externalOrderId: id,
  customer: { phone: "77010000001", email: "a@b.kz" },
  ...(hasKey && { idempotencyKey: `order ${id}` })
})

/** Has everything tried again that was given up. Answers how much that was. */
export const resendAll = Effect.fnUntraced(function* ({ reactions }: Engine["Service"]) {
  const failures = yield* reactions.failures(consumer.name, { limit: 100 })
  const resent = yield* Effect.forEach(failures, ({ id }) => reactions.resend(id))
  return resent.filter((found) => found).length
})
