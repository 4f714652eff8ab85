/**
 * What every provider adapter must do, as cases that any test runner can run. An adapter's own test provides the
 * adapter and, as `ProviderControl`, the other side of it:
 *
 * ```ts
 * for (const { name, run } of providerSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(adapter)))
 * ```
 */
import type { ProviderCase } from "./ProviderCase.ts"
import { casesOfLogins, casesOfSessions } from "./ProviderSuiteLogins.ts"
import { casesOfCancels, casesOfCreates, casesOfStates } from "./ProviderSuitePayments.ts"
import { casesOfRefunds } from "./ProviderSuiteRefunds.ts"
import { casesOfTroubles } from "./ProviderSuiteTroubles.ts"

/** See the file's head. */
export const providerSuite: ReadonlyArray<ProviderCase> = [
  ...casesOfLogins,
  ...casesOfSessions,
  ...casesOfCreates,
  ...casesOfStates,
  ...casesOfCancels,
  ...casesOfRefunds,
  ...casesOfTroubles
]
