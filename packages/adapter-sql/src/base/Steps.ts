/** The steps of the schema, by number and name. A published step never changes. */
import { createTables } from "../migrations/0001_init.ts"
import { createViews } from "../migrations/0002_views.ts"
import { createSecretChecks } from "../migrations/0003_secret_checks.ts"
import { createConnections } from "../migrations/0004_connections.ts"
import { addRefundReferences } from "../migrations/0005_refund_references.ts"
import { createSubscriptions } from "../migrations/0006_subscriptions.ts"
import { createMerchants } from "../migrations/0007_merchants.ts"
import { createPaymentLinks } from "../migrations/0008_payment_links.ts"
import { createLogins } from "../migrations/0009_logins.ts"
import { addDeliveryTurns } from "../migrations/0010_delivery_turns.ts"
import { addKeyUses } from "../migrations/0011_key_uses.ts"
import { addCreation } from "../migrations/0012_creation.ts"
import { indexShares } from "../migrations/0014_shares.ts"
import { addAnnouncements } from "../migrations/0016_announcements.ts"
import { addSeals } from "../migrations/0017_seals.ts"
import { createChains } from "../migrations/0018_chains.ts"
import { createFeed } from "../migrations/0020_feed.ts"
import { createReactions } from "../migrations/0021_reactions.ts"
import { addExternalKeys } from "../migrations/0023_external_keys.ts"
import { addAccountEmails } from "../migrations/0024_account_emails.ts"
import { noteEarlierEvents } from "../migrations/0029_earlier_events.ts"
import { fillCreation, fillInPortions } from "../migrations/0030_filled_creation.ts"
import { guardFormHooks } from "../migrations/0034_form_hooks.ts"
import { addMemberTerms } from "../migrations/0035_member_terms.ts"
import { addFaces } from "../migrations/0036_faces.ts"
import { addLinkPages } from "../migrations/0037_link_pages.ts"
import { settleLinkTotals } from "../migrations/0038_link_totals.ts"
import { addKeyMakers } from "../migrations/0041_key_makers.ts"
import { indexLinkPlaces, indexLinkPlacesAhead, settleLinkPlaces } from "../migrations/0042_link_places.ts"
import { addScans } from "../migrations/0044_scans.ts"
import { dropNewest, indexCabinet, indexCabinetAhead } from "../migrations/0045_cabinet.ts"
import { indexAttention, indexAttentionAhead } from "../migrations/0047_attention.ts"
import { addTotalKinds, settleTotalKinds, settleTotalKindsAhead } from "../migrations/0049_kinds_of_totals.ts"
import { addLinkPictures } from "../migrations/0051_link_pictures.ts"
import { createInvitations } from "../migrations/0052_invitations.ts"
import { addResentLetters } from "../migrations/0054_resent_letters.ts"
import { createRemovals, indexAgesAhead } from "../migrations/0055_removals.ts"
import { tendHotTables } from "../migrations/0056_hot_tables.ts"
import { indexUnpaidCodes, indexUnpaidCodesAhead } from "../migrations/0058_unpaid_codes.ts"
import { boundAttemptsAhead, divideAttempts } from "../migrations/0070_attempt_months.ts"
import { createReconciliations } from "../migrations/0074_reconciliations.ts"
import { indexMovements, indexMovementsAhead } from "../migrations/0075_movements.ts"
import { createRequests } from "../migrations/0085_requests.ts"
import { indexStatements, indexStatementsAhead } from "../migrations/0086_statements.ts"
import { createStatementLetters } from "../migrations/0087_statement_letters.ts"
import { indexJournal, indexJournalAhead } from "../migrations/0088_journal.ts"
import { createFormRefusals } from "../migrations/0089_form_refusals.ts"
import { indexLinkDays, indexLinkDaysAhead } from "../migrations/0090_link_days.ts"
import { createOperators, createOperatorsAhead } from "../migrations/0091_operators.ts"
import { indexRefunds, indexRefundsAhead } from "../migrations/0094_refund_lists.ts"
import { createNotices } from "../migrations/0096_notices.ts"
import { createPlatform, indexWorkAhead } from "../migrations/0098_platform.ts"
import { indexDates, indexDatesAhead } from "../migrations/0099_subscription_dates.ts"
import { createPayouts, createPayoutsAhead } from "../migrations/0100_payouts.ts"
import { indexDeeds, indexDeedsAhead } from "../migrations/0101_deeds_of_actors.ts"
import { createInvoiceLeases } from "../migrations/0102_invoice_leases.ts"
import { indexSharesOfAgents, indexSharesOfAgentsAhead } from "../migrations/0103_shares_of_agents.ts"
import { boundDeliveriesAhead, divideDeliveries } from "../migrations/0104_delivery_months.ts"
import { createSearchKeys } from "../migrations/0105_search_keys.ts"
import { indexDeliveryLog, indexDeliveryLogAhead } from "../migrations/0106_delivery_log.ts"
import type { Step } from "./Step.ts"

/** Every step. A new one takes a number above all others, gaps or not: a database runs none below its newest. */
export const allSteps: Readonly<Record<string, Step>> = {
  "0001_init": createTables,
  "0002_views": (sql, _, naming) => createViews(sql, naming),
  "0003_secret_checks": createSecretChecks,
  "0004_connections": createConnections,
  "0005_refund_references": addRefundReferences,
  "0006_subscriptions": createSubscriptions,
  "0007_merchants": createMerchants,
  "0008_payment_links": createPaymentLinks,
  "0009_logins": createLogins,
  "0010_delivery_turns": (sql, _, naming) => addDeliveryTurns(sql, naming),
  "0011_key_uses": addKeyUses,
  "0012_creation": addCreation,
  "0014_shares": (sql, _, naming) => indexShares(sql, naming),
  "0016_announcements": (sql, _, naming) => addAnnouncements(sql, naming),
  "0017_seals": addSeals,
  "0018_chains": createChains,
  "0020_feed": createFeed,
  "0021_reactions": createReactions,
  "0023_external_keys": addExternalKeys,
  "0024_account_emails": addAccountEmails,
  "0029_earlier_events": (sql, _, naming) => noteEarlierEvents(sql, naming),
  "0030_filled_creation": (sql, _, naming) => fillCreation(sql, naming),
  "0034_form_hooks": guardFormHooks,
  "0035_member_terms": addMemberTerms,
  "0036_faces": addFaces,
  "0037_link_pages": addLinkPages,
  "0038_link_totals": (sql, _, naming) => settleLinkTotals(sql, naming),
  "0041_key_makers": addKeyMakers,
  "0042_link_places": indexLinkPlaces,
  "0043_link_places_settled": (sql, _, naming) => settleLinkPlaces(sql, naming),
  "0044_scans": addScans,
  "0045_cabinet": indexCabinet,
  "0046_newest": dropNewest,
  "0047_attention": indexAttention,
  "0049_kinds_of_totals": addTotalKinds,
  "0050_totals_settled": settleTotalKinds,
  "0051_link_pictures": addLinkPictures,
  "0052_invitations": createInvitations,
  "0054_resent_letters": addResentLetters,
  "0055_removals": createRemovals,
  "0056_hot_tables": (sql, _, naming) => tendHotTables(sql, naming),
  "0058_unpaid_codes": indexUnpaidCodes,
  "0070_attempt_months": divideAttempts,
  "0074_reconciliations": createReconciliations,
  "0075_movements": indexMovements,
  "0085_requests": createRequests,
  "0086_statements": indexStatements,
  "0087_statement_letters": createStatementLetters,
  "0088_journal": indexJournal,
  "0089_form_refusals": createFormRefusals,
  "0090_link_days": indexLinkDays,
  "0091_operators": createOperators,
  "0094_refund_lists": indexRefunds,
  "0096_notices": createNotices,
  "0098_platform": createPlatform,
  "0099_subscription_dates": indexDates,
  "0100_payouts": createPayouts,
  "0101_deeds_of_actors": indexDeeds,
  "0102_invoice_leases": createInvoiceLeases,
  "0103_shares_of_agents": indexSharesOfAgents,
  "0104_delivery_months": divideDeliveries,
  "0105_search_keys": createSearchKeys,
  "0106_delivery_log": indexDeliveryLog
}

/**
 * What would keep the writers of many rows waiting is done before its step, outside of a transaction: rows are changed
 * in portions that are committed one by one, indexes built beside them. The step finds little left.
 */
export const stepsAhead: Readonly<Record<string, Step>> = {
  "0030_filled_creation": (sql, _, naming) => fillInPortions(sql, naming),
  "0042_link_places": indexLinkPlacesAhead,
  "0045_cabinet": indexCabinetAhead,
  "0047_attention": indexAttentionAhead,
  "0050_totals_settled": settleTotalKindsAhead,
  "0055_removals": indexAgesAhead,
  "0058_unpaid_codes": indexUnpaidCodesAhead,
  "0070_attempt_months": boundAttemptsAhead,
  "0075_movements": indexMovementsAhead,
  "0086_statements": indexStatementsAhead,
  "0088_journal": indexJournalAhead,
  "0090_link_days": indexLinkDaysAhead,
  "0091_operators": createOperatorsAhead,
  "0094_refund_lists": indexRefundsAhead,
  "0098_platform": indexWorkAhead,
  "0099_subscription_dates": indexDatesAhead,
  "0100_payouts": createPayoutsAhead,
  "0101_deeds_of_actors": indexDeedsAhead,
  "0103_shares_of_agents": indexSharesOfAgentsAhead,
  "0104_delivery_months": boundDeliveriesAhead,
  "0106_delivery_log": indexDeliveryLogAhead
}
