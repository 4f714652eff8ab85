/** Promises of `LoginStore` about challenges. */
import { LoginStore } from "@tolem/core/login/LoginStore"
import { Effect, Option } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { accountOf, startAt } from "../fixtures.ts"
import { alone, challengeOf, day, entered, given, limits, plain, second, sessionOf, told } from "../loginSteps.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

const added = Option.none<number>()

/** What every storage must do with logins. */
export const casesOfLogins = [
  ...storageSubject("login challenges", {
    *"come back as they were written"() {
      const store = yield* LoginStore
      const full = yield* given({ addressDigest: "a".repeat(64) })
      const bare = yield* given()
      expectEqual(Option.map(yield* store.findChallenge(full.id), plain), Option.some(plain(full)), "one")
      expectEqual(Option.map(yield* store.findChallenge(bare.id), plain), Option.some(plain(bare)), "the other")
      expectEqual(yield* store.findChallenge("chl_nobody"), Option.none(), "an unknown one")
    },

    *"of a phone keep their distance, and are so many in any period"() {
      const store = yield* LoginStore
      const phone = accountOf().phone
      const ask = (at: number) => store.addChallenge(challengeOf({ phone, createdAt: startAt + at }), limits)
      expectEqual(yield* ask(0), added, "the first")
      expectEqual(yield* ask(0), Option.some(startAt + 60 * second), "another at once waits")
      expectEqual(yield* ask(60 * second - 1), Option.some(startAt + 60 * second), "a moment too soon")
      expectEqual(yield* ask(60 * second), added, "the second")
      expectEqual(yield* ask(120 * second), added, "the third")
      expectEqual(yield* ask(180 * second), Option.some(startAt + day), "a fourth waits for the first to leave")
      expectEqual(yield* ask(day - 1), Option.some(startAt + day), "to the end")
      expectEqual(yield* ask(day), added, "which has left")
      expectEqual(yield* ask(day + 60 * second), added, "as has the second")
      expectEqual(yield* store.addChallenge(challengeOf(), limits), added, "others wait for nobody")
    },

    *"of an address are so many in any period, whatever the phones"() {
      const store = yield* LoginStore
      const ask = (addressDigest: string | null, at: number) =>
        store.addChallenge(challengeOf({ addressDigest, createdAt: startAt + at }), limits)
      for (const at of [0, 1, 2, 3, 4]) expectEqual(yield* ask("here", at), added, `the one at ${at}`)
      expectEqual(yield* ask("here", 5), Option.some(startAt + day), "one more waits")
      expectEqual(yield* ask("there", 5), added, "somewhere else there is room")
      for (const at of [0, 1, 2, 3, 4, 5, 6]) expectEqual(yield* ask(null, at), added, "nowhere is no place")
      expectEqual(yield* ask("here", day), added, "the first has left")
    },

    *"leave no room to many at once"() {
      const store = yield* LoginStore
      const many = Array.from({ length: 20 }, (_, n) => n)
      const rooms = (asked: ReadonlyArray<Option.Option<number>>) => asked.filter(Option.isNone).length
      const phone = accountOf().phone
      const ofPhone = yield* Effect.forEach(many, () => store.addChallenge(challengeOf({ phone }), limits), {
        concurrency: "unbounded"
      })
      expectEqual(rooms(ofPhone), 1, "one of a phone gets in")
      const ofAddress = yield* Effect.forEach(
        many,
        () => store.addChallenge(challengeOf({ addressDigest: "here" }), limits),
        { concurrency: "unbounded" }
      )
      expectEqual(rooms(ofAddress), limits.perAddress, "as many of an address as there may be")
    },

    *"count their tries, also of the same moment"() {
      const store = yield* LoginStore
      const { id } = yield* given()
      const tries = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => store.countTry(id), { concurrency: "unbounded" })
      expectEqual(tries.toSorted(), [1, 2, 3, 4, 5, 6], "each number is given once")
      expectEqual(Option.getOrThrow(yield* store.findChallenge(id)).tries, 6, "and kept")
      expectTrue((yield* store.countTry("chl_nobody")) > 1000, "an unknown one bears no try")
      const { id: wrong } = yield* given()
      const failing = () =>
        store.countTry(wrong, { max: 2, audit: auditOf({ action: "login.failed", subject: wrong }) })
      yield* Effect.forEach([1, 2, 3, 4], failing, { concurrency: "unbounded" })
      yield* store.countTry("chl_nobody", { max: 2, audit: auditOf({ action: "login.failed", subject: wrong }) })
      expectEqual((yield* told(wrong)).length, 2, "so many failures are told as there are tries")
    },

    *"are used up once, also by logins of the same moment"() {
      const store = yield* LoginStore
      const account = accountOf({ name: "Әлия" })
      const { id } = yield* given({ phone: account.phone })
      const outcomes = yield* Effect.forEach(
        [1, 2, 3, 4],
        () => store.enter({ challengeId: id, now: startAt + 5, account, session: sessionOf(), ...alone }),
        { concurrency: "unbounded" }
      )
      expectEqual(outcomes.map(({ _tag }) => _tag).toSorted(), ["Entered", "Used", "Used", "Used"], "one is first")
      expectEqual(Option.getOrThrow(yield* store.findChallenge(id)).usedAt, startAt + 5, "and it is noted when")
      expectEqual(yield* store.revoke({ accountId: account.id }, startAt), 1, "there is one session")
      const unknown = yield* store.enter({
        challengeId: "chl_no",
        now: startAt,
        account,
        session: sessionOf(),
        ...alone
      })
      expectEqual(unknown._tag, "Used", "an unknown one cannot be used")
    },

    *"are forgotten by their age, sessions by their end"() {
      const store = yield* LoginStore
      const old = yield* given({ createdAt: startAt - 1 })
      const young = yield* given()
      const ended = yield* entered(undefined, { idleAt: startAt + 1 })
      const lasting = yield* entered(undefined, { idleAt: startAt + 2 })
      const older = yield* given({ createdAt: startAt - 20 * day })
      expectEqual(yield* store.forgetChallenges(startAt, 1), 1, "a portion")
      expectEqual(yield* store.findChallenge(older.id), Option.none(), "the oldest first")
      expectTrue(Option.isSome(yield* store.findChallenge(old.id)), "and no more than it may be")
      expectEqual(yield* store.forgetChallenges(startAt, 9), 3, "the rest, those of the sessions included")
      expectEqual(yield* store.forgetSessions(startAt + 2, 9), 1, "one session")
      expectEqual(yield* store.findChallenge(old.id), Option.none(), "the older challenge")
      expectTrue(Option.isSome(yield* store.findChallenge(young.id)), "not the younger one")
      expectEqual(yield* store.findSession(ended.session.digest), Option.none(), "the session that ended")
      expectTrue(Option.isSome(yield* store.findSession(lasting.session.digest)), "not the one that lasts")
    }
  })
]
