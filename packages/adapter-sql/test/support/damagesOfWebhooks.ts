/** Damages to subscriptions, and to what tells of invoices: deliveries and letters. */
import type { Damages } from "./damage.ts"
import { log, own, time } from "./reasons.ts"

const paid = "status = 'delivered' and kind = 'invoice.paid' and mode = 'sandbox'"
const one = "id = 'sub_00000000000000000000000001'"
const second = "sequence = 2 and subscription_id = 'sub_00000000000000000000000001'"
const delivered = `id = (select min(id) from tolem_deliveries where ${paid})`

export const damagesOfWebhooks: Damages = {
  endpoints: {
    id: [["'x'", "id = 'whe_1'", "deliveries_agree_with_endpoints"]],
    organization_id: [["'org_client'", "id = 'whe_1'", "deliveries_agree_with_endpoints"]],
    mode: [["'x'", "id = 'whe_1'", "deliveries_agree_with_endpoints"]],
    connection_id: [
      ["'con_1'", "id = 'whe_1'", "endpoints_are_sound"],
      ["'x'", "id = 'whe_live'", "deliveries_agree_with_endpoints"]
    ],
    url: [["'x'", "id = 'whe_1'", "endpoints_are_sound"]],
    events: [["'x'", "id = 'whe_1'", "endpoints_are_sound"]],
    secret: [
      ["secret || 'x'", "id = 'whe_1'", "secrets_open"],
      ["(select secret from tolem_endpoints where id = 'whe_live')", "id = 'whe_1'", "secrets_open"]
    ],
    previous_secret: [
      ["'x'", "id = 'whe_1'", "secrets_open"],
      ["null", "id = 'whe_1'", "endpoints_are_sound"]
    ],
    previous_secret_until: [["null", "id = 'whe_1'", "endpoints_are_sound"]],
    disabled: [["-1", "id = 'whe_1'", "endpoints_are_sound"]],
    failure_count: [["-1", "id = 'whe_1'", "endpoints_are_sound"]],
    pause_count: [["-1", "id = 'whe_1'", "endpoints_are_sound"]],
    paused_until: [["9999999999999", "id = 'whe_1'", "endpoints_are_sound"]],
    created_at: [["-1", "id = 'whe_1'", "records_are_chained"]],
    updated_at: time,
    removed_at: [["-1", "id = 'whe_1'", "endpoints_are_sound"]]
  },
  deliveries: {
    id: [["'x'", delivered, "deliveries_agree_with_attempts"]],
    endpoint_id: [["'x'", delivered, "deliveries_agree_with_endpoints"]],
    organization_id: [["'x'", delivered, "deliveries_agree_with_events"]],
    mode: [["'x'", delivered, "deliveries_agree_with_events"]],
    kind: [["'x'", delivered, "deliveries_agree_with_events"]],
    invoice_id: [["'x'", delivered, "deliveries_agree_with_events"]],
    event_id: [["'x'", delivered, "deliveries_agree_with_events"]],
    sequence: [["sequence + 1", delivered, "deliveries_agree_with_events"]],
    status: [
      ["'delivered'", "status = 'pending' and kind <> 'webhook.test'", "deliveries_agree_with_attempts"],
      ["'failed'", "kind = 'invoice.paid' and status = 'delivered'", "deliveries_agree_with_attempts"]
    ],
    attempt_count: [["attempt_count + 1", delivered, "deliveries_agree_with_attempts"]],
    due_at: [["due_at + 3155760000000", "status = 'pending'", "deliveries_are_due"]],
    starts: [
      ["1", delivered, "deliveries_agree_with_attempts"],
      ["-1", "status = 'pending'", "deliveries_agree_with_attempts"]
    ],
    ready_at: [["ready_at + 3155760000000", "status = 'pending'", "deliveries_are_due"]],
    lease: [["'x'", delivered, "deliveries_agree_with_attempts"]],
    created_at: [["created_at + 1", "mode = 'live' and kind <> 'webhook.test'", "deliveries_agree_with_events"]],
    completed_at: [["null", delivered, "deliveries_agree_with_attempts"]]
  },
  removals: {
    kind: [["'x'", "kind = 'deliveries'", "removals_are_sound"]],
    ended_before: [
      ["-1", "kind = 'attempts'", "removals_are_sound"],
      ["9999999999999", "kind = 'deliveries'", "removals_are_sound"]
    ]
  },
  attempts: {
    delivery_id: [
      [
        "'x'",
        "delivery_id = (select min(delivery_id) from tolem_attempts where status = 200)",
        "deliveries_agree_with_attempts"
      ]
    ],
    number: [
      [
        "number + 1",
        "delivery_id = (select min(delivery_id) from tolem_attempts where status = 200)",
        "deliveries_agree_with_attempts"
      ]
    ],
    started_at: log,
    duration_ms: [
      ["-1", "delivery_id = (select min(delivery_id) from tolem_attempts where status = 200)", "attempts_are_sound"]
    ],
    url: [
      ["'x'", "delivery_id = (select min(delivery_id) from tolem_attempts where status = 200)", "attempts_are_sound"]
    ],
    request_headers: log,
    request_body: log,
    status: [
      [
        "-1",
        "delivery_id = (select min(delivery_id) from tolem_attempts where status = 200)",
        "deliveries_agree_with_attempts"
      ]
    ],
    response_body: log,
    error: log
  },
  subscriptions: {
    id: [["'x'", one, "runs_are_sound"]],
    organization_id: [["'x'", one, "runs_are_sound"]],
    mode: [["'x'", one, "runs_are_sound"]],
    connection_id: [["'con_other'", one, "subscriptions_are_sound"]],
    status: [["'x'", one, "subscriptions_are_sound"]],
    amount: [["-1", one, "subscriptions_are_sound"]],
    kind: [["'x'", one, "subscriptions_are_sound"]],
    description: [["'x'", one, "records_are_chained"]],
    customer_name: [["'x'", one, "records_are_chained"]],
    customer_phone: [["'x'", one, "records_are_chained"]],
    customer_email: [["'x'", one, "records_are_chained"]],
    metadata: [["'x'", one, "records_are_chained"]],
    step: [["'x'", one, "subscriptions_are_sound"]],
    every: [
      ["every + 1", one, "dates_follow_the_rhythm"],
      ["-1", one, "subscriptions_are_sound"]
    ],
    day_of_month: [["-1", one, "subscriptions_are_sound"]],
    anchor_at: [["anchor_at + 1", one, "dates_follow_the_rhythm"]],
    retry_hours: [["'x'", one, "subscriptions_are_sound"]],
    misfire: [["'x'", one, "subscriptions_are_sound"]],
    next_index: [
      ["next_index + 1", one, "dates_follow_the_rhythm"],
      ["-1", one, "subscriptions_are_sound"]
    ],
    next_run_at: [["next_run_at - 31557600000", one, "dates_follow_the_rhythm"]],
    last_run_at: [["last_run_at + 1", one, "subscriptions_agree_with_runs"]],
    last_invoice_id: [["'x'", one, "subscriptions_agree_with_runs"]],
    runs: [
      ["runs + 1", one, "subscriptions_equal_events"],
      ["-1", one, "subscriptions_are_sound"]
    ],
    max_runs: [["-1", one, "subscriptions_are_sound"]],
    faults: [["faults + 1", one, "subscriptions_are_sound"]],
    fault: [["'x'", one, "subscriptions_are_sound"]],
    idempotency_key: [["null", one, "subscriptions_are_sound"]],
    fingerprint: [["'x'", one, "records_are_chained"]],
    due_at: [
      ["null", one, "active_subscriptions_are_due"],
      ["due_at + 3155760000000", one, "active_subscriptions_are_due"]
    ],
    created_at: [["created_at + 1", one, "subscriptions_equal_events"]],
    updated_at: time,
    sequence: [["sequence + 1", one, "subscription_events_gap_free"]],
    version: [["-1", one, "subscriptions_are_sound"]]
  },
  subscription_events: {
    subscription_id: [["'x'", second, "subscriptions_equal_events"]],
    sequence: [
      ["-1", second, "subscription_events_gap_free"],
      ["9999999999999", second, "subscriptions_agree_with_runs"]
    ],
    id: [["'evt_same'", "true", "subscription_event_ids_are_unique"]],
    organization_id: [["'x'", second, "run_invoices_have_runs"]],
    type: [["'x'", second, "subscriptions_equal_events"]],
    source: [["'x'", second, "subscription_events_are_sound"]],
    run: [["run + 1", second, "run_invoices_equal_events"]],
    invoice_id: [
      ["'x'", second, "run_invoices_have_runs"],
      ["null", second, "run_invoices_equal_events"]
    ],
    code: [["'x'", second, "subscription_events_are_sound"]],
    created_at: [["created_at + 1", "sequence = 1", "subscriptions_equal_events"]]
  },
  subscription_runs: {
    subscription_id: [["'x'", "run = 1", "runs_are_sound"]],
    run: [
      ["-1", "run = 1", "runs_are_sound"],
      ["9999999999999", "run = 1", "runs_equal_rows"]
    ],
    organization_id: [["'x'", "run = 1", "runs_are_sound"]],
    mode: [["'x'", "run = 1", "runs_are_sound"]],
    scheduled_at: [["1", "true", "one_run_of_a_date"]],
    invoice_id: [["'inv_run2'", "run = 1", "runs_are_sound"]],
    invoice_ids: [["'x'", "run = 1", "runs_are_sound"]],
    status: [["'x'", "run = 1", "runs_are_sound"]],
    faults: [["-1", "run = 1", "runs_are_sound"]],
    due_at: [["9999999999999", "run = 1", "runs_are_sound"]],
    created_at: [["created_at + 1", "run = 2", "subscriptions_agree_with_runs"]],
    updated_at: time
  },
  mails: {
    id: own,
    kind: [["'x'", "id = 'mai_1'", "letters_are_sound"]],
    organization_id: [["'x'", "id = 'mai_1'", "letters_are_sound"]],
    mode: [["'x'", "id = 'mai_1'", "letters_are_sound"]],
    invoice_id: [["'x'", "id = 'mai_1'", "letters_are_sound"]],
    recipient: [["'x'", "id = 'mai_1'", "letters_are_sound"]],
    status: [["'x'", "id = 'mai_1'", "letters_are_sound"]],
    attempts: [["-1", "id = 'mai_1'", "letters_are_sound"]],
    resent: [["99", "id = 'mai_1'", "letters_are_sound"]],
    reason: log,
    due_at: [["-1", "id = 'mai_1'", "letters_are_sound"]],
    created_at: time,
    completed_at: [["null", "id = 'mai_1'", "letters_are_sound"]]
  }
}
