/** Promises of `AuditStore`, and of verbs that write its records. */
import type { Action } from "@tolem/core/audit/Audit"
import { AuditStore, type JournalQuery } from "@tolem/core/audit/AuditStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect } from "effect"
import { expectEqual } from "../Expectation.ts"
import { accountOf, apiKeyOf, startAt } from "../fixtures.ts"
import { opened } from "./DirectoryCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

/** What every storage must do, of “the audit log”. */
export const casesOfAudit = storageSubject("the audit log", {
  *"is read newest first, of one organization or of all, in pages"() {
    const merchants = yield* MerchantStore
    const store = yield* AuditStore
    const records = [auditOf(), auditOf({ organizationId: null, detail: "қазақша" }), auditOf()]
    const { owner } = yield* opened()
    for (const [index, record] of records.entries()) {
      const status = index % 2 === 0 ? "blocked" : "active"
      yield* merchants.setStatus({ account: owner.id, status }, startAt, record)
    }
    const [first, second, third] = records
    const list = (organizationId: OrganizationId | null, before: string | null, limit = 9) =>
      store.list({ organizationId, before, limit })
    expectEqual(yield* list(null, null), [third!, second!, first!], "all")
    expectEqual(yield* list("org_shop", null), [third!, first!], "of one")
    expectEqual(yield* list(null, third!.id, 1), [second!], "what is before")
  },

  *"is found by who acted, by what was done, and by when, in pages"() {
    const store = yield* AuditStore
    const person = { kind: "account", id: "acc_1", origin: "192.0.2.1" } as const
    const at = (seconds: number, deed: Parameters<typeof auditOf>[0] = {}) =>
      auditOf({ ...deed, createdAt: startAt + seconds * 1000 })
    const [granted, made, bound, foreign, made2, later] = [
      at(0),
      at(1, { action: "key.created", actor: person }),
      at(1, { action: "key.bound" }),
      at(2, { action: "key.created", organizationId: "org_other", actor: person }),
      at(3, { action: "key.created" }),
      at(4, { action: "refund.requested", actor: person })
    ] as const
    // In another order than they were made in: what counts is when.
    for (const record of [later, granted, made, foreign, bound, made2]) yield* store.note(record)
    const all = { actorId: null, actions: null, from: null, to: null, before: null }
    const journal = (narrowed: Partial<JournalQuery> = {}, limit = 9) =>
      store.journal({ organizationId: "org_shop", ...all, ...narrowed, limit })
    const keys = ["key.created", "key.bound", "key.deleted"] as const
    expectEqual(yield* journal(), [later, made2, bound, made, granted], "newest first, of one organization")
    expectEqual(yield* journal({ before: bound }, 1), [made], "what stands behind, also of the same instant")
    expectEqual(yield* journal({ before: made }), [granted], "and behind that")
    expectEqual(yield* journal({ actorId: "acc_1" }), [later, made], "of one person")
    expectEqual(yield* journal({ actions: keys }), [made2, bound, made], "of some actions")
    expectEqual(yield* journal({ actions: keys }, 2), [made2, bound], "the newest of them")
    expectEqual(yield* journal({ actions: keys, before: bound }), [made], "those behind")
    expectEqual(yield* journal({ actions: keys, actorId: "acc_1" }), [made], "both")
    expectEqual(yield* journal({ actions: [] }), [], "of no action there is nothing")
    const time = { from: startAt + 1000, to: startAt + 3000 }
    expectEqual(yield* journal(time), [made2, bound, made], "of a time, both ends included")
    expectEqual(yield* journal({ ...time, actions: keys, actorId: "root" }), [made2, bound], "all at once")
    const loggedIn = at(2.5, { action: "login.succeeded", organizationId: null, actor: person })
    yield* store.note(loggedIn)
    const ofAll = (narrowed: Partial<JournalQuery> = {}, limit = 9) =>
      journal({ organizationId: null, ...narrowed }, limit)
    expectEqual(yield* ofAll(), [later, made2, loggedIn, foreign, bound, made, granted], "of all, and of none")
    expectEqual(yield* ofAll({ before: loggedIn }, 2), [foreign, bound], "what stands behind, of any")
    expectEqual(yield* ofAll({ actorId: "acc_1" }), [later, loggedIn, foreign, made], "of one person everywhere")
    expectEqual(yield* ofAll({ actions: keys }, 3), [made2, foreign, bound], "of some actions everywhere")
    expectEqual(yield* ofAll({ actions: ["login.succeeded"] }), [loggedIn], "of what is of no organization")
    expectEqual(yield* ofAll({ actions: keys, actorId: "acc_1", before: foreign }), [made], "both, and behind")
    expectEqual(yield* ofAll(time), [made2, loggedIn, foreign, bound, made], "of a time")
    expectEqual(yield* ofAll({ ...time, actions: keys, actorId: "acc_1" }), [foreign, made], "all at once")
  },

  *"says what people and organizations are called"() {
    const merchants = yield* MerchantStore
    const store = yield* AuditStore
    const { organization, owner } = yield* opened(accountOf({ name: "Dana" }))
    const { owner: nameless } = yield* opened(accountOf({ name: null }), { id: "org_of_nameless", name: "Shop of two" })
    yield* merchants.addKey(apiKeyOf(organization.id), 20)
    const ids = [owner.id, nameless.id, organization.id, "org_of_nameless", "acc_gone", apiKeyOf(organization.id).id]
    const found = yield* store.names(ids)
    const wanted = { [owner.id]: "Dana", [organization.id]: organization.name, org_of_nameless: "Shop of two" }
    expectEqual(Object.fromEntries(found), wanted, "who has a name")
    expectEqual((yield* store.names([])).size, 0, "of no one there is none")
  },

  *"names the organization of a key that is deleted"() {
    const merchants = yield* MerchantStore
    const { organization } = yield* opened()
    const key = apiKeyOf(organization.id)
    yield* merchants.addKey(key, 20)
    const record = auditOf({ action: "key.deleted", organizationId: null, subject: key.id })
    expectEqual(yield* merchants.removeKey(key.id, record), true, "it was there")
    const query = { organizationId: organization.id, before: null, limit: 9 }
    const records = yield* AuditStore.use((store) => store.list(query))
    expectEqual(records, [{ ...record, organizationId: organization.id }], "of its organization")
  },

  *"says once what several do at once"() {
    const merchants = yield* MerchantStore
    const { organization } = yield* opened()
    const switching = Effect.suspend(() => merchants.setMode(organization.id, "live", auditOf()))
    const switched = yield* Effect.all([switching, switching, switching], { concurrency: "unbounded" })
    expectEqual(switched.filter(Boolean).length, 1, "one has switched the mode")
    const records = yield* AuditStore.use((store) => store.list({ organizationId: null, before: null, limit: 9 }))
    expectEqual(records.length, 1, "and one record tells of it")
  },

  *"says once that an account is blocked and an organization archived, and not again while they are"() {
    const merchants = yield* MerchantStore
    const { organization, owner } = yield* opened()
    const records = () =>
      AuditStore.use((store) =>
        Effect.map(store.list({ organizationId: null, before: null, limit: 9 }), (found) =>
          found.map((each): string => each.action)
        )
      )
    const blocking = Effect.suspend(() =>
      merchants.setStatus({ account: owner.id, status: "blocked" }, startAt, auditOf({ action: "account.blocked" }))
    )
    const archiving = Effect.suspend(() => {
      const archived = { organization: organization.id, status: "archived" } as const
      return merchants.setStatus(archived, startAt, auditOf({ action: "organization.archived" }))
    })
    for (const one of [blocking, archiving]) {
      const known = yield* Effect.all([one, one, one], { concurrency: "unbounded" })
      expectEqual(known, [true, true, true], "each finds it")
    }
    const once: Array<Action> = ["organization.archived", "account.blocked"]
    expectEqual(yield* records(), once, "one of three has changed it")
    expectEqual([yield* blocking, yield* archiving], [true, true], "later ones find it too")
    expectEqual(yield* records(), once, "and have changed nothing")
    const unblocked = auditOf({ action: "account.unblocked" })
    yield* merchants.setStatus({ account: owner.id, status: "active" }, startAt, unblocked)
    yield* blocking
    expectEqual(yield* records(), ["account.blocked", "account.unblocked", ...once], "each change has its own")
  },

  *"says nothing of what was not done"() {
    const merchants = yield* MerchantStore
    yield* merchants.setStatus({ account: "acc_none", status: "blocked" }, startAt, auditOf())
    yield* merchants.setMode("org_none", "live", auditOf())
    yield* merchants.bindKey("org_none", "key_none", null, auditOf())
    yield* merchants.removeKey("key_none", auditOf())
    yield* Effect.ignore(merchants.addKey(apiKeyOf("org_none"), 20, auditOf()))
    const records = yield* AuditStore.use((store) => store.list({ organizationId: null, before: null, limit: 9 }))
    expectEqual(records, [], "nothing")
  }
})
