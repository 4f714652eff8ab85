/** What members are shown of subscriptions: found by their texts, summed up, by day, with their runs. */
import { subscriptionCreated } from "@tolem/core/subscription/Subscription"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { subscriptionOf } from "@tolem/testing/storage/SubscriptionCases"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { as, logIn, organizationOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

// Noon in Almaty on 10 January 2026.
const now = Date.UTC(2026, 0, 10, 7)
let service: Service
let owner: Person
beforeAll(async () => {
  service = await start({ now })
  owner = await logIn(service, "77096100001")
})
afterAll(() => service.stop())

const opened = async () => {
  const organizationId = await organizationOf(service, owner)
  const panel = async (method: string, path: string, body?: unknown) => {
    const answer = await as(service, owner, method, `/panel/orgs/${organizationId}${path}`, body)
    return { status: answer.status, body: answer.body as unknown as Told }
  }
  const create = async (body: object) => (await panel("POST", "/subscriptions", { amount: 1000, ...body })).body.id
  return { organizationId, panel, create }
}

interface Told {
  readonly id: string
  readonly error: string
  readonly next: string | null
  readonly subscription: { readonly id: string }
  readonly subscriptions: ReadonlyArray<Told>
  readonly due: ReadonlyArray<Told>
  readonly runs: ReadonlyArray<Told>
  readonly days: ReadonlyArray<Told>
  readonly dates: ReadonlyArray<string>
}

it("finds them by texts, and those alone that are stuck", async () => {
  const { organizationId, panel, create } = await opened()
  const id = await create({ description: "Йога", customer: { name: "Әлия" }, dayOfMonth: 5 })
  await create({ description: "Club", dayOfMonth: 5 })
  const stuck = subscriptionOf({ organizationId, faults: 2, fault: "connection_not_active" })
  await service.run(
    SubscriptionStore.use((store) => store.insert(stuck, subscriptionCreated(stuck, `evt_${stuck.id}`, "api")))
  )
  const found = async (query: string) => {
    const { status, body } = await panel("GET", `/subscriptions?mode=sandbox&${query}`)
    expect(status).toBe(200)
    return body.subscriptions.map((each) => each.id)
  }
  expect(await found("search=%D0%B9%D0%9E%D0%B3")).toEqual([id])
  expect(await found("stuck=1")).toEqual([stuck.id])
  expect(await found("status=paused")).toEqual([])
  const { body } = await panel("GET", `/subscriptions/${stuck.id}`)
  expect(body).toMatchObject({ stuck: { code: "connection_not_active", tries: 2 } })
  const own = await panel("GET", `/subscriptions/${id}`)
  expect(own.body).toMatchObject({
    stuck: null,
    connectionId: null,
    upcoming: ["02", "03", "04", "05", "06"].map((month) => `2026-${month}-05T05:00:00.000Z`)
  })
  expect((await panel("GET", "/subscriptions?search=a&search=b")).body).toMatchObject({ error: "invalid_search" })
})

it("sums them up, and shows the days of a month with their subscriptions", async () => {
  const { panel, create } = await opened()
  const monthly = await create({ amount: 3000, dayOfMonth: 15 })
  await create({ amount: 700, interval: "week", startAt: "2026-01-12T04:00:00Z", maxRuns: 2 })
  const paused = await create({ amount: 5, dayOfMonth: 15 })
  await panel("POST", `/subscriptions/${paused}/pause`)
  expect((await panel("GET", "/subscription-sums")).body).toEqual({
    active: 2,
    paused: 1,
    cancelled: 0,
    finished: 0,
    stuck: 0,
    // 700 × 365 / 84 and 3000
    monthlyAmount: 6041.67,
    next30Days: { runs: 3, amount: 4400 }
  })
  expect((await panel("GET", "/subscription-calendar")).body).toEqual({
    from: "2026-01-01",
    to: "2026-01-31",
    today: "2026-01-10",
    runs: 3,
    amount: 4400,
    days: [
      { day: "2026-01-12", runs: 1, amount: 700 },
      { day: "2026-01-15", runs: 1, amount: 3000 },
      { day: "2026-01-19", runs: 1, amount: 700 }
    ]
  })
  const december = await panel("GET", "/subscription-calendar?from=2027-12-31")
  expect(december.body).toMatchObject({ to: "2027-12-31", days: [{ day: "2027-12-15", runs: 1, amount: 3000 }] })
  const day = await panel("GET", "/subscription-calendar/day?from=2027-12-15")
  expect(day.body).toMatchObject({
    next: null,
    due: [{ runsAt: ["2027-12-15T05:00:00.000Z"], subscription: { id: monthly, amount: 3000 } }]
  })
  const wrong = async (path: string) => (await panel("GET", path)).body.error
  expect(await wrong("/subscription-calendar?from=2026-02-30")).toBe("invalid_from")
  expect(await wrong("/subscription-calendar/day?from=soon")).toBe("invalid_from")
  expect(await wrong("/subscription-calendar/day?after=x")).toBe("invalid_after")
})

it("shows a day of many in parts, each once", async () => {
  const { organizationId, panel } = await opened()
  const nextRunAt = now + 3_600_000
  const all = Array.from({ length: 120 }, () =>
    subscriptionOf({ organizationId, nextRunAt, anchorAt: nextRunAt, dueAt: nextRunAt, dayOfMonth: null })
  )
  await service.run(
    Effect.gen(function* () {
      const store = yield* SubscriptionStore
      for (const one of all) yield* store.insert(one, subscriptionCreated(one, `evt_${one.id}`, "api"))
    })
  )
  const found: Array<string> = []
  let after: string | null = ""
  do {
    const more: string = after === "" ? "" : `&after=${encodeURIComponent(after)}`
    const { body }: { body: Told } = await panel("GET", `/subscription-calendar/day?from=2026-01-10${more}`)
    found.push(...body.due.map(({ subscription }) => subscription.id))
    after = body.next
  } while (after !== null)
  expect(found).toEqual(all.map(({ id }) => id).toSorted())
  expect((await panel("GET", "/subscription-calendar")).body.days[0]).toMatchObject({ day: "2026-01-10", runs: 120 })
})

it("shows the dates of what would be, by the server's rules, and changes nothing", async () => {
  const { panel, create } = await opened()
  const preview = (body: object) => panel("POST", "/subscription-preview", body)
  expect((await preview({ interval: "month", every: 2, dayOfMonth: 5, maxRuns: 2 })).body).toEqual({
    dates: ["2026-02-05T05:00:00.000Z", "2026-04-05T05:00:00.000Z"]
  })
  expect((await preview({ every: 13 })).body).toMatchObject({ error: "invalid_every" })
  const id = await create({ dayOfMonth: 5 })
  const changed = await panel("POST", `/subscriptions/${id}/preview`, { every: 3, nextRunAt: "2026-01-20T05:00:00Z" })
  expect(changed.body.dates.slice(0, 2)).toEqual(["2026-02-05T05:00:00.000Z", "2026-05-05T05:00:00.000Z"])
  expect((await panel("GET", `/subscriptions/${id}`)).body).toMatchObject({ every: 1 })
})

it("shows runs with their invoices, newest first", async () => {
  const { panel, create } = await opened()
  const id = await create({ dayOfMonth: 5, retry: [1, 24] })
  const run = () => panel("POST", `/subscriptions/${id}/run`)
  const [first, second] = [await run(), await run()]
  const { body } = await panel("GET", `/subscriptions/${id}/runs`)
  expect(body).toMatchObject({
    next: null,
    runs: [
      { run: 2, scheduledAt: null, tries: 3, invoices: [{ id: second.body.id, status: "new", amount: 1000 }] },
      { run: 1, invoices: [{ id: first.body.id }] }
    ]
  })
  expect((await panel("GET", `/subscriptions/${id}/runs?after=2`)).body.runs).toHaveLength(1)
  expect((await panel("GET", `/subscriptions/${id}/runs?after=x`)).body).toMatchObject({ error: "invalid_after" })
  expect((await panel("GET", "/subscriptions/sub_none/runs")).status).toBe(404)
})
