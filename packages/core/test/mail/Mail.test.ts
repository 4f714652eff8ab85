import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { decideMail, type Mail, MailCommand } from "../../src/mail/Mail.ts"
import { about } from "../../src/mail/NewMail.ts"

const now = 1_767_225_600_000
const reason = "451"
const subject = { id: "inv_1", organizationId: "org_1", mode: "live", customer: { email: "a@b.kz" } } as const
const letter = about(subject, "invoice", "mai_1", now)!

const commands = {
  Begin: MailCommand.Begin(),
  Take: MailCommand.Take(),
  "Reject for now": MailCommand.Reject({ reason, retryable: true }),
  "Reject for good": MailCommand.Reject({ reason, retryable: false }),
  Doubt: MailCommand.Doubt({ reason }),
  Keep: MailCommand.Keep({ reason }),
  Drop: MailCommand.Drop({ reason }),
  Again: MailCommand.Again()
}
const outcome = (status: Mail["status"], command: MailCommand, attempts = 1) => {
  const decided = decideMail({ ...letter, status, attempts }, command, { now: now + 5, retryWaitsMs: [60_000] })
  if (Result.isFailure(decided)) return "refused"
  const { dueAt, completedAt, ...next } = decided.success
  return `${next.status}, ${next.attempts} attempts, due ${dueAt}, ended ${completedAt}, ${next.reason}`
}

describe("a letter", () => {
  const ended = (status: string, why: string | null = reason) =>
    `${status}, 1 attempts, due null, ended ${now + 5}, ${why}`
  const table: Record<"pending" | "sending", Record<keyof typeof commands, string>> = {
    pending: {
      Begin: `sending, 2 attempts, due ${now}, ended null, null`,
      Take: "refused",
      "Reject for now": "refused",
      "Reject for good": "refused",
      Doubt: "refused",
      Keep: ended("kept"),
      Drop: ended("failed"),
      Again: "refused"
    },
    sending: {
      Begin: "refused",
      Take: ended("sent", null),
      "Reject for now": `pending, 1 attempts, due ${now + 60_005}, ended null, 451`,
      "Reject for good": ended("failed"),
      Doubt: ended("unknown"),
      Keep: "refused",
      Drop: "refused",
      Again: "refused"
    }
  }
  for (const status of ["pending", "sending"] as const) {
    for (const name of Object.keys(commands) as ReadonlyArray<keyof typeof commands>) {
      it(`that is ${status}: ${name}`, () => expect(outcome(status, commands[name])).toBe(table[status][name]))
    }
  }

  it("is given up after its last wait", () => {
    expect(outcome("sending", commands["Reject for now"], 2)).toMatch(/^failed, 2 attempts, due null/)
  })

  it("that has come to an end is sent again, and takes nothing else", () => {
    const { Again, ...others } = commands
    for (const status of ["sent", "failed", "unknown", "kept"] as const) {
      for (const command of Object.values(others)) expect(outcome(status, command)).toBe("refused")
      expect(outcome(status, Again, 3)).toBe(`pending, 0 attempts, due ${now + 5}, ended null, null`)
    }
  })
})
