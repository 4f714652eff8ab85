/** Damages to invoices, to what was refunded and counted of them, and to what was earned. */
import type { Damages } from "./damage.ts"
import { sums, volatile } from "./reasons.ts"

export const damagesOfMoney: Damages = {
  invoice_leases: {
    id: [["'x'", "true", "leases_of_invoices_end"]],
    due_at: [["until + 1", "true", "leases_of_invoices_end"]],
    until: [
      ["due_at - 1", "true", "leases_of_invoices_end"],
      ["due_at + 3155760000000", "true", "leases_of_invoices_end"]
    ]
  },
  sealing: {
    id: [["'x'", "id = 'chains'", "sealing_is_recorded"]],
    state: [["'upgraded'", "true", "sealing_is_recorded"]],
    begun_at: [["begun_at + 1", "true", "sealing_is_recorded"]],
    seal: [["seal || 'x'", "true", "sealing_is_recorded"]]
  },
  chain_links: {
    chain: [["'audit/x'", "record_id = 'trf_1'", "chains_are_whole"]],
    position: [["position + 1", "record_id = 'ern_1'", "links_follow"]],
    digest: [["'x'", "record_id = 'trf_1'", "links_follow"]],
    record_id: [["'x'", "record_id = 'ern_1'", "links_follow"]],
    content: [["'x'", "record_id = 'ern_1'", "links_follow"]]
  },
  chain_heads: {
    chain: [["'audit/x'", "chain = 'audit/org_shop'", "chains_are_whole"]],
    length: [["length - 1", "chain = 'audit/org_shop'", "chains_are_whole"]],
    digest: [["'x'", "chain = 'audit/org_shop'", "chains_are_whole"]],
    seal: [["seal || 'x'", "chain = 'audit/org_shop'", "heads_are_sealed"]]
  },
  invoices: {
    seal: [
      ["null", "id = 'inv_paid'", "invoices_are_sealed"],
      ["(select seal from tolem_invoices where id = 'inv_other')", "id = 'inv_paid'", "invoices_are_sealed"],
      ["'other' || substr(seal, 6)", "id = 'inv_paid'", "invoices_are_sealed"]
    ],
    id: [["'x'", "id = 'inv_paid'", "refunds_are_sound"]],
    organization_id: [["'x'", "id = 'inv_paid'", "events_follow"]],
    mode: [["'x'", "id = 'inv_paid'", "deliveries_agree_with_events"]],
    connection_id: [["'con_other'", "id = 'inv_push'", "cashiers_are_of_the_organization"]],
    kind: [["'x'", "id = 'inv_paid'", "invoices_are_sound"]],
    status: [["'x'", "id = 'inv_paid'", "payments_are_facts"]],
    amount: [
      ["amount + 1", "id = 'inv_paid'", "totals_equal_rows"],
      ["-1", "id = 'inv_paid'", "events_follow"]
    ],
    refunded: [
      ["refunded + 1", "id = 'inv_paid'", "refunded_equals_refunds"],
      ["-1", "id = 'inv_paid'", "payments_are_facts"]
    ],
    description: [["'x'", "id = 'inv_paid'", "derived_columns_follow"]],
    external_order_id: [["'x'", "id = 'inv_paid'", "derived_columns_follow"]],
    customer_name: [["'x'", "id = 'inv_paid'", "derived_columns_follow"]],
    customer_phone: [["'x'", "id = 'inv_paid'", "derived_columns_follow"]],
    customer_email: [["'x'", "id = 'inv_paid'", "derived_columns_follow"]],
    success_url: [["'x'", "id = 'inv_paid'", "invoices_are_sealed"]],
    fail_url: [["'x'", "id = 'inv_paid'", "invoices_are_sealed"]],
    metadata: [["'x'", "id = 'inv_paid'", "invoices_are_sealed"]],
    idempotency_key: [["null", "id = 'inv_paid'", "invoices_are_sound"]],
    origin: [["'subscription/sub_none/1/0'", "id = 'inv_paid'", "run_invoices_have_runs"]],
    fingerprint: [["'x'", "id = 'inv_paid'", "invoices_are_sealed"]],
    provider_reference: [
      ["null", "id = 'inv_push'", "payments_are_facts"],
      ["'P-1'", "id in ('inv_push', 'inv_code')", "provider_references_are_unique"]
    ],
    provider_status: volatile,
    provider_receipt_url: [["'x'", "id = 'inv_paid'", "invoices_are_sealed"]],
    receipt_number: [
      ["null", "id = 'inv_paid'", "payments_are_facts"],
      ["'00000001'", "id in ('inv_paid', 'inv_other')", "receipt_numbers_are_unique"],
      ["'00009999'", "id = 'inv_paid'", "receipt_counters_are_ahead"]
    ],
    qr_url: [["'x'", "id = 'inv_paid'", "invoices_are_sealed"]],
    deep_link: [["'x'", "id = 'inv_paid'", "invoices_are_sealed"]],
    making: [["'x'", "id = 'inv_paid'", "invoices_are_sound"]],
    valid_until: [["1", "id = 'inv_paid'", "invoices_are_sealed"]],
    counted_on: [
      ["''", "id = 'inv_push'", "usage_equals_rows"],
      ["'x'", "id = 'inv_push'", "invoices_are_sound"]
    ],
    scanned_at: [["1", "id = 'inv_paid'", "invoices_are_sealed"]],
    expires_at: [["-1", "id = 'inv_paid'", "invoices_are_sound"]],
    paid_at: [
      ["null", "id = 'inv_paid'", "payments_are_facts"],
      ["1", "id = 'inv_open'", "payments_are_facts"],
      ["created_at - 1", "id = 'inv_other'", "payments_are_told"],
      ["1", "id = 'inv_push'", "payments_are_told"]
    ],
    created_at: [["created_at + 1", "id = 'inv_paid'", "events_follow"]],
    updated_at: [["updated_at + 1", "id = 'inv_paid'", "last_events_tell_the_state"]],
    late: [
      ["1", "id = 'inv_paid'", "payments_are_told"],
      ["0", "id = 'inv_late'", "payments_are_told"]
    ],
    due_at: [
      ["null", "id = 'inv_open'", "open_invoices_are_due"],
      ["due_at + 3155760000000", "id = 'inv_open'", "open_invoices_are_due"]
    ],
    sequence: [["sequence + 1", "id = 'inv_paid'", "sequences_gap_free"]],
    version: [
      ["sequence - 1", "id = 'inv_paid'", "invoices_are_sound"],
      ["sequence", "id = 'inv_push'", "refunds_are_sound"]
    ],
    day: [["'x'", "id = 'inv_paid'", "totals_equal_rows"]],
    search_text: [
      ["'x'", "id = 'inv_paid'", "invoices_are_searchable"],
      ["search_text || 'x'", "id = 'inv_paid'", "derived_columns_follow"]
    ]
  },
  events: {
    invoice_id: [["'x'", "invoice_id = 'inv_paid' and sequence = 3", "events_follow"]],
    sequence: [["-1", "invoice_id = 'inv_paid' and sequence = 3", "events_follow"]],
    id: [["'evt_1'", "invoice_id in ('inv_open', 'inv_wait')", "event_ids_are_unique"]],
    organization_id: [["'x'", "invoice_id = 'inv_paid' and sequence = 3", "events_follow"]],
    type: [["'x'", "invoice_id = 'inv_paid' and sequence = 3", "events_follow"]],
    from_status: [["'x'", "invoice_id = 'inv_paid' and sequence = 3", "events_follow"]],
    to_status: [["'x'", "invoice_id = 'inv_paid' and sequence = 3", "events_follow"]],
    source: [["'x'", "invoice_id = 'inv_paid' and sequence = 3", "events_follow"]],
    refunded: [
      ["refunded + 1", "invoice_id = 'inv_paid' and sequence = 3", "refund_events_equal_refunds"],
      ["-1", "invoice_id = 'inv_paid' and sequence = 3", "events_follow"]
    ],
    late: [
      ["1", "invoice_id = 'inv_paid' and sequence = 2", "events_follow"],
      ["0", "invoice_id = 'inv_late' and sequence = 3", "events_follow"]
    ],
    created_at: [
      ["created_at + 1", "invoice_id = 'inv_paid' and sequence = 1", "events_follow"],
      ["created_at + 1", "invoice_id = 'inv_paid' and sequence = 4", "last_events_tell_the_state"]
    ],
    announced: [["announced + 1", "invoice_id = 'inv_paid' and sequence = 3", "announced_deliveries_are_kept"]]
  },
  refunds: {
    id: [["'x'", "id = 'ref_unknown'", "recorded_refunds_are_kept"]],
    invoice_id: [
      ["'inv_none'", "id = 'ref_unknown'", "refunds_are_sound"],
      ["'inv_open'", "id = 'ref_unknown'", "refunds_are_sound"],
      ["'inv_other'", "id = 'ref_unknown'", "recorded_refunds_are_kept"]
    ],
    organization_id: [["'x'", "id = 'ref_unknown'", "refunds_are_sound"]],
    fingerprint: [["'x'", "id = 'ref_unknown'", "invoices_are_sealed"]],
    amount: [
      ["-amount", "id = 'ref_unknown'", "refunds_are_sound"],
      ["9000000", "id = 'ref_unknown'", "refunds_are_sound"],
      ["amount + 1", "id = 'ref_unknown'", "recorded_refunds_are_kept"],
      ["amount + 1", "id = 'ref_1'", "refund_events_equal_refunds"]
    ],
    status: [
      ["'failed'", "id = 'ref_unknown'", "refunds_are_sound"],
      ["'succeeded'", "id = 'ref_unknown'", "refunds_are_sound"],
      ["'unknown'", "id = 'ref_1'", "refunded_equals_refunds"]
    ],
    reason: [["'x'", "id = 'ref_unknown'", "invoices_are_sealed"]],
    idempotency_key: [["'same'", "invoice_id = 'inv_paid'", "refund_keys_are_unique"]],
    created_at: [["1", "id = 'ref_unknown'", "invoices_are_sealed"]],
    completed_at: [["null", "id = 'ref_1'", "refunds_are_sound"]],
    provider_reference: [["'same'", "invoice_id = 'inv_paid'", "refund_references_are_unique"]]
  },
  link_totals: {
    link_id: [["'x'", "true", "link_totals_equal_rows"]],
    shard: sums,
    made: [["made + 1", "true", "link_totals_equal_rows"]],
    held: [["held + 1", "true", "link_totals_equal_rows"]],
    paid: [["paid + 1", "true", "link_totals_equal_rows"]],
    paid_amount: [["paid_amount + 1", "true", "link_totals_equal_rows"]],
    refunded: [["refunded + 1", "true", "link_totals_equal_rows"]]
  },
  daily_totals: {
    organization_id: [["'x'", "status = 'paid' and mode = 'live'", "totals_equal_rows"]],
    mode: [["'x'", "status = 'paid' and mode = 'live'", "totals_equal_rows"]],
    connection_id: [["'x'", "status = 'paid' and mode = 'live'", "totals_equal_rows"]],
    status: [["'x'", "status = 'paid' and mode = 'live'", "totals_equal_rows"]],
    day: [["'x'", "status = 'paid' and mode = 'live'", "totals_equal_rows"]],
    shard: [["shard + 20000000", "status = 'paid' and mode = 'live'", "totals_of_kinds_equal_rows"]],
    kind: [["'phone'", "status = 'paid' and mode = 'live'", "totals_of_kinds_equal_rows"]],
    source: [["'form-hook'", "status = 'paid' and mode = 'live'", "totals_of_kinds_equal_rows"]],
    invoice_count: [["invoice_count + 1", "status = 'paid' and mode = 'live'", "totals_equal_rows"]],
    amount: [["amount + 1", "status = 'paid' and mode = 'live'", "totals_equal_rows"]],
    refunded: [["refunded + 1", "status = 'paid' and mode = 'live'", "totals_equal_rows"]]
  },
  receipt_counters: {
    organization_id: [["'x'", "organization_id = 'org_shop'", "receipt_counters_are_ahead"]],
    value: [["0", "organization_id = 'org_shop'", "receipt_counters_are_ahead"]]
  },
  usage: {
    organization_id: [["'x'", "period = '2026-01'", "usage_equals_rows"]],
    period: [["'x'", "period = '2026-01'", "usage_equals_rows"]],
    used: [["used + 1", "period = '2026-01'", "usage_equals_rows"]]
  },
  tariff_orders: {
    id: [["'x'", "id = 'trf_1'", "orders_agree_with_invoices"]],
    organization_id: [["'x'", "id = 'trf_1'", "orders_agree_with_invoices"]],
    tariff: [["'x'", "id = 'trf_1'", "orders_agree_with_invoices"]],
    months: [["-1", "id = 'trf_1'", "orders_agree_with_invoices"]],
    amount: [
      ["amount + 1", "id = 'trf_1'", "orders_agree_with_invoices"],
      ["amount + 1", "id = 'trf_3'", "orders_agree_with_invoices"]
    ],
    seller_id: [["'x'", "id = 'trf_1'", "orders_agree_with_invoices"]],
    seller_mode: [["'x'", "id = 'trf_1'", "orders_agree_with_invoices"]],
    created_at: [["-1", "id = 'trf_1'", "orders_agree_with_invoices"]],
    applied_at: [
      ["null", "id = 'trf_1'", "orders_agree_with_invoices"],
      ["created_at", "id = 'trf_3'", "orders_agree_with_invoices"]
    ]
  },
  referral_earnings: {
    id: [["'x'", "id = 'ern_1'", "orders_agree_with_records"]],
    account_id: [["'acc_developer'", "id = 'ern_1'", "earnings_agree_with_orders"]],
    organization_id: [["'x'", "id = 'ern_1'", "earnings_agree_with_orders"]],
    order_id: [["'x'", "id = 'ern_1'", "earnings_agree_with_orders"]],
    amount: [
      ["amount + 1", "id = 'ern_1'", "orders_agree_with_records"],
      ["-1", "id = 'ern_1'", "earnings_agree_with_orders"],
      ["9000000", "id = 'ern_1'", "earnings_agree_with_orders"]
    ],
    state: [
      ["'paid_out'", "id = 'ern_1'", "earnings_agree_with_records"],
      ["'accrued'", "id = 'ern_2'", "earnings_agree_with_records"]
    ],
    created_at: [["created_at + 1", "id = 'ern_1'", "earnings_agree_with_orders"]],
    paid_out_at: [["-1", "id = 'ern_1'", "earnings_agree_with_orders"]],
    payout_id: [
      ["null", "id = 'ern_4'", "payouts_agree_with_earnings"],
      ["'pay_x'", "id = 'ern_2'", "recorded_payouts_are_kept"]
    ]
  },
  payouts: {
    id: [["'x'", "id = 'pay_1'", "recorded_payouts_are_kept"]],
    account_id: [
      ["'acc_developer'", "id = 'pay_1'", "payouts_agree_with_records"],
      ["'x'", "id = 'pay_1'", "payouts_agree_with_earnings"]
    ],
    amount: [["amount + 1", "id = 'pay_1'", "payouts_agree_with_records"]],
    earning_count: [["earning_count + 1", "id = 'pay_1'", "payouts_agree_with_earnings"]],
    up_to: [["'ern_1'", "id = 'pay_1'", "payouts_agree_with_earnings"]],
    note: [["''", "id = 'pay_1'", "payouts_agree_with_earnings"]],
    paid_at: [["paid_at + 1", "id = 'pay_1'", "payouts_agree_with_earnings"]]
  }
}
