import { assert, describe, it } from "@effect/vitest"
import { startAt } from "@tolem/testing/fixtures"
import { Effect } from "effect"
import { defaults } from "../../src/engine/Settings.ts"
import type { Invoice, InvoiceStatus } from "../../src/invoice/Invoice.ts"
import type { Mail } from "../../src/mail/Mail.ts"
import { HandOver } from "../../src/mail/Mailer.ts"
import { began, pass, world } from "./world.ts"

const minutes = 60
const refused = HandOver.Rejected({ retryable: true, reason: "451 RCPT TO" })
const given = (members: Partial<Mail> = {}, invoice: Partial<Invoice> = {}) => {
  const made = world()
  const id = made.due(members, invoice)
  return { ...made, mail: () => made.mails.get(id)! }
}

describe("a letter that is due", () => {
  it.effect("is handed over once, in the name of the seller, after that was written down", () => {
    const { mail, sent, started } = given()
    return Effect.gen(function* () {
      yield* began
      yield* started()
      yield* pass(10 * minutes)
      assert.lengthOf(sent, 1)
      assert.include(sent[0]!.letter.text, "Дастархан")
      assert.deepInclude(sent[0]!.stored, { status: "sending", attempts: 1 })
      assert.deepInclude(mail(), { status: "sent", attempts: 1, reason: null, dueAt: null })
      assert.isAtLeast(mail().completedAt!, startAt)
    }).pipe(Effect.scoped)
  })

  it.effect("is handed over again after each wait, and then no more", () => {
    const { mail, sent, post, started } = given()
    const waits = defaults.mail.retryWaitsMs
    post.outcome = refused
    return Effect.gen(function* () {
      yield* began
      yield* started()
      yield* pass(30)
      assert.deepInclude(mail(), { status: "pending", reason: "451 RCPT TO", completedAt: null })
      assert.strictEqual(mail().dueAt, sent[0]!.at + waits[0]!)
      yield* pass(8 * 60 * minutes, 100)
      assert.lengthOf(sent, waits.length + 1)
      waits.forEach((wait, i) => void assert.isAtLeast(sent[i + 1]!.at - sent[i]!.at, wait))
      assert.deepInclude(mail(), { status: "failed", reason: "451 RCPT TO", attempts: waits.length + 1, dueAt: null })
    }).pipe(Effect.scoped)
  })

  it.effect("is taken at a later attempt", () => {
    const { mail, sent, post, started } = given()
    post.outcome = refused
    return Effect.gen(function* () {
      yield* began
      yield* started()
      yield* pass(30)
      post.outcome = HandOver.Taken()
      yield* pass(10 * minutes)
      assert.lengthOf(sent, 2)
      assert.deepInclude(mail(), { status: "sent", attempts: 2, reason: null })
    }).pipe(Effect.scoped)
  })

  for (const [outcome, status] of [
    [HandOver.Rejected({ retryable: false, reason: "550 RCPT TO" }), "failed"],
    [HandOver.Unknown({ reason: "ETIMEDOUT" }), "unknown"]
  ] as const) {
    it.effect(`is not handed over again once it is ${status}`, () => {
      const { mail, sent, post, started, logs } = given()
      post.outcome = outcome
      return Effect.gen(function* () {
        yield* began
        yield* started()
        yield* pass(60 * minutes)
        assert.lengthOf(sent, 1)
        assert.deepInclude(mail(), { status, reason: outcome.reason, dueAt: null })
        assert.isTrue(logs.some((line) => line.includes(outcome.reason)))
      }).pipe(Effect.scoped)
    })
  }

  it.effect("that was left in the middle of a hand-over is given up with a line in the log", () => {
    const { mail, sent, started, logs } = given({ id: "mai_left", status: "sending", attempts: 1 })
    return Effect.gen(function* () {
      yield* began
      yield* started()
      yield* pass(60 * minutes)
      assert.lengthOf(sent, 0)
      assert.deepInclude(mail(), { status: "unknown", attempts: 1, dueAt: null })
      assert.isTrue(logs.some((line) => line.includes("mai_left")))
    }).pipe(Effect.scoped)
  })

  it.effect("is given up rather than handed over twice where what became of it could not be written", () => {
    const { mail, sent, started, broken } = given()
    broken.settles = 1
    return Effect.gen(function* () {
      yield* began
      yield* started()
      yield* pass(60 * minutes)
      assert.lengthOf(sent, 1)
      assert.deepInclude(mail(), { status: "unknown", attempts: 1 })
    }).pipe(Effect.scoped)
  })

  it.effect("is left alone if another server has begun with it", () => {
    const { mail, sent, started, broken } = given()
    broken.begins = true
    return Effect.gen(function* () {
      yield* began
      yield* started()
      yield* pass(60)
      assert.lengthOf(sent, 0)
      assert.deepInclude(mail(), { status: "pending", attempts: 0 })
    }).pipe(Effect.scoped)
  })
})

describe("a letter that asks for payment", () => {
  for (const status of ["paid", "expired", "cancelled", "failed"] satisfies ReadonlyArray<InvoiceStatus>) {
    it.effect(`is not sent where its invoice is ${status}`, () => {
      const { mail, sent, started } = given({}, { status })
      return Effect.gen(function* () {
        yield* began
        yield* started()
        yield* pass(60 * minutes)
        assert.lengthOf(sent, 0)
        assert.deepInclude(mail(), { status: "failed", attempts: 0, dueAt: null })
        assert.strictEqual(mail().reason, "its invoice is not open any more")
      }).pipe(Effect.scoped)
    })
  }

  it.effect("does not keep the receipt of a paid invoice from being sent", () => {
    const { mail, sent, started } = given({ kind: "receipt" }, { status: "paid" })
    return Effect.gen(function* () {
      yield* began
      yield* started()
      yield* pass(60)
      assert.lengthOf(sent, 1)
      assert.strictEqual(mail().status, "sent")
    }).pipe(Effect.scoped)
  })
})

describe("a server without a mailer", () => {
  it.effect("leaves letters where they are", () => {
    const { mail, claims, startedWithout } = given()
    return Effect.gen(function* () {
      yield* began
      yield* startedWithout
      yield* pass(60 * minutes)
      assert.strictEqual(claims(), 0)
      assert.deepInclude(mail(), { status: "pending", attempts: 0, dueAt: startAt })
    }).pipe(Effect.scoped)
  })
})

describe("a letter of the sandbox", () => {
  const sandbox = { ...defaults.sandbox, mailTo: ["qa@example.kz", "@shop.kz"] }
  const bounded = (recipient: string, mode: Mail["mode"] = "sandbox") => {
    const made = world({ ...defaults, sandbox })
    const id = made.due({ recipient, mode }, {})
    return { ...made, mail: () => made.mails.get(id)! }
  }

  for (const recipient of ["stranger@example.com", "qa@example.kz.evil.com", "x@notshop.kz", "@shop.kz@evil.com"]) {
    it.effect(`to ${recipient} is kept and never sent`, () => {
      const { mail, sent, started } = bounded(recipient)
      return Effect.gen(function* () {
        yield* began
        yield* started()
        yield* pass(24 * 60 * minutes)
        assert.lengthOf(sent, 0)
        assert.deepInclude(mail(), { status: "kept", attempts: 0, dueAt: null })
        assert.include(mail().reason!, "sandbox")
      }).pipe(Effect.scoped)
    })
  }

  for (const [recipient, mode] of [
    ["QA@example.kz", "sandbox"],
    ["cashier@shop.kz", "sandbox"],
    ["customer@example.com", "live"]
  ] as const) {
    it.effect(`is sent to ${recipient} if ${mode === "live" ? "money is real" : "that is a test address"}`, () => {
      const { mail, sent, started } = bounded(recipient, mode)
      return Effect.gen(function* () {
        yield* began
        yield* started()
        yield* pass(10)
        assert.lengthOf(sent, 1)
        assert.strictEqual(mail().status, "sent")
      }).pipe(Effect.scoped)
    })
  }

  it.effect("is sent to members of its organization, and not to those of another", () => {
    const made = world({ ...defaults, sandbox })
    made.members.set("org_shop", ["Aliya@example.com"])
    made.members.set("org_other", ["other@example.com"])
    made.due({ id: "mai_own", recipient: "aliya@EXAMPLE.com", mode: "sandbox" }, {})
    made.due({ id: "mai_other", recipient: "other@example.com", mode: "sandbox" }, {})
    return Effect.gen(function* () {
      yield* began
      yield* made.started()
      yield* pass(10)
      assert.deepStrictEqual(
        made.sent.map(({ letter }) => letter.to),
        ["aliya@EXAMPLE.com"]
      )
      assert.strictEqual(made.mails.get("mai_other")?.status, "kept")
    }).pipe(Effect.scoped)
  })
})
