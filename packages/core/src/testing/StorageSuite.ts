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
import { casesOfForgetting } from "./StorageSuiteForgetting.ts"
import { casesOfHooks } from "./StorageSuiteHooks.ts"
import { casesOfInserts } from "./StorageSuiteInserts.ts"
import { casesOfIntegrity } from "./StorageSuiteIntegrity.ts"
import { casesOfLinks } from "./StorageSuiteLinks.ts"
import { casesOfClaims, casesOfLists } from "./StorageSuiteLists.ts"
import { casesOfLogins } from "./StorageSuiteLogins.ts"
import { casesOfClocks, casesOfMails } from "./StorageSuiteMails.ts"
import { casesOfMerchants, casesOfRates } from "./StorageSuiteMerchants.ts"
import { casesOfAudit, casesOfPartners, casesOfPeople } from "./StorageSuitePeople.ts"
import { casesOfQuotas } from "./StorageSuiteQuotas.ts"
import { casesOfReads } from "./StorageSuiteReads.ts"
import { casesOfReadsOfMerchants } from "./StorageSuiteReadsOfMerchants.ts"
import { casesOfReferrals } from "./StorageSuiteReferrals.ts"
import { casesOfSending } from "./StorageSuiteSending.ts"
import { casesOfSessions } from "./StorageSuiteSessions.ts"
import { casesOfPauses, casesOfSettlements } from "./StorageSuiteSettlements.ts"
import { casesOfSubscriptions } from "./StorageSuiteSubscriptions.ts"
import { casesOfTariffs } from "./StorageSuiteTariffs.ts"
import { casesOfTurns } from "./StorageSuiteTurns.ts"

/** See the file's head. */
export const storageSuite: ReadonlyArray<StorageCase> = [
  ...casesOfInserts,
  ...casesOfCommits,
  ...casesOfLists,
  ...casesOfClaims,
  ...casesOfTurns,
  ...casesOfForgetting,
  ...casesOfMerchants,
  ...casesOfPeople,
  ...casesOfReferrals,
  ...casesOfPartners,
  ...casesOfTariffs,
  ...casesOfQuotas,
  ...casesOfAudit,
  ...casesOfRates,
  ...casesOfConnections,
  ...casesOfLogins,
  ...casesOfSessions,
  ...casesOfSubscriptions,
  ...casesOfMails,
  ...casesOfClocks,
  ...casesOfEndpoints,
  ...casesOfAnnouncements,
  ...casesOfDeliveries,
  ...casesOfSending,
  ...casesOfSettlements,
  ...casesOfPauses,
  ...casesOfLinks,
  ...casesOfHooks,
  ...casesOfIntegrity,
  ...casesOfReads,
  ...casesOfReadsOfMerchants
]
