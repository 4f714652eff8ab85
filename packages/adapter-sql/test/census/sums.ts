/** What an attacker who can write to the database may do to refunds, totals, tariffs and earnings. */
import type { Planted } from "./Planted.ts"
import { shardOf } from "./totals.ts"

export const sums: Readonly<Record<string, ReadonlyArray<Planted>>> = {
  Refunds: [
    ["the amount of a succeeded one", "update tolem_refunds set amount = amount - 1 where id = 'ref_1'"],
    ["the amount of a failed one", "update tolem_refunds set amount = amount - 1 where id = 'ref_failed'"],
    ["the amount of an unknown one", "update tolem_refunds set amount = amount - 1 where id = 'ref_unknown'"],
    ["more than was paid", "update tolem_refunds set amount = amount * 100 where id = 'ref_pending'"],
    ["a negative amount", "update tolem_refunds set amount = -amount where id = 'ref_unknown'"],
    ["amounts of two exchanged", "update tolem_refunds set amount = 50000 - amount where id in ('ref_1', 'ref_2')"],
    ["succeeded to failed", "update tolem_refunds set status = 'failed' where id = 'ref_1'"],
    [
      "unknown to failed",
      "update tolem_refunds set status = 'failed', completed_at = created_at where id = 'ref_unknown'"
    ],
    [
      "unknown to succeeded",
      "update tolem_refunds set status = 'succeeded', completed_at = created_at where id = 'ref_unknown'"
    ],
    [
      "pending to failed",
      "update tolem_refunds set status = 'failed', completed_at = created_at where id = 'ref_pending'"
    ],
    ["failed to unknown", "update tolem_refunds set status = 'unknown', completed_at = null where id = 'ref_failed'"],
    ["of no invoice", "update tolem_refunds set invoice_id = 'inv_x' where id = 'ref_failed'"],
    ["of an unpaid invoice", "update tolem_refunds set invoice_id = 'inv_open' where id = 'ref_failed'"],
    ["moved to another paid invoice", "update tolem_refunds set invoice_id = 'inv_code' where id = 'ref_failed'"],
    ["of another organization", "update tolem_refunds set organization_id = 'org_client' where id = 'ref_failed'"],
    ["a succeeded one", "delete from tolem_refunds where id = 'ref_2'"],
    ["a failed one", "delete from tolem_refunds where id = 'ref_failed'"],
    ["an unknown one", "delete from tolem_refunds where id = 'ref_unknown'"],
    ["a pending one", "delete from tolem_refunds where id = 'ref_pending'"],
    [
      "a pending one with its audit record",
      `delete from tolem_refunds where id = 'ref_pending';
      delete from tolem_audit where action = 'refund.requested' and subject = 'inv_live_asked'`
    ],
    [
      "one that was never asked for",
      `insert into tolem_refunds (id, invoice_id, organization_id, amount, status, created_at)
      values ('ref_x', 'inv_code', 'org_shop', 5, 'pending', 1)`
    ],
    [
      "a succeeded one that was never asked for",
      `insert into tolem_refunds
      (id, invoice_id, organization_id, amount, status, created_at, completed_at)
      values ('ref_x', 'inv_code', 'org_shop', 5, 'succeeded', 1, 1)`
    ],
    ["completed at no time", "update tolem_refunds set completed_at = null where id = 'ref_1'"],
    ["completed another day", "update tolem_refunds set completed_at = completed_at + 86400000 where id = 'ref_1'"],
    ["one key on two", "update tolem_refunds set idempotency_key = 'same' where invoice_id = 'inv_paid'"],
    ["no key", "update tolem_refunds set idempotency_key = null where id = 'ref_unknown'"],
    ["the provider's reference", "update tolem_refunds set provider_reference = 'B-X' where id = 'ref_succeeded'"],
    ["the reason", "update tolem_refunds set reason = 'x' where id = 'ref_1'"]
  ],
  "Totals and usage": [
    ["the amount of a day", `update tolem_daily_totals set amount = amount + 1 where ${shardOf("inv_code")}`],
    [
      "the count of a day",
      `update tolem_daily_totals set invoice_count = invoice_count - 1 where ${shardOf("inv_code")}`
    ],
    ["the refunded sum of a day", `update tolem_daily_totals set refunded = 0 where ${shardOf("inv_paid")}`],
    ["a day moved", `update tolem_daily_totals set day = '2025-12-31' where ${shardOf("inv_code")}`],
    [
      "to another organization",
      `update tolem_daily_totals set organization_id = 'org_client' where ${shardOf("inv_code")}`
    ],
    ["all of them", "delete from tolem_daily_totals"],
    ["usage of a month", "update tolem_usage set used = 0 where period = '2026-01'"],
    ["usage of a day", "update tolem_usage set used = 0 where period = '2026-01-01'"],
    ["the day that an invoice is counted on", "update tolem_invoices set counted_on = '' where id = 'inv_code'"],
    [
      "the day and usage together",
      `update tolem_usage set used = used - 1 where organization_id = 'org_shop'
      and period in ('2026-01', '2026-01-01'); update tolem_invoices set counted_on = '' where id = 'inv_code'`
    ],
    [
      "usage of the sandbox and of letters",
      `insert into tolem_usage (organization_id, period, used)
      values ('org_shop', 'sandbox/2026-01-01', 0)`,
      "a quota of the sandbox that is counted anew every day, and that no money hangs on"
    ]
  ],
  "Tariffs, orders and earnings": [
    ["another tariff", "update tolem_organizations set tariff = 'scale' where id = 'org_shop'"],
    ["a tariff without a record", "update tolem_organizations set tariff = 'start' where id = 'org_client'"],
    [
      "a tariff that lasts longer",
      "update tolem_organizations set tariff_until = tariff_until * 2 where id = 'org_shop'"
    ],
    ["a tariff for ever", "update tolem_organizations set tariff_until = null where id = 'org_shop'"],
    ["the amount of a paid order", "update tolem_tariff_orders set amount = 1 where id = 'trf_1'"],
    ["the amount of an unpaid order", "update tolem_tariff_orders set amount = 1 where id = 'trf_3'"],
    [
      "the amount of an unpaid order and its invoice",
      `update tolem_tariff_orders set amount = amount - 1
      where id = 'trf_3'; update tolem_invoices set amount = amount - 1 where idempotency_key = 'tariff/trf_3'`
    ],
    ["the tariff of an order", "update tolem_tariff_orders set tariff = 'scale' where id = 'trf_3'"],
    ["the months of an order", "update tolem_tariff_orders set months = 12 where id = 'trf_3'"],
    [
      "an order for another organization",
      "update tolem_tariff_orders set organization_id = 'org_client' where id = 'trf_3'"
    ],
    ["an order of another seller", "update tolem_tariff_orders set seller_id = 'org_client' where id = 'trf_3'"],
    ["an unpaid order in force", "update tolem_tariff_orders set applied_at = created_at where id = 'trf_3'"],
    ["a paid order not in force", "update tolem_tariff_orders set applied_at = null where id = 'trf_1'"],
    ["an order gone", "delete from tolem_tariff_orders where id = 'trf_3'"],
    [
      "two orders exchanged",
      `update tolem_tariff_orders set id = 'trf_x' where id = 'trf_1';
      update tolem_tariff_orders set id = 'trf_1' where id = 'trf_2';
      update tolem_tariff_orders set id = 'trf_2' where id = 'trf_x'`
    ],
    ["the amount of an earning", "update tolem_referral_earnings set amount = amount + 1 where id = 'ern_1'"],
    [
      "the amount of an earning and of its record",
      `update tolem_referral_earnings set amount = 200000
      where id = 'ern_1'; update tolem_audit set detail = replace(detail, '100000', '200000') where subject = 'trf_1'`
    ],
    [
      "an earning for another account",
      "update tolem_referral_earnings set account_id = 'acc_developer' where id = 'ern_1'"
    ],
    [
      "an earning and the referrer, for another account",
      `update tolem_referral_earnings set account_id = 'acc_developer';
      update tolem_organizations set referred_by = 'acc_developer' where id = 'org_shop'`
    ],
    [
      "accrued to paid out",
      "update tolem_referral_earnings set state = 'paid_out', paid_out_at = 1 where id = 'ern_1'"
    ],
    [
      "paid out to accrued",
      "update tolem_referral_earnings set state = 'accrued', paid_out_at = null where id = 'ern_2'"
    ],
    ["paid out at another time", "update tolem_referral_earnings set paid_out_at = 1 where id = 'ern_2'"],
    ["of no order", "update tolem_referral_earnings set order_id = 'trf_x' where id = 'ern_1'"],
    ["an earning gone", "delete from tolem_referral_earnings where id = 'ern_1'"],
    [
      "the newest earning with its link",
      `delete from tolem_referral_earnings where id = 'ern_2';
      delete from tolem_chain_links where record_id = 'ern_2'`
    ],
    [
      "an earning that was never earned",
      `insert into tolem_referral_earnings
      (id, account_id, organization_id, order_id, amount, state, created_at)
      values ('ern_x', 'acc_referrer', 'org_shop', 'trf_3', 5, 'accrued', 1)`
    ],
    ["the amount of a payout", "update tolem_payouts set amount = amount + 1"],
    ["the note of a payout", "update tolem_payouts set note = 'x'"],
    ["a payout to another account", "update tolem_payouts set account_id = 'acc_developer'"],
    ["a payout gone", "delete from tolem_payouts"],
    ["an earning out of its payout", "update tolem_referral_earnings set payout_id = null where id = 'ern_4'"],
    ["an earning into a payout", "update tolem_referral_earnings set payout_id = 'pay_1' where id = 'ern_2'"],
    [
      "a payout that never was",
      `insert into tolem_payouts (id, account_id, amount, earning_count, up_to, note, paid_at)
      values ('pay_x', 'acc_referrer', 100000, 1, 'ern_1', 'x', 1);
      update tolem_referral_earnings set state = 'paid_out', paid_out_at = 1, payout_id = 'pay_x' where id = 'ern_1'`
    ]
  ]
}
