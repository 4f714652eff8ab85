/** Promises of `FormRefusalStore`, and of what `ReportStore` tells of a payment link by day. */
import { ReportStore } from "@tolem/core/cabinet/ReportStore"
import { FormHookStore } from "@tolem/core/formhook/FormHookStore"
import type { FormRefusal } from "@tolem/core/formhook/FormRefusal"
import { type FormRefusalQuery, FormRefusalStore, type RefusedForms } from "@tolem/core/formhook/FormRefusalStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect } from "effect"
import { expectEqual } from "../Expectation.ts"
import { creationOf, formHookOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const dayMs = 86_400_000
const perReason = 3

/** A form that a hook has refused on the second day of all. */
export const formRefusalOf = (members: Partial<FormRefusal> = {}): FormRefusal => ({
  hookId: "hok_1",
  at: dayMs,
  reason: "invalid_amount",
  faults: [],
  names: [],
  site: null,
  ...members
})

/** Some of one hook and reason, counted. */
export const refusedFormsOf = (kept: ReadonlyArray<FormRefusal>, of: Partial<RefusedForms> = {}): RefusedForms => {
  const [first = formRefusalOf()] = kept
  const { at: lastAt } = kept.at(-1) ?? first
  const { hookId, reason, at: firstAt } = first
  return { hookId, reason, refused: kept.length, firstAt, lastAt, kept, ...of }
}

const many = (count: number, members: Partial<FormRefusal> = {}, first = 0) =>
  Array.from({ length: count }, (_, index) => formRefusalOf({ ...members, at: dayMs + first + index }))

const query = (of: Partial<FormRefusalQuery> = {}): FormRefusalQuery => ({
  organizationId: "org_shop",
  hookId: "hok_1",
  since: 0,
  reason: null,
  limit: 100,
  ...of
})

const hooked = FormHookStore.use((store) => store.add(formHookOf({ id: "hok_1" }), 10))

const add = (...forms: ReadonlyArray<RefusedForms>) => FormRefusalStore.use((store) => store.add(forms, perReason))

const instants = (of: Partial<FormRefusalQuery> = {}) =>
  Effect.map(
    FormRefusalStore.use((store) => store.list(query(of))),
    (found) => found.map(({ at }) => at - dayMs)
  )

const spam = { reason: "request_rate_limited" }

/** What every storage must do, of “refused forms”. */
export const casesOfFormRefusals = storageSubject("refused forms", {
  *"come back as they were written, the newest first"() {
    yield* hooked
    const store = yield* FormRefusalStore
    const faults = [
      { field: "amount", code: "invalid_amount" },
      { field: "phone", code: "invalid_phone" }
    ] as const
    const first = formRefusalOf({ faults, names: ["summa", "?"], site: "https://shop.kz" })
    const second = formRefusalOf({ at: dayMs + 5 })
    yield* add(refusedFormsOf([first, second]))
    const of = { organizationId: "org_shop" }
    const found = yield* store.list(query())
    expectEqual(
      found,
      [
        { ...second, ...of, place: 1 },
        { ...first, ...of, place: 0 }
      ],
      "both"
    )
    expectEqual(yield* instants({ since: dayMs + 1 }), [5], "from an instant on")
    expectEqual(yield* instants({ limit: 1 }), [5], "as many as were asked for")
  },

  *"are those of one hook and of its organization"() {
    yield* hooked
    yield* add(refusedFormsOf(many(1)), refusedFormsOf(many(1, { hookId: "hok_none" })))
    expectEqual(yield* instants({ organizationId: "org_other" }), [], "not of another one")
    expectEqual(yield* instants({ hookId: "hok_none" }), [], "of no hook there are none")
    const counts = yield* FormRefusalStore.use((store) => store.counts(query({ hookId: "hok_none" })))
    expectEqual(counts, [], "nor are they counted")
    yield* FormHookStore.use((store) => store.remove("org_shop", "hok_1", startAt))
    yield* add(refusedFormsOf(many(1, {}, 9)))
    expectEqual(yield* instants(), [0], "nothing is added of one that was removed")
  },

  *"take the places of the oldest for their reason, and are all counted"() {
    yield* hooked
    yield* add(refusedFormsOf(many(2)), refusedFormsOf(many(2, spam, 10)))
    yield* add(refusedFormsOf(many(3, spam, 20), { refused: 500 }))
    yield* add(refusedFormsOf([], { refused: 7, ...spam, firstAt: dayMs + 30, lastAt: dayMs + 30 }))
    expectEqual(yield* instants(), [22, 21, 20, 1, 0], "others stay, however many of one there are")
    expectEqual(yield* instants({ reason: "invalid_amount" }), [1, 0], "those for one reason")
    const counts = yield* FormRefusalStore.use((store) => store.counts(query()))
    const of = { hookId: "hok_1", firstAt: dayMs + 10, lastAt: dayMs + 30 }
    expectEqual(counts[0], { ...of, ...spam, refused: 509 }, "the most frequent reason first")
    expectEqual(counts[1]?.refused, 2, "then the other")
    const younger = yield* FormRefusalStore.use((store) => store.counts(query({ since: dayMs + 2 })))
    expectEqual(younger.length, 1, "those that have grown since an instant")
  },

  *"are never more than there are places, however many servers write"() {
    yield* hooked
    yield* Effect.forEach(
      Array.from({ length: 20 }, (_, n) => n),
      (n) => add(refusedFormsOf(many((n % 4) + 1, {}, n * 10)), refusedFormsOf(many(1, spam, n))),
      { concurrency: "unbounded" }
    )
    expectEqual((yield* instants()).length, 2 * perReason, "three for each reason")
    const counts = yield* FormRefusalStore.use((store) => store.counts(query()))
    const sums = counts.map(({ refused }) => refused)
    expectEqual(sums, [50, 20], "and all are counted")
  },

  *"are forgotten by their day"() {
    yield* hooked
    const store = yield* FormRefusalStore
    yield* add(refusedFormsOf(many(3)), refusedFormsOf(many(2, spam)))
    yield* add(refusedFormsOf([formRefusalOf({ at: 2 * dayMs, reason: "invalid_phone" })]))
    expectEqual(yield* store.forget(dayMs, 2), 0, "nothing is that old")
    expectEqual(yield* store.forget(2 * dayMs, 2), 2, "a portion")
    yield* store.forget(2 * dayMs, 2)
    yield* store.forget(2 * dayMs, 2)
    expectEqual(yield* store.forget(2 * dayMs, 2), 0, "until there is none")
    expectEqual(yield* instants(), [dayMs], "what is younger stays")
    expectEqual((yield* store.counts(query())).length, 1, "with its count")
  }
})

/** What every storage must do, of “days of links”. */
export const casesOfLinkDays = storageSubject("days of links", {
  *"are counted from the invoices of one link"() {
    const invoices = yield* InvoiceStore
    const { linkDays } = yield* ReportStore
    const creations = [0, 0, 1, 3].map((day, index) =>
      creationOf({
        organizationId: "org_shop",
        amount: Tiyn((index + 1) * 1000),
        origin: { kind: "payment-link", id: index === 3 ? "lnk_2" : "lnk_1" },
        ...(index === 0 && { status: "new", stage: "waits" }),
        ...(index > 0 && { status: "paid", paidAt: startAt + day * dayMs }),
        createdAt: startAt + day * dayMs,
        updatedAt: startAt + day * dayMs
      })
    )
    yield* invoices.insertMany(creations)
    const of = { organizationId: "org_shop", linkId: "lnk_1", from: startAt } as const
    const none = { refunded: 0n }
    const first = { nth: 0, made: 2, opened: 1, paid: 1, paidAmount: 2000n, ...none }
    const second = { nth: 1, made: 1, opened: 1, paid: 1, paidAmount: 3000n, ...none }
    expectEqual(yield* linkDays(of, 10), [first, second], "by day")
    expectEqual(yield* linkDays({ ...of, from: startAt + dayMs }, 10), [{ ...second, nth: 0 }], "since an instant")
    expectEqual(
      (yield* linkDays(of, 1)).map(({ made }) => made),
      [1, 1],
      "the newest, and one more that tells that there are more"
    )
    expectEqual(yield* linkDays({ ...of, organizationId: "org_other" }, 10), [], "of the organization")
  }
})
