/** Promises of `NoticeStore` and `MessengerLinkStore`. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { beginning } from "@tolem/core/feed/Cursor"
import { askedAgain, begunIn, codeMs, endedBy, newLink } from "@tolem/core/messenger/MessengerLink"
import { MessengerLinkStore } from "@tolem/core/messenger/MessengerLinkStore"
import { handingOver, type NoticeLine, type NoticeWish, newLine, waiting } from "@tolem/core/notice/NoticeLine"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { startAt } from "../fixtures.ts"
import { opened } from "./DirectoryCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

const wish: NoticeWish = {
  kinds: ["paid", "cashiers"],
  minimum: Tiyn(50_000),
  quiet: { from: 1_320, to: 480, days: [1, 7] },
  language: "kk"
}

const chosen = Effect.map(opened(), ({ organization, owner }) => {
  const key = { organizationId: organization.id, accountId: owner.id, mode: "live", channel: "telegram" } as const
  return newLine(key, wish, beginning, startAt)
})

const person = Effect.map(opened(), ({ owner }) => owner.id)

const noted = Effect.map(
  AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 99 })),
  (records) => records.length
)

/** What every storage must do, of “notices”. */
export const casesOfNotices = storageSubject("notices", {
  *"are chosen once of a member, mode and channel, and end once, each with its record"() {
    const store = yield* NoticeStore
    const line = yield* chosen
    const before = yield* noted
    const both = yield* Effect.all([store.add(line, auditOf()), store.add(line, auditOf())], { concurrency: 2 })
    expectEqual(both.toSorted(), [false, true], "of two one is written")
    expectEqual(yield* store.find(line), Option.some(line), "as it was given")
    const letter: NoticeLine = { ...line, channel: "letter", quiet: null, minimum: null }
    const sandbox: NoticeLine = { ...letter, mode: "sandbox" }
    yield* store.add(letter, auditOf())
    yield* store.add(sandbox, auditOf())
    expectEqual(yield* store.list(line), [letter, line], "of the mode, by channel")
    expectEqual(yield* store.find({ ...line, organizationId: "org_none" }), Option.none(), "of that organization alone")
    expectEqual(yield* store.remove({ ...line, accountId: "acc_none" }, auditOf()), false, "and of that member")
    expectEqual(yield* store.remove(line, auditOf()), true, "ended")
    expectEqual(yield* store.remove(line, auditOf()), false, "once")
    expectEqual((yield* noted) - before, 4, "with a record of each")
  },

  *"fall due once, are leased by one, and are changed by who has seen the last version"() {
    const store = yield* NoticeStore
    const line = yield* chosen
    yield* store.add(line, auditOf())
    expectEqual((yield* store.claim(startAt - 1, startAt + 9, 5)).length, 0, "not before")
    const claim = store.claim(startAt, startAt + 9, 5)
    const claims = yield* Effect.all([claim, claim], { concurrency: 2 })
    const leased = { ...line, dueAt: startAt + 9 }
    expectEqual(claims.flat(), [leased], "by one")
    const sending = handingOver(leased)
    const begins = yield* Effect.all([store.replace(sending), store.replace(sending)], { concurrency: 2 })
    expectEqual(begins.toSorted(), [false, true], "handed over by one")
    const [left] = yield* store.claim(startAt + 9, startAt + 20, 5)
    expectEqual(left?.status, "sending", "what was left is found again")
    const before = yield* noted
    expectEqual(yield* store.replace(waiting(line, startAt), auditOf()), false, "an old version changes nothing")
    expectEqual((yield* noted) - before, 0, "and leaves no record")
    const next = waiting({ ...sending, status: "waiting", position: 3, eventId: "evt_3", going: ["a b"] }, startAt + 30)
    expectEqual(yield* store.replace(next, auditOf()), true, "and goes on")
    expectEqual(yield* store.find(line), Option.some(next), "from where it is")
  }
})

/** What every storage must do, of “chats”. */
export const casesOfChats = storageSubject("chats", {
  *"begin with a code once, and end"() {
    const store = yield* MessengerLinkStore
    const row = newLink(yield* person, "a".repeat(64), startAt)
    expectEqual([yield* store.add(row), yield* store.add(row)], [true, false], "asked for once")
    expectEqual(yield* store.findByCode("a".repeat(64)), Option.some(row), "found by the code")
    const again = askedAgain(row, "b".repeat(64), startAt + 1)
    expectEqual(yield* store.replace(again), true, "asked for again")
    expectEqual(yield* store.findByCode("a".repeat(64)), Option.none(), "the code before is void")
    expectEqual(begunIn(again, "77", startAt + 1 + codeMs), null, "after its time it begins nothing")
    const linked = begunIn(again, "77", startAt + 2)
    if (linked === null) return
    const both = [store.replace(linked, auditOf()), store.replace(linked, auditOf())]
    expectEqual((yield* Effect.all(both, { concurrency: 2 })).toSorted(), [false, true], "begun once")
    expectEqual(yield* store.ofChat("77"), [linked], "found by the chat")
    expectEqual(yield* store.findByCode("b".repeat(64)), Option.none(), "a code begins one chat")
    expectEqual(yield* store.replace(endedBy(linked, "blocked"), auditOf()), true, "ended")
    expectEqual(yield* store.ofChat("77"), [], "it is no chat any more")
    expectEqual(yield* store.remove(row.accountId, auditOf()), true, "forgotten")
    expectEqual(yield* store.remove(row.accountId, auditOf()), false, "once")
  },

  *"give a place to one at a time, and none while they are held"() {
    const store = yield* MessengerLinkStore
    const accountId = yield* person
    expectEqual(yield* store.take(accountId, startAt, startAt + 10), false, "there is no chat")
    yield* store.add({ ...newLink(accountId, "a".repeat(64), startAt), status: "linked", chatId: "77" })
    const take = (now: number) => store.take(accountId, now, now + 10)
    const both = yield* Effect.all([take(startAt), take(startAt)], { concurrency: 2 })
    expectEqual(both.toSorted(), [false, true], "of two at once one has it")
    yield* store.hold(accountId, startAt + 50)
    yield* store.hold(accountId, startAt + 20)
    expectEqual([yield* take(startAt + 49), yield* take(startAt + 50)], [false, true], "the longer hold holds")
    const row = Option.getOrThrow(yield* store.find(accountId))
    yield* store.replace(askedAgain({ ...row, freeAt: 0 }, "b".repeat(64), startAt))
    expectEqual(yield* take(startAt + 55), false, "a change of the rest does not free it")
  },

  *"are read by one at a time, from where the last one has come to"() {
    const store = yield* MessengerLinkStore
    const lease = (now: number) => store.leaseReading(now, now + 10)
    const both = yield* Effect.all([lease(startAt), lease(startAt)], { concurrency: 2 })
    expectEqual(both.flat(), [{ offset: 0, dueAt: startAt + 10 }], "of two at once one reads")
    const term = { offset: 0, dueAt: startAt + 10 }
    expectEqual(yield* store.noteReading(term, 7, startAt + 2), true, "noted")
    expectEqual(yield* store.noteReading(term, 9, startAt + 2), false, "once")
    expectEqual(yield* lease(startAt + 1), [], "not before")
    expectEqual(yield* lease(startAt + 2), [{ offset: 7, dueAt: startAt + 12 }], "and goes on")
    expectEqual(yield* lease(startAt + 12), [{ offset: 7, dueAt: startAt + 22 }], "after a crash too")
  }
})
