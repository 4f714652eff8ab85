/** Promises of `StatementLetterStore`. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { begun, newStatementLetter, passedOn } from "@tolem/core/cabinet/letter/StatementLetter"
import { StatementLetterStore } from "@tolem/core/cabinet/letter/StatementLetterStore"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { startAt } from "../fixtures.ts"
import { opened } from "./DirectoryCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

const wish = Effect.map(opened(), ({ organization, owner }) =>
  newStatementLetter({ organizationId: organization.id, accountId: owner.id }, startAt)
)

const noted = Effect.map(
  AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 99 })),
  (records) => records.length
)

/** What every storage must do, of “statement letters”. */
export const casesOfStatementLetters = storageSubject("statement letters", {
  *"are chosen once, and end once, each with its record"() {
    const store = yield* StatementLetterStore
    const row = yield* wish
    const { organizationId, accountId } = row
    const before = yield* noted
    const both = yield* Effect.all([store.add(row, auditOf()), store.add(row, auditOf())], { concurrency: 2 })
    expectEqual(both.toSorted(), [false, true], "of two one is written")
    expectEqual(yield* store.find(organizationId, accountId), Option.some(row), "as it was given")
    expectEqual(yield* store.find("org_none", accountId), Option.none(), "of that organization alone")
    expectEqual(yield* store.remove("org_none", accountId, auditOf()), false, "and ended there alone")
    expectEqual(yield* store.remove(organizationId, accountId, auditOf()), true, "ended")
    expectEqual(yield* store.remove(organizationId, accountId, auditOf()), false, "once")
    expectEqual((yield* noted) - before, 2, "with two records")
  },

  *"fall due once, are leased by one, and are changed by who has seen the last version"() {
    const store = yield* StatementLetterStore
    const row = yield* wish
    yield* store.add(row, auditOf())
    expectEqual((yield* store.claim(row.dueAt - 1, row.dueAt + 9, 5)).length, 0, "not before")
    const claim = store.claim(row.dueAt, row.dueAt + 9, 5)
    const claims = yield* Effect.all([claim, claim], { concurrency: 2 })
    expectEqual(claims.flat(), [{ ...row, dueAt: row.dueAt + 9 }], "by one")
    const sending = begun({ ...row, dueAt: row.dueAt + 9 }, row.dueAt)
    const begins = yield* Effect.all([store.replace(sending), store.replace(sending)], { concurrency: 2 })
    expectEqual(begins.toSorted(), [false, true], "handed over by one")
    const [left] = yield* store.claim(row.dueAt + 9, row.dueAt + 20, 5)
    expectEqual(left?.status, "sending", "what was left is found again")
    const next = passedOn(sending, null, row.dueAt)
    expectEqual(yield* store.replace(next), true, "and passed on")
    expectEqual(yield* store.find(row.organizationId, row.accountId), Option.some(next), "to the next month")
  }
})
