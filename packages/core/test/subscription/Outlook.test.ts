/** Runs to come and sums by month, against the steps that the runner makes and against sums of single subscriptions. */
import { describe, expect, it } from "vitest"
import { monthlyAmount } from "../../src/subscription/outlook/MonthlyAmount.ts"
import { leftOf, nextRuns, runsWithin } from "../../src/subscription/outlook/Prospect.ts"
import * as RunDecisions from "../../src/subscription/RunDecisions.ts"
import type { Subscription } from "../../src/subscription/Subscription.ts"
import { startOfDay } from "../../src/value/Calendar.ts"
import { dateOf } from "../../src/value/Rhythm.ts"
import { day, now, settings, subscription } from "./given.ts"

const random = (() => {
  let state = 20_261_125
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
})()

const anyOf = <A>(all: ReadonlyArray<A>): A => all[random(all.length)]!

const anySubscription = (): Subscription => {
  const rhythm = {
    interval: anyOf(["day", "week", "month"] as const),
    every: 1 + random(12),
    dayOfMonth: null,
    anchorAt: now - random(3 * 365) * day - random(86_400_000)
  }
  // A date that was set by hand comes before the first of its rhythm.
  const isSet = random(4) === 0
  const set = now + random(60) * day - random(10) * day
  const nextIndex = isSet ? 0 : random(3 * 365)
  const anchorAt = isSet ? set + random(2) * random(28) * day : rhythm.anchorAt
  const nextRunAt = isSet ? set : dateOf(rhythm, nextIndex)
  const runs = random(6)
  return subscription({
    ...rhythm,
    anchorAt,
    nextIndex,
    nextRunAt,
    runs,
    maxRuns: random(2) === 0 ? null : runs + 1 + random(30),
    misfire: anyOf(["run_once", "skip"]),
    faults: random(3) === 0 ? 2 : 0
  })
}

/** The instants at which a runner that is never late makes runs, step by step. */
const played = (given: Subscription, from: number, to: number): ReadonlyArray<number> => {
  const made: Array<number> = []
  let current = given
  for (let at = Math.max(now, current.nextRunAt); at < to; at = current.nextRunAt) {
    const plan = RunDecisions.plan(current, at, settings)
    if (plan._tag === "Nothing") throw new Error("nothing is due on its date")
    const left = leftOf(current)
    if (left === 0) break
    if (plan._tag === "Run") {
      if (at >= from) made.push(at)
      current = { ...current, runs: current.runs + 1 }
    }
    current = { ...current, ...plan.onward, faults: 0 }
  }
  return made
}

describe("runs to come", () => {
  it("are those that a runner makes, in any time to come, of 2,000 subscriptions", () => {
    for (let n = 0; n < 2000; n++) {
      const one = anySubscription()
      const from = now + random(90) * day
      const to = from + random(60) * day
      const found = runsWithin({ ...one, left: leftOf(one) }, now, { from, to }, settings)
      expect(found, JSON.stringify(one)).toEqual(played(one, from, to))
    }
  })

  it("are the next ones, no more than asked for, and none unless it is active", () => {
    const daily = { ...subscription({ nextRunAt: now + 1000, anchorAt: now + 1000, nextIndex: 0 }), left: null }
    expect(nextRuns(daily, now, settings, 3)).toEqual([0, 1, 2].map((nth) => now + 1000 + nth * day))
    expect(nextRuns({ ...daily, left: 2 }, now, settings, 5)).toHaveLength(2)
    expect(nextRuns({ ...daily, left: 0 }, now, settings, 5)).toEqual([])
    for (const status of ["paused", "cancelled", "finished"] as const) {
      expect(nextRuns({ ...daily, status }, now, settings, 5)).toEqual([])
    }
  })

  it("keep the 31st in months that have one", () => {
    const anchorAt = Date.UTC(2026, 0, 31, 5)
    const one = subscription({ interval: "month", anchorAt, nextRunAt: anchorAt, nextIndex: 0 })
    const span = { from: startOfDay("2026-02-01"), to: startOfDay("2026-04-01") }
    const days = runsWithin({ ...one, left: null }, now, span, settings).map((at) => new Date(at).toISOString())
    expect(days).toEqual(["2026-02-28T05:00:00.000Z", "2026-03-31T05:00:00.000Z"])
  })
})

describe("what comes in a month", () => {
  it("is an amount a month, its part of several months, and 365/12 days or 365/84 weeks of others", () => {
    const of = (interval: "day" | "week" | "month", every: number, amount: bigint) =>
      monthlyAmount([{ interval, every, amount }])
    expect(of("month", 1, 499_000n)).toBe(499_000n)
    expect(of("month", 2, 500_001n)).toBe(250_001n)
    expect(of("day", 1, 12_00n)).toBe(365_00n)
    expect(of("week", 1, 84_00n)).toBe(365_00n)
    expect(of("week", 2, 84_00n)).toBe(182_50n)
    expect(monthlyAmount([])).toBe(0n)
  })

  it("is the same of single ones and of any groups, and never off by more than half a tiyn", () => {
    for (let n = 0; n < 200; n++) {
      const all = Array.from({ length: 1 + random(60) }, () => ({
        interval: anyOf(["day", "week", "month"] as const),
        every: 1 + random(12),
        amount: BigInt(1 + random(9_999_999_999))
      }))
      const groups = Map.groupBy(all, ({ interval, every }) => `${interval} ${every} ${random(2)}`)
      const summed = [...groups.values()].map((rows) => ({
        ...rows[0]!,
        amount: rows.reduce((sum, { amount }) => sum + amount, 0n)
      }))
      expect(monthlyAmount(summed)).toBe(monthlyAmount(all))
      const perDay = { day: 1, week: 7, month: 365 / 12 }
      const about = all.reduce(
        (sum, { interval, every, amount }) => sum + (Number(amount) * 365) / 12 / (perDay[interval] * every),
        0
      )
      expect(Math.abs(Number(monthlyAmount(all)) - about)).toBeLessThanOrEqual(0.5 + about * 1e-12)
    }
  })
})
