/** Promises of `MailStore` and of `ClockStore`. */
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { Mail } from "@tolem/core/mail/Mail"
import { MailStore, oneTooMany } from "@tolem/core/mail/MailStore"
import * as NewMail from "@tolem/core/mail/NewMail"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { ClockStore } from "@tolem/core/time/ClockStore"
import { sandboxOf } from "@tolem/core/time/SandboxClocks"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { accountOf, changeOf, creationOf, freshId, organizationOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

const addressed = { customer: { name: null, phone: null, email: "a@b.kz" } }

/** A paid invoice whose receipt is to be sent. */
const given = Effect.fnUntraced(function* (members: Partial<Invoice> = {}, dueAt = startAt) {
  const store = yield* InvoiceStore
  const creation = creationOf({ ...addressed, ...members })
  yield* store.insertMany([creation])
  const mail = NewMail.about(creation.invoice, "receipt", freshId("mai"), dueAt)!
  yield* store.commitMany([{ ...changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt })), mail }])
  return mail
})

const idsOf = (mails: ReadonlyArray<Mail>) => mails.map(({ id }) => id)

/** What every storage must do, of “letters”. */
export const casesOfMails = storageSubject("letters", {
  *"are written with the change that causes them, one of a kind for an invoice"() {
    const store = yield* MailStore
    const mail = yield* given()
    expectEqual(yield* store.list("org_shop", mail.invoiceId), [mail], "it is there")
    expectEqual(yield* store.list("org_other", mail.invoiceId), [], "for its own organization")
    const invoices = yield* InvoiceStore
    const invoice = Option.getOrThrow(yield* invoices.find(mail.invoiceId))
    const again = { ...mail, id: freshId("mai") }
    const write = { previous: invoice, next: { ...invoice, version: invoice.version + 1 }, event: null, refund: null }
    yield* invoices.commitMany([{ ...write, mail: again }])
    expectEqual(yield* store.list("org_shop", mail.invoiceId), [mail], "and once")
  },

  *"are leased when they are due, oldest first, to one claimer"() {
    const store = yield* MailStore
    const first = yield* given()
    const second = yield* given({}, startAt + 5)
    yield* given({}, startAt + 500)
    expectEqual(idsOf(yield* store.claim(startAt + 10, startAt + 100, 1)), [first.id], "the oldest first")
    expectEqual(idsOf(yield* store.claim(startAt + 10, startAt + 100, 9)), [second.id], "then the next")
    expectEqual(
      yield* store.claim(startAt + 99, startAt + 200, 9),
      [],
      "no other claim gets them before the lease ends"
    )
    expectEqual((yield* store.claim(startAt + 100, startAt + 200, 9)).length, 2, "and then the next claim does")
  },

  *"are begun by who holds them, once, and settled once"() {
    const store = yield* MailStore
    yield* given()
    const [held] = yield* store.claim(startAt, startAt + 100, 1)
    expectEqual(yield* store.begin(held!, startAt, null), "Begun", "it may be handed over")
    expectEqual(yield* store.begin(held!, startAt, null), "Changed", "by nobody else")
    const [left] = yield* store.claim(startAt + 100, startAt + 200, 1)
    expectEqual([left?.status, left?.attempts], ["sending", 1], "a later claim sees that it was begun")
    const done = { ...left!, status: "unknown" as const, dueAt: null, completedAt: startAt + 150, reason: "crash" }
    yield* store.settle(done)
    yield* store.settle({ ...done, status: "sent" })
    expectEqual(yield* store.list("org_shop", done.invoiceId), [done], "what was settled stays")
    expectEqual(yield* store.claim(startAt + 9e9, startAt + 9e9, 1), [], "and is never due again")
  },

  *"are sent again from the state that was seen, with the record of it"() {
    const store = yield* MailStore
    const mail = yield* given()
    const next: Mail = { ...mail, resent: 1, dueAt: startAt + 7 }
    expectEqual(yield* store.sendAgain({ ...mail, status: "sent" }, next, auditOf()), false, "not while it waits")
    const [held] = yield* store.claim(startAt, startAt + 100, 1)
    yield* store.begin(held!, startAt, null)
    const sent = { ...mail, attempts: 1, status: "sent", dueAt: null, completedAt: startAt + 1 } as const
    yield* store.settle(sent)
    const audit = auditOf()
    const others = { ...sent, organizationId: "org_other" }
    expectEqual(yield* store.sendAgain(others, next, auditOf()), false, "by no other organization")
    const both = [store.sendAgain(sent, next, audit), store.sendAgain(sent, next, auditOf())]
    const done = yield* Effect.all(both, { concurrency: "unbounded" })
    expectEqual(done.toSorted(), [false, true], "once")
    expectEqual(yield* store.list("org_shop", mail.invoiceId), [next], "it waits anew")
    expectEqual(idsOf(yield* store.claim(startAt + 7, startAt + 100, 9)), [mail.id], "and is claimed")
  },

  *"are kept once as many were sent in a day as may be, each organization and mode for itself"() {
    const store = yield* MailStore
    const day = 86_400_000
    const begin = Effect.fnUntraced(function* (members: Partial<Invoice> = {}, now = startAt, attempts = 0) {
      const mail = yield* given(members)
      return yield* store.begin({ ...mail, attempts }, now, 2)
    })
    expectEqual([yield* begin(), yield* begin()], ["Begun", "Begun"], "as many as may be")
    expectEqual(yield* begin({ mode: "live", connectionId: "con_1" }), "Begun", "another mode has its own")
    expectEqual(yield* begin({ organizationId: "org_other" }), "Begun", "and so has another organization")
    expectEqual(yield* begin({}, startAt, 1), "Begun", "a further attempt was counted with the first")
    const over = yield* given()
    expectEqual(yield* store.begin(over, startAt + 5, 2), "Kept", "one too many")
    const [kept] = yield* store.list("org_shop", over.invoiceId)
    expectEqual(
      kept,
      { ...over, status: "kept", reason: oneTooMany, dueAt: null, completedAt: startAt + 5 },
      "it is kept"
    )
    expectEqual(yield* begin({}, startAt + day), "Begun", "the next day counts anew")
    const many = yield* Effect.forEach(Array.from({ length: 8 }), () => given({ organizationId: "org_many" }))
    const outcomes = yield* Effect.forEach(many, (mail) => store.begin(mail, startAt, 3), { concurrency: "unbounded" })
    expectEqual(outcomes.filter((outcome) => outcome === "Begun").length, 3, "exactly, also at once")
  }
})

/** What every storage must do, of “clocks of sandboxes”. */
export const casesOfClocks = storageSubject("clocks of sandboxes", {
  *"go ahead, never back, and tell what falls due next in the sandbox"() {
    const clocks = yield* ClockStore
    const owner = accountOf()
    const { id } = organizationOf(owner)
    yield* MerchantStore.use((store) => store.addOrganization(organizationOf(owner, { id }), owner))
    expectEqual((yield* clocks.ahead).size, 0, "none is ahead at first")
    expectEqual(yield* clocks.advance(id, 5000), 5000, "one goes ahead")
    expectEqual(yield* clocks.advance(id, 4000), 5000, "and not back")
    expectEqual(yield* clocks.ahead, new Map([[id, 5000]]), "and is known")
    expectEqual(yield* clocks.nextDueAt(id), null, "nothing is due")
    const store = yield* InvoiceStore
    yield* store.insertMany([
      creationOf({ organizationId: id, dueAt: startAt + 70 }),
      creationOf({ organizationId: id, dueAt: startAt + 60 }),
      creationOf({ organizationId: id, mode: "live", dueAt: startAt + 50 }),
      creationOf({ dueAt: startAt + 40 })
    ])
    expectEqual(yield* clocks.nextDueAt(id), startAt + 60, "its own sandbox counts only")
    const claimed = yield* store.claim(startAt + 99, startAt + 999, 9, sandboxOf(id, 9))
    expectEqual(claimed.length, 2, "and is claimed only")
  }
})
