import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { Invoice, InvoiceStatus } from "../../src/invoice/Invoice.ts"
import { decideRun, newRun, nextRunStep, type Run, RunCommand, type RunContext } from "../../src/subscription/Run.ts"
import { runInvoice } from "../../src/subscription/RunInvoice.ts"
import { day, now, settings, subscription } from "./given.ts"

const hour = 3_600_000
const facts = { subscriptionId: "sub_1", organizationId: "org_shop", run: 2, scheduledAt: now, invoiceId: "inv_2" }

/** Every state that a run can be in, as its row may be found. */
const states = {
  issuing: newRun(facts, now + 20_000, now),
  "issuing in vain": { ...newRun(facts, now + 20_000, now), faults: 2 },
  open: newRun(facts, null, now),
  "open, its invoice lost": { ...newRun(facts, null, now), dueAt: now + hour },
  "open for the last time": { ...newRun(facts, null, now), invoiceIds: ["inv_2", "inv_3"] },
  ended: { ...newRun(facts, null, now), status: "ended" }
} satisfies Record<string, Run>
type State = keyof typeof states

/** Every command, some at several times. The ladder has one step of an hour. */
const reissue = { invoiceId: "inv_9", issueAt: null, renewals: 0 }
const commands = {
  Offer: RunCommand.Offer(),
  Fault: RunCommand.Fault({ code: "provider_error" }),
  Pay: RunCommand.Pay(),
  Cancel: RunCommand.Cancel(),
  "Lose just now": RunCommand.Lose({ lostAt: now, renewals: 0 }),
  "Lose an hour ago": RunCommand.Lose({ lostAt: now - hour, renewals: 0 }),
  "Reissue too early": RunCommand.Reissue({ ...reissue, lostAt: now - hour + 1 }),
  Reissue: RunCommand.Reissue({ ...reissue, lostAt: now - hour }),
  "Reissue by push": RunCommand.Reissue({ ...reissue, lostAt: now - hour, issueAt: now + 20_000 }),
  Renew: RunCommand.Renew({ invoiceId: "inv_9" })
} satisfies Record<string, RunCommand>
type Command = keyof typeof commands

const context = (status: RunContext["subscription"]["status"] = "active"): RunContext => ({
  now,
  settings,
  subscription: { status, retryHours: [1] }
})

/** The outcome in a few words: status, when it is due, faults and invoices, and what is told; or the refusal. */
const outcome = (run: Run, command: RunCommand, given = context()) => {
  const decided = decideRun(run, command, given)
  if (Result.isFailure(decided)) return decided.failure._tag
  const { next, told } = decided.success
  expect({ ...next, status: run.status, dueAt: run.dueAt, faults: run.faults, invoiceIds: run.invoiceIds }).toEqual(run)
  const due = next.dueAt === null ? "never" : `${(next.dueAt - now) / 1000} s`
  const types = told.map(({ type }) => type.replace("subscription.", ""))
  return [next.status, due, `${next.faults} faults`, `${next.invoiceIds.length} invoices`, ...types].join(", ")
}

const fresh = "open, never, 0 faults, 1 invoices"
const over = "ended, never, 0 faults, 1 invoices"
const again = "open, never, 0 faults, 2 invoices, reissued"
const pushed = "issuing, 20 s, 0 faults, 2 invoices, reissued"
const table: Record<State, Record<Command, string>> = {
  issuing: {
    Offer: fresh,
    Fault: "issuing, 10 s, 1 faults, 1 invoices, run_failed",
    Pay: over,
    Cancel: over,
    "Lose just now": "open, 3600 s, 0 faults, 1 invoices",
    "Lose an hour ago": "open, 0 s, 0 faults, 1 invoices",
    "Reissue too early": "RunNotDue",
    Reissue: again,
    "Reissue by push": pushed,
    Renew: again
  },
  "issuing in vain": {
    Offer: fresh,
    Fault: "issuing, 60 s, 3 faults, 1 invoices",
    Pay: "ended, never, 2 faults, 1 invoices",
    Cancel: "ended, never, 2 faults, 1 invoices",
    "Lose just now": "open, 3600 s, 2 faults, 1 invoices",
    "Lose an hour ago": "open, 0 s, 2 faults, 1 invoices",
    "Reissue too early": "RunNotDue",
    Reissue: again,
    "Reissue by push": pushed,
    Renew: again
  },
  open: {
    Offer: fresh,
    Fault: "open, 10 s, 1 faults, 1 invoices, run_failed",
    Pay: over,
    Cancel: over,
    "Lose just now": "open, 3600 s, 0 faults, 1 invoices",
    "Lose an hour ago": "open, 0 s, 0 faults, 1 invoices",
    "Reissue too early": "RunNotDue",
    Reissue: again,
    "Reissue by push": pushed,
    Renew: again
  },
  "open, its invoice lost": {
    Offer: fresh,
    Fault: "open, 10 s, 1 faults, 1 invoices, run_failed",
    Pay: over,
    Cancel: over,
    "Lose just now": "open, 3600 s, 0 faults, 1 invoices",
    "Lose an hour ago": "open, 0 s, 0 faults, 1 invoices",
    "Reissue too early": "RunNotDue",
    Reissue: again,
    "Reissue by push": pushed,
    Renew: again
  },
  "open for the last time": {
    Offer: "open, never, 0 faults, 2 invoices",
    Fault: "open, 10 s, 1 faults, 2 invoices, run_failed",
    Pay: "ended, never, 0 faults, 2 invoices",
    Cancel: "ended, never, 0 faults, 2 invoices",
    "Lose just now": "ended, never, 0 faults, 2 invoices",
    "Lose an hour ago": "ended, never, 0 faults, 2 invoices",
    "Reissue too early": "RunNotDue",
    Reissue: "RunNotDue",
    "Reissue by push": "RunNotDue",
    Renew: "open, never, 0 faults, 3 invoices, reissued"
  },
  ended: {
    Offer: "RunEnded",
    Fault: "RunEnded",
    Pay: "RunEnded",
    Cancel: "RunEnded",
    "Lose just now": "RunEnded",
    "Lose an hour ago": "RunEnded",
    "Reissue too early": "RunEnded",
    Reissue: "RunEnded",
    "Reissue by push": "RunEnded",
    Renew: again
  }
}

describe("a run", () => {
  for (const [state, row] of Object.entries(table)) {
    for (const [name, expected] of Object.entries(row)) {
      it(`that is ${state}: ${name}`, () => {
        expect(outcome(states[state as State], commands[name as Command])).toBe(expected)
      })
    }
  }

  it("is given up when its subscription is cancelled, whatever its ladder says, and no earlier", () => {
    const given = context("cancelled")
    expect(outcome(states.open, commands["Lose just now"], given)).toBe(over)
    expect(outcome(states.open, commands["Lose an hour ago"], given)).toBe(over)
    expect(outcome(states.open, commands.Reissue, given)).toBe("RunNotDue")
    expect(outcome(states.issuing, commands.Offer, given)).toBe(fresh)
  })

  it("is not renewed where its subscription is cancelled or paused", () => {
    for (const status of ["cancelled", "paused"] as const) {
      expect(outcome(states.ended, commands.Renew, context(status))).toBe("RunEnded")
    }
  })

  it("waits for its hour while its subscription is paused, and is given up if it is paused then", () => {
    const given = context("paused")
    expect(outcome(states.open, commands["Lose just now"], given)).toBe("open, 3600 s, 0 faults, 1 invoices")
    expect(outcome(states.open, commands["Lose an hour ago"], given)).toBe(over)
    expect(outcome(states.open, commands.Reissue, given)).toBe("RunNotDue")
  })

  it("is issued again also if it is the last one of a finished subscription", () => {
    expect(outcome(states.open, commands.Reissue, context("finished"))).toBe(again)
  })
})

const plain = runInvoice(
  subscription(),
  { run: 2, attempt: 0 },
  { id: "inv_2", now: now - day, connectionId: null },
  settings
)
const of = (status: InvoiceStatus, members: Partial<Invoice> = {}): Invoice => ({ ...plain, status, ...members })
/** A further try of the ladder, which is valid as long again. */
const tried = of("expired", { validUntil: (plain.validUntil ?? 0) + 1 })
const step = (run: Run, ...invoices: ReadonlyArray<Invoice>) => {
  const found = nextRunStep(run, invoices, context())
  return found._tag === "Decide" ? found.command._tag : found._tag
}

describe("what the invoices of a run ask for", () => {
  const expected: Record<InvoiceStatus, readonly [issuing: string, open: string]> = {
    new: ["Issue", "Offer"],
    pending: ["Offer", "Offer"],
    paid: ["Pay", "Pay"],
    partially_refunded: ["Pay", "Pay"],
    refunded: ["Pay", "Pay"],
    cancelled: ["Cancel", "Cancel"],
    failed: ["Reissue", "Reissue"],
    expired: ["Reissue", "Reissue"]
  }
  for (const [status, [issuing, open]] of Object.entries(expected)) {
    it(`if the newest one is ${status}`, () => {
      const isPaid = issuing === "Pay"
      const invoice = of(status as InvoiceStatus, isPaid ? { paidAt: now } : {})
      expect([step(states.issuing, invoice), step(states.open, invoice)]).toEqual([issuing, open])
    })
  }

  it("is its end where an earlier one was paid late, or none is kept", () => {
    expect(step(states.open, of("paid", { paidAt: now }), of("pending"))).toBe("Pay")
    expect(step(states.open)).toBe("Cancel")
  })

  it("is patience while it is unknown whether the provider has it, and while its hour has not come", () => {
    for (const stage of ["asked", "unanswered"] as const) {
      expect(step(states.issuing, of("new", { stage }))).toBe("Fault")
    }
    expect(step(states.open, of("expired", { updatedAt: now - hour + 1 }))).toBe("Lose")
    expect(step(states["open for the last time"], of("expired"), tried)).toBe("Lose")
  })

  it("is the same ladder, however often its customer has asked for another code", () => {
    const run = { ...states.open, invoiceIds: ["inv_2", "inv_3", "inv_4"] }
    expect(step(run, of("expired"), of("expired"), of("expired"))).toBe("Reissue")
    expect(step(run, of("expired"), tried, { ...tried })).toBe("Lose")
    expect(outcome(run, RunCommand.Lose({ lostAt: now, renewals: 2 }))).toBe("open, 3600 s, 0 faults, 3 invoices")
    expect(outcome(run, RunCommand.Lose({ lostAt: now, renewals: 1 }))).toBe("ended, never, 0 faults, 3 invoices")
  })
})
