/** Late money for a lost invoice while others are at work on the one that took its place. */
import { Engine } from "@tolem/core/engine/Engine"
import { StorageError } from "@tolem/core/error/StorageError"
import type { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import type { InvoiceId, SubscriptionId } from "@tolem/core/value/Ids"
import { WebhookSender } from "@tolem/core/webhook/sending/WebhookSender"
import { Effect, Layer, Option, Schedule } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { askForCode, call } from "./support/calls.ts"
import * as TestClock from "./support/clock.ts"
import { type Key, type Service, start } from "./support/service.ts"

type Store = InvoiceStore["Service"]
type Between = (store: Store) => Effect.Effect<void, StorageError>

const nothing: Between = () => Effect.void
/** What happens once, right before an invoice is cancelled, and right after those of a run are read. */
let beforeCancel: Between = nothing
let afterDetails: Between = nothing

const alter = (store: Store): Store => ({
  ...store,
  commitMany: (writes) => {
    const between = writes.some(({ next }) => next.status === "cancelled") ? beforeCancel : nothing
    return Effect.andThen(between(store), store.commitMany(writes))
  },
  details: (ids) => {
    const between = afterDetails
    return Effect.tap(store.details(ids), () => between(store))
  }
})

const now = Date.UTC(2026, 0, 10, 7)
let service: Service
let key: Key
beforeAll(async () => {
  service = await start({ now, settings: { pagesPerMinute: 1e9 }, alter })
  key = await service.key()
})
afterEach(() => {
  beforeCancel = nothing
  afterDetails = nothing
})
afterAll(() => service.stop())

const api = async (method: string, path: string, body?: object) =>
  (await call(service, method, `/api/v1${path}`, { key, body })).body
const statusesOf = async (ids: ReadonlyArray<string>) =>
  Promise.all(ids.map(async (id) => (await api("GET", `/invoices/${id}`))["status"]))
const simulate = (id: string, status: string) => api("POST", `/invoices/${id}/simulate`, { status })
const findings = async () => service.run((await service.run(Engine)).integrity.findings)
const again = async (id: string) => {
  const answer = await fetch(`${service.url}/pay/${id}/again?lang=en`, { method: "POST", redirect: "manual" })
  return /^\.\.\/(inv_\w+)\?lang=en$/.exec(answer.headers.get("location") ?? "")?.[1] ?? String(answer.status)
}
const lost = async (id: string) => {
  await askForCode(service, id)
  await simulate(id, "expired")
}

const linked = async () => {
  const link = await api("POST", "/payment-links", { title: "Шай", amount: 700 })
  return String((await call(service, "POST", `/l/${link["slug"]}`)).body["invoiceId"])
}
const subscribed = async (retry: ReadonlyArray<number> = []) => {
  const startAt = new Date(service.time.now + 30 * 86_400_000)
  const made = await api("POST", "/subscriptions", { amount: 900, interval: "month", retry, startAt })
  return { id: String(made["id"]), first: String((await api("POST", `/subscriptions/${made["id"]}/run`))["id"]) }
}

/** Has the agents at work until the run of this subscription waits for nothing. */
const untilRested = async (id: string) => {
  const sender = Layer.succeed(WebhookSender, { send: () => Effect.never })
  const agents = Layer.provide(Layer.fresh(Engine.agents), [sender, TestClock.layer(service.time)])
  const isRested = SubscriptionStore.use((store) => store.detail(id as SubscriptionId)).pipe(
    Effect.map((found) => Option.getOrThrow(found).runs.every(({ dueAt }) => dueAt === null))
  )
  const rested = Effect.repeat(isRested, { until: (is) => is, schedule: Schedule.spaced("20 millis") })
  await service.run(Effect.scoped(Effect.andThen(Layer.build(agents), rested)))
}

/** Another changes the invoice, so many times. */
const changing = (id: string, times: number) => {
  let left = times
  return (store: Store) =>
    Effect.gen(function* () {
      if (left-- <= 0) return
      const previous = Option.getOrThrow(yield* store.find(id as InvoiceId))
      const next = { ...previous, version: previous.version + 1 }
      yield* store.commitMany([{ previous, next, event: null, refund: null }])
    })
}

describe("the successor of an invoice that is paid late", () => {
  it("is closed though its code is made at the same moment", async () => {
    const first = await linked()
    await lost(first)
    const second = await again(first)
    beforeCancel = changing(second, 2)
    await simulate(first, "paid")
    expect(await statusesOf([first, second])).toEqual(["paid", "cancelled"])
    expect(await findings()).toEqual([])
  })

  it("gets no code where the server ended before it could close it", async () => {
    const first = await linked()
    await lost(first)
    const second = await again(first)
    beforeCancel = () =>
      Effect.fail(new StorageError({ operation: "crash", outcome: "nothing_written", retryable: true, cause: "crash" }))
    await simulate(first, "paid")
    expect(await statusesOf([first, second])).toEqual(["paid", "new"])
    beforeCancel = nothing
    await askForCode(service, second)
    expect(await statusesOf([first, second])).toEqual(["paid", "cancelled"])
    expect(await findings()).toEqual([])
  })

  it("of a run is closed though its code is made at the same moment", async () => {
    const { id, first } = await subscribed()
    await lost(first)
    const second = await again(first)
    beforeCancel = changing(second, 2)
    await simulate(first, "paid")
    await untilRested(id)
    expect(await statusesOf([first, second])).toEqual(["paid", "cancelled"])
    expect(await findings()).toEqual([])
  })

  it("is not made where the money comes while it is asked for, also of a run that has ended", async () => {
    const { id, first } = await subscribed()
    await lost(first)
    await untilRested(id)
    afterDetails = () => {
      afterDetails = nothing
      return Effect.promise(() => simulate(first, "paid"))
    }
    expect(await again(first)).toBe(first)
    expect(await statusesOf([first])).toEqual(["paid"])
    expect(await api("GET", `/subscriptions/${id}`)).toMatchObject({ lastInvoiceId: first })
    expect(await findings()).toEqual([])
  })
})

describe("the ladder of a run", () => {
  it("goes on with its next try when the customer has lost another code meanwhile", async () => {
    const { id, first } = await subscribed([1])
    await lost(first)
    const second = await again(first)
    await lost(second)
    service.time.now += 3_600_000
    await untilRested(id)
    const third = String((await api("GET", `/subscriptions/${id}`))["lastInvoiceId"])
    expect([first, second]).not.toContain(third)
    expect(await statusesOf([first, second, third])).toEqual(["expired", "expired", "new"])
    await lost(third)
    await untilRested(id)
    expect(await api("GET", `/subscriptions/${id}`)).toMatchObject({ lastInvoiceId: third })
    expect(await findings()).toEqual([])
  })
})
