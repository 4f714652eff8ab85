/**
 * What every provider adapter must do, as cases that any test runner can run. An adapter's own test provides the
 * adapter and, as `ProviderControl`, the other side of it:
 *
 * ```ts
 * for (const { name, run } of providerSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(adapter)))
 * ```
 */
import { providerLoginCases, providerSessionCases } from "./LoginCases.ts"
import { casesOfCancels, casesOfCreates, casesOfStates } from "./PaymentCases.ts"
import type { ProviderCase } from "./ProviderCase.ts"
import { casesOfRefunds } from "./RefundCases.ts"
import { casesOfTroubles } from "./TroubleCases.ts"

/** Every case of the suite. */
export const providerSuite: ReadonlyArray<ProviderCase> = [
  ...providerLoginCases,
  ...providerSessionCases,
  ...casesOfCreates,
  ...casesOfStates,
  ...casesOfCancels,
  ...casesOfRefunds,
  ...casesOfTroubles
]
