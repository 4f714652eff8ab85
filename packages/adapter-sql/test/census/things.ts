/** What an attacker who can write to the database may do to whatever is neither an invoice nor a sum. */
import type { Planted } from "./Planted.ts"

const sub = "id = 'sub_00000000000000000000000001'"
const ofSub = "subscription_id = 'sub_00000000000000000000000001'"
const paid = "status = 'delivered' and kind = 'invoice.paid' and mode = 'sandbox'"
const delivered = `id = (select min(id) from tolem_deliveries where ${paid})`
const pending = "id = (select min(id) from tolem_deliveries where status = 'pending' and kind <> 'webhook.test')"

const digestOf = (id: string) => id.padEnd(64, "0")

const log =
  "a line of the log of attempts that people read; nothing is decided by it, and it is kept for some days only"
const shown = "it is shown to people, and neither money, a secret nor an announcement hangs on it"
const health =
  "servers change it with every attempt; an endpoint is tried again when a pause ends, and pauses are bounded"

const heard = "what a consumer has heard goes as well; the feed still has the event, and the invoice its seal"
const shownByCode = "the application says so anew each time it starts"
const second = "organization_id = 'org_shop' and mode = 'live' and position = 2"

export const things: Readonly<Record<string, ReadonlyArray<Planted>>> = {
  "Subscriptions and their runs": [
    ["the amount", `update tolem_subscriptions set amount = amount * 2 where ${sub}`],
    ["the amount of a paused one", "update tolem_subscriptions set amount = 1 where status = 'paused'"],
    ["the customer's phone", `update tolem_subscriptions set customer_phone = '77009999999' where ${sub}`],
    ["the customer's address for letters", `update tolem_subscriptions set customer_email = 'x@x.kz' where ${sub}`],
    ["the description", `update tolem_subscriptions set description = 'x' where ${sub}`],
    ["the metadata", `update tolem_subscriptions set metadata = '{"x":1}' where ${sub}`],
    ["the kind of its invoices", `update tolem_subscriptions set kind = 'phone' where ${sub}`],
    ["the interval", `update tolem_subscriptions set step = 'day' where ${sub}`],
    ["the hours of its retries", `update tolem_subscriptions set retry_hours = '[1,2,3]' where ${sub}`],
    ["what is done with missed dates", `update tolem_subscriptions set misfire = 'skip' where ${sub}`],
    ["how many runs it has at most", `update tolem_subscriptions set max_runs = 99 where ${sub}`],
    ["no bound of its runs", `update tolem_subscriptions set max_runs = null where ${sub}`],
    ["another organization", `update tolem_subscriptions set organization_id = 'org_client' where ${sub}`],
    ["another mode", "update tolem_subscriptions set mode = 'live' where status = 'paused'"],
    ["another cashier", `update tolem_subscriptions set connection_id = 'con_2' where ${sub}`],
    ["active to cancelled", `update tolem_subscriptions set status = 'cancelled', due_at = null where ${sub}`],
    [
      "paused to active",
      "update tolem_subscriptions set status = 'active', due_at = next_run_at where status = 'paused'"
    ],
    [
      "cancelled to active",
      "update tolem_subscriptions set status = 'active', due_at = next_run_at where status = 'cancelled'"
    ],
    ["the next date", `update tolem_subscriptions set next_run_at = next_run_at - 86400000 where ${sub}`],
    [
      "the next date with its place in the rhythm",
      `update tolem_subscriptions set anchor_at = anchor_at - 86400000,
      next_run_at = next_run_at - 86400000, due_at = due_at - 86400000 where ${sub}`
    ],
    ["never due again", `update tolem_subscriptions set due_at = null where ${sub}`],
    ["due in 100 years", `update tolem_subscriptions set due_at = due_at + 3155760000000 where ${sub}`],
    ["fewer runs", `update tolem_subscriptions set runs = runs - 1 where ${sub}`],
    ["the key of its request", `update tolem_subscriptions set idempotency_key = 'x' where ${sub}`],
    [
      "gone as a whole",
      `delete from tolem_subscription_runs where ${ofSub};
      delete from tolem_subscription_events where ${ofSub}; delete from tolem_subscriptions where ${sub}`
    ],
    [
      "one without runs gone as a whole",
      `delete from tolem_subscription_events where subscription_id in
      (select id from tolem_subscriptions where status = 'cancelled');
      delete from tolem_subscriptions where status = 'cancelled'`
    ],
    ["the newest event gone", `delete from tolem_subscription_events where ${ofSub} and sequence = 3`],
    [
      "an event's type",
      `update tolem_subscription_events set type = 'subscription.skipped' where ${ofSub} and sequence = 2`
    ],
    ["a run gone", `delete from tolem_subscription_runs where ${ofSub} and run = 2`],
    ["a run's invoice", `update tolem_subscription_runs set invoice_id = 'inv_run2' where ${ofSub} and run = 1`],
    ["a run ended", `update tolem_subscription_runs set status = 'ended', due_at = null where ${ofSub} and run = 2`],
    ["two runs of one date", `update tolem_subscription_runs set scheduled_at = 1 where ${ofSub}`],
    [
      "a run of another date",
      `update tolem_subscription_runs set scheduled_at = scheduled_at + 1 where ${ofSub} and run = 1`,
      "its rhythm may have been another one then, and the date is written nowhere else; its invoice is sealed"
    ]
  ],
  "Deliveries and attempts": [
    ["pending to delivered", `update tolem_deliveries set status = 'delivered', completed_at = 1 where ${pending}`],
    ["delivered to pending", `update tolem_deliveries set status = 'pending', completed_at = null where ${delivered}`],
    ["delivered to failed", `update tolem_deliveries set status = 'failed' where ${delivered}`],
    [
      "pending to failed, as if it had been given up",
      `update tolem_deliveries set status = 'failed', completed_at = 1
      where ${pending}`
    ],
    [
      "pending to failed after some attempts, as if it had been given up",
      "update tolem_deliveries set status = 'failed', completed_at = 1 where status = 'pending' and attempt_count > 0",
      "how many attempts it gets is a setting that may have been another one then; those that were made are there"
    ],
    ["another kind", `update tolem_deliveries set kind = 'invoice.failed' where ${delivered}`],
    ["another invoice", `update tolem_deliveries set invoice_id = 'inv_open' where ${delivered}`],
    ["another event of its invoice", `update tolem_deliveries set sequence = sequence - 1 where ${delivered}`],
    [
      "to another endpoint of the organization",
      `update tolem_deliveries set endpoint_id = 'whe_off' where ${delivered}`
    ],
    ["to an endpoint of another mode", `update tolem_deliveries set endpoint_id = 'whe_live' where ${delivered}`],
    ["of another organization", `update tolem_deliveries set organization_id = 'org_client' where ${delivered}`],
    ["due in 100 years", `update tolem_deliveries set due_at = due_at + 3155760000000 where ${pending}`],
    [
      "due an hour later",
      `update tolem_deliveries set due_at = due_at + 3600000 where ${pending}`,
      "claims and waits move it all the time; it is sent all the same, and what is due too late is found"
    ],
    ["a delivery gone", `delete from tolem_deliveries where ${pending}`],
    [
      "a delivery gone, and the endpoint changed since",
      `delete from tolem_deliveries where ${pending};
      update tolem_endpoints set updated_at = updated_at + 9000000`
    ],
    [
      "all deliveries to an endpoint gone, and its secret rotated",
      `delete from tolem_attempts;
      delete from tolem_deliveries where endpoint_id = 'whe_1'; update tolem_endpoints set updated_at = 9e12
      where id = 'whe_1'`.replace("9e12", "9000000000000")
    ],
    [
      "one for a test gone, with its attempts",
      "delete from tolem_attempts where delivery_id = 'dlv_test'; delete from tolem_deliveries where id = 'dlv_test'",
      "it tells of no invoice, and those of the sandbox go by themselves after 90 days"
    ],
    [
      "a delivery twice",
      `insert into tolem_deliveries (id, endpoint_id, organization_id, mode, kind, invoice_id, event_id,
      sequence, status, attempt_count, due_at, ready_at, starts, created_at)
      select 'dlv_x', endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, 'pending', 0, due_at,
      ready_at, 0, created_at from tolem_deliveries where ${delivered}`,
      "the same as one that was asked for by hand: the endpoint gets the same event once more, under the same id"
    ],
    ["fewer attempts counted", `update tolem_deliveries set attempt_count = 0 where ${delivered}`],
    ["an attempt gone", "delete from tolem_attempts where status = 200"],
    ["a refused attempt as taken", "update tolem_attempts set status = 200 where status is null"],
    ["what was answered", "update tolem_attempts set response_body = 'x'", log],
    ["what was sent", "update tolem_attempts set request_body = '{}'", log],
    [
      "a delivery gone, as by its age, which is long before",
      `delete from tolem_attempts where delivery_id in (select id from tolem_deliveries where ${delivered});
      delete from tolem_deliveries where ${delivered}`
    ],
    [
      "deliveries gone, and noted as removed by their age",
      `delete from tolem_attempts; delete from tolem_deliveries;
      update tolem_removals set ended_before = (select max(created_at) from tolem_events)`,
      "the same as what settings of a shorter time do; events and invoices are there, and the feed tells them again"
    ],
    ["the note of what was removed set to a time to come", "update tolem_removals set ended_before = 9999999999999"]
  ],
  Endpoints: [
    ["the address", "update tolem_endpoints set url = 'https://x.kz/hook' where id = 'whe_live'"],
    [
      "addresses of two exchanged",
      `update tolem_endpoints set url = (select b.url from tolem_endpoints b
      where b.id = case tolem_endpoints.id when 'whe_live' then 'whe_live_2' else 'whe_live' end)
      where id in ('whe_live', 'whe_live_2')`
    ],
    ["no address", "update tolem_endpoints set url = 'x' where id = 'whe_live'"],
    ["the secret", "update tolem_endpoints set secret = 'v1.x.y.z' where id = 'whe_live'"],
    [
      "the secret of another one",
      `update tolem_endpoints set secret = (select b.secret from tolem_endpoints b
      where b.id = 'whe_1') where id = 'whe_live'`
    ],
    ["the secret from before put back", "update tolem_endpoints set secret = previous_secret where id = 'whe_1'"],
    [
      "the secret from before valid for ever",
      "update tolem_endpoints set previous_secret_until = 9000000000000 where id = 'whe_1'"
    ],
    ["no secret", "update tolem_endpoints set secret = '' where id = 'whe_live'"],
    ["what it is told of", "update tolem_endpoints set events = ',invoice.failed,' where id = 'whe_live'"],
    ["told of everything", "update tolem_endpoints set events = '' where id = 'whe_live_2'"],
    ["disabled", "update tolem_endpoints set disabled = 1 where id = 'whe_live'"],
    ["enabled", "update tolem_endpoints set disabled = 0 where id = 'whe_off'"],
    ["paused for ever", "update tolem_endpoints set paused_until = 9999999999999 where id = 'whe_live'"],
    [
      "paused for 100 years",
      `update tolem_endpoints set pause_count = 1, paused_until = created_at + 3155760000000
      where id = 'whe_live'`
    ],
    ["the count of failures", "update tolem_endpoints set failure_count = 9 where id = 'whe_slow'", health],
    ["another organization", "update tolem_endpoints set organization_id = 'org_client' where id = 'whe_live_2'"],
    ["another mode", "update tolem_endpoints set mode = 'live' where id = 'whe_off'"],
    ["bound to a cashier", "update tolem_endpoints set connection_id = 'con_2' where id = 'whe_live_2'"],
    ["removed", "update tolem_endpoints set removed_at = 1, secret = '' where id = 'whe_live_2'"],
    ["a removed one put back", "update tolem_endpoints set removed_at = null, secret = 'v1.x' where id = 'whe_gone'"],
    ["the row gone", "delete from tolem_endpoints where id = 'whe_live_2'"],
    [
      "one that was never made",
      `insert into tolem_endpoints (id, organization_id, mode, url, events, secret, disabled,
      failure_count, pause_count, created_at, updated_at)
      select 'whe_x', 'org_shop', 'live', 'https://x.kz', '', secret,
      0, 0, 0, created_at, 9000000000000 from tolem_endpoints where id = 'whe_live'`
    ]
  ],
  Keys: [
    [
      "more scopes",
      "update tolem_api_keys set scopes = 'invoices:read invoices:write refunds:write' where id = 'key_2'"
    ],
    [
      "more scopes, in the record too",
      `update tolem_api_keys set scopes = 'invoices:write' where id = 'key_2';
      update tolem_audit set detail = 'sandbox invoices:write' where subject = 'key_2'`
    ],
    ["another organization", "update tolem_api_keys set organization_id = 'org_client' where id = 'key_2'"],
    ["another mode", "update tolem_api_keys set mode = 'live' where id = 'key_2'"],
    ["another cashier", "update tolem_api_keys set connection_id = 'con_2' where id = 'key_1'"],
    ["no cashier", "update tolem_api_keys set connection_id = null where id = 'key_1'"],
    ["bound to a cashier", "update tolem_api_keys set connection_id = 'con_2' where id = 'key_live'"],
    [
      "another digest, of a key that the attacker has",
      "update tolem_api_keys set digest = 'attacker' where id = 'key_live'"
    ],
    [
      "digests of two exchanged",
      `update tolem_api_keys set digest = 'x' where id = 'key_2';
      update tolem_api_keys set digest = '${digestOf("key_2")}' where id = 'key_live';
      update tolem_api_keys set digest = '${digestOf("key_live")}' where id = 'key_2'`
    ],
    ["a key gone", "delete from tolem_api_keys where id = 'key_2'"],
    [
      "a key gone, with a record that it was deleted",
      `delete from tolem_api_keys where id = 'key_2';
      insert into tolem_audit (id, action, organization_id, subject, actor_kind, created_at)
      values ('aud_x', 'key.deleted', 'org_shop', 'key_2', 'operator', 1)`
    ],
    [
      "a key that was never made",
      `insert into tolem_api_keys (id, organization_id, mode, name, scopes, digest,
      last_characters, created_at) values ('key_x', 'org_shop', 'live', 'x', 'invoices:write', 'xx', 'x', 1)`
    ],
    [
      "a deleted key put back",
      `insert into tolem_api_keys (id, organization_id, mode, name, scopes, digest,
      last_characters, created_at) values ('key_gone', 'org_shop', 'sandbox', 'x', 'invoices:read invoices:write', 'xx',
      'x', 1)`
    ],
    ["its name", "update tolem_api_keys set name = 'x' where id = 'key_2'"],
    ["when it was last used", "update tolem_api_keys set last_used_at = 1 where id = 'key_2'", shown]
  ],
  "Payment links and form hooks": [
    [
      "a merchant's web page",
      `update tolem_organizations set face = '{"contact":{"web":"https://x.kz"}}' where id = 'org_shop'`
    ],
    ["a merchant's logo", "update tolem_pictures set data = 'AAAA' where id = 'pic_1'"],
    ["a merchant's logo gone", "update tolem_organizations set logo = null where id = 'org_shop'"],
    ["a merchant's picture gone", "delete from tolem_pictures"],
    ["a link's picture gone", "update tolem_payment_links set picture = null where id = 'lnk_asking'"],
    ["a link's amount", "update tolem_payment_links set amount = 1 where id = 'lnk_1'"],
    ["a link without amount", "update tolem_payment_links set amount = null where id = 'lnk_1'"],
    ["what a link asks for", "update tolem_payment_links set fields = null where id = 'lnk_asking'"],
    ["how many payments a link takes", "update tolem_payment_links set max_payments = 9 where id = 'lnk_asking'"],
    ["a link's sums", "update tolem_link_totals set paid_amount = 5"],
    ["a link's title", "update tolem_payment_links set title = 'x' where id = 'lnk_1'"],
    ["a link's description", "update tolem_payment_links set description = 'x' where id = 'lnk_1'"],
    ["a link's address", "update tolem_payment_links set slug = 'x' where id = 'lnk_1'"],
    [
      "addresses of two links exchanged",
      `update tolem_payment_links set slug = 'x' where id = 'lnk_1';
      update tolem_payment_links set slug = 'tea' where id = 'lnk_2';
      update tolem_payment_links set slug = 'coffee' where id = 'lnk_1'`
    ],
    ["a link's way on", "update tolem_payment_links set success_url = 'https://x.kz' where id = 'lnk_1'"],
    ["a link's way back", "update tolem_payment_links set fail_url = 'https://x.kz' where id = 'lnk_1'"],
    ["a link's cashier", "update tolem_payment_links set connection_id = 'con_2' where id = 'lnk_1'"],
    [
      "a link's organization",
      "update tolem_payment_links set organization_id = 'org_client', connection_id = null where id = 'lnk_1'"
    ],
    ["a link's mode", "update tolem_payment_links set mode = 'live' where id = 'lnk_1'"],
    ["a link paused", "update tolem_payment_links set status = 'paused' where id = 'lnk_2'"],
    ["a removed link put back", "update tolem_payment_links set removed_at = null where id = 'lnk_gone'"],
    ["a link gone", "delete from tolem_payment_links where id = 'lnk_1'"],
    [
      "a link that was never made",
      `insert into tolem_payment_links (id, organization_id, mode, slug, title, status,
      created_at, updated_at, version) values ('lnk_x', 'org_shop', 'live', 'x', 'x', 'active', 1, 1, 1)`
    ],
    ["a hook's way on", "update tolem_form_hooks set success_url = 'https://x.kz' where id = 'hok_1'"],
    ["a hook's way back", "update tolem_form_hooks set fail_url = 'https://x.kz' where id = 'hok_1'"],
    [
      "a hook's organization",
      "update tolem_form_hooks set organization_id = 'org_client', connection_id = null where id = 'hok_1'"
    ],
    ["a hook's cashier", "update tolem_form_hooks set connection_id = 'con_2' where id = 'hok_1'"],
    ["a hook's mode", "update tolem_form_hooks set mode = 'live' where id = 'hok_2'"],
    ["the sites of a hook", "update tolem_form_hooks set allowed_origins = 'https://x.kz' where id = 'hok_1'"],
    ["a hook's honeypot gone", "update tolem_form_hooks set honeypot = null where id = 'hok_1'"],
    ["what a hook has caught", "update tolem_form_hooks set caught = 7 where id = 'hok_1'", shown],
    ["a paused hook active", "update tolem_form_hooks set status = 'active' where id = 'hok_2'"],
    ["a hook gone", "delete from tolem_form_hooks where id = 'hok_1'"]
  ],
  "The feed": [
    ["an event gone from its place", `delete from tolem_feed where ${second}`],
    ["another event at a place", `update tolem_feed set event_id = 'evt_x' where ${second}`],
    ["another type", `update tolem_feed set type = 'invoice.expired' where ${second}`],
    ["another mode", `update tolem_feed set mode = 'sandbox', position = 1000 where ${second}`],
    ["a place behind all others", `update tolem_feed set position = 1000 where ${second}`],
    ["another instant to begin at", `update tolem_feed set reached_at = reached_at + 1 where ${second}`],
    ["places that would be given again", "update tolem_feed_heads set position = 1 where organization_id = 'org_shop'"],
    ["what waits for its place gone", "delete from tolem_feed_arrivals"],
    [
      "what waits for its place in another order",
      "update tolem_feed_arrivals set id = id + 1000 where id = (select min(id) from tolem_feed_arrivals)",
      "events of different invoices that are still unread have no order that is written elsewhere"
    ]
  ],
  "Consumers and what they have still to hear": [
    ["what waits of an event that never was", "update tolem_reactions set event_id = 'evt_x'"],
    ["what waits of another invoice", "update tolem_reactions set invoice_id = 'inv_open'"],
    ["what waits put off for ever", "update tolem_reactions set due_at = due_at + 3155760000000"],
    ["a consumer gone", "delete from tolem_consumers"],
    ["what waits gone", "delete from tolem_reactions", heard],
    ["what a consumer hears of", "update tolem_consumers set types = ',invoice.failed,'", shownByCode]
  ]
}
