/** The cases of planted damages, for each database. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { Effect } from "effect"
import { assert } from "vitest"
import { brokenBy, columns, type Damages } from "./damage.ts"
import { damages, rowDamages } from "./damages.ts"
import { damagesOfFeed } from "./damagesOfFeed.ts"
import { damagesOfMoney } from "./damagesOfMoney.ts"
import { damagesOfPeople } from "./damagesOfPeople.ts"
import { damagesOfWebhooks } from "./damagesOfWebhooks.ts"
import { populate } from "./population.ts"

const found = (some: Damages) =>
  Effect.gen(function* () {
    yield* populate
    const missed: Array<string> = []
    for (const [table, of] of Object.entries(some)) {
      for (const [column, planted] of Object.entries(of)) {
        if (typeof planted === "string") continue
        for (const [value, where, rule] of planted) {
          const statement = `update tolem_${table} set ${column} = ${value} where ${where}`
          const broken = yield* brokenBy([statement])
          if (!broken.some((one) => one.startsWith(`${rule} `))) missed.push(`${statement} | ${rule} | ${broken}`)
        }
      }
    }
    assert.deepStrictEqual(missed, [])
  })

/** Programs by name, for a clock that runs: what was paid long ago is to be in force by now. */
export const damageCases = [
  [
    "everything agrees at first, and every column is listed",
    Effect.gen(function* () {
      yield* populate
      const { findings, rows } = yield* Integrity.use(({ report }) => report)
      assert.deepStrictEqual(findings, [])
      const empty = Object.entries(rows).flatMap(([table, n]) => (n === 0 ? [table] : []))
      assert.deepStrictEqual(empty, [], "every table has rows")
      const listed = Object.entries(damages).flatMap(([table, of]) => Object.keys(of).map((name) => `${table}.${name}`))
      assert.deepStrictEqual(listed.toSorted(), (yield* columns).toSorted())
    })
  ],
  ...Object.entries({ damagesOfMoney, damagesOfWebhooks, damagesOfPeople, damagesOfFeed }).map(
    ([group, some]) => [`every damage that is planted in a column is found by its rule: ${group}`, found(some)] as const
  ),
  [
    "rows that come, go or are moved together are found by their rules",
    Effect.gen(function* () {
      yield* populate
      const missed: Array<string> = []
      for (const [statements, rule] of rowDamages) {
        const broken = yield* brokenBy(statements.split(";"))
        if (!broken.some((one) => one.startsWith(`${rule} `))) missed.push(`${statements} | ${rule} | ${broken}`)
      }
      assert.deepStrictEqual(missed, [])
    })
  ]
] as const
