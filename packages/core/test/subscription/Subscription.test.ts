import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { defaults } from "../../src/engine/Settings.ts"
import { plan, RunPlan } from "../../src/subscription/RunDecisions.ts"
import {
  decideSubscription,
  type Subscription,
  SubscriptionCommand,
  type SubscriptionPatch
} from "../../src/subscription/Subscription.ts"
import { Tiyn } from "../../src/value/Money.ts"
import { circumstances, day, now, subscription } from "./given.ts"

const made = (given: Subscription, command: SubscriptionCommand, at = now) =>
  Result.getOrThrow(decideSubscription(given, command, circumstances(at)))
const patched = (given: Subscription, patch: SubscriptionPatch, at = now) =>
  made(given, SubscriptionCommand.Patch({ patch }), at)?.next
const types = (given: Subscription, command: SubscriptionCommand, at = now) =>
  made(given, command, at)?.events.map(({ type }) => type) ?? []

const commands = [
  SubscriptionCommand.Pause(),
  SubscriptionCommand.Resume(),
  SubscriptionCommand.Cancel(),
  SubscriptionCommand.Patch({ patch: { amount: Tiyn(100) } })
]

describe("a closed subscription", () => {
  it("refuses everything", () => {
    for (const status of ["cancelled", "finished"] as const) {
      for (const command of commands) {
        expect(Result.isFailure(decideSubscription(subscription({ status }), command, circumstances()))).toBe(true)
      }
    }
  })
})

describe("an open subscription", () => {
  it("grows by one version and by one sequence an event", () => {
    for (const status of ["active", "paused"] as const) {
      for (const command of commands) {
        const given = subscription({ status })
        const change = made(given, command)
        if (change === null) continue
        expect(change.next.version).toBe(given.version + 1)
        expect(change.next.sequence).toBe(given.sequence + change.events.length)
        expect(change.events.map(({ sequence }) => sequence)).toEqual(
          change.events.map((_, i) => given.sequence + 1 + i)
        )
      }
    }
  })

  it("is paused once, and then falls due no more", () => {
    expect(made(subscription(), SubscriptionCommand.Pause())?.next).toMatchObject({
      status: "paused",
      dueAt: null,
      nextRunAt: now
    })
    expect(made(subscription({ status: "paused" }), SubscriptionCommand.Pause())).toBeNull()
    expect(made(subscription(), SubscriptionCommand.Resume())).toBeNull()
  })

  it("serves at once what was missed while it was paused, or never", () => {
    const late = now + 2.5 * day
    const paused = subscription({ status: "paused", dueAt: null })
    expect(made(paused, SubscriptionCommand.Resume(), late)?.next).toMatchObject({
      status: "active",
      dueAt: now,
      nextRunAt: now
    })
    const skipping = subscription({ status: "paused", dueAt: null, misfire: "skip" })
    const next = now + 3 * day
    expect(made(skipping, SubscriptionCommand.Resume(), late)?.next).toMatchObject({
      dueAt: next,
      nextRunAt: next,
      nextIndex: 4
    })
    expect(types(skipping, SubscriptionCommand.Resume(), late)).toEqual([
      "subscription.resumed",
      "subscription.skipped"
    ])
    expect(types(skipping, SubscriptionCommand.Resume(), now - 1)).toEqual(["subscription.resumed"])
  })

  it("keeps its next date as the anchor of another rhythm", () => {
    expect(patched(subscription(), { interval: "week", every: 2 })).toMatchObject({
      interval: "week",
      every: 2,
      anchorAt: now,
      nextIndex: 0,
      nextRunAt: now,
      dueAt: now
    })
  })

  it("moves to a day of the month, and to a date", () => {
    const monthly = patched(subscription({ interval: "month" }), { dayOfMonth: 15 })
    const fifteenth = Date.UTC(2026, 0, 15, 5)
    expect(monthly).toMatchObject({ dayOfMonth: 15, anchorAt: fifteenth, nextRunAt: fifteenth, dueAt: fifteenth })
    expect(patched(subscription(), { nextRunAt: now + day })).toMatchObject({ anchorAt: now + day, nextIndex: 0 })
    const both = { dayOfMonth: 15, nextRunAt: Date.UTC(2026, 2, 16) }
    expect(patched(subscription({ interval: "month" }), both)?.nextRunAt).toBe(Date.UTC(2026, 3, 15, 5))
    const cleared = patched(subscription({ interval: "month", dayOfMonth: 10 }), { dayOfMonth: null })
    expect(cleared).toMatchObject({ dayOfMonth: null, nextRunAt: now })
  })

  it("runs at a date that was set by hand, then on the days of the month behind it", () => {
    const set = Date.UTC(2027, 0, 15)
    const monthly = patched(subscription({ nextIndex: 0, anchorAt: set, nextRunAt: set }), {
      interval: "month",
      dayOfMonth: 3
    })!
    expect(monthly).toMatchObject({ nextRunAt: set, dueAt: set })
    const next = { nextIndex: 0, nextRunAt: Date.UTC(2027, 1, 3, 5) }
    expect(plan(monthly, set, defaults)).toEqual(RunPlan.Run({ scheduledAt: set, onward: next }))
    expect(plan({ ...monthly, misfire: "skip" }, set + day, defaults)).toEqual(RunPlan.Skip({ onward: next }))
    const after = { nextIndex: 1, nextRunAt: Date.UTC(2027, 2, 3, 5) }
    const run = RunPlan.Run({ scheduledAt: next.nextRunAt, onward: after })
    expect(plan({ ...monthly, ...next }, next.nextRunAt, defaults)).toEqual(run)
  })

  it("changes nothing of its schedule with anything else", () => {
    const patch: SubscriptionPatch = {
      amount: Tiyn(200),
      description: "x",
      metadata: "{}",
      misfire: "skip",
      retryHours: [1]
    }
    const { anchorAt, nextIndex, nextRunAt } = subscription()
    expect(patched(subscription(), patch)).toMatchObject({ ...patch, anchorAt, nextIndex, nextRunAt, dueAt: now })
    expect(patched(subscription({ status: "paused", dueAt: null }), patch)?.dueAt).toBeNull()
  })

  it("is left as it is by what it has already", () => {
    expect(patched(subscription(), { amount: subscription().amount, every: 1, nextRunAt: now })).toBeUndefined()
  })

  it("is finished by as many runs as it has made", () => {
    const command = SubscriptionCommand.Patch({ patch: { maxRuns: 1 } })
    expect(made(subscription(), command)?.next).toMatchObject({ status: "finished", dueAt: null })
    expect(types(subscription(), command)).toEqual(["subscription.changed", "subscription.finished"])
  })
})
