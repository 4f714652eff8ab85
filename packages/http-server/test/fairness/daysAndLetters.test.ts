/** However many days, statements or notices of one organization are due, another's waits for a few of them only. */
import { describe, it } from "@effect/vitest"
import { newStatementLetter } from "@tolem/core/cabinet/letter/StatementLetter"
import { StatementLetterStore } from "@tolem/core/cabinet/letter/StatementLetterStore"
import { Engine } from "@tolem/core/engine/Engine"
import { beginning } from "@tolem/core/feed/Cursor"
import { newLine } from "@tolem/core/notice/NoticeLine"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { pass, startAt, world } from "../subscriptions/world.ts"

const many = 60

/** Whose cashiers and members have something that is due: sixty of one, and later one of another. */
const dues = [
  ...Array.from({ length: many }, (_, n) => ({ organizationId: "org_hog", part: `part_${n}`, dueAt: startAt })),
  { organizationId: "org_victim", part: "part_0", dueAt: startAt + 60_000 }
]

/** Notes whose rows were claimed together. */
const noting = () => {
  const claims: Array<ReadonlyArray<string>> = []
  const noted = <Row extends { readonly organizationId: string }, E>(claim: Effect.Effect<ReadonlyArray<Row>, E>) =>
    Effect.tap(claim, (rows) =>
      Effect.sync(() => rows.length > 0 && claims.push(rows.map(({ organizationId }) => organizationId)))
    )
  return { claims, noted }
}

const assertShared = (claims: ReadonlyArray<ReadonlyArray<string>>) => {
  const first = claims.findIndex((claimed) => claimed.includes("org_victim"))
  assert.strictEqual(first, 1, "in the first claim after the one that found more than it could take")
  assert.strictEqual(claims.flat().length, many + 1, "and all others are worked off, each once")
}

describe("beside a backlog of another organization", () => {
  it.effect("a day is compared in turn", () => {
    const { engine } = world()
    const { claims, noted } = noting()
    return Effect.gen(function* () {
      yield* TestClock.setTime(startAt + 120_000)
      const store = yield* ReconciliationStore
      for (const { organizationId, part: connectionId, dueAt } of dues) {
        yield* store.ask({ organizationId, connectionId, day: "2026-01-05" }, dueAt)
      }
      const claim = (...asked: Parameters<typeof store.claim>) => noted(store.claim(...asked))
      yield* Layer.build(Layer.provide(Engine.agents, Layer.succeed(ReconciliationStore, { ...store, claim })))
      yield* pass("50 seconds", "1 second")
      assertShared(claims)
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("a statement is sent in turn", () => {
    const { engine } = world()
    const { claims, noted } = noting()
    return Effect.gen(function* () {
      yield* TestClock.setTime(startAt + 120_000)
      const store = yield* StatementLetterStore
      for (const { organizationId, part: accountId, dueAt } of dues) {
        yield* store.add({ ...newStatementLetter({ organizationId, accountId }, startAt), dueAt }, auditOf())
      }
      const claim = (...asked: Parameters<typeof store.claim>) => noted(store.claim(...asked))
      yield* Layer.build(Layer.provide(Engine.agents, Layer.succeed(StatementLetterStore, { ...store, claim })))
      yield* pass("50 seconds", "1 second")
      assertShared(claims)
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("a notice is told in turn", () => {
    const { engine } = world()
    const { claims, noted } = noting()
    const wish = { kinds: ["paid"], minimum: null, quiet: null, language: "ru" } as const
    return Effect.gen(function* () {
      yield* TestClock.setTime(startAt + 120_000)
      const store = yield* NoticeStore
      for (const { organizationId, part: accountId, dueAt } of dues) {
        const key = { organizationId, accountId, mode: "live", channel: "letter" } as const
        yield* store.add({ ...newLine(key, wish, beginning, startAt), dueAt }, auditOf())
      }
      const claim = (...asked: Parameters<typeof store.claim>) => noted(store.claim(...asked))
      yield* Layer.build(Layer.provide(Engine.agents, Layer.succeed(NoticeStore, { ...store, claim })))
      yield* pass("50 seconds", "1 second")
      assertShared(claims)
    }).pipe(Effect.scoped, Effect.provide(engine))
  })
})
