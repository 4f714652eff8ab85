/** Promises of `FeedStore`: every event once, in the order of commits, and nothing new before what was seen. */
import { SandboxStore } from "@tolem/core/engine/SandboxStore"
import { beginning, type Cursor } from "@tolem/core/feed/Cursor"
import { type FeedPart, type FeedQuery, FeedStore, type FeedWait } from "@tolem/core/feed/FeedStore"
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Effect, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, startAt } from "../fixtures.ts"
import { during, rounds, writers } from "../Meanwhile.ts"
import { storageSubject } from "./StorageCase.ts"

const shop = { organizationId: "org_shop", mode: "sandbox", connectionId: null } as const
const all: FeedQuery = { ...shop, start: { after: beginning }, types: [], limit: 100, lookAt: 1000 }

const place = (organizationId: string = shop.organizationId) =>
  FeedStore.use((feed) => Effect.repeat(feed.place(organizationId, 3), { until: (more) => !more }))
const read = (members: Partial<FeedQuery> = {}) => FeedStore.use((feed) => feed.read({ ...all, ...members }))
const fresh = (members: Partial<FeedQuery> = {}) =>
  Effect.andThen(place(members.organizationId ?? shop.organizationId), read(members))

const created = Effect.fnUntraced(function* (members: Partial<Invoice> = {}) {
  const creation = creationOf(members)
  yield* InvoiceStore.use((store) => store.insertMany([creation]))
  return creation.invoice
})
const paid = Effect.fnUntraced(function* (invoice: Invoice, now = startAt + 1000) {
  const change = changeOf(invoice, InvoiceCommand.Pay({ paidAt: startAt }), { now })
  const [result] = yield* InvoiceStore.use((store) => store.commitMany([change]))
  return Result.getOrThrow(result!)
})

const told = ({ entries }: FeedPart) => entries.map(({ event }) => `${event.type} ${event.invoiceId}`)
const ids = ({ entries }: FeedPart) => entries.map(({ event }) => event.id)
const positions = ({ entries }: FeedPart) => entries.map(({ cursor }) => cursor.position)

/** What every storage must do, of “the feed”. */
export const casesOfFeeds = storageSubject("the feed", {
  *"has every event of an organization and mode, in the order of commits"() {
    const [a, b] = [yield* created(), yield* created()]
    yield* paid(a)
    const live = yield* created({ mode: "live", connectionId: "con_1" })
    yield* created({ organizationId: "org_other" })
    yield* paid(b)
    const part = yield* fresh()
    expectEqual(
      told(part),
      [`invoice.created ${a.id}`, `invoice.created ${b.id}`, `invoice.paid ${a.id}`, `invoice.paid ${b.id}`],
      "in order"
    )
    expectEqual(positions(part), [1, 2, 3, 4], "without gaps")
    expectEqual(part.entries[2]?.invoice.status, "paid", "each with its invoice")
    expectEqual([part.more, part.cursor], [false, part.entries[3]!.cursor], "and the place behind the last one")
    expectEqual(told(yield* fresh({ mode: "live" })), [`invoice.created ${live.id}`], "the other mode has its own")
    expectEqual((yield* fresh({ organizationId: "org_nobody" })).entries, [], "who has none has none")
  },

  *"goes on from any of its places, and says whether there is more"() {
    for (let n = 0; n < 7; n++) yield* created()
    const whole = yield* fresh()
    let cursor: Cursor = beginning
    const found: Array<string> = []
    for (let pages = 0; pages < 4; pages++) {
      const part = yield* read({ start: { after: cursor }, limit: 2 })
      expectEqual(part.more, pages < 3, `page ${pages}`)
      found.push(...ids(part))
      cursor = part.cursor
    }
    expectEqual(found, ids(whole), "each once")
    const nothing = yield* read({ start: { after: cursor } })
    expectEqual([nothing.entries, nothing.cursor, nothing.more], [[], cursor, false], "at the end it stays")
    yield* created()
    expectEqual(positions(yield* fresh({ start: { after: cursor } })), [8], "until there is something new")
  },

  *"leaves out what is not asked for, and passes over it"() {
    const invoices = [yield* created(), yield* created(), yield* created()]
    for (const invoice of invoices) yield* paid(invoice)
    yield* place()
    const types = ["invoice.paid"] as const
    expectEqual(positions(yield* read({ types })), [4, 5, 6], "of these types")
    const first = yield* read({ types, lookAt: 2 })
    expectEqual([first.entries, first.cursor.position, first.more], [[], 2, true], "it looks at so many")
    const second = yield* read({ types, lookAt: 2, start: { after: first.cursor } })
    expectEqual([positions(second), second.more], [[4], true], "and goes on from there")
    const mine = yield* created({ mode: "live", connectionId: "con_1" })
    yield* created({ mode: "live", connectionId: "con_2" })
    const bound = yield* fresh({ mode: "live", connectionId: "con_1" })
    expectEqual([told(bound), bound.cursor.position], [[`invoice.created ${mine.id}`], 2], "of this cashier")
  },

  *"begins with the first event that is not older than an instant"() {
    const at = (createdAt: number) => created({ createdAt, updatedAt: createdAt })
    for (const second of [1, 3, 2, 5]) yield* at(startAt + second * 1000)
    yield* place()
    const since = (second: number) => Effect.map(read({ start: { since: startAt + second * 1000 } }), positions)
    expectEqual(yield* since(0), [1, 2, 3, 4], "from the beginning")
    expectEqual(yield* since(2), [2, 3, 4], "none that is not older is left out")
    expectEqual(yield* since(3), [2, 3, 4], "the instant itself counts")
    expectEqual(yield* since(4), [4], "the last one")
    const late = yield* read({ start: { since: startAt + 6000 } })
    expectEqual([late.entries, late.cursor.position], [[], 4], "none yet")
  },

  *"has every event once while many write and many read"() {
    const feed = yield* FeedStore
    const seen: Array<ReadonlyArray<string>> = []
    const follow = Effect.gen(function* () {
      let cursor: Cursor = beginning
      const mine: Array<string> = []
      while (true) {
        yield* feed.place(shop.organizationId, 5)
        const part: FeedPart = yield* feed.read({ ...all, start: { after: cursor }, limit: 7 })
        mine.push(...ids(part))
        if (part.entries.length === 0 && !part.more) break
        cursor = part.cursor
        yield* Effect.yieldNow
      }
      seen.push(mine)
    })
    yield* during(follow, () =>
      Effect.gen(function* () {
        for (let round = 0; round < rounds; round++) yield* paid(yield* created())
      })
    )
    yield* place()
    const whole = yield* read({ limit: 1000, lookAt: 20_000 })
    expectEqual(whole.entries.length, 2 * writers * rounds, "all are there")
    expectEqual(new Set(ids(whole)).size, whole.entries.length, "each once")
    expectEqual(
      positions(whole),
      whole.entries.map((_, index) => index + 1),
      "without gaps"
    )
    for (const mine of seen) expectEqual(mine, ids(whole).slice(0, mine.length), "as every reader has seen it")
    const paidFirst = whole.entries.filter(
      ({ event }, index) =>
        event.sequence === 2 && !whole.entries.slice(0, index).some((one) => one.event.invoiceId === event.invoiceId)
    )
    expectEqual(paidFirst, [], "an invoice's in their order")
  },

  *"tells who has something to read"() {
    const feed = yield* FeedStore
    const wait: FeedWait = { ...shop, types: [], position: 0 }
    const other: FeedWait = { ...wait, organizationId: "org_other" }
    expectEqual(yield* feed.ready([wait, other]), [], "none before anything happens")
    yield* created()
    expectEqual(yield* feed.arrived(["org_shop", "org_other"]), ["org_shop"], "it has no place yet")
    expectEqual(yield* feed.ready([wait, other]), [], "and is not read before it has")
    yield* place()
    expectEqual(yield* feed.arrived(["org_shop", "org_other"]), [], "now it has one")
    expectEqual(yield* feed.ready([wait, other]), [wait], "and can be read")
    expectEqual(yield* feed.ready([{ ...wait, position: 1 }, other]), [], "not who has seen it")
    expectEqual(yield* feed.ready([{ ...wait, mode: "live" }]), [], "nor in the other mode")
    const [seldom, often]: ReadonlyArray<FeedWait> = [
      { ...wait, types: ["invoice.refunded", "invoice.paid"] },
      { ...wait, types: ["invoice.failed", "invoice.created"] }
    ]
    expectEqual(yield* feed.ready([seldom!, often!]), [often!], "nor who waits for others")
    expectEqual(yield* feed.ready([{ ...wait, connectionId: "con_1" }]), [], "nor another cashier's")
  },

  *"passes over gaps of any length"() {
    const old = yield* Effect.forEach(Array.from({ length: 7 }), () => created())
    const kept = yield* created({ createdAt: startAt + 9000, updatedAt: startAt + 9000 })
    const { entries } = yield* fresh()
    const sandbox = yield* SandboxStore
    const forget = { organizationId: "org_shop", limit: 10, after: null }
    yield* sandbox.forgetInvoices({ ...forget, before: startAt + 5000 })
    const part = yield* read({ lookAt: 3, limit: 3 })
    expectEqual([told(part), part.more], [[`invoice.created ${kept.id}`], false], "from the beginning")
    const behind = yield* read({ start: { after: entries[1]!.cursor }, lookAt: 3, limit: 3 })
    expectEqual(told(behind), told(part), `and from within, ${old.length} are gone`)
    yield* sandbox.forgetInvoices({ ...forget, before: startAt + 10_000 })
    const none = yield* read({ start: { after: entries[1]!.cursor }, lookAt: 3, limit: 3 })
    expectEqual([none.entries, none.more], [[], false], "behind the last one there is nothing more")
    const feed = yield* FeedStore
    expectEqual(yield* feed.ready([{ ...shop, types: [], position: 2 }]), [], "and nothing to wake for")
  },

  *"begins again before an event that the data have lost"() {
    yield* created()
    yield* created()
    const { entries } = yield* fresh()
    const lost = { position: 2, eventId: "evt_00000000000000000000000000" }
    expectEqual(positions(yield* read({ start: { after: lost } })), [1, 2], "another one has its place")
    const gone = { position: 9, eventId: entries[1]!.event.id }
    expectEqual(positions(yield* read({ start: { after: gone } })), [1, 2], "its place was never reached")
    expectEqual(positions(yield* read({ start: { after: entries[0]!.cursor } })), [2], "not where it is there")
  },

  *"goes on if a sandbox has forgotten what was there"() {
    const [old, kept] = [yield* created(), yield* created({ createdAt: startAt + 9000, updatedAt: startAt + 9000 })]
    const { entries } = yield* fresh()
    const sandbox = yield* SandboxStore
    yield* created()
    yield* sandbox.forgetInvoices({ organizationId: "org_shop", before: startAt + 5000, limit: 10, after: null })
    expectEqual(told(yield* fresh()), [`invoice.created ${kept.id}`], "it is there no more")
    expectEqual(entries[0]?.event.invoiceId, old.id, "though it was")
    const next = yield* created()
    const part = yield* fresh({ start: { after: entries[0]!.cursor } })
    expectEqual(told(part), [`invoice.created ${kept.id}`, `invoice.created ${next.id}`], "behind it all is as before")
    expectEqual(positions(part), [2, 4], "and no place is given twice")
  }
})
