/** Promises of `RequestLogStore`. */
import type { LoggedRequest } from "@tolem/core/requestlog/LoggedRequest"
import { type LoggedHour, type RequestLogQuery, RequestLogStore } from "@tolem/core/requestlog/RequestLogStore"
import type { Tenant } from "@tolem/core/value/Tenant"
import { Effect } from "effect"
import { expectEqual } from "../Expectation.ts"
import { storageSubject } from "./StorageCase.ts"

const hourMs = 3_600_000
const shop: Tenant = { organizationId: "org_shop", mode: "sandbox" }
const perHour = 3

/** A request of a shop in the first hour, that is named after when it began. */
export const loggedRequestOf = (members: Partial<LoggedRequest> = {}): LoggedRequest => ({
  ...shop,
  at: hourMs,
  requestId: `request-${members.at ?? hourMs}`,
  keyEnding: "ab12",
  method: "POST",
  route: "/api/v1/invoices",
  status: 201,
  code: null,
  durationMs: 12,
  ...members
})

/** The hour of some requests, counted. */
export const loggedHourOf = (kept: ReadonlyArray<LoggedRequest>, of: Partial<LoggedHour> = {}): LoggedHour => ({
  ...shop,
  hourAt: hourMs,
  requests: kept.length,
  refused: kept.filter(({ status }) => status >= 400 && status < 500).length,
  failed: kept.filter(({ status }) => status >= 500).length,
  kept,
  ...of
})

const many = (count: number, members: Partial<LoggedRequest> = {}, first = 0) =>
  Array.from({ length: count }, (_, index) => loggedRequestOf({ ...members, at: hourMs + first + index }))

const refused = { status: 422, code: "invalid_amount" } as const

const query = (of: Partial<RequestLogQuery> = {}): RequestLogQuery => ({
  since: 0,
  before: null,
  errorsOnly: false,
  requestId: null,
  limit: 100,
  ...of
})

const add = (...hours: ReadonlyArray<LoggedHour>) => RequestLogStore.use((store) => store.add(hours, perHour))

const instants = (of: Partial<RequestLogQuery> = {}, tenant = shop) =>
  Effect.map(
    RequestLogStore.use((store) => store.list(tenant, query(of))),
    (found) => found.map(({ at }) => at - hourMs)
  )

/** What every storage must do, of “requests”. */
export const casesOfRequests = storageSubject("requests", {
  *"come back as they were written, the newest first"() {
    const store = yield* RequestLogStore
    const [first, second] = [loggedRequestOf(), loggedRequestOf({ ...refused, at: hourMs + 5, durationMs: 0 })]
    yield* add(loggedHourOf([first, second]))
    expectEqual(
      yield* store.list(shop, query()),
      [
        { ...second, place: 1 },
        { ...first, place: 0 }
      ],
      "both"
    )
  },

  *"are those of one organization and mode"() {
    yield* add(loggedHourOf(many(1)))
    expectEqual(yield* instants({}, { ...shop, mode: "live" }), [], "not of the other mode")
    expectEqual(yield* instants({}, { ...shop, organizationId: "org_other" }), [], "not of another one")
    const hours = yield* RequestLogStore.use((store) => store.hours({ ...shop, mode: "live" }, 0))
    expectEqual(hours, [], "nor are they counted there")
  },

  *"take the places of the oldest of their hour, refusals among themselves"() {
    yield* add(loggedHourOf(many(2, refused)))
    yield* add(loggedHourOf(many(2, {}, 10)))
    yield* add(loggedHourOf(many(2, {}, 20)))
    yield* add(loggedHourOf(many(7, {}, 30)))
    expectEqual(yield* instants(), [36, 35, 34, 1, 0], "the last three, and both that were refused")
    const later = loggedRequestOf({ at: 2 * hourMs })
    yield* add(loggedHourOf([later], { hourAt: 2 * hourMs }))
    expectEqual(yield* instants(), [hourMs, 36, 35, 34, 1, 0], "another hour has places of its own")
  },

  *"are never more than there are places, however many servers write"() {
    yield* Effect.forEach(
      Array.from({ length: 20 }, (_, n) => n),
      (n) =>
        add(loggedHourOf(many((n % 4) + 1, {}, n * 10)), loggedHourOf(many(1, { mode: "live" }), { mode: "live" })),
      { concurrency: "unbounded" }
    )
    expectEqual((yield* instants()).length, perHour, "three")
    const counts = yield* RequestLogStore.use((store) => store.hours(shop, 0))
    expectEqual(counts, [{ ...shop, hourAt: hourMs, requests: 50, refused: 0, failed: 0 }], "and all are counted")
  },

  *"are counted where they are not kept"() {
    const store = yield* RequestLogStore
    yield* add(loggedHourOf([], { requests: 10, refused: 3, failed: 2 }))
    yield* add(loggedHourOf(many(1, { status: 500, code: "internal_error" })))
    yield* add(loggedHourOf([], { hourAt: 2 * hourMs, requests: 1 }))
    yield* store.add([], perHour)
    const hour = { ...shop, hourAt: hourMs, requests: 11, refused: 3, failed: 3 }
    const next = { ...shop, hourAt: 2 * hourMs, requests: 1, refused: 0, failed: 0 }
    expectEqual(yield* store.hours(shop, 0), [hour, next], "by hours")
    expectEqual(yield* store.hours(shop, hourMs + 1), [next], "from an instant on")
    expectEqual(yield* instants(), [0], "and the one is kept")
  },

  *"are found by their name, their outcome and page by page"() {
    const store = yield* RequestLogStore
    yield* add(loggedHourOf([...many(2), loggedRequestOf({ ...refused, at: hourMs + 1, requestId: "mine" })]))
    expectEqual(yield* instants({ errorsOnly: true }), [1], "what was refused")
    expectEqual(yield* instants({ requestId: "mine" }), [1], "by its name")
    expectEqual(yield* instants({ requestId: "min" }), [], "the whole name")
    expectEqual(yield* instants({ since: hourMs + 1 }), [1, 1], "from an instant on")
    const page = yield* store.list(shop, query({ limit: 2 }))
    const [last] = page.slice(-1)
    expectEqual(
      page.map(({ place }) => place),
      [2, 1],
      "two of one instant"
    )
    expectEqual(yield* instants({ before: last ?? null }), [0], "and what stands behind them")
    expectEqual(yield* instants({ before: page[0] ?? null }), [1, 0], "or behind the first of these")
  },

  *"are forgotten by their hour"() {
    const store = yield* RequestLogStore
    yield* add(loggedHourOf(many(3)), loggedHourOf(many(2, { mode: "live" }), { mode: "live" }))
    yield* add(loggedHourOf([loggedRequestOf({ at: 2 * hourMs })], { hourAt: 2 * hourMs }))
    expectEqual(yield* store.forget(hourMs, 2), 0, "nothing is that old")
    expectEqual(yield* store.forget(2 * hourMs, 2), 2, "a portion")
    yield* store.forget(2 * hourMs, 2)
    yield* store.forget(2 * hourMs, 2)
    expectEqual(yield* store.forget(2 * hourMs, 2), 0, "until there is none")
    expectEqual(yield* instants(), [hourMs], "what is younger stays")
    expectEqual((yield* store.hours(shop, 0)).length, 1, "with its count")
  }
})
