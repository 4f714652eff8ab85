/** Promises of `LoginStore` about sessions. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { LoginStore } from "@tolem/core/login/LoginStore"
import type { Session } from "@tolem/core/login/Session"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { accountOf, organizationOf, startAt } from "../fixtures.ts"
import { alone, day, entered, given, sessionOf, told } from "../loginSteps.ts"
import { opened } from "./DirectoryCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

/** What every storage must do, of “sessions”. */
export const casesOfSessions = storageSubject("sessions", {
  *"let a partner's client write to the owner that the partner has named"() {
    const store = yield* DirectoryStore
    const { owner, organization: own } = yield* opened()
    const { owner: partner } = yield* opened()
    yield* store.setEmail(owner.id, "owner@b.kz", auditOf())
    yield* store.setEmail(partner.id, "partner@b.kz", auditOf())
    yield* entered(owner.phone, { createdAt: startAt - 1 })
    const client = { partnerId: own.id, createdAt: startAt }
    const { organization } = yield* opened(owner, client, { developers: [partner.id] })
    expectEqual(yield* store.addresses(own.id), ["owner@b.kz"], "who has opened it themselves")
    expectEqual(yield* store.addresses(organization.id), ["partner@b.kz"], "who was named knows nothing of it")
    yield* entered(owner.phone, { createdAt: startAt + 1 })
    const both = new Set(["owner@b.kz", "partner@b.kz"])
    expectEqual(new Set(yield* store.addresses(organization.id)), both, "until they have logged in")
  },

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
        store.enter({ challengeId, now: startAt, account: accountOf({ phone }), session: sessionOf(), ...alone }),
      { concurrency: "unbounded" }
    )
    const accounts = outcomes.map((outcome) => (outcome._tag === "Entered" ? outcome.account.id : outcome._tag))
    expectEqual(new Set(accounts).size, 1, "four at once have one account")
    expectEqual(yield* store.revoke({ accountId: accounts[0]! }, startAt), 4, "and four sessions")
  },

  *"are not opened for who is blocked, and tell of who was blocked since"() {
    const store = yield* LoginStore
    const merchants = yield* MerchantStore
    const { session, account } = yield* entered()
    yield* merchants.setStatus({ account: account.id, status: "blocked" }, startAt + 1)
    const found = Option.getOrThrow(yield* store.findSession(session.digest))
    expectEqual(found.account.status, "blocked", "it is told with the session")
    const { id } = yield* given({ phone: account.phone })
    const attempt = store.enter({ challengeId: id, now: startAt, account, session: sessionOf(), ...alone })
    expectEqual((yield* attempt)._tag, "Blocked", "no other is opened")
    expectEqual((yield* attempt)._tag, "Used", "and the challenge is used up")
    expectEqual(found.session.revokedAt, startAt + 1, "has ended with the block")
    expectEqual(yield* store.revoke({ accountId: account.id }, startAt), 0, "there is none that is live")
    yield* merchants.setStatus({ account: account.id, status: "active" }, startAt + 2)
    const again = Option.getOrThrow(yield* store.findSession(session.digest))
    expectEqual(again.session.revokedAt, startAt + 1, "and does not come back")
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
    yield* store.revoke({ digest: session.digest }, startAt + 80_000)
    yield* store.touchSession(at(startAt + 90_000), startAt + 70_000)
    expectEqual(yield* stored, { ...at(startAt + 70_000), revokedAt: startAt + 80_000 }, "nor one after the end")
  },

  *"have a fresh code for one challenge, once, while they are live"() {
    const store = yield* LoginStore
    const { session } = yield* entered()
    const { id: sessionId, digest } = session
    const confirm = (challengeId: string, freshUntil: number) =>
      store.confirm({ challengeId, sessionId, now: startAt + 1, freshUntil }, auditOf({ action: "session.confirmed" }))
    const until = Effect.map(store.findSession(digest), (found) => Option.getOrThrow(found).session.freshUntil)
    const { id: first } = yield* given()
    const both = yield* Effect.all([confirm(first, startAt + 50), confirm(first, startAt + 50)], {
      concurrency: "unbounded"
    })
    expectEqual(both.toSorted(), [false, true], "one of two at once")
    expectEqual(yield* until, startAt + 50, "it is noted until when")
    expectEqual(yield* confirm("chl_none", startAt + 60), false, "not by nothing")
    yield* store.revoke({ digest }, startAt + 1)
    const { id: second } = yield* given()
    expectEqual(yield* confirm(second, startAt + 70), false, "not after its end")
    expectEqual(yield* until, startAt + 50, "and nothing is noted then")
    expectEqual(Option.getOrThrow(yield* store.findChallenge(second)).usedAt, null, "nor is the challenge used up")
    const records = yield* AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 99 }))
    expectEqual(records.filter(({ action }) => action === "session.confirmed").length, 1, "one record tells of it")
  },

  *"confirm an address of their account by a challenge, once"() {
    const store = yield* LoginStore
    const { session } = yield* entered()
    const { accountId } = session
    const { id: challengeId } = yield* given()
    const confirm = (email: string) =>
      store.confirmEmail(
        { challengeId, accountId, email, now: startAt + 1 },
        auditOf({ action: "account.email_confirmed" })
      )
    const emails = ["a@b.kz", "c@d.kz"]
    const both = yield* Effect.forEach(emails, confirm, { concurrency: "unbounded" })
    expectEqual(both.toSorted(), [false, true], "one of two at once")
    const { account } = Option.getOrThrow(yield* store.findSession(session.digest))
    expectEqual(account.email, emails[both.indexOf(true)] ?? null, "it is noted")
    expectEqual(Option.getOrThrow(yield* store.findChallenge(challengeId)).usedAt, startAt + 1, "the challenge is used")
    const records = yield* AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 99 }))
    const told = records.filter(({ action }) => action === "account.email_confirmed")
    expectEqual(told.length, 1, "one record tells of it")
    const directory = yield* DirectoryStore
    yield* directory.setName(accountId, "Aliya", auditOf({ action: "account.renamed" }))
    yield* directory.setName("acc_none", "Dana", auditOf({ action: "account.renamed" }))
    const named = yield* directory.account({ id: accountId })
    expectEqual(named, Option.some({ ...account, name: "Aliya" }), "a name changes nothing else")
    const after = yield* AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 99 }))
    expectEqual(after.length, records.length + 1, "and what was not done is not told of")
  },

  *"are revoked once, one by one or all of an account"() {
    const store = yield* LoginStore
    const first = yield* entered()
    const second = yield* entered()
    expectEqual(yield* store.revoke({ digest: first.session.digest }, startAt + 1), 1, "one")
    expectEqual(yield* store.revoke({ digest: first.session.digest }, startAt + 2), 0, "not twice")
    expectEqual(yield* store.revoke({ digest: "unknown" }, startAt), 0, "nor an unknown one")
    const revokedAt = ({ session }: typeof first) =>
      Effect.map(store.findSession(session.digest), (found) => Option.getOrThrow(found).session.revokedAt)
    expectEqual(yield* revokedAt(first), startAt + 1, "it is noted when")
    expectEqual(yield* revokedAt(second), null, "others go on")
    expectEqual(yield* store.revoke({ accountId: second.account.id }, startAt + 3), 1, "all of an account")
    expectEqual(yield* revokedAt(second), startAt + 3, "are noted as well")
    expectEqual(yield* store.revoke({ accountId: "acc_no" }, startAt), 0, "an unknown account has none")
  },

  *"are so many at most: the oldest end, however many are opened at once"() {
    const store = yield* LoginStore
    const phone = accountOf().phone
    const open = (n: number) =>
      entered(phone, { createdAt: startAt + n, idleAt: startAt + 9 * day }, { maxSessions: 3, now: startAt + n })
    const { account } = yield* open(0)
    for (const n of [1, 2, 3]) yield* open(n * day)
    const live = store.sessions(account.id, startAt + 3 * day)
    const ages = Effect.map(live, (all) => all.map(({ createdAt }) => (createdAt - startAt) / day))
    expectEqual(yield* ages, [3, 2, 1], "the newest ones, newest first")
    yield* Effect.forEach([4, 5, 6, 7, 8], (n) => open(n * day), { concurrency: "unbounded" })
    expectEqual((yield* ages).length, 3, "not one more")
    expectEqual((yield* store.sessions(account.id, startAt + 9 * day)).length, 0, "those that ended do not count")
    expectEqual((yield* store.sessions("acc_no", startAt)).length, 0, "an unknown account has none")
  },

  *"end where the same device logs in anew, one by one, and all but one"() {
    const store = yield* LoginStore
    const other = yield* entered()
    const phone = accountOf().phone
    const first = yield* entered(phone, { createdAt: startAt })
    yield* entered(phone, { createdAt: startAt + 1 }, { replaces: first.session.digest })
    const last = yield* entered(phone, { createdAt: startAt + 2 }, { replaces: other.session.digest })
    yield* entered(phone, { createdAt: startAt + 3 }, { replaces: "unknown" })
    const { id } = first.account
    expectEqual((yield* store.sessions(id, startAt)).length, 3, "one was replaced")
    expectEqual((yield* store.sessions(other.account.id, startAt)).length, 0, "another's on the same device too")
    const ended = (subject: string) => auditOf({ action: "session.ended", subject })
    const foreign = { accountId: other.account.id, id: last.session.id }
    expectEqual(yield* store.revoke(foreign, startAt, ended("foreign")), 0, "no other account ends it")
    expectEqual((yield* told("foreign")).length, 0, "and nothing is told")
    expectEqual(yield* store.revoke({ accountId: id, except: last.session.id }, startAt, ended(id)), 2, "the others")
    expectEqual(
      (yield* store.sessions(id, startAt)).map((one) => one.id),
      [last.session.id],
      "but this one"
    )
    expectEqual(yield* store.revoke({ accountId: id, id: last.session.id }, startAt), 1, "and this one by its id")
    expectEqual((yield* told(id)).length, 1, "what was done is told once")
  },

  *"are told of with the account that was there or was made"() {
    const store = yield* LoginStore
    const merchants = yield* MerchantStore
    const actor = { kind: "account", id: null, origin: "198.51.100.7" } as const
    const records = (subject: string) => ({
      entered: auditOf({ action: "login.succeeded", subject, actor }),
      blocked: auditOf({ action: "login.failed", subject, actor })
    })
    const { account } = yield* entered(undefined, {}, { audits: records("one") })
    const heard = (subject: string) =>
      Effect.map(told(subject), (all) => all.map(({ action, actor }) => `${action} ${actor.id}`))
    expectEqual(yield* heard("one"), [`login.succeeded ${account.id}`], "by the account that is stored")
    yield* merchants.setStatus({ account: account.id, status: "blocked" }, startAt)
    const { id } = yield* given({ phone: account.phone })
    const entry = { challengeId: id, now: startAt, account, session: sessionOf(), ...alone, audits: records("two") }
    yield* store.enter(entry)
    yield* store.enter(entry)
    expectEqual(yield* heard("two"), [`login.failed ${account.id}`], "also of one who is blocked, once")
  },

  *"never outlive a block, no matter which is faster"() {
    const store = yield* LoginStore
    const merchants = yield* MerchantStore
    for (let round = 0; round < 5; round++) {
      const { account } = yield* entered()
      const { id } = yield* given({ phone: account.phone })
      const entering = store.enter({ challengeId: id, now: startAt, account, session: sessionOf(), ...alone })
      const blocking = merchants.setStatus({ account: account.id, status: "blocked" }, startAt)
      yield* Effect.all([entering, blocking], { concurrency: "unbounded" })
      expectEqual((yield* store.sessions(account.id, startAt)).length, 0, "none is left")
    }
  }
})
