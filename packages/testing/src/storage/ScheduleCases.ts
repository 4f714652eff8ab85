/** Promises of `SubscriptionStore` to those who look at many: searches, sums, schedules, and runs. */
import * as RunDecisions from "@tolem/core/subscription/RunDecisions"
import type { Subscription } from "@tolem/core/subscription/Subscription"
import {
  type ScheduleGroup,
  type SchedulePlace,
  type SubscriptionQuery,
  SubscriptionStore
} from "@tolem/core/subscription/SubscriptionStore"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { creationOf, freshId, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"
import { givenSubscription } from "./SubscriptionCases.ts"

const viewer = { organizationId: "org_shop", mode: "sandbox", connectionId: null } as const

const searched = (search: string, members: Partial<SubscriptionQuery> = {}): SubscriptionQuery => ({
  ...viewer,
  statuses: [],
  search,
  isStuck: false,
  limit: 50,
  offset: 0,
  ...members
})

const day = 86_400_000

/** Several of each kind, a few of which are no one's to see here. */
const many = Effect.gen(function* () {
  const made: Array<Subscription> = []
  for (let index = 0; index < 24; index++) {
    const status = index % 6 === 0 ? "paused" : "active"
    const nextRunAt = startAt + (index % 4) * day
    made.push(
      yield* givenSubscription({
        status,
        interval: index % 2 === 0 ? "week" : "month",
        every: 1 + (index % 3),
        dayOfMonth: null,
        anchorAt: nextRunAt,
        nextRunAt,
        dueAt: status === "active" ? nextRunAt : null,
        amount: Tiyn(9_999_999_999 - index),
        maxRuns: index % 5 === 0 ? 3 : null,
        faults: index === 7 ? 4 : 0,
        fault: index === 7 ? "no_provider" : null
      })
    )
  }
  yield* givenSubscription({ organizationId: "org_other" })
  yield* givenSubscription({ mode: "live" })
  return made
})

const keyOf = (one: Pick<ScheduleGroup, "interval" | "every" | "nextRunAt" | "left" | "faults">) =>
  `${one.nextRunAt} ${one.interval} ${one.every} ${one.left} ${one.faults}`

const leftOf = ({ maxRuns, runs }: Subscription) => (maxRuns === null ? null : maxRuns - runs)

/** What groups say of the same rows. */
const grouped = (all: ReadonlyArray<Subscription>) => {
  const sums = new Map<string, bigint>()
  for (const one of all) {
    const key = keyOf({ ...one, left: leftOf(one), faults: one.faults > 0 ? 1 : 0 })
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(one.amount))
  }
  return [...sums].map(([key, sum]) => `${key}: ${sum}`).sort()
}

const inOrder = (all: ReadonlyArray<Subscription>) =>
  all.toSorted((a, b) => a.nextRunAt - b.nextRunAt || (a.id < b.id ? -1 : 1))

/** What every storage must do, of “schedules”. */
export const casesOfSchedules = storageSubject("schedules", {
  *"find subscriptions by a part of their texts, in any case, and of no other tenant"() {
    const store = yield* SubscriptionStore
    const customer = { name: "Әлия Ñuñez 50% [x] a*b", phone: "77001234567", email: "Some@One.kz" }
    const one = yield* givenSubscription({ description: "Йога, ҒЫЛЫМ \\d", customer })
    yield* givenSubscription({ description: null, customer: { name: null, phone: null, email: null }, kind: "qr" })
    yield* givenSubscription({ organizationId: "org_other", description: "Йога" })
    const found = (text: string, members: Partial<SubscriptionQuery> = {}) =>
      Effect.map(store.list(searched(text, members)), ({ total, subscriptions }) => [
        total,
        ...subscriptions.map(({ id }) => id)
      ])
    for (const part of [
      "йОГА",
      "ғылым",
      "әЛИЯ",
      "ñUÑ",
      "50%",
      "[X]",
      "a*B",
      "\\D",
      "0123",
      "some@ONE",
      one.id.slice(4)
    ]) {
      expectEqual(yield* found(part), [1, one.id], part)
    }
    for (const part of ["йога77", "йо_а", "5?%", ".оga", "[yx]", "йога.", "кz\u0000", "\ud800"]) {
      expectEqual(yield* found(part), [0], part)
    }
    expectEqual(yield* found("йога", { statuses: ["paused"] }), [0], "with a status")
    expectEqual(yield* found("йога", { offset: 5 }), [1], "behind the last one the total stays")
  },

  *"list those alone whose next run could not be made"() {
    const store = yield* SubscriptionStore
    const stuck = { faults: 3, fault: "no_provider" }
    const one = yield* givenSubscription(stuck)
    yield* givenSubscription()
    yield* givenSubscription({ ...stuck, status: "paused", dueAt: null })
    const page = yield* store.list({ ...searched(""), search: null, isStuck: true })
    expectEqual([page.total, ...page.subscriptions.map(({ id }) => id)], [1, one.id], "the active one")
  },

  *"are summed up as the rows say, without a tiyn lost"() {
    const store = yield* SubscriptionStore
    const all = yield* many
    const sums = yield* store.sums(viewer)
    const told = sums.map(({ status, interval, every, count, amount, stuck }) =>
      [status, interval, every, count, amount, stuck].join(" ")
    )
    const kinds = Map.groupBy(all, ({ status, interval, every }) => `${status} ${interval} ${every}`)
    const expected = [...kinds].map(([kind, rows]) => {
      const amount = rows.reduce((sum, each) => sum + BigInt(each.amount), 0n)
      return [kind, rows.length, amount, rows.filter(({ faults }) => faults > 0).length].join(" ")
    })
    expectEqual(told.sort(), expected.sort(), "the sums")
    expectEqual(yield* store.sums({ ...viewer, organizationId: "org_none" }), [], "of none")
  },

  *"come part by part, all active ones once, in groups and as rows"() {
    const store = yield* SubscriptionStore
    const all = yield* many
    const before = startAt + 3 * day
    const due = inOrder(all.filter(({ status, nextRunAt }) => status === "active" && nextRunAt < before))
    for (const rows of [1, 4, due.length, 100]) {
      const sums = new Map<string, bigint>()
      let after: SchedulePlace | null = null
      let parts = 0
      do {
        const part: Effect.Success<ReturnType<typeof store.schedule>> = yield* store.schedule({
          ...viewer,
          before,
          after,
          rows
        })
        for (const group of part.groups) sums.set(keyOf(group), (sums.get(keyOf(group)) ?? 0n) + group.amount)
        after = part.end
        parts++
      } while (after !== null)
      expectEqual([...sums].map(([key, sum]) => `${key}: ${sum}`).sort(), grouped(due), `${rows} at once`)
      expectEqual(parts, Math.floor(due.length / rows) + 1, "in so many parts")
    }
    const query = { ...viewer, before, after: null, rows: 100 }
    const ids = (found: ReadonlyArray<Subscription>) => found.map(({ id }) => id)
    expectEqual(ids(yield* store.scheduled(query)), ids(due), "as rows")
    const place = { nextRunAt: due[4]!.nextRunAt, id: due[4]!.id }
    expectEqual(ids(yield* store.scheduled({ ...query, after: place, rows: 3 })), ids(due.slice(5, 8)), "further on")
  },

  *"show the runs of a subscription newest first, behind any of them"() {
    const store = yield* SubscriptionStore
    let current = yield* givenSubscription({ maxRuns: null })
    for (let run = 1; run <= 5; run++) {
      const { organizationId, mode } = current
      const creation = creationOf({ organizationId, mode })
      const given = { now: startAt + run, eventIds: [freshId("evt"), freshId("evt")], source: "api" } as const
      const change = RunDecisions.runMade(current, { creation, mail: null, due: null, issueAt: null }, given)
      const [written] = yield* store.commitMany([change])
      current = Result.getOrThrow(written!).subscription
    }
    const numbers = (before: number | null, limit: number) =>
      Effect.map(store.runs(current.id, before, limit), (runs) => runs.map(({ run }) => run))
    expectEqual(yield* numbers(null, 3), [5, 4, 3], "the newest")
    expectEqual(yield* numbers(3, 3), [2, 1], "those before")
    expectEqual(yield* store.runs("sub_none", null, 3), [], "of none")
  }
})
