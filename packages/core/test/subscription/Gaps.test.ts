import { Result } from "effect"
import { DateTime } from "luxon"
import { describe, expect, it } from "vitest"
import * as RunDecisions from "../../src/subscription/RunDecisions.ts"
import { runInvoice } from "../../src/subscription/RunInvoice.ts"
import {
  decideSubscription,
  type Subscription,
  SubscriptionCommand,
  type SubscriptionPatch
} from "../../src/subscription/Subscription.ts"
import { checkSubscription, checkSubscriptionPatch } from "../../src/subscription/SubscriptionDraft.ts"
import { Tiyn } from "../../src/value/Money.ts"
import { dateOf } from "../../src/value/Rhythm.ts"
import { circumstances, day, now, settings, subscription } from "./given.ts"

const codeOf = (result: Result.Result<unknown, { readonly code: string }>) =>
  Result.isFailure(result) ? result.failure.code : "accepted"
const patched = (given: Subscription, patch: SubscriptionPatch, at = now) =>
  Result.getOrThrow(decideSubscription(given, SubscriptionCommand.Patch({ patch }), circumstances(at)))

describe("a year of monthly runs", () => {
  it.each([29, 30, 31])("anchored on the %i-th keeps that day wherever the month has it", (wanted) => {
    const start = DateTime.fromObject({ year: 2026, month: 1, day: wanted, hour: 9 }, { zone: "Asia/Almaty" })
    const rhythm = { interval: "month", every: 1, dayOfMonth: null, anchorAt: start.toMillis() } as const
    for (let index = 0; index <= 36; index++) {
      const date = DateTime.fromMillis(dateOf(rhythm, index), { zone: "Asia/Almaty" })
      expect([date.month, date.day, date.hour]).toEqual([(index % 12) + 1, Math.min(wanted, date.daysInMonth!), 9])
    }
  })
})

describe("the boundaries of a draft", () => {
  const create = (body: object, headerKey?: string) =>
    codeOf(checkSubscription({ amount: 10, ...body }, { headerKey }, now, settings))
  it("are those of the key", () => {
    expect(create({ idempotencyKey: "k".repeat(255) })).toBe("accepted")
    for (const key of ["", "k".repeat(256), 5]) expect(create({ idempotencyKey: key })).toBe("invalid_idempotency_key")
    expect(create({}, "")).toBe("invalid_idempotency_key")
  })
  it("are those of metadata, in bytes of its text", () => {
    const sized = (bytes: number) => ({ metadata: { a: "x".repeat(bytes - 8) } })
    for (const of of [
      create,
      (body: object) => codeOf(checkSubscriptionPatch(subscription(), { ...body }, {}, now, settings))
    ]) {
      expect(of(sized(16_384))).toBe("accepted")
      expect(of(sized(16_385))).toBe("invalid_metadata")
    }
  })
  it("are those of the kind's amount and of maxRuns", () => {
    const phone = { kind: "phone", customer: { phone: "77001234567" } }
    expect(create({ ...phone, amount: 10.5 })).toBe("amount_must_be_whole_tenge")
    expect(create({ ...phone, amount: 10 })).toBe("accepted")
    expect(create({ maxRuns: Number.MAX_SAFE_INTEGER })).toBe("accepted")
    expect(create({ maxRuns: 2 ** 53 })).toBe("invalid_max_runs")
    expect(create({ retry: [1, 1, 1, 1, 1] })).toBe("accepted")
  })
})

describe("each patched member", () => {
  const all: ReadonlyArray<SubscriptionPatch> = [
    { amount: Tiyn(100) },
    { description: "x" },
    { customer: { name: "A", phone: null, email: null } },
    { metadata: '{"a":1}' },
    { retryHours: [1] },
    { misfire: "skip" },
    { maxRuns: 5 },
    { kind: "phone", customer: { name: null, phone: "77001234567", email: null } }
  ]
  it("but those of the rhythm leaves the dates, in both states", () => {
    for (const status of ["active", "paused"] as const)
      for (const patch of all) {
        const given = subscription({ status, dueAt: status === "active" ? now : null })
        const { next, events } = patched(given, patch)!
        expect(next).toEqual({ ...given, ...patch, updatedAt: now, version: 3, sequence: 3 })
        expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([["subscription.changed", 3]])
      }
  })
})

const generator = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

const ran = (given: Subscription, at: number, due: RunDecisions.RunPlan) => {
  const invoice = runInvoice(
    given,
    { run: given.runs + 1, attempt: 0 },
    { id: `inv_${given.runs + 1}`, now: at, connectionId: null },
    settings
  )
  const event = {
    id: "evt_9",
    invoiceId: invoice.id,
    organizationId: "org_shop",
    sequence: 1,
    type: "invoice.new",
    from: null,
    source: "schedule",
    reason: null,
    refundId: null,
    late: false,
    createdAt: at
  }
  return RunDecisions.runMade(
    given,
    { creation: { invoice, event } as never, mail: null, due: due._tag === "Run" ? due : null, issueAt: null },
    circumstances(at)
  ).next
}

describe("a history with faults, manual runs, downtimes and a model beside it", () => {
  it("agrees with dates counted one by one, in 500 histories", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = generator(seed)
      const misfire = random(2) === 0 ? "run_once" : "skip"
      const maxRuns = random(2) === 0 ? 1 + random(6) : null
      let current = subscription({ misfire, maxRuns, runs: 0, anchorAt: now, nextIndex: 0, nextRunAt: now, dueAt: now })
      let at = now - day
      let served = -1
      let runs = 0
      for (let turn = 0; turn < 50 && current.status !== "finished"; turn++) {
        at += random(8) === 0 ? random(5 * day) : random(day / 2)
        const command =
          random(10) === 0 ? SubscriptionCommand.Pause() : random(4) === 0 ? SubscriptionCommand.Resume() : undefined
        if (command)
          current = Result.getOrThrow(decideSubscription(current, command, circumstances(at)))?.next ?? current
        if (random(15) === 0) {
          current = ran(current, at, RunDecisions.RunPlan.Nothing())
          runs++
        }
        if (current.status === "finished") break
        const newest = Math.floor((at - now) / day)
        const due = RunDecisions.plan(current, at, settings)
        if (current.status === "active" && misfire === "run_once") {
          expect(due._tag, `seed ${seed}`).toBe(newest > served ? "Run" : "Nothing")
        }
        if (due._tag === "Skip") current = RunDecisions.skipped(current, due.onward, circumstances(at)).next
        if (due._tag === "Run" && random(5) === 0) {
          current = RunDecisions.runFailed(current, "no_provider", circumstances(at), settings).next
          expect(current.dueAt).toBeGreaterThan(at)
          expect(RunDecisions.plan(current, at + 30 * day, settings)._tag).toBe("Run")
        } else if (due._tag === "Run") {
          expect(due.scheduledAt).toBe(now + newest * day)
          expect(newest).toBeGreaterThan(served)
          served = newest
          runs++
          current = ran(current, at, due)
        }
        expect(current.runs).toBe(runs)
        expect(runs).toBeLessThanOrEqual(maxRuns ?? Number.POSITIVE_INFINITY)
      }
    }
  })
})
