/**
 * What every storage adapter must do, as cases that any test runner can run. An adapter's own test is a few lines:
 *
 * ```ts
 * for (const { name, run } of storageSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(stores)))
 * ```
 * Each case expects stores of its own that hold nothing.
 */

import { casesOfAges } from "./AgeCases.ts"
import { casesOfAttemptAges } from "./AttemptAgeCases.ts"
import { casesOfAudit } from "./AuditCases.ts"
import { casesOfBacklogs } from "./BacklogCases.ts"
import { casesOfBills } from "./BillCases.ts"
import { casesOfCommits } from "./CommitCases.ts"
import { casesOfConnections } from "./ConnectionCases.ts"
import { casesOfDeliveries } from "./DeliveryCases.ts"
import { casesOfPartners, casesOfPeople } from "./DirectoryCases.ts"
import { casesOfAnnouncements, casesOfEndpoints } from "./EndpointCases.ts"
import { casesOfFeeds } from "./FeedCases.ts"
import { casesOfForgetting } from "./ForgettingCases.ts"
import { casesOfHooks } from "./FormHookCases.ts"
import { casesOfFormRefusals, casesOfLinkDays } from "./FormRefusalCases.ts"
import { casesOfInserts } from "./InsertCases.ts"
import { casesOfIntegrity } from "./IntegrityCases.ts"
import { casesOfInvitations } from "./InvitationCases.ts"
import { casesOfClaims, casesOfLists } from "./ListCases.ts"
import { casesOfLogins } from "./LoginCases.ts"
import { casesOfClocks, casesOfMails } from "./MailCases.ts"
import { casesOfMerchants, casesOfRates } from "./MerchantCases.ts"
import { casesOfReadsOfMerchants } from "./MerchantReadCases.ts"
import { casesOfMovements } from "./MovementCases.ts"
import { casesOfChats, casesOfNotices } from "./NoticeCases.ts"
import { casesOfOperators } from "./OperatorCases.ts"
import { casesOfLinks } from "./PaymentLinkCases.ts"
import { casesOfPayouts } from "./PayoutCases.ts"
import { casesOfServers, casesOfWork } from "./PlatformCases.ts"
import { casesOfProfiles } from "./ProfileCases.ts"
import { casesOfQuotas } from "./QuotaCases.ts"
import { casesOfReactions } from "./ReactionCases.ts"
import { casesOfReads } from "./ReadCases.ts"
import { casesOfReconciliations } from "./ReconciliationCases.ts"
import { casesOfReferrals } from "./ReferralCases.ts"
import { casesOfRefundLists } from "./RefundListCases.ts"
import { casesOfReports } from "./ReportCases.ts"
import { casesOfRequests } from "./RequestLogCases.ts"
import { casesOfSchedules } from "./ScheduleCases.ts"
import { casesOfSending } from "./SendingCases.ts"
import { casesOfSessions } from "./SessionCases.ts"
import { casesOfPauses, casesOfSettlements } from "./SettlementCases.ts"
import { casesOfStatementLetters } from "./StatementLetterCases.ts"
import type { StorageCase } from "./StorageCase.ts"
import { casesOfSubscriptions } from "./SubscriptionCases.ts"
import { casesOfTariffs } from "./TariffCases.ts"
import { casesOfTurns } from "./TurnCases.ts"

/** Every case of the suite. */
export const storageSuite: ReadonlyArray<StorageCase> = [
  ...casesOfInserts,
  ...casesOfCommits,
  ...casesOfLists,
  ...casesOfClaims,
  ...casesOfTurns,
  ...casesOfForgetting,
  ...casesOfAges,
  ...casesOfAttemptAges,
  ...casesOfBacklogs,
  ...casesOfFeeds,
  ...casesOfReactions,
  ...casesOfMerchants,
  ...casesOfProfiles,
  ...casesOfPeople,
  ...casesOfInvitations,
  ...casesOfOperators,
  ...casesOfReferrals,
  ...casesOfReconciliations,
  ...casesOfPartners,
  ...casesOfTariffs,
  ...casesOfBills,
  ...casesOfPayouts,
  ...casesOfQuotas,
  ...casesOfAudit,
  ...casesOfRates,
  ...casesOfRequests,
  ...casesOfConnections,
  ...casesOfLogins,
  ...casesOfSessions,
  ...casesOfSubscriptions,
  ...casesOfSchedules,
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
  ...casesOfFormRefusals,
  ...casesOfLinkDays,
  ...casesOfServers,
  ...casesOfWork,
  ...casesOfIntegrity,
  ...casesOfReports,
  ...casesOfMovements,
  ...casesOfRefundLists,
  ...casesOfStatementLetters,
  ...casesOfNotices,
  ...casesOfChats,
  ...casesOfReads,
  ...casesOfReadsOfMerchants
]
