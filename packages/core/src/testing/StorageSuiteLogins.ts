/** Promises of `LoginStore`. */
import { Effect, Option, Redacted } from "effect"
import type { Challenge, CodeLimits } from "../login/Challenge.ts"
import { LoginStore } from "../login/LoginStore.ts"
import type { Session } from "../login/Session.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { expectEqual, expectTrue } from "./Expectation.ts"
import { accountOf, freshId, organizationOf, startAt } from "./fixtures.ts"
import { subject } from "./StorageCase.ts"

const second = 1000
const day = 24 * 60 * 60 * second
const limits: CodeLimits = { waitMs: 60 * second, perPhone: 3, perAddress: 5, periodMs: day }

const challengeOf = (members: Partial<Challenge> = {}): Challenge => ({
  id: freshId("chl"),
  phone: accountOf().phone,
  channel: "console",
  digest: "d".repeat(64),
  key: Redacted.make("key of a digest"),
  addressDigest: null,
  tries: 0,
  createdAt: startAt,
  expiresAt: startAt + 300 * second,
  usedAt: null,
  ...members
})

const sessionOf = (members: Partial<Session> = {}): Omit<Session, "accountId"> => ({
  id: freshId("ses"),
  digest: freshId("ses").padEnd(64, "0"),
  address: "198.51.100.7",
  userAgent: "Браузер/1.0",
  createdAt: startAt,
  seenAt: startAt,
  idleAt: startAt + 7 * day,
  expiresAt: startAt + 30 * day,
  revokedAt: null,
  ...members
})

const plain = (challenge: Challenge) => ({ ...challenge, key: Redacted.value(challenge.key) })

/** A challenge that is stored. */
const given = Effect.fnUntraced(function* (members: Partial<Challenge> = {}) {
  const challenge = challengeOf(members)
  yield* LoginStore.use((store) => store.addChallenge(challenge, limits))
  return challenge
})

/** Somebody who has logged in. */
const entered = Effect.fnUntraced(function* (phone?: string, members: Partial<Session> = {}) {
  const account = accountOf(phone === undefined ? {} : { phone })
  const { id } = yield* given({ phone: account.phone, createdAt: startAt - 10 * day })
  const session = sessionOf(members)
  const outcome = yield* LoginStore.use((store) => store.enter({ challengeId: id, now: startAt, account, session }))
  if (outcome._tag !== "Entered") throw new Error(`not entered: ${outcome._tag}`)
  return outcome
})

const added = Option.none<number>()

/** See the file's head. */
export const casesOfLogins = [
  ...subject("login challenges", {
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

    *"count their tries, whoever tries at the same moment"() {
      const store = yield* LoginStore
      const { id } = yield* given()
      const tries = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => store.countTry(id), { concurrency: "unbounded" })
      expectEqual(tries.toSorted(), [1, 2, 3, 4, 5, 6], "each number is given once")
      expectEqual(Option.getOrThrow(yield* store.findChallenge(id)).tries, 6, "and kept")
      expectTrue((yield* store.countTry("chl_nobody")) > 1000, "an unknown one bears no try")
    },

    *"are used up once, whoever enters at the same moment"() {
      const store = yield* LoginStore
      const account = accountOf({ name: "Әлия" })
      const { id } = yield* given({ phone: account.phone })
      const outcomes = yield* Effect.forEach(
        [1, 2, 3, 4],
        () => store.enter({ challengeId: id, now: startAt + 5, account, session: sessionOf() }),
        { concurrency: "unbounded" }
      )
      expectEqual(outcomes.map(({ _tag }) => _tag).toSorted(), ["Entered", "Used", "Used", "Used"], "one is first")
      expectEqual(Option.getOrThrow(yield* store.findChallenge(id)).usedAt, startAt + 5, "and it is noted when")
      expectEqual(yield* store.revokeAllOf(account.id, startAt), 1, "there is one session")
      const unknown = yield* store.enter({ challengeId: "chl_no", now: startAt, account, session: sessionOf() })
      expectEqual(unknown._tag, "Used", "an unknown one cannot be used")
    },

    *"are forgotten by their age, sessions by their end"() {
      const store = yield* LoginStore
      const old = yield* given({ createdAt: startAt - 1 })
      const young = yield* given()
      const ended = yield* entered(undefined, { idleAt: startAt + 1 })
      const lasting = yield* entered(undefined, { idleAt: startAt + 2 })
      yield* store.forget({ challenges: startAt, sessions: startAt + 2 })
      expectEqual(yield* store.findChallenge(old.id), Option.none(), "the older challenge")
      expectTrue(Option.isSome(yield* store.findChallenge(young.id)), "not the younger one")
      expectEqual(yield* store.findSession(ended.session.digest), Option.none(), "the session that ended")
      expectTrue(Option.isSome(yield* store.findSession(lasting.session.digest)), "not the one that lasts")
    }
  }),

  ...subject("sessions", {
    *"come back as they were written, with their account"() {
      const store = yield* LoginStore
      const { session, account } = yield* entered()
      expectEqual(session.accountId, account.id, "it belongs to the account")
      expectEqual(yield* store.findSession(session.digest), Option.some({ session, account }), "both are found")
      const bare = yield* entered(undefined, { address: null, userAgent: null })
      expectEqual(
        Option.map(yield* store.findSession(bare.session.digest), (found) => found.session),
        Option.some(bare.session),
        "also with nothing known of the device"
      )
      expectEqual(yield* store.findSession("unknown"), Option.none(), "an unknown one")
    },

    *"are those of the account with the phone, which is made once"() {
      const store = yield* LoginStore
      const merchants = yield* MerchantStore
      const owner = accountOf({ name: "Әлия" })
      yield* merchants.addOrganization(organizationOf(owner), owner)
      expectEqual((yield* entered(owner.phone)).account, owner, "a known account stays as it is")
      const phone = accountOf().phone
      const ids = yield* Effect.forEach([1, 2, 3, 4], (n) =>
        Effect.map(given({ phone, createdAt: startAt + n * day }), ({ id }) => id)
      )
      const outcomes = yield* Effect.forEach(
        ids,
        (challengeId) =>
          store.enter({ challengeId, now: startAt, account: accountOf({ phone }), session: sessionOf() }),
        { concurrency: "unbounded" }
      )
      const accounts = outcomes.map((outcome) => (outcome._tag === "Entered" ? outcome.account.id : outcome._tag))
      expectEqual(new Set(accounts).size, 1, "four at once have one account")
      expectEqual(yield* store.revokeAllOf(accounts[0]!, startAt), 4, "and four sessions")
    },

    *"are not opened for who is blocked, and tell of who was blocked since"() {
      const store = yield* LoginStore
      const merchants = yield* MerchantStore
      const { session, account } = yield* entered()
      yield* merchants.setStatus({ account: account.id, status: "blocked" })
      const found = Option.getOrThrow(yield* store.findSession(session.digest))
      expectEqual(found.account.status, "blocked", "it is told with the session")
      const { id } = yield* given({ phone: account.phone })
      const attempt = store.enter({ challengeId: id, now: startAt, account, session: sessionOf() })
      expectEqual((yield* attempt)._tag, "Blocked", "no other is opened")
      expectEqual((yield* attempt)._tag, "Used", "and the challenge is used up")
      expectEqual(yield* store.revokeAllOf(account.id, startAt), 1, "there is the first one only")
    },

    *"note when they are used, one of many uses at once"() {
      const store = yield* LoginStore
      const { session } = yield* entered()
      const at = (seenAt: number): Session => ({ ...session, seenAt, idleAt: seenAt + 7 * day })
      const stored = Effect.map(store.findSession(session.digest), (found) => Option.getOrThrow(found).session)
      yield* store.touchSession(at(startAt + 70_000), startAt)
      expectEqual(yield* stored, at(startAt + 70_000), "the first use")
      yield* store.touchSession(at(startAt + 65_000), startAt)
      expectEqual(yield* stored, at(startAt + 70_000), "not one that knew nothing of it")
      yield* store.revokeSession(session.digest, startAt + 80_000)
      yield* store.touchSession(at(startAt + 90_000), startAt + 70_000)
      expectEqual(yield* stored, { ...at(startAt + 70_000), revokedAt: startAt + 80_000 }, "nor one after the end")
    },

    *"are revoked once, one by one or all of an account"() {
      const store = yield* LoginStore
      const first = yield* entered()
      const second = yield* entered()
      expectEqual(yield* store.revokeSession(first.session.digest, startAt + 1), true, "one")
      expectEqual(yield* store.revokeSession(first.session.digest, startAt + 2), false, "not twice")
      expectEqual(yield* store.revokeSession("unknown", startAt), false, "nor an unknown one")
      const revokedAt = ({ session }: typeof first) =>
        Effect.map(store.findSession(session.digest), (found) => Option.getOrThrow(found).session.revokedAt)
      expectEqual(yield* revokedAt(first), startAt + 1, "it is noted when")
      expectEqual(yield* revokedAt(second), null, "others go on")
      expectEqual(yield* store.revokeAllOf(second.account.id, startAt + 3), 1, "all of an account")
      expectEqual(yield* revokedAt(second), startAt + 3, "are noted as well")
      expectEqual(yield* store.revokeAllOf("acc_no", startAt), 0, "nobody has none")
    }
  })
]
