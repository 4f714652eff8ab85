/** Promises of `OperatorStore` and `ConsoleStore`. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { ConsoleStore } from "@tolem/core/operator/console/ConsoleStore"
import { OperatorStore } from "@tolem/core/operator/OperatorStore"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { accountOf, startAt } from "../fixtures.ts"
import { opened } from "./DirectoryCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

const noted = Effect.map(
  AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 99 })),
  (records) => records.length
)

/** What every storage must do, of “operators”. */
export const casesOfOperators = storageSubject("operators", {
  *"are made and ended once each, also by two at once, with a record of each"() {
    const store = yield* OperatorStore
    const account = yield* DirectoryStore.use((directory) => directory.addAccount(accountOf()))
    const operator = { accountId: account.id, grantedAt: startAt, grantedBy: "root" }
    const add = Effect.suspend(() => store.add(operator, auditOf({ organizationId: null })))
    const added = yield* Effect.all([add, add], { concurrency: "unbounded" })
    expectEqual(added.filter(Boolean).length, 1, "made once")
    expectEqual(Option.getOrNull(yield* store.find(account.id)), operator, "as they were made")
    expectEqual(
      (yield* store.list(9)).map((each) => each.account.phone),
      [account.phone],
      "with their account"
    )
    const remove = Effect.suspend(() => store.remove(account.id, auditOf({ organizationId: null })))
    const removed = yield* Effect.all([remove, remove], { concurrency: "unbounded" })
    expectEqual(removed.filter(Boolean).length, 1, "ended once")
    expectEqual(Option.isNone(yield* store.find(account.id)), true, "and gone")
    expectEqual(yield* noted, 2, "a record of each")
  },

  *"are people with an account"() {
    const store = yield* OperatorStore
    const nobody = { accountId: "acc_none", grantedAt: startAt, grantedBy: null }
    expectEqual(yield* store.add(nobody, auditOf()), false, "there is none")
    expectEqual(yield* store.list(9), [], "and no operator")
    expectEqual(yield* noted, 0, "nor a record")
  },

  *"find people by when they came, page by page, and by how they begin"() {
    const store = yield* ConsoleStore
    const directory = yield* DirectoryStore
    const named = ["Әлия", "Алия", "Aliya_", "Aliya%"] as const
    for (const [index, name] of named.entries()) {
      const phone = `7701000000${index}`
      yield* directory.addAccount(accountOf({ id: `acc_${index}`, phone, name, createdAt: startAt + (index >> 1) }))
    }
    const first = yield* store.accounts({ before: null, limit: 3 })
    expectEqual(
      first.map(({ id }) => id),
      ["acc_3", "acc_2", "acc_1"],
      "the newest first, of one instant by id"
    )
    const rest = yield* store.accounts({ before: { createdAt: startAt, id: "acc_1" }, limit: 3 })
    expectEqual(
      rest.map(({ id }) => id),
      ["acc_0"],
      "only what stands behind"
    )
    const found = (...beginnings: ReadonlyArray<string>) =>
      Effect.map(store.findAccounts(beginnings, 9), (accounts) => accounts.map(({ id }) => id).sort())
    expectEqual(yield* found("Әл"), ["acc_0"], "letters beyond ASCII")
    expectEqual(yield* found("Aliya"), ["acc_2", "acc_3"], "a beginning")
    expectEqual(yield* found("Aliya%", "liya"), ["acc_3"], "as it is written, and not from the middle")
    expectEqual(
      yield* found("7701000000", "acc_1"),
      ["acc_0", "acc_1", "acc_2", "acc_3"],
      "a phone or an id, each once"
    )
    expectEqual((yield* store.findAccounts(["7701000000"], 2)).length, 2, "no more than is wanted")
  },

  *"find organizations by when they came, and by how they or the phone of their owner begin"() {
    const store = yield* ConsoleStore
    const { owner } = yield* opened(accountOf({ phone: "77020000001" }), { id: "org_1", name: "Наурыз", idn: "990101" })
    yield* opened(owner, { id: "org_2", name: "Shop", createdAt: startAt + 1 })
    const page = yield* store.organizations({ before: null, limit: 1 })
    expectEqual(
      page.map(({ organization }) => organization.id),
      ["org_2"],
      "the newest first"
    )
    const rest = yield* store.organizations({ before: { createdAt: startAt + 1, id: "org_2" }, limit: 9 })
    expectEqual(
      rest.map(({ organization }) => organization.id),
      ["org_1"],
      "only what stands behind"
    )
    const found = (beginning: string) =>
      Effect.map(store.findOrganizations([beginning], 9), (all) => all.map(({ organization: { id } }) => id).sort())
    expectEqual(yield* found("Нау"), ["org_1"], "a name")
    expectEqual(yield* found("9901"), ["org_1"], "a number of identification")
    expectEqual(yield* found("77020000001"), ["org_1", "org_2"], "all of an owner")
    expectEqual(yield* found("hop"), [], "not from the middle")
  }
})
