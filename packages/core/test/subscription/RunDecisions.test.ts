import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { decideRun, faultWaitMs, type Run, RunCommand } from "../../src/subscription/Run.ts"
import * as RunDecisions from "../../src/subscription/RunDecisions.ts"
import { runInvoice } from "../../src/subscription/RunInvoice.ts"
import {
  decideSubscription,
  type Subscription,
  SubscriptionCommand,
  subscriptionCreated
} from "../../src/subscription/Subscription.ts"
import { dateOf } from "../../src/value/Rhythm.ts"
import { circumstances, day, now, settings, subscription } from "./given.ts"

const hour = 3_600_000
const plan = (given: Subscription, at: number) => RunDecisions.plan(given, at, settings)

/** The run that is due is made. */
const run = (given: Subscription, at: number, due: ReturnType<typeof plan>) => {
  const place = { run: given.runs + 1, attempt: 0 }
  const invoice = runInvoice(given, place, { id: `inv_${given.runs + 2}`, now: at, connectionId: null }, settings)
  const event = { ...subscriptionCreated(given, "evt_9", "schedule"), id: "evt_9" }
  const creation = { invoice, event: { ...event, invoiceId: invoice.id } as never }
  const made = { creation, mail: null, due: due._tag === "Run" ? due : null, issueAt: null }
  return RunDecisions.runMade(given, made, circumstances(at))
}

describe("what is due", () => {
  it("is nothing before the date, and nothing of one that is not active", () => {
    expect(plan(subscription(), now - 1)).toEqual(RunDecisions.RunPlan.Nothing())
    for (const status of ["paused", "cancelled", "finished"] as const) {
      expect(plan(subscription({ status }), now + day)).toEqual(RunDecisions.RunPlan.Nothing())
    }
  })

  it("is one run for the newest date that has come", () => {
    const onward = { nextIndex: 2, nextRunAt: now + day }
    expect(plan(subscription(), now)).toEqual(RunDecisions.RunPlan.Run({ scheduledAt: now, onward }))
    const later = RunDecisions.RunPlan.Run({
      scheduledAt: now + 2 * day,
      onward: { nextIndex: 4, nextRunAt: now + 3 * day }
    })
    expect(plan(subscription(), now + 2.5 * day)).toEqual(later)
  })

  it("is skipped where nobody served it within the hour, and is only late before that", () => {
    const skipping = subscription({ misfire: "skip" })
    expect(plan(skipping, now + hour)._tag).toBe("Run")
    expect(plan(skipping, now + hour + 1)).toEqual(
      RunDecisions.RunPlan.Skip({ onward: { nextIndex: 2, nextRunAt: now + day } })
    )
    expect(plan(skipping, now + 2 * day + 5)._tag).toBe("Run")
  })

  it("stays due while it cannot be made, however long", () => {
    const troubled = subscription({ misfire: "skip", faults: 3, fault: "no_provider" })
    expect(plan(troubled, now + 5 * hour)._tag).toBe("Run")
  })
})

describe("a fault", () => {
  it("waits longer each time, up to an hour, and is told of once", () => {
    const first = RunDecisions.runFailed(subscription(), "no_provider", circumstances(), settings)
    expect(first.next).toMatchObject({ faults: 1, fault: "no_provider", dueAt: now + 10_000, nextRunAt: now, runs: 1 })
    expect(first.events.map(({ type, code }) => [type, code])).toEqual([["subscription.run_failed", "no_provider"]])
    const again = RunDecisions.runFailed(first.next, "no_provider", circumstances(), settings)
    expect(again.events).toEqual([])
    expect(faultWaitMs(100, settings)).toBe(hour)
    const other = RunDecisions.runFailed(first.next, "connection_not_active", circumstances(), settings)
    expect(other.events).toHaveLength(1)
  })
})

describe("a run", () => {
  it("counts, moves the schedule on, and forgets the faults before it", () => {
    const given = subscription({ faults: 2, fault: "no_provider", maxRuns: 3 })
    const { next, run: row, events } = run(given, now + 5, plan(given, now + 5))
    const schedule = { nextIndex: 2, nextRunAt: now + day, dueAt: now + day }
    const facts = { runs: 2, lastRunAt: now + 5, lastInvoiceId: "inv_3", faults: 0, fault: null, status: "active" }
    expect(next).toMatchObject({ ...schedule, ...facts })
    expect(row).toMatchObject({ run: 2, scheduledAt: now, invoiceIds: ["inv_3"], status: "open", dueAt: null })
    expect(events.map(({ type }) => type)).toEqual(["subscription.run"])
  })

  it("out of schedule moves nothing on, and may be the last", () => {
    const given = subscription({ status: "paused", dueAt: null, maxRuns: 2 })
    const { next, run: row, events } = run(given, now + 5, RunDecisions.RunPlan.Nothing())
    expect(next).toMatchObject({ runs: 2, status: "finished", nextRunAt: now, nextIndex: 1, dueAt: null })
    expect(row?.scheduledAt).toBeNull()
    expect(events.map(({ type }) => type)).toEqual(["subscription.run", "subscription.finished"])
  })

  it("is issued again after the hours of its ladder, and counts once", () => {
    const given = subscription({ retryHours: [1, 24] })
    const first = run(given, now, plan(given, now))
    const again = { ...first.creation!, invoice: { ...first.creation!.invoice, id: "inv_again" } }
    const made = { creation: again, mail: null }
    const lost = (row: Run) => {
      const command = RunCommand.Lose({ lostAt: now, renewals: 0 })
      return Result.getOrThrow(decideRun(row, command, { now, subscription: given, settings })).next
    }
    const issuedAgain = (row: Run, at: number) => {
      const command = RunCommand.Reissue({ lostAt: now, renewals: 0, invoiceId: "inv_again", issueAt: null })
      return Result.getOrThrow(decideRun(row, command, { now: at, subscription: given, settings }))
    }
    expect(lost(first.run!).dueAt).toBe(now + hour)
    const reissue = issuedAgain(first.run!, now + hour)
    const second = RunDecisions.reissued(first.next, reissue, made, circumstances(now + hour))
    expect(second.next).toMatchObject({ runs: first.next.runs, lastInvoiceId: "inv_again", dueAt: first.next.dueAt })
    expect(second.run?.invoiceIds).toEqual(["inv_3", "inv_again"])
    expect(lost(second.run!).dueAt).toBe(now + 24 * hour)
    const third = RunDecisions.reissued(second.next, issuedAgain(second.run!, now + day), made, circumstances())
    expect(lost(third.run!)).toMatchObject({ status: "ended", dueAt: null })
  })

  it("has an invoice that says whose it is, and waits for its page", () => {
    const given = subscription({ metadata: '{"z":1e400,"run":7,"\\u0072un":8,"__proto__":{}}' })
    const invoice = runInvoice(given, { run: 3, attempt: 1 }, { id: "inv_x", now, connectionId: null }, settings)
    expect(invoice.metadata).toBe('{"z":1e400,"__proto__":{},"subscriptionId":"sub_1","run":3}')
    expect(invoice).toMatchObject({ status: "new", qrUrl: null, expiresAt: null, stage: "waits" })
    expect(invoice.origin).toEqual({ kind: "subscription", id: "sub_1", run: 3, attempt: 1 })
    expect(invoice.idempotencyKey).toBeNull()
    const live = runInvoice(given, { run: 3, attempt: 1 }, { id: "inv_x", now, connectionId: "con_1" }, settings)
    expect(live).toMatchObject({ mode: "live", status: "new", stage: "waits", connectionId: "con_1" })
    expect([live.validUntil, live.dueAt]).toEqual([now + 7 * 24 * hour, now + 7 * 24 * hour])
    const plain = runInvoice(subscription(), { run: 1, attempt: 0 }, { id: "inv_x", now, connectionId: null }, settings)
    expect(plain.metadata).toBe('{"subscriptionId":"sub_1","run":1}')
  })
})

/** Random numbers that are the same in every run. */
const generator = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

describe("a history of pauses, downtimes and looks", () => {
  it("serves no date twice, and leaves none unserved that it should serve, in 300 histories", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = generator(seed)
      const misfire = random(2) === 0 ? "run_once" : "skip"
      const anchorAt = now - random(3) * day
      const schedule = { every: 1 + random(3), anchorAt, nextIndex: 0, nextRunAt: anchorAt, dueAt: anchorAt }
      let current = subscription({ misfire, ...schedule, maxRuns: random(3) === 0 ? 8 : null })
      let at = now
      const served: Array<number> = []
      for (let turn = 0; turn < 60; turn++) {
        at += random(10) === 0 ? random(5 * day) : random(day / 2)
        const command =
          random(12) === 0 ? SubscriptionCommand.Pause() : random(6) === 0 ? SubscriptionCommand.Resume() : undefined
        if (command !== undefined) {
          const decided = decideSubscription(current, command, circumstances(at))
          if (Result.isSuccess(decided) && decided.success !== null) current = decided.success.next
        }
        const due = plan(current, at)
        if (due._tag === "Skip") current = RunDecisions.skipped(current, due.onward, circumstances(at)).next
        if (due._tag === "Run") {
          served.push(due.scheduledAt)
          current = run(current, at, due).next
        }
        expect(current.nextRunAt).toBe(dateOf(current, current.nextIndex))
        if (current.status === "active") expect(current.nextRunAt).toBeGreaterThan(at)
        expect(current.runs).toBeLessThanOrEqual(current.maxRuns ?? Number.POSITIVE_INFINITY)
      }
      expect(new Set(served).size).toBe(served.length)
      expect(served.toSorted((a, b) => a - b)).toEqual(served)
      expect(current.runs).toBe(1 + served.length)
    }
  })
})
