/** Promises about what is kept for a time: deliveries, attempts and letters go by their age, and the checks know it. */
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { Mail } from "@tolem/core/mail/Mail"
import { MailStore } from "@tolem/core/mail/MailStore"
import * as NewMail from "@tolem/core/mail/NewMail"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { ClockStore } from "@tolem/core/time/ClockStore"
import type { Endpoint } from "@tolem/core/webhook/Webhook"
import { AttemptOutcome, type ForgettingPlace, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"
import { claimDue } from "../claims.ts"
import { expectEqual } from "../Expectation.ts"
import {
  accountOf,
  attemptOf,
  changeOf,
  creationOf,
  freshId,
  organizationOf,
  queryOf,
  startAt,
  testDeliveryOf
} from "../fixtures.ts"
import { attempted, attemptsOf, findings, listening, minute, paid, taken } from "./Ages.ts"
import { storageSubject } from "./StorageCase.ts"

const { Delivered, Failed, Retry } = AttemptOutcome

/** Removes what ended before an instant, `limit` at a time, as the janitor does; answers how many at each step. */
const swept = Effect.fnUntraced(function* (before: number, limit = 100) {
  const store = yield* WebhookStore
  const steps: Array<number> = []
  let after: ForgettingPlace | null = null
  do {
    const step: { removed: number; next: ForgettingPlace | null } = yield* store.forgetDeliveries({
      before,
      limit,
      after
    })
    steps.push(step.removed)
    after = step.next
  } while (after !== null)
  return steps
})

const logOf = ({ id }: Endpoint) =>
  WebhookStore.use((store) =>
    Effect.map(store.deliveries({ endpointId: id, status: null, limit: 99, offset: 0 }), ({ deliveries }) => deliveries)
  )

/** What every storage must do, of “what is kept for a time”. */
export const casesOfAges = storageSubject("what is kept for a time", {
  *"goes with its attempts after the instant, delivered or given up, and not before"() {
    const endpoint = yield* listening()
    yield* paid()
    const ended = startAt + minute
    yield* attempted(startAt + 2000, 1, Retry({ dueAt: ended, pauseUntil: null }))
    const [delivered] = yield* attempted(ended, 2, Delivered())
    yield* paid()
    const [failed] = yield* attempted(ended, 1, Failed({ pauseUntil: null }))
    expectEqual(sum(yield* swept(ended)), 0, "not at the instant that they ended")
    expectEqual(yield* attemptsOf(delivered!), [1, 2], "with all attempts")
    expectEqual(sum(yield* swept(ended + 1)), 2, "but a millisecond later")
    expectEqual([yield* attemptsOf(delivered!), yield* attemptsOf(failed!)], [null, null], "they are gone")
    expectEqual(yield* logOf(endpoint), [], "both")
    expectEqual(yield* findings, [], "and are not missed")
    const [invoice] = (yield* InvoiceStore.use((store) => store.list(queryOf()))).invoices
    const history = yield* InvoiceStore.use((store) => store.history("org_shop", invoice!.id))
    expectEqual(history.events.length, 2, "events are never removed")
  },

  *"stays while it is to be sent, however old: due, claimed, or held by its endpoint"() {
    const held = yield* listening({ disabled: true })
    const endpoint = yield* listening()
    const store = yield* WebhookStore
    yield* store.addDelivery(testDeliveryOf(held))
    yield* paid()
    yield* attempted(startAt + 2000, 1, Retry({ dueAt: startAt + minute, pauseUntil: null }))
    const muchLater = startAt + 1000 * minute
    expectEqual(sum(yield* swept(muchLater)), 0, "due")
    const [job] = yield* claimDue(store, { now: muchLater, until: muchLater + 20_000 })
    expectEqual(sum(yield* swept(muchLater + 10_000)), 0, "claimed")
    const attempt = attemptOf({ number: 2, startedAt: muchLater, ...taken })
    const settled = yield* store.settleMany([{ job: job!, attempt, outcome: Delivered() }], muchLater + 10)
    expectEqual(settled, [true], "what was claimed is settled")
    expectEqual((yield* logOf(held)).length + (yield* logOf(endpoint)).length, 2, "both are there")
    expectEqual(yield* findings, [], "and everything agrees")
  },

  *"goes endpoint by endpoint, a few at a time, and what is left can be removed later"() {
    const endpoints = [yield* listening(), yield* listening(), yield* listening({ mode: "live" })]
    for (let n = 0; n < 5; n++) yield* paid()
    const ended = startAt + minute
    yield* attempted(ended, 1, Delivered())
    const store = yield* WebhookStore
    const first = yield* store.forgetDeliveries({ before: ended + 1, limit: 2, after: null })
    expectEqual(first.removed, 2, "two of ten")
    // As after a crash of the server that swept.
    expectEqual(yield* findings, [], "a sweep that ended early leaves nothing that does not agree")
    yield* paid()
    const steps = yield* swept(ended + 1, 2)
    expectEqual([sum(steps), Math.max(...steps)], [8, 2], "the rest, in steps")
    const left = yield* Effect.forEach(endpoints, logOf)
    expectEqual(
      left.map(({ length }) => length),
      [1, 1, 0],
      "and nothing younger"
    )
    expectEqual(yield* findings, [], "and everything agrees")
    expectEqual(sum(yield* swept(ended + 1)), 0, "a second sweep finds nothing")
  },

  *"is removed once by several who sweep at once"() {
    yield* listening()
    yield* listening()
    for (let n = 0; n < 10; n++) yield* paid()
    yield* attempted(startAt + minute, 1, Delivered())
    const sweeps = yield* Effect.all(
      Array.from({ length: 4 }, () => swept(startAt + 2 * minute, 3)),
      { concurrency: "unbounded" }
    )
    expectEqual(sum(sweeps.flat()) + sum(yield* swept(startAt + 2 * minute)), 20, "each by one")
    expectEqual(yield* findings, [], "and everything agrees")
  },

  *"goes by real time in a sandbox whose clock is ahead"() {
    const owner = accountOf()
    yield* MerchantStore.use((store) => store.addOrganization(organizationOf(owner, { id: "org_shop" }), owner))
    const aheadMs = 400 * 24 * 60 * minute
    yield* ClockStore.use((store) => store.advance("org_shop", aheadMs))
    yield* listening()
    yield* paid({}, aheadMs)
    const [delivery] = yield* attempted(startAt + minute, 1, Delivered())
    expectEqual(sum(yield* swept(startAt + minute)), 0, "not before its time")
    expectEqual(sum(yield* swept(startAt + minute + 1)), 1, "but then")
    expectEqual(yield* attemptsOf(delivery!), null, "it is gone")
    const of = yield* findings
    expectEqual(
      of.filter(({ rule }) => rule === "announced_deliveries_are_kept" || rule === "events_have_deliveries"),
      [],
      "and is not missed"
    )
  },

  *"of letters goes after the instant that they ended, and what is to be sent stays"() {
    const store = yield* MailStore
    const mails: Array<Mail> = []
    for (const at of [startAt, startAt + 1, startAt + 2]) {
      const { invoice, event } = creationOf({ customer: { name: null, phone: null, email: "a@b.kz" } })
      const mail = NewMail.about(invoice, "receipt", freshId("mai"), startAt)!
      yield* InvoiceStore.use((invoices) => invoices.insertMany([{ invoice, event }]))
      const change = changeOf(invoice, InvoiceCommand.Pay({ paidAt: startAt }))
      yield* InvoiceStore.use((invoices) => invoices.commitMany([{ ...change, mail }]))
      mails.push({ ...mail, status: "failed", reason: "x", dueAt: null, completedAt: at })
    }
    const [first, second, waiting] = mails as [Mail, Mail, Mail]
    yield* store.settle(first)
    yield* store.settle(second)
    const exists = (mail: Mail) =>
      Effect.map(store.list("org_shop", mail.invoiceId), (found) => found.some(({ id }) => id === mail.id))
    expectEqual(yield* store.forget(startAt, 9), 0, "not at the instant")
    expectEqual(yield* store.forget(startAt + 1, 9), 1, "but a millisecond later")
    expectEqual(yield* Effect.forEach([first, second, waiting], exists), [false, true, true], "the first")
    expectEqual(yield* store.forget(startAt + 9e9, 9), 1, "all that ended")
    expectEqual(yield* exists(waiting), true, "and never what waits")
    expectEqual(yield* findings, [], "and nothing is missed")
  }
})

const sum = (steps: ReadonlyArray<number>) => steps.reduce((total, step) => total + step, 0)
