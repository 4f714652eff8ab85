/** Promises of `InvoiceStore.recount`: invoices that come into their quota, or leave it, by a change. */
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore, type Write } from "@tolem/core/invoice/InvoiceStore"
import type { Origin } from "@tolem/core/invoice/Origin"
import { sandboxQuota } from "@tolem/core/tariff/Tariff"
import { TariffStore } from "@tolem/core/tariff/TariffStore"
import { dayOf } from "@tolem/core/value/Calendar"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, endpointOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const quota = { monthlyLimit: 5, dailyLimit: 3 }
const today = dayOf(startAt)
const link: Origin = { kind: "payment-link", id: "lnk_1" }
const asked = { mode: "live", connectionId: "con_1", status: "new", stage: "asked" } as const
const waits = { ...asked, stage: "waits", origin: link, countedOn: null } as const

const usage = TariffStore.use((store) => store.usage("org_shop", startAt))

/** An invoice that is stored. */
const given = Effect.fnUntraced(function* (members: Partial<Invoice>) {
  const creation = creationOf(members)
  yield* InvoiceStore.use((store) => store.insertMany([creation]))
  return creation.invoice
})

/** It is paid. */
const paidOf = (previous: Invoice): Write =>
  changeOf({ ...previous, status: "pending", stage: "made" }, InvoiceCommand.Pay({ paidAt: startAt + 500 }))

/** Its code is to be made on `countedOn`. */
const begun = (previous: Invoice, countedOn: string | null = today): Write => ({
  previous,
  next: { ...previous, stage: "asked", countedOn, version: previous.version + 1 },
  event: null,
  refund: null
})
const outcomeOf = (write: Write, limits: typeof quota | null = quota) =>
  Effect.map(Effect.result(InvoiceStore.use((store) => store.recount(write, limits))), (result) =>
    Result.isFailure(result) ? result.failure._tag : "counted"
  )

/** What every storage must do, of “quotas”. */
export const casesOfQuotas = storageSubject("quotas", {
  *"get back the place of an invoice that was never made, and its key is free"() {
    const store = yield* InvoiceStore
    const invoice = yield* given({ ...asked, idempotencyKey: "order-1" })
    expectEqual(yield* usage, { month: 1, day: 1 }, "it counts")
    const failed = yield* store.recount(changeOf(invoice, InvoiceCommand.Fail()), null)
    expectEqual([failed.idempotencyKey, failed.countedOn, failed.status], [null, null, "failed"], "it gives back both")
    expectEqual(yield* store.find(invoice.id), Option.some(failed), "as it is stored")
    expectEqual(yield* usage, { month: 0, day: 0 }, "and does not count")
    const [again] = yield* store.insertMany([creationOf({ ...asked, idempotencyKey: "order-1" })])
    expectEqual(again?._tag, "Created", "its key is another's")
    expectEqual(yield* usage, { month: 1, day: 1 }, "which counts")
  },

  *"take an invoice in when its code is made, on the day of that"() {
    const store = yield* InvoiceStore
    const invoice = yield* given(waits)
    expectEqual(yield* usage, { month: 0, day: 0 }, "it waits and does not count")
    const tomorrow = dayOf(startAt + 86_400_000)
    yield* store.recount(begun(invoice, tomorrow), quota)
    expectEqual(yield* usage, { month: 1, day: 0 }, "not on its first day")
    const next = yield* TariffStore.use((tariffs) => tariffs.usage("org_shop", startAt + 86_400_000))
    expectEqual(next, { month: 1, day: 1 }, "but on the next")
  },

  *"are exact, however many come in at once"() {
    const all = yield* Effect.forEach(Array.from({ length: 8 }), () => given(waits))
    const outcomes = yield* Effect.forEach(all, (invoice) => outcomeOf(begun(invoice)), { concurrency: "unbounded" })
    expectEqual(outcomes.toSorted(), [...Array(5).fill("OverQuota"), ...Array(3).fill("counted")], "three of eight")
    expectEqual(yield* usage, { month: 3, day: 3 }, "and three are counted")
    const refused = all[outcomes.indexOf("OverQuota")]!
    expectEqual(yield* InvoiceStore.use((store) => store.find(refused.id)), Option.some(refused), "the others wait on")
  },

  *"keep a part for what visitors have not paid, which others never lose to them"() {
    const store = yield* InvoiceStore
    const limits = { monthlyLimit: 9, dailyLimit: 6, visitorsPart: 1 / 2 }
    const hook: Origin = { kind: "form-hook", id: "hok_1" }
    const [first, ...more] = yield* Effect.forEach(Array.from({ length: 5 }), (_, n) =>
      given({ ...waits, origin: n % 2 === 0 ? link : hook })
    )
    const counted = yield* store.recount(begun(first!), limits)
    const outcomes = yield* Effect.forEach(more, (one) => outcomeOf(begun(one), limits), { concurrency: "unbounded" })
    expectEqual(outcomes.toSorted(), ["OverQuota", "OverQuota", "counted", "counted"], "half of a day is theirs")
    const own = Array.from({ length: 3 }, () => ({ ...creationOf(asked), quota: limits }))
    const made = yield* store.insertMany(own)
    expectEqual(
      made.map(({ _tag }) => _tag),
      ["Created", "Created", "Created"],
      "the merchant has the rest"
    )
    expectEqual(yield* outcomeOf(begun(more[outcomes.indexOf("OverQuota")]!), limits), "OverQuota", "the day is full")

    const tomorrow = dayOf(startAt + 86_400_000)
    const late = more[outcomes.indexOf("OverQuota")]!
    expectEqual(yield* outcomeOf(begun(late, tomorrow), limits), "counted", "a month has room for a fourth")
    const fifth = yield* given(waits)
    expectEqual(yield* outcomeOf(begun(fifth, tomorrow), limits), "OverQuota", "and no fifth")
    yield* store.commitMany([paidOf(counted)])
    expectEqual(yield* outcomeOf(begun(fifth, tomorrow), limits), "counted", "until one of them is paid")
    expectEqual(yield* usage, { month: 8, day: 6 }, "each is counted once")
  },

  *"of the sandbox keep a part of the day for what visitors make"() {
    const store = yield* InvoiceStore
    const limits = sandboxQuota(4, startAt, 1 / 2)
    const creations = (origin: Origin | null) =>
      Array.from({ length: 3 }, () => ({ ...creationOf({ origin }), quota: limits }))
    const of = (origin: Origin | null) =>
      Effect.map(store.insertMany(creations(origin)), (all) =>
        all.map((one) => (one._tag === "OverQuota" ? one.code : one._tag))
      )
    expectEqual(yield* of(link), ["Created", "Created", "sandbox_limit"], "half is theirs")
    expectEqual(yield* of(null), ["Created", "Created", "sandbox_limit"], "and half is left to the merchant")
  },

  *"stay as they are if the invoice was changed meanwhile, by anyone"() {
    const invoice = yield* given(waits)
    const rivals = Array.from({ length: 6 }, () => outcomeOf(begun(invoice)))
    const outcomes = yield* Effect.all(rivals, { concurrency: "unbounded" })
    expectEqual(outcomes.toSorted(), [...Array(5).fill("InvoiceChanged"), "counted"], "one is faster")
    expectEqual(yield* usage, { month: 1, day: 1 }, "and counts once")
  },

  *"are moved by creates, ends and openings at once, and agree with the rows"() {
    const store = yield* InvoiceStore
    const [ending, opening] = yield* Effect.all([
      Effect.forEach(Array.from({ length: 10 }), (_, index) => given({ ...asked, idempotencyKey: `end ${index}` })),
      Effect.forEach(Array.from({ length: 10 }), () => given(waits))
    ])
    yield* Effect.all(
      [
        ...ending.map((invoice) => store.recount(changeOf(invoice, InvoiceCommand.Fail()), null)),
        ...opening.map((invoice) => store.recount(begun(invoice), null)),
        ...ending.map(({ idempotencyKey }) => store.insertMany([creationOf({ ...asked, idempotencyKey })])),
        ...opening.map(() => store.insertMany([{ ...creationOf(asked), quota: { monthlyLimit: 99, dailyLimit: 99 } }]))
      ],
      { concurrency: "unbounded" }
    )
    const { invoices } = yield* store.list({
      organizationId: "org_shop",
      mode: "live",
      connectionId: null,
      statuses: [],
      externalOrderId: null,
      search: null,
      from: null,
      to: null,
      limit: 200,
      offset: 0
    })
    const counted = invoices.filter(({ countedOn }) => countedOn === today).length
    expectEqual(yield* usage, { month: counted, day: counted }, "each is counted once")
  },

  *"say nothing to endpoints of what was never made, unless strangers have asked for it"() {
    const endpoint = endpointOf({ mode: "live" })
    yield* WebhookStore.use((store) => store.addEndpoint(endpoint, 10))
    const store = yield* InvoiceStore
    const [own, strangers] = [yield* given(asked), yield* given({ ...asked, origin: link })]
    for (const invoice of [own, strangers]) yield* store.recount(changeOf(invoice, InvoiceCommand.Fail()), null)
    const pushed = yield* given({ ...asked, kind: "phone" })
    yield* store.recount(changeOf(pushed, InvoiceCommand.Expire()), null)
    const query = { endpointId: endpoint.id, status: null, limit: 10, offset: 0 }
    const { deliveries } = yield* WebhookStore.use((webhooks) => webhooks.deliveries(query))
    expectEqual(
      deliveries.map(({ invoiceId, kind }) => [invoiceId, kind]),
      [[strangers.id, "invoice.failed"]],
      "the link's"
    )
  }
})
