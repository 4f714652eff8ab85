/**
 * What every storage adapter must do, as cases that any test runner can run. An adapter's own test is a few lines:
 *
 * ```ts
 * for (const { name, run } of storageSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(stores)))
 * ```
 * Each case expects stores of its own that hold nothing.
 */
import type { StorageCase } from "./StorageCase.ts"
import { casesOfCommits } from "./StorageSuiteCommits.ts"
import { casesOfConnections } from "./StorageSuiteConnections.ts"
import { casesOfDeliveries } from "./StorageSuiteDeliveries.ts"
import { casesOfAnnouncements, casesOfEndpoints } from "./StorageSuiteEndpoints.ts"
import { casesOfInserts } from "./StorageSuiteInserts.ts"
import { casesOfIntegrity } from "./StorageSuiteIntegrity.ts"
import { casesOfClaims, casesOfLists } from "./StorageSuiteLists.ts"
import { casesOfLogins } from "./StorageSuiteLogins.ts"
import { casesOfClocks, casesOfMails } from "./StorageSuiteMails.ts"
import { casesOfMerchants, casesOfRates } from "./StorageSuiteMerchants.ts"
import { casesOfPauses, casesOfSettlements } from "./StorageSuiteSettlements.ts"
import { casesOfSubscriptions } from "./StorageSuiteSubscriptions.ts"

/** See the file's head. */
export const storageSuite: ReadonlyArray<StorageCase> = [
  ...casesOfInserts,
  ...casesOfCommits,
  ...casesOfLists,
  ...casesOfClaims,
  ...casesOfMerchants,
  ...casesOfRates,
  ...casesOfConnections,
  ...casesOfLogins,
  ...casesOfSubscriptions,
  ...casesOfMails,
  ...casesOfClocks,
  ...casesOfEndpoints,
  ...casesOfAnnouncements,
  ...casesOfDeliveries,
  ...casesOfSettlements,
  ...casesOfPauses,
  ...casesOfIntegrity
]
