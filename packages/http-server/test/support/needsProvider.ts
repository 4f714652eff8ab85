/** Codes that tests without a provider and without tariffs do not meet. */

/** What only a provider can bring about, or a tariff: see the tests of live mode, of partners and of tariffs. */
export const needsProvider = [
  // Needs an export that is under way: see the tests of exports.
  "too_many_exports",
  // Need an operator of the platform: see the tests of the console and of its work.
  "account_not_found",
  "earnings_changed",
  "invalid_payout_note",
  "invalid_look_reason",
  "invalid_months",
  "invalid_tariff",
  "organization_not_found",
  "work_kind_not_found",
  // Need live days that differ: see the tests of reconciliation.
  "work_item_not_found",
  "work_item_closed",
  "invalid_day",
  "invalid_note",
  "no_provider",
  "provider_session_expired",
  "connection_not_active",
  "tariff_limit_reached",
  "tariff_daily_burst",
  "sandbox_limit",
  "tariff_inactive",
  "refund_pending_unknown",
  "refund_state_conflict",
  "refund_not_allowed"
]
