/** A census of damages: each is planted with SQL alone, and what is written down are the rules that find it. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { Effect } from "effect"
import { assert } from "vitest"
import { brokenBy } from "../support/damage.ts"
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
    found.push({ about, what, rules: [...new Set(broken.map((one) => one.split(" ")[0]!))], unseen })
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
