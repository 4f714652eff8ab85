/** The cases of planted damages, for each database. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { Effect } from "effect"
import { assert } from "vitest"
import { breaks, brokenBy, columns, type Damages, toldOfMany } from "./damage.ts"
import { damages, rowDamages } from "./damages.ts"
import { damagesOfFeed } from "./damagesOfFeed.ts"
import { damagesOfMoney } from "./damagesOfMoney.ts"
import { damagesOfPeople } from "./damagesOfPeople.ts"
import { damagesOfWebhooks } from "./damagesOfWebhooks.ts"

const statementsOf = (some: Damages) =>
  Object.entries(some).flatMap(([table, of]) =>
    Object.entries(of).flatMap(([column, planted]) =>
      typeof planted === "string"
        ? []
        : planted.map(
            ([value, where, rule]) => [`update tolem_${table} set ${column} = ${value} where ${where}`, rule] as const
          )
    )
  )

/** Each is found by its rule alone, and all rules get through many of them together. */
const found = (planted: ReadonlyArray<readonly [statements: string, rule: string]>) =>
  Effect.gen(function* () {
    const missed: Array<string> = []
    const breaksRule = yield* breaks
    for (const [statements, rule] of planted) {
      if (yield* breaksRule(statements.split(";"), rule)) continue
      missed.push(`${statements} | ${rule} | ${yield* brokenBy(statements.split(";"))}`)
    }
    assert.deepStrictEqual(missed, [])
    assert.isNotEmpty(yield* toldOfMany(planted.map(([statements]) => statements.split(";"))))
  })

/**
 * Programs by name for a database that is populated already: none of them leaves anything behind. They need a clock
 * that runs: what was paid long ago is to be in force by now.
 */
export const damageCases = [
  [
    "everything agrees at first, and every column is listed",
    Effect.gen(function* () {
      const { findings, rows } = yield* Integrity.use(({ report }) => report)
      assert.deepStrictEqual(findings, [])
      const empty = Object.entries(rows).flatMap(([table, n]) => (n === 0 ? [table] : []))
      assert.deepStrictEqual(empty, [], "every table has rows")
      const listed = Object.entries(damages).flatMap(([table, of]) => Object.keys(of).map((name) => `${table}.${name}`))
      assert.deepStrictEqual(listed.toSorted(), (yield* columns).toSorted())
    })
  ],
  ...Object.entries({ damagesOfMoney, damagesOfWebhooks, damagesOfPeople, damagesOfFeed }).map(
    ([group, some]) =>
      [`every damage that is planted in a column is found by its rule: ${group}`, found(statementsOf(some))] as const
  ),
  ["rows that come, go or are moved together are found by their rules", found(rowDamages)]
] as const
