/** What can happen to each column of each table, and to rows as a whole. */
import type { Damages } from "./damage.ts"
import { damagesOfChains } from "./damagesOfChains.ts"
import { damagesOfFeed } from "./damagesOfFeed.ts"
import { damagesOfMoney } from "./damagesOfMoney.ts"
import { damagesOfNotices } from "./damagesOfNotices.ts"
import { damagesOfPeople } from "./damagesOfPeople.ts"
import { damagesOfReconciliation } from "./damagesOfReconciliation.ts"
import { damagesOfWebhooks } from "./damagesOfWebhooks.ts"

export const damages: Damages = {
  ...damagesOfMoney,
  ...damagesOfWebhooks,
  ...damagesOfPeople,
  ...damagesOfFeed,
  ...damagesOfReconciliation,
  ...damagesOfNotices
}

/** Rows that come, go, or are changed together: statements, and the rule that finds it. */
export const rowDamages: ReadonlyArray<readonly [statements: string, rule: string]> = [
  ["delete from tolem_events where invoice_id = 'inv_paid' and sequence = 2", "sequences_gap_free"],
  ["delete from tolem_events where invoice_id = 'inv_paid' and sequence = 4", "sequences_gap_free"],
  ["delete from tolem_events where invoice_id = 'inv_open'", "sequences_gap_free"],
  ["delete from tolem_invoices where id = 'inv_open'", "totals_equal_rows"],
  ["delete from tolem_refunds where id = 'ref_1'", "refunded_equals_refunds"],
  ["delete from tolem_refunds where id = 'ref_unknown'", "recorded_refunds_are_kept"],
  [
    "update tolem_refunds set status = 'failed', completed_at = 1, invoice_id = 'inv_open' where id = 'ref_unknown'",
    "refunds_are_sound"
  ],
  // Two middle sums moved against each other, so that the last one is right.
  [
    "update tolem_events set refunded = 30000 where invoice_id = 'inv_paid' and sequence = 3",
    "refund_events_equal_refunds"
  ],
  ["update tolem_invoices set amount = amount + 1 where id = 'inv_open'", "totals_equal_rows"],
  ["delete from tolem_daily_totals", "totals_equal_rows"],
  ["delete from tolem_link_totals", "link_totals_equal_rows"],
  ["delete from tolem_usage", "usage_equals_rows"],
  ["delete from tolem_receipt_counters", "receipt_counters_are_ahead"],
  ["delete from tolem_deliveries where endpoint_id = 'whe_1' and kind = 'invoice.paid'", "events_have_deliveries"],
  [
    `update tolem_endpoints set updated_at = updated_at + 9000000;
     delete from tolem_deliveries where endpoint_id = 'whe_1' and kind = 'invoice.paid'`,
    "announced_deliveries_are_kept"
  ],
  [
    `update tolem_endpoints set events = ',invoice.failed,', updated_at = updated_at + 9000000;
     delete from tolem_deliveries where endpoint_id = 'whe_1' and kind = 'invoice.partially_refunded'`,
    "announced_deliveries_are_kept"
  ],
  ["delete from tolem_attempts", "deliveries_agree_with_attempts"],
  ["delete from tolem_endpoints where id = 'whe_1'", "deliveries_agree_with_endpoints"],
  ["delete from tolem_endpoints where id = 'whe_gone'", "recorded_endpoints_are_kept"],
  ["update tolem_endpoints set removed_at = null, secret = 'x' where id = 'whe_gone'", "secrets_open"],
  ["delete from tolem_subscriptions", "runs_equal_rows"],
  ["delete from tolem_subscription_runs where run = 2", "runs_equal_rows"],
  ["delete from tolem_subscription_events where sequence = 2", "subscription_events_gap_free"],
  ["update tolem_subscriptions set status = 'paused', due_at = null", "subscriptions_equal_events"],
  ["update tolem_subscriptions set status = 'finished', due_at = null", "subscriptions_agree_with_runs"],
  ["update tolem_subscription_runs set organization_id = 'org_client' where run = 1", "runs_are_sound"],
  ["update tolem_subscription_runs set mode = 'live'", "runs_are_sound"],
  [
    "delete from tolem_memberships where account_id = 'acc_owner' and organization_id = 'org_shop'",
    "organizations_are_sound"
  ],
  ["delete from tolem_memberships where account_id = 'acc_developer'", "members_agree_with_records"],
  [
    "update tolem_memberships set account_id = 'acc_referrer' where account_id = 'acc_developer'",
    "members_agree_with_records"
  ],
  ["delete from tolem_accounts where id = 'acc_owner'", "organizations_are_sound"],
  ["delete from tolem_api_keys", "recorded_keys_are_kept"],
  ["delete from tolem_tariff_orders where id = 'trf_1'", "applied_records_have_orders"],
  ["delete from tolem_referral_earnings where id = 'ern_1'", "orders_agree_with_records"],
  ["delete from tolem_referral_earnings where id = 'ern_2'", "orders_agree_with_records"],
  [
    "update tolem_referral_earnings set state = 'paid_out', paid_out_at = 1 where id = 'ern_1'",
    "earnings_agree_with_records"
  ],
  ["delete from tolem_audit where action = 'tariff.paid'", "orders_agree_with_records"],
  ["delete from tolem_audit where action = 'earning.paid_out'", "earnings_agree_with_records"],
  [
    "delete from tolem_secret_checks; update tolem_connections set session = 'v1.x.y.z' where id = 'con_1'",
    "secrets_open"
  ],
  // What agrees with everything else, and was written without the key.
  [
    `update tolem_invoices set amount = amount + 1 where id = 'inv_open';
     update tolem_daily_totals set amount = amount + 1 where organization_id = 'org_shop' and mode = 'sandbox'
       and status = 'pending' and day = (select day from tolem_invoices where id = 'inv_open')`,
    "invoices_are_sealed"
  ],
  ["update tolem_refunds set status = 'failed', completed_at = 1 where id = 'ref_unknown'", "invoices_are_sealed"],
  [
    "delete from tolem_refunds where id = 'ref_unknown'; delete from tolem_audit where action = 'refund.requested'",
    "invoices_are_sealed"
  ],
  [
    `insert into tolem_refunds (id, invoice_id, organization_id, amount, status, created_at)
       values ('ref_x', 'inv_other', 'org_shop', 5, 'pending', 1)`,
    "invoices_are_sealed"
  ],
  [
    `delete from tolem_events where invoice_id = 'inv_late' and sequence = 3;
     update tolem_invoices set status = 'expired', sequence = 2, version = 2, late = 0, paid_at = null,
       receipt_number = null where id = 'inv_late'`,
    "invoices_are_sealed"
  ],
  ["update tolem_events set source = 'system' where invoice_id = 'inv_paid' and sequence = 2", "invoices_are_sealed"],
  [
    "update tolem_invoices set id = case id when 'inv_open' then 'inv_swap' else id end where id = 'inv_open'",
    "invoices_are_sealed"
  ],
  [
    `update tolem_invoices set seal = (select b.seal from tolem_invoices b
       where b.id = case tolem_invoices.id when 'inv_open' then 'inv_late' else 'inv_open' end)
     where id in ('inv_open', 'inv_late')`,
    "invoices_are_sealed"
  ],
  ["delete from tolem_sealing", "sealing_is_recorded"],
  ["delete from tolem_sealing where id = 'chains'", "sealing_is_recorded"],
  ["delete from tolem_feed where position = 2", "events_are_in_the_feed"],
  ["delete from tolem_feed_heads", "feeds_end_at_their_heads"],
  ["delete from tolem_feed_arrivals", "events_are_in_the_feed"],
  [
    `update tolem_feed set position = -position where mode = 'sandbox' and organization_id = 'org_shop';
     update tolem_feed set position = 1000 + position where position < 0;
     update tolem_feed_heads set position = 1000 where mode = 'sandbox' and organization_id = 'org_shop'`,
    "places_follow_events"
  ],
  ...damagesOfChains
]
