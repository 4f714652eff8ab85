/** Promises of claims among several tenants: who waits is seen, and each gets its oldest, however much others have. */
import { newStatementLetter } from "@tolem/core/cabinet/letter/StatementLetter"
import { StatementLetterStore } from "@tolem/core/cabinet/letter/StatementLetterStore"
import type { StorageError } from "@tolem/core/error/StorageError"
import { beginning } from "@tolem/core/feed/Cursor"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { MailStore } from "@tolem/core/mail/MailStore"
import { newLine } from "@tolem/core/notice/NoticeLine"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import type { Mode } from "@tolem/core/value/Mode"
import type { Among, LookAtWaiting, Tenant } from "@tolem/core/value/Tenant"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { creationOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

const tenant = (organizationId: OrganizationId, mode: Mode = "sandbox"): Tenant => ({ organizationId, mode })
const hog = tenant("org_hog")
const victim = tenant("org_victim")
const live = tenant("org_victim", "live")

/** One of this tenant that falls due at this instant. */
const dueOf = ({ organizationId, mode }: Tenant, dueAt: number) =>
  creationOf({ organizationId, mode, dueAt, connectionId: mode === "live" ? "con_1" : null })

/** A hundred of one, then one of another in each mode, and one of a third that is due later. */
const given = Effect.gen(function* () {
  const store = yield* InvoiceStore
  yield* store.insertMany(Array.from({ length: 100 }, (_, n) => dueOf(hog, startAt + n)))
  yield* store.insertMany([
    dueOf(victim, startAt + 900),
    dueOf(victim, startAt + 901),
    dueOf(live, startAt + 902),
    dueOf(tenant("org_zzz"), startAt + 9_000)
  ])
  return store
})

/** A port whose rows are each of a cashier or a member. */
interface Port<Row> {
  readonly claim: (
    now: number,
    until: number,
    limit: number,
    among?: Among
  ) => Effect.Effect<ReadonlyArray<Row>, StorageError>
  readonly waiting: LookAtWaiting<StorageError>
  readonly add: (of: Tenant, part: string, dueAt: number) => Effect.Effect<unknown, StorageError>
  readonly partOf: (row: Row) => string
}

/** Four live ones of one tenant, one of another, and one of a third that is due later: they are claimed in turn. */
const expectTurns = Effect.fnUntraced(function* <Row>({ claim, waiting, add, partOf }: Port<Row>) {
  const many = tenant("org_hog", "live")
  for (const part of ["1", "2", "3", "4"]) yield* add(many, part, startAt + Number(part))
  yield* add(live, "5", startAt + 900)
  yield* add(tenant("org_zzz", "live"), "6", startAt + 9_000)
  const now = startAt + 1000
  expectEqual(yield* waiting(now, ""), { tenants: [many, live], next: null }, "who has something due")
  expectEqual((yield* waiting(now, "org_hog")).tenants, [live], "from a place on")
  const claimOf = (tenants: ReadonlyArray<Tenant>, each: number) =>
    Effect.map(claim(now, now + 50, 9, { tenants, each }), (rows) => rows.map(partOf).toSorted())
  expectEqual(yield* claimOf([tenant("org_hog"), victim], 9), [], "there are none of sandboxes")
  expectEqual(yield* claimOf([many, live], 2), ["1", "2", "5"], "the oldest of each")
  const both = yield* Effect.all([claimOf([many, live], 9), claimOf([many, live], 9)], { concurrency: "unbounded" })
  expectEqual(both.flat().toSorted(), ["3", "4"], "none twice")
  expectEqual((yield* waiting(now, "")).tenants, [], "what is leased does not wait")
  expectEqual((yield* waiting(now + 50, "")).tenants, [many, live], "until its lease ends")
})

/** What every storage must do, of “turns”. */
export const casesOfTurns = storageSubject("turns", {
  *"show the tenants that have something due, and no others"() {
    const store = yield* given
    expectEqual(
      yield* store.waiting(startAt + 1000, ""),
      { tenants: [hog, live, victim], next: null },
      "by organization and mode"
    )
    expectEqual((yield* store.waiting(startAt + 1000, "org_hog")).tenants, [live, victim], "from a place on")
    expectEqual((yield* store.waiting(startAt - 1, "")).tenants, [], "nobody before anything is due")
    expectEqual((yield* store.waiting(startAt + 9_000, "org_victim")).tenants, [tenant("org_zzz")], "at once when due")
    yield* store.claim(startAt + 1000, startAt + 99_999, 200)
    expectEqual((yield* store.waiting(startAt + 1000, "")).tenants, [], "nor what is leased")
    const none = { tenants: [], next: null }
    const subscriptions = yield* SubscriptionStore
    expectEqual(yield* subscriptions.waiting(startAt, ""), none, "no subscription waits")
    expectEqual(yield* subscriptions.waitingRuns(startAt, ""), none, "no run")
    expectEqual(yield* MailStore.use((mails) => mails.waiting(startAt, "")), none, "and no letter")
  },

  *"give each its oldest, so many at most"() {
    const store = yield* given
    const claimed = yield* store.claim(startAt + 1000, startAt + 5000, 6, { tenants: [hog, live, victim], each: 2 })
    const dueOfEach = Object.groupBy(claimed, ({ organizationId, mode }) => `${organizationId} ${mode}`)
    expectEqual(
      Object.fromEntries(Object.entries(dueOfEach).map(([key, rows]) => [key, rows?.length])),
      { "org_hog sandbox": 2, "org_victim sandbox": 2, "org_victim live": 1 },
      "two of each where there are two"
    )
    const next = yield* store.claim(startAt + 1000, startAt + 5000, 10, { tenants: [victim, hog], each: 3 })
    expectEqual(
      next.map(({ organizationId }) => organizationId),
      ["org_hog", "org_hog", "org_hog"],
      "none is given twice"
    )
    expectEqual((yield* store.claim(startAt + 1000, startAt + 5000, 1, { tenants: [hog], each: 9 })).length, 1, "limit")
    const rivals = yield* Effect.forEach(
      Array.from({ length: 8 }),
      () => store.claim(startAt + 1000, startAt + 5000, 5, { tenants: [hog], each: 5 }),
      { concurrency: "unbounded" }
    )
    const ids = rivals.flat().map(({ id }) => id)
    expectEqual(new Set(ids).size, ids.length, "nor to two at once")
  },

  *"are looked at by some organizations at a time"() {
    const store = yield* InvoiceStore
    const nameOf = (n: number) => `org_${String(n).padStart(4, "0")}`
    yield* store.insertMany(Array.from({ length: 300 }, (_, n) => dueOf(tenant(nameOf(n)), startAt)))
    const first = yield* store.waiting(startAt, "")
    expectEqual([first.tenants.length, first.next], [256, nameOf(255)], "as many as one look takes in")
    const second = yield* store.waiting(startAt, first.next ?? "")
    expectEqual([second.tenants.length, second.next], [44, null], "and then the rest")
  },

  *"are taken of days that are to be compared"() {
    const store = yield* ReconciliationStore
    const day = "2026-01-01"
    yield* expectTurns({
      ...store,
      add: ({ organizationId }, connectionId, dueAt) => store.ask({ organizationId, connectionId, day }, dueAt),
      partOf: ({ connectionId }) => connectionId
    })
  },

  *"are taken of statements by letter"() {
    const store = yield* StatementLetterStore
    yield* expectTurns({
      ...store,
      add: ({ organizationId }, accountId, dueAt) =>
        store.add({ ...newStatementLetter({ organizationId, accountId }, startAt), dueAt }, auditOf()),
      partOf: ({ accountId }) => accountId
    })
  },

  *"are taken of notices, in each mode"() {
    const store = yield* NoticeStore
    const wish = { kinds: ["paid"], minimum: null, quiet: null, language: "ru" } as const
    const add = (of: Tenant, accountId: string, dueAt: number) =>
      store.add({ ...newLine({ ...of, accountId, channel: "letter" }, wish, beginning, startAt), dueAt }, auditOf())
    yield* expectTurns({ ...store, add, partOf: ({ accountId }) => accountId })
    yield* add(victim, "7", startAt)
    expectEqual((yield* store.waiting(startAt, "")).tenants, [victim], "the sandbox for itself")
    const claimed = yield* store.claim(startAt, startAt + 50, 9, { tenants: [live, victim], each: 9 })
    expectEqual(claimed, [yield* Effect.map(store.find(claimed[0]!), Option.getOrThrow)], "as it is kept")
    expectEqual(claimed[0]!.mode, "sandbox", "and no other")
  }
})
