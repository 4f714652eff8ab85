/** A census of damages: each is planted with SQL alone, and what is written down are the rules that find it. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { Effect } from "effect"
import { assert } from "vitest"
import { breaks, brokenBy, toldOfMany } from "../support/damage.ts"
import { populate } from "../support/population.ts"
import { invoices } from "./invoices.ts"
import { people } from "./people.ts"
import { schema } from "./schema.ts"
import { sums } from "./sums.ts"
import { things } from "./things.ts"

const census = { ...invoices, ...sums, ...things, ...people }

/** Rules that find nothing without the keys. */
export const keyed: ReadonlyArray<string> = [
  "secrets_open",
  "sealing_is_recorded",
  "invoices_are_sealed",
  "heads_are_sealed"
]

/** A damage with the rules that found it. */
export interface Found {
  readonly about: string
  readonly what: string
  readonly rules: ReadonlyArray<string>
  /** Why nothing is found. */
  readonly unseen: string | undefined
}

/** Plants everything, one after another, each into the same database. */
export const taken = Effect.gen(function* () {
  yield* populate
  assert.deepStrictEqual((yield* Integrity.use(({ report }) => report)).findings, [])
  const found: Array<Found> = []
  const plant = Effect.fnUntraced(function* (
    about: string,
    what: string,
    statements: string,
    unseen: string | undefined,
    isGuarded: boolean
  ) {
    const broken = yield* brokenBy(statements.split(";"), isGuarded)
    found.push({ about, what, rules: rulesOf(broken), unseen })
  })
  for (const [about, all] of Object.entries(census)) {
    for (const [what, statements, unseen] of all) yield* plant(about, what, statements, unseen, false)
  }
  for (const [about, all] of Object.entries(yield* schema)) {
    for (const [what, statements, unseen] of all) yield* plant(about, what, statements, unseen, true)
  }
  return found
})

/** What is found although it is said that it cannot be, and what is not found without a reason. */
export const wrong = (found: ReadonlyArray<Found>): ReadonlyArray<string> =>
  found
    .filter(({ rules, unseen }) => rules.length > 0 === (unseen !== undefined))
    .map(({ about, what, rules }) => `${about}: ${what}: ${rules.join(", ") || "not found"}`)

/**
 * The same on another database that is populated already: each is found by the first rule that is named, or at least by
 * one, and all rules get through many of them together. Answers what is wrong.
 */
export const amiss = (named: ReadonlyMap<string, ReadonlyArray<string>>) =>
  Effect.gen(function* () {
    const isBrokenBy = yield* breaks
    const all = Object.entries(census).flatMap(([about, planted]) =>
      planted.map(([what, statements, unseen]) => ({ about, what, statements: statements.split(";"), unseen }))
    )
    const [seen, hidden] = [
      all.filter((one) => one.unseen === undefined),
      all.filter((one) => one.unseen !== undefined)
    ]
    const found: Array<Found> = []
    for (const { about, what, statements, unseen } of seen) {
      const [rule = "none"] = named.get(`${about}: ${what}`) ?? []
      const isFound = yield* isBrokenBy(statements, rule)
      found.push({ about, what, rules: isFound ? [rule] : rulesOf(yield* brokenBy(statements)), unseen })
    }
    assert.isNotEmpty(yield* toldOfMany(seen.map(({ statements }) => statements)))
    for (const [about, planted] of Object.entries(yield* schema)) {
      for (const [what, statements, unseen] of planted) {
        found.push({ about, what, rules: rulesOf(yield* brokenBy(statements.split(";"), true)), unseen })
      }
    }
    return [...wrong(found), ...(yield* toldOfMany(hidden.map(({ statements }) => statements)))]
  })

const rulesOf = (broken: ReadonlyArray<string>) => [...new Set(broken.map((one) => one.split(" ")[0]!))]
