/**
 * What every provider adapter must do, as cases that any test runner can run. An adapter's own test provides the
 * adapter and, as `ProviderControl`, the other side of it:
 *
 * ```ts
 * for (const { name, run } of providerSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(adapter)))
 * ```
 */
import type { Abilities } from "@tolem/core/provider/Abilities"
import { casesOfLacks } from "./LackCases.ts"
import { providerLoginCases, providerLoginEndCases, providerSessionCases } from "./LoginCases.ts"
import { casesOfOperations } from "./OperationCases.ts"
import { casesOfCancels, casesOfCreates, casesOfPushes, casesOfSingleCreates, casesOfStates } from "./PaymentCases.ts"
import { type ProviderCase, whyNot } from "./ProviderCase.ts"
import { casesOfFoundRefunds, casesOfRefunds, casesOfSingleRefunds } from "./RefundCases.ts"
import { casesOfTroubles } from "./TroubleCases.ts"

/** Every case, whatever a provider can do. */
export const allProviderCases: ReadonlyArray<ProviderCase> = [
  ...providerLoginCases,
  ...providerLoginEndCases,
  ...providerSessionCases,
  ...casesOfCreates,
  ...casesOfPushes,
  ...casesOfSingleCreates,
  ...casesOfStates,
  ...casesOfCancels,
  ...casesOfRefunds,
  ...casesOfSingleRefunds,
  ...casesOfFoundRefunds,
  ...casesOfOperations,
  ...casesOfTroubles,
  ...casesOfLacks
]

/** The cases of a provider that can do this. */
export const providerSuiteOf = (can: Abilities): ReadonlyArray<ProviderCase> =>
  allProviderCases.filter((one) => whyNot(one, can) === null)

/** The cases of a provider that can do everything. */
export const providerSuite: ReadonlyArray<ProviderCase> = providerSuiteOf({ listOperations: true })
