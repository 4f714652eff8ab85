/** A merchant's own server in the simulation: it creates, reads, cancels, refunds, and repeats what got no answer. */
import type { Engine } from "@tolem/core/engine/Engine"
import { type Invoice, isRefundable } from "@tolem/core/invoice/Invoice"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { toIso } from "@tolem/core/value/Calendar"
import type { Mode } from "@tolem/core/value/Mode"
import { type Cause, Effect, type Exit } from "effect"
import type { Cluster } from "./Cluster.ts"
import type { FollowedFeeds } from "./Follower.ts"
import type { Heard } from "./Server.ts"
import type { Shop } from "./World.ts"

/** What a merchant was told, and may rely on. */
export interface Memory {
  /** Every invoice that a create was acknowledged with. */
  readonly created: Array<{ readonly id: string; readonly amount: number }>
  /** Ids that were answered for a key; there must be one of each. */
  readonly keys: Map<string, Set<string>>
  /** Subscriptions that were acknowledged. */
  readonly subscriptions: Set<string>
  /** Refunds that were acknowledged, by `invoice key`. */
  readonly refunded: Set<string>
  /** What was read of the feeds. */
  readonly feeds: FollowedFeeds
}

/** A memory of nothing. */
export const emptyMemory = (): Memory => ({
  created: [],
  keys: new Map(),
  subscriptions: new Set(),
  refunded: new Set(),
  feeds: new Map()
})

interface Known {
  readonly id: string
  readonly amount: number
  readonly caller: Caller
}

/** How often something is repeated that got no answer, or one that asks for patience. */
const maxTries = 6

/** Works for a while and remembers. */
export const work = (
  cluster: Cluster,
  shop: Shop,
  memory: Memory,
  name: string,
  deeds: number
): Effect.Effect<void> => {
  const { world } = cluster
  const { simulation } = world
  const known: Array<Known> = []
  /** Those that were seen paid. */
  const refundable: Array<Known> = []
  const subscribed: Array<{ readonly id: string; readonly caller: Caller }> = []
  let serial = 0

  const callerOf = (mode: Mode): Caller => ({
    organizationId: shop.organizationId,
    mode,
    connectionId: null,
    source: "api"
  })

  const pause = (maxMs: number) => Effect.suspend(() => Effect.sleep(simulation.between(1, maxMs)))

  /** Calls some server; repeats, where it may, until there is an answer that says something. */
  const ask = <A, E>(what: string, use: (engine: Engine["Service"]) => Effect.Effect<A, E>, repeatable: boolean) =>
    Effect.gen(function* () {
      for (let count = 0; count < (repeatable ? maxTries : 1); count++) {
        const heard: Heard<A, E> = yield* cluster.anyServer()?.call(use) ?? Effect.succeed<Heard<A, E>>("nothing")
        world.note(name, `${what}: ${heard === "nothing" ? "no answer" : said(heard)}`)
        if (heard !== "nothing" && !asksForPatience(heard)) return heard
        yield* pause(3000)
      }
      return "nothing" as const
    })

  const create = Effect.gen(function* () {
    const mode: Mode = simulation.chance(0.7) ? "live" : "sandbox"
    const kind = simulation.chance(0.6) ? "qr" : "phone"
    const amount = simulation.between(1, 5000)
    const key = simulation.chance(0.8) ? `${name} ${++serial}` : null
    const body = {
      kind,
      amount,
      customer: { phone: "77010000001", email: "a@b.kz" },
      ...(key !== null && { idempotencyKey: key }),
      // Messages to members name payments so. Of an application these are its orders.
      ...(key !== null && cluster.application === null && { externalOrderId: key })
    }
    const caller = callerOf(mode)
    const once = Effect.flatMap(
      ask(`create ${mode} ${kind} ${key}`, ({ invoices }) => invoices.create(caller, { body }), key !== null),
      (heard) => Effect.sync(() => learn(caller, key, heard))
    )
    yield* Effect.all(simulation.chance(0.2) && key !== null ? [once, once] : [once], { concurrency: "unbounded" })
  })

  const learn = (caller: Caller, key: string | null, heard: Heard<{ readonly invoice: Invoice }, unknown>) => {
    if (heard === "nothing" || heard._tag === "Failure") return
    const { id, amount, status } = heard.value.invoice
    if (status === "new") world.violate(`${id} was answered, and cannot be paid yet`)
    memory.created.push({ id, amount })
    if (key !== null) {
      const own = `${caller.organizationId} ${caller.mode} ${key}`
      memory.keys.set(own, (memory.keys.get(own) ?? new Set()).add(id))
    }
    if (!known.some((one) => one.id === id)) known.push({ id, amount, caller })
  }

  const read = Effect.fnUntraced(function* (one: Known) {
    const heard = yield* ask(`read ${one.id}`, ({ invoices }) => invoices.get(one.caller, one.id, { live: true }), true)
    if (heard === "nothing" || heard._tag === "Failure") return
    if (isRefundable(heard.value.invoice.status)) refundable.push(one)
  })

  const refund = Effect.fnUntraced(function* ({ id, amount, caller }: Known) {
    const headerKey = `${name} refund ${++serial}`
    const part = Math.ceil(amount / 100 / simulation.between(1, 4))
    const body = simulation.chance(0.25) ? {} : { amount: part }
    const once = Effect.map(
      ask(`refund ${id}`, ({ invoices }) => invoices.refund(caller, id, { body, headerKey }), true),
      (heard) => {
        if (heard !== "nothing" && heard._tag === "Success") memory.refunded.add(`${id} ${headerKey}`)
      }
    )
    yield* Effect.all(simulation.chance(0.3) ? [once, once] : [once], { concurrency: "unbounded" })
  })

  const simulate = ({ id, caller }: Known) =>
    ask(
      `simulate ${id}`,
      ({ invoices }) => invoices.simulate(caller, id, { status: simulation.pick(["paid", "failed", "expired"]) }),
      false
    )

  const subscribe = Effect.gen(function* () {
    const caller = callerOf(simulation.chance(0.7) ? "live" : "sandbox")
    const key = `${name} subscription ${++serial}`
    const startAt = toIso(simulation.nowMs + simulation.between(0, 20_000))
    const body = {
      amount: simulation.between(1, 5000),
      kind: simulation.pick(["qr", "phone", "phone"]),
      interval: "day",
      every: simulation.between(1, 2),
      customer: { phone: "77010000001", email: "a@b.kz" },
      retry: simulation.pick([[], [1], [1, 2]]),
      misfire: simulation.pick(["run_once", "skip"]),
      maxRuns: simulation.pick([1, 2, 3]),
      startAt,
      idempotencyKey: key
    }
    const heard = yield* ask(`subscribe ${key}`, ({ subscriptions }) => subscriptions.create(caller, { body }), true)
    if (heard === "nothing" || heard._tag === "Failure") return
    const { id } = heard.value.subscription
    memory.subscriptions.add(id)
    subscribed.push({ id, caller })
  })

  /** A month of its tariff, which the customers of the simulation pay for, or do not. */
  const buy = Effect.gen(function* () {
    const heard = yield* ask("buy", ({ tariffSales }) => tariffSales.buy(shop.organizationId, shop.tariff), false)
    if (heard === "nothing" || heard._tag === "Failure") return
    const { id, amount } = heard.value.invoice
    memory.created.push({ id, amount })
  })

  const steer = Effect.suspend(() => {
    const { id, caller } = simulation.pick(subscribed)
    const what = simulation.pick(["pause", "resume", "resume", "run", "cancel"] as const)
    if (what === "run") return runNow(id, caller)
    return ask(
      `${what} ${id}`,
      ({ subscriptions }): Effect.Effect<unknown, { readonly _tag: string }> => subscriptions[what](caller, id),
      true
    )
  })

  /** A stranger pays at a link of the shop: makes an invoice of it, and mostly opens its page. */
  const visit = Effect.gen(function* () {
    const caller = callerOf(simulation.chance(0.7) ? "live" : "sandbox")
    const link = { title: "Tea", amount: 5 }
    const made = yield* ask("link", ({ paymentLinks }) => paymentLinks.create(caller, link), true)
    if (made === "nothing" || made._tag === "Failure") return
    const heard = yield* ask("visit", ({ paymentLinks }) => paymentLinks.pay(made.value.slug, {}), false)
    if (heard === "nothing" || heard._tag === "Failure") return
    const invoice = heard.value
    memory.created.push(invoice)
    known.push({ id: invoice.id, amount: invoice.amount, caller })
    const open = ask(`open ${invoice.id}`, ({ opening }) => opening.open(invoice), true)
    if (simulation.chance(0.8)) yield* Effect.all([open, open], { concurrency: "unbounded" })
  })

  /** A run out of schedule, whose page the customer may open. */
  const runNow = Effect.fnUntraced(function* (id: string, caller: Caller) {
    const heard = yield* ask(`run ${id}`, ({ subscriptions }) => subscriptions.run(caller, id), false)
    if (heard === "nothing" || heard._tag === "Failure") return
    const { invoice } = heard.value
    memory.created.push(invoice)
    known.push({ id: invoice.id, amount: invoice.amount, caller })
    if (simulation.chance(0.7)) yield* ask(`open ${invoice.id}`, ({ opening }) => opening.open(invoice), true)
  })

  /** A customer whose code was lost taps on "new code", mostly twice at once, and mostly has the code made. */
  const again = Effect.fnUntraced(function* ({ id, amount, caller }: Known) {
    const tap = ask(
      `again ${id}`,
      ({ invoices, successors }) => Effect.flatMap(invoices.get(caller, id), ({ invoice }) => successors.next(invoice)),
      true
    )
    const [heard] = yield* Effect.all([tap, tap], { concurrency: "unbounded" })
    if (heard === "nothing" || heard._tag === "Failure" || heard.value.id === id) return
    const invoice = heard.value
    memory.created.push(invoice)
    if (!known.some((one) => one.id === invoice.id)) known.push({ id: invoice.id, amount, caller })
    if (simulation.chance(0.7)) yield* ask(`open ${invoice.id}`, ({ opening }) => opening.open(invoice), true)
  })

  const deed = Effect.suspend((): Effect.Effect<unknown> => {
    const one = known.length === 0 ? undefined : simulation.pick(known)
    const choice = simulation.next()
    if (choice > 0.9) return subscribe
    if (choice > 0.83 && subscribed.length > 0) return steer
    if (choice > 0.8) return buy
    if (choice > 0.75) return visit
    if (one === undefined || choice < 0.35) return create
    if (choice < 0.4) return again(one)
    if (choice < 0.55) return read(one)
    if (choice < 0.65) return ask(`cancel ${one.id}`, ({ invoices }) => invoices.cancel(one.caller, one.id), true)
    if (refundable.length > 0 && simulation.chance(0.8)) return refund(simulation.pick(refundable))
    return one.caller.mode === "sandbox" && simulation.chance(0.6) ? simulate(one) : refund(one)
  })

  return Effect.andThen(pause(1500), deed).pipe(Effect.repeat({ times: deeds - 1 }), Effect.asVoid)
}

const said = (exit: Exit.Exit<unknown, unknown>): string =>
  exit._tag === "Success" ? "done" : exit.cause.reasons.map((reason) => tagOf(reason)).join()

const tagOf = (reason: Cause.Reason<unknown>): string => {
  if (reason._tag !== "Fail") return reason._tag
  const { error } = reason
  return typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : "failure"
}

const patience = new Set([
  "StorageError",
  "InvoiceChanged",
  "InvoiceCreateFailed",
  "ProviderError",
  "ProviderSessionExpired"
])

const asksForPatience = <A, E>(exit: Exit.Exit<A, E>): boolean => {
  if (exit._tag === "Success") return false
  const [reason] = exit.cause.reasons
  return reason?._tag !== "Fail" || patience.has(tagOf(reason))
}
