/** Promises of `MerchantStore` and `RateStore`. */
import { type Hit, RateStore } from "@tolem/core/access/RateStore"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { Effect, Option, Result } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { accountOf, apiKeyOf, freshId, organizationOf, startAt } from "../fixtures.ts"
import { connectionOf } from "./ConnectionCases.ts"
import { storageSubject } from "./StorageCase.ts"

/** An organization that is stored, and its owner. */
const given = Effect.gen(function* () {
  const owner = accountOf()
  const organization = organizationOf(owner)
  yield* MerchantStore.use((store) => store.addOrganization(organization, owner))
  return { owner, organization }
})

/** What every storage must do, of “merchants”. */
export const casesOfMerchants = storageSubject("merchants", {
  *"have organizations that are kept as they are given"() {
    const store = yield* MerchantStore
    expectEqual(yield* store.organizationCount, 0, "there is none at first")
    const owner = accountOf({ name: null })
    const full = organizationOf(owner, { name: "Дәмхана «Дастархан»", legalName: "ЖШС", idn: "123456789012" })
    const bare = organizationOf(owner)
    expectEqual(
      yield* store.addOrganization(full, owner),
      { organization: full, owner, replayed: false },
      "both are answered"
    )
    yield* store.addOrganization(bare, owner)
    expectEqual(yield* store.organization(full.id), Option.some(full), "it is found")
    expectEqual(yield* store.organization(bare.id), Option.some(bare), "and so is the other")
    expectEqual(yield* store.organization("org_unknown"), Option.none(), "an unknown one is not")
    expectEqual(yield* store.organizationCount, 2, "they are counted")
  },

  *"have one account per phone"() {
    const store = yield* MerchantStore
    const first = accountOf({ name: "Әлия" })
    const again = accountOf({ phone: first.phone, name: "Somebody else" })
    yield* store.addOrganization(organizationOf(first), first)
    const second = organizationOf(again)
    expectEqual((yield* store.addOrganization(second, again)).owner, first, "the known account is answered")
    const stored = Option.getOrThrow(yield* store.organization(second.id))
    expectEqual(stored.ownerId, first.id, "and owns the organization")
  },

  *"have one account per phone, also when two organizations open at once"() {
    const store = yield* MerchantStore
    const phone = accountOf().phone
    const opened = yield* Effect.forEach(
      Array.from({ length: 8 }, () => accountOf({ phone })),
      (owner) => store.addOrganization(organizationOf(owner), owner),
      { concurrency: "unbounded" }
    )
    expectEqual(new Set(opened.map(({ owner }) => owner.id)).size, 1, "all have the same owner")
    expectEqual(yield* store.organizationCount, 8, "and all are open")
  },

  *"are opened once under a name of the application, also when many open it at once"() {
    const store = yield* MerchantStore
    const open = (externalKey: string) => {
      const owner = accountOf()
      return store.addOrganization(organizationOf(owner), owner, { externalKey })
    }
    const opened = yield* Effect.forEach(["a", "a", "b", "a", "b", "a"], open, { concurrency: "unbounded" })
    const ids = opened.map(({ organization }) => organization.id)
    expectEqual([new Set(ids).size, yield* store.organizationCount], [2, 2], "there is one of each name")
    expectEqual(opened.filter(({ replayed }) => !replayed).length, 2, "and each was opened once")
    const again = yield* open("a")
    const first = opened.find(({ organization }) => organization.id === again.organization.id)
    expectEqual(again, { organization: first!.organization, owner: first!.owner, replayed: true }, "as it is stored")
  },

  *"are blocked and archived, which every key tells"() {
    const store = yield* MerchantStore
    const { owner, organization } = yield* given
    const key = apiKeyOf(organization.id)
    yield* store.addKey(key, 20)
    const statuses = Effect.map(store.findKeys([key.digest]), ([holder]) => [
      holder!.organizationStatus,
      holder!.ownerStatus
    ])
    expectEqual(yield* statuses, ["active", "active"], "at first")
    expectEqual(yield* store.setStatus({ account: owner.id, status: "blocked" }, startAt), true, "the account is known")
    expectEqual(yield* statuses, ["active", "blocked"], "the owner is blocked")
    yield* store.setStatus({ organization: organization.id, status: "archived" }, startAt)
    expectEqual(yield* statuses, ["archived", "blocked"], "the organization is archived")
    yield* store.setStatus({ account: owner.id, status: "active" }, startAt)
    yield* store.setStatus({ organization: organization.id, status: "active" }, startAt)
    expectEqual(yield* statuses, ["active", "active"], "both again")
    expectEqual(yield* store.setStatus({ account: "acc_no", status: "blocked" }, startAt), false, "an unknown account")
    expectEqual(
      yield* store.setStatus({ organization: "org_no", status: "archived" }, startAt),
      false,
      "an unknown organization"
    )
  },

  *"have keys that are found by their digests"() {
    const store = yield* MerchantStore
    const { organization } = yield* given
    const other = yield* given
    const first = apiKeyOf(organization.id)
    const cashier = connectionOf({ organizationId: other.organization.id })
    yield* ConnectionStore.use((connections) => connections.add(cashier))
    const second = apiKeyOf(other.organization.id, {
      mode: "live",
      name: "Кілт",
      scopes: [],
      connectionId: cashier.id,
      createdAt: startAt + 1
    })
    yield* store.addKey(first, 20)
    yield* store.addKey(second, 20)
    const found = yield* store.findKeys([second.digest, "unknown", first.digest, first.digest])
    const keys = found.map(({ key }) => key).toSorted((a, b) => a.createdAt - b.createdAt)
    expectEqual(keys, [first, second], "each once, as it was given; the unknown one is absent")
    expectEqual(yield* store.findKeys([]), [], "nothing is asked, nothing answered")
    expectEqual(yield* store.findKeys(["'", "%"]), [], "whatever the text")
  },

  *"have keys in the order in which they were made"() {
    const store = yield* MerchantStore
    const { organization } = yield* given
    const newer = apiKeyOf(organization.id, { createdAt: startAt + 5 })
    const older = apiKeyOf(organization.id)
    yield* store.addKey(newer, 20)
    yield* store.addKey(older, 20)
    expectEqual(yield* store.keys(organization.id), [older, newer], "oldest first")
    expectEqual(yield* store.keys("org_unknown"), [], "an unknown organization has none")
  },

  *"lose a key at once"() {
    const store = yield* MerchantStore
    const { organization } = yield* given
    const key = apiKeyOf(organization.id)
    yield* store.addKey(key, 20)
    expectEqual(yield* store.removeKey(key.id), true, "it was there")
    expectEqual(yield* store.findKeys([key.digest]), [], "and is not found any more")
    expectEqual(yield* store.keys(organization.id), [], "nor listed")
    expectEqual(yield* store.removeKey(key.id), false, "and cannot be deleted twice")
  },

  *"have so many keys of a mode at most, however many are made at once"() {
    const store = yield* MerchantStore
    const { organization } = yield* given
    const add = (mode: "sandbox" | "live") => Effect.result(store.addKey(apiKeyOf(organization.id, { mode }), 3))
    const results = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => add("sandbox"), { concurrency: "unbounded" })
    const codes = results.flatMap((one) => (Result.isFailure(one) ? [one.failure._tag] : []))
    expectEqual(codes, ["TooManyKeys", "TooManyKeys", "TooManyKeys"], "three get in")
    expectEqual(Result.isSuccess(yield* add("live")), true, "the other mode has room")
  },

  *"keep when keys were used last, and nothing earlier"() {
    const store = yield* MerchantStore
    const { organization } = yield* given
    const [used, idle] = [apiKeyOf(organization.id), apiKeyOf(organization.id)]
    yield* store.addKey(used, 20)
    yield* store.addKey(idle, 20)
    const note = (usedAt: number) =>
      store.noteUses([
        { keyId: "key_nobody", usedAt },
        { keyId: used.id, usedAt }
      ])
    yield* store.noteUses([])
    const last = Effect.map(store.keys(organization.id), (all) => all.find(({ id }) => id === used.id)?.lastUsedAt)
    yield* note(60_000)
    expectEqual(yield* last, 60_000, "the first use")
    yield* note(120_000)
    yield* note(60_000)
    expectEqual(yield* last, 120_000, "the latest one")
    const [holder] = yield* store.findKeys([idle.digest])
    expectEqual(holder?.key.lastUsedAt, null, "of this key alone")
  },

  *"get no key without an organization"() {
    const store = yield* MerchantStore
    const refused = yield* Effect.flip(store.addKey(apiKeyOf(freshId("org")), 20))
    expectEqual(refused._tag, "OrganizationNotFound", "it says why")
  }
})

const hit = (subject: string, windowAt = 0, kind = "read"): Hit => ({ subject, windowAt, kind })

/** What every storage must do, of “request windows”. */
export const casesOfRates = storageSubject("request windows", {
  *"count each request, in order"() {
    const store = yield* RateStore
    expectEqual(yield* store.hitMany([hit("a"), hit("a"), hit("b"), hit("a")]), [1, 2, 1, 3], "within a batch")
    expectEqual(yield* store.hitMany([hit("b"), hit("a")]), [2, 4], "and over batches")
    expectEqual(yield* store.hitMany([]), [], "nothing comes of nothing")
  },

  *"are apart by key, kind and minute"() {
    const store = yield* RateStore
    const hits = [hit("a"), hit("a", 60_000), hit("a", 0, "write"), hit("b")]
    expectEqual(yield* store.hitMany(hits), [1, 1, 1, 1], "each is the first of its own")
    expectEqual(yield* store.hitMany(hits), [2, 2, 2, 2], "each is the second of its own")
  },

  *"give no two requests one number"() {
    const store = yield* RateStore
    const counts = yield* Effect.forEach(
      Array.from({ length: 30 }, (_, n) => Array.from({ length: (n % 3) + 1 }, () => hit("a"))),
      (hits) => store.hitMany(hits),
      { concurrency: "unbounded" }
    )
    const all = counts.flat().toSorted((a, b) => a - b)
    expectEqual(
      all,
      Array.from({ length: 60 }, (_, n) => n + 1),
      "1 to 60, each once"
    )
  },

  *"give out their room, and not one more, to what finds some"() {
    const store = yield* RateStore
    const take = (subject: string, room: number) => ({ ...hit(subject), room })
    const asked = [take("a", 2), take("b", 0), take("a", 1), take("a", 2), take("a", 2)]
    expectEqual(
      (yield* store.takeMany(asked)).map(({ isTaken, count }) => [isTaken, count]),
      [
        [true, 1],
        [false, 0],
        [false, 1],
        [true, 2],
        [false, 2]
      ],
      "each by its own room, in order"
    )
    expectEqual(yield* store.hitMany([hit("a"), hit("b")]), [3, 1], "what was refused is not counted")
    expectEqual(
      yield* store.takeMany([take("a", 3), take("a", 4)]),
      [
        { isTaken: false, count: 3 },
        { isTaken: true, count: 4 }
      ],
      "and what was counted otherwise is"
    )
    expectEqual(yield* store.takeMany([]), [], "nothing comes of nothing")
  },

  *"give out their room once, however many ask at once"() {
    const store = yield* RateStore
    const taken = yield* Effect.forEach(
      Array.from({ length: 20 }, (_, n) => ["a", "b", "a", "b"].map((name) => ({ ...hit(name), room: 10 + (n % 3) }))),
      (takes) =>
        Effect.map(store.takeMany(takes), (answers) => takes.map((each, at) => ({ ...each, ...answers[at]! }))),
      { concurrency: "unbounded" }
    )
    const all = taken.flat()
    // Twelve of each have room for twelve: all of that is given, in whatever order they come.
    const numbers = all.flatMap(({ isTaken, count }) => (isTaken ? [count] : []))
    const upTo = Array.from({ length: 12 }, (_, n) => [n + 1, n + 1])
    expectEqual(
      numbers.toSorted((a, b) => a - b),
      upTo.flat(),
      "1 to 12 of both, each once"
    )
    expectTrue(
      all.every(({ isTaken, count, room }) => (isTaken ? count <= room : count >= room)),
      "one is refused only if there is no room for it"
    )
  },

  *"are forgotten when they are old"() {
    const store = yield* RateStore
    yield* store.hitMany([hit("a", 0), hit("a", 60_000)])
    yield* store.hitMany([hit("b", 0), hit("c", 0)])
    expectEqual(yield* store.forget(60_000, 2), 2, "a portion")
    expectEqual(yield* store.forget(60_000, 2), 1, "the rest")
    expectEqual(yield* store.forget(60_000, 2), 0, "and no more")
    expectEqual(yield* store.hitMany([hit("a", 0), hit("a", 60_000)]), [1, 2], "the older one only")
  }
})
