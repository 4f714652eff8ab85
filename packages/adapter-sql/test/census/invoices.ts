/** What an attacker who can write to the database may do to invoices and to their events. */
import type { Planted } from "./Planted.ts"
import { join, leave } from "./totals.ts"

const tracesOf = (id: string) =>
  ["attempts", "deliveries", "mails", "refunds", "events", "feed", "feed_arrivals", "reactions"].map((table) =>
    table === "attempts"
      ? `delete from tolem_attempts where delivery_id in (select id from tolem_deliveries where invoice_id = '${id}')`
      : `delete from tolem_${table} where invoice_id = '${id}'`
  )

const wholly = (id: string) => [...tracesOf(id), `delete from tolem_invoices where id = '${id}'`].join(";")

/** Leaves no gap where places of live events were. */
const closedUp = `update tolem_feed set position = 100000 + n.n from (
    select event_id, row_number() over (partition by organization_id order by position) as n
    from tolem_feed where mode = 'live') as n
  where n.event_id = tolem_feed.event_id;
  update tolem_feed set position = position - 100000 where position > 100000;
  update tolem_feed_heads set position = (select max(f.position) from tolem_feed f
    where f.organization_id = tolem_feed_heads.organization_id and f.mode = 'live') where mode = 'live'`

const usedLess = (id: string) => `update tolem_usage set used = used - 1 where period not like '%/%'
  and organization_id = 'org_shop' and (select counted_on from tolem_invoices where id = '${id}') like period || '%'`

const janitor =
  "whole sandbox invoices go by themselves after 90 days, and none of them is money: no count of them is sealed"
const noCount =
  "every create of an organization would have to lock a sealed count of its invoices; backups and the provider's" +
  " statement show it"

export const invoices: Readonly<Record<string, ReadonlyArray<Planted>>> = {
  "Amounts and sums of invoices": [
    ["the amount of an open one", "update tolem_invoices set amount = amount * 10 where id = 'inv_open'"],
    ["the amount of a paid one", "update tolem_invoices set amount = 1 where id = 'inv_other'"],
    [
      "the amount and the total of its day",
      `${leave("inv_open")}; update tolem_invoices set amount = amount + 1 where id = 'inv_open'; ${join("inv_open")}`
    ],
    [
      "the amounts of two, exchanged",
      `update tolem_invoices set amount = case id when 'inv_open' then 100 else 200 end
      where id in ('inv_open', 'inv_late')`
    ],
    ["a negative amount", "update tolem_invoices set amount = -amount where id = 'inv_open'"],
    ["the refunded sum", "update tolem_invoices set refunded = refunded + 1 where id = 'inv_paid'"],
    [
      "the refunded sum back to none, with the status",
      `update tolem_invoices set refunded = 0, status = 'paid'
      where id = 'inv_paid'`
    ],
    [
      "the refunded sum of the invoice and of its last event",
      `update tolem_invoices set refunded = refunded + 1
      where id = 'inv_paid'; update tolem_events set refunded = refunded + 1
      where invoice_id = 'inv_paid' and sequence = 4`
    ],
    [
      "the refunded sum with event, record and total",
      `${leave("inv_paid")}; update tolem_refunds set amount = amount - 1 where id = 'ref_2';
      update tolem_events set refunded = refunded - 1 where invoice_id = 'inv_paid' and sequence = 4;
      update tolem_invoices set refunded = refunded - 1 where id = 'inv_paid'; ${join("inv_paid")}`
    ]
  ],
  "Statuses of invoices": [
    ["open to paid, the row alone", "update tolem_invoices set status = 'paid' where id = 'inv_open'"],
    [
      "open to paid with event, receipt and total",
      `${leave("inv_open")}; insert into tolem_events (invoice_id, sequence, id, organization_id, type,
        from_status, to_status, source, refunded, late, created_at, announced)
      select id, 2, 'evt_x', organization_id, 'invoice.paid', status, 'paid', 'api', 0, 0, updated_at, 0
      from tolem_invoices where id = 'inv_open'; update tolem_invoices set status = 'paid', sequence = 2, version = 2,
      paid_at = updated_at, receipt_number = '00000000' where id = 'inv_open'; ${join("inv_open")}`
    ],
    ["paid back to open", "update tolem_invoices set status = 'pending' where id = 'inv_other'"],
    [
      "paid back to open with all that tells of it",
      `${leave("inv_other")}; delete from tolem_events where invoice_id = 'inv_other'
      and sequence = 2; delete from tolem_deliveries where invoice_id = 'inv_other' and sequence = 2;
      update tolem_invoices set status = 'pending', sequence = 1, version = 1, paid_at = null, receipt_number = null,
      updated_at = created_at where id = 'inv_other'; ${join("inv_other")}`
    ],
    ["cancelled to open", "update tolem_invoices set status = 'pending' where id = 'inv_cancelled'"],
    ["expired to paid", "update tolem_invoices set status = 'paid' where id = 'inv_expired'"],
    ["failed to paid, live", "update tolem_invoices set status = 'paid' where id = 'inv_live_failed'"],
    ["paid to failed, live", "update tolem_invoices set status = 'failed' where id = 'inv_code'"],
    ["refunded to paid", "update tolem_invoices set status = 'paid', refunded = 0 where id = 'inv_full'"],
    ["partially to wholly refunded", "update tolem_invoices set status = 'refunded' where id = 'inv_paid'"],
    ["an unknown status", "update tolem_invoices set status = 'x' where id = 'inv_paid'"],
    ["late money told as money in time", "update tolem_invoices set late = 0 where id = 'inv_late'"],
    [
      "late money in time in row and event",
      `update tolem_invoices set late = 0 where id = 'inv_live_late';
      update tolem_events set late = 0 where invoice_id = 'inv_live_late'`
    ]
  ],
  "Facts of payments": [
    ["paid at no time", "update tolem_invoices set paid_at = null where id = 'inv_code'"],
    ["paid another day", "update tolem_invoices set paid_at = paid_at + 86400000 where id = 'inv_code'"],
    ["paid before it was there", "update tolem_invoices set paid_at = 1 where id = 'inv_other'"],
    ["a payment of an unpaid one", "update tolem_invoices set paid_at = 1 where id = 'inv_open'"],
    ["no receipt number", "update tolem_invoices set receipt_number = null where id = 'inv_code'"],
    ["another receipt number", "update tolem_invoices set receipt_number = 'R-X' where id = 'inv_code'"],
    [
      "one receipt number on two",
      `update tolem_invoices set receipt_number = 'R-1'
      where id in ('inv_code', 'inv_push')`
    ],
    [
      "receipt numbers of two exchanged",
      `update tolem_invoices set receipt_number = case id when 'inv_code'
      then 'R-P-1' else 'R-P-2' end where id in ('inv_code', 'inv_push')`
    ],
    ["the receipt counter set back", "update tolem_receipt_counters set value = 0"],
    ["the receipt counters gone", "delete from tolem_receipt_counters"],
    ["no provider reference", "update tolem_invoices set provider_reference = null where id = 'inv_code'"],
    ["another provider reference", "update tolem_invoices set provider_reference = 'P-X' where id = 'inv_code'"],
    [
      "one provider reference on two",
      `update tolem_invoices set provider_reference = 'P-1'
      where id in ('inv_code', 'inv_push')`
    ],
    [
      "provider references of two exchanged",
      `update tolem_invoices set provider_reference = case id when 'inv_code'
      then 'P-1' else 'P-2' end where id in ('inv_code', 'inv_push')`
    ],
    [
      "the address of the receipt",
      "update tolem_invoices set provider_receipt_url = 'https://x.kz' where id = 'inv_code'"
    ],
    [
      "what the provider last said",
      "update tolem_invoices set provider_status = 'x' where id = 'inv_live_open'",
      "looks at the provider write it many times a minute, and no money hangs on it"
    ]
  ],
  "Whose an invoice is, and what it says": [
    ["another organization", "update tolem_invoices set organization_id = 'org_client' where id = 'inv_other'"],
    [
      "another organization with all that belongs to it",
      `${leave("inv_full")}; update tolem_refunds set organization_id = 'org_client' where invoice_id = 'inv_full';
      update tolem_events set organization_id = 'org_client', announced = 0 where invoice_id = 'inv_full';
      delete from tolem_deliveries where invoice_id = 'inv_full';
      update tolem_invoices set organization_id = 'org_client' where id = 'inv_full'; ${join("inv_full")}`
    ],
    ["another mode", "update tolem_invoices set mode = 'sandbox' where id = 'inv_code'"],
    [
      "another cashier of the same organization",
      "update tolem_invoices set connection_id = 'con_2' where id = 'inv_code'"
    ],
    [
      "another cashier, with the total",
      `${leave("inv_live_late")};
      update tolem_invoices set connection_id = 'con_2' where id = 'inv_live_late'; ${join("inv_live_late")}`
    ],
    [
      "a cashier of another organization",
      "update tolem_invoices set connection_id = 'con_other' where id = 'inv_code'"
    ],
    [
      "ids of two exchanged",
      `update tolem_invoices set id = 'inv_x' where id = 'inv_open';
      update tolem_invoices set id = 'inv_open' where id = 'inv_expired';
      update tolem_invoices set id = 'inv_expired' where id = 'inv_x'`
    ],
    ["the customer's phone", "update tolem_invoices set customer_phone = '77009999999' where id = 'inv_push'"],
    [
      "the customer's phone and the search text",
      `update tolem_invoices set customer_phone = '77009999999',
      search_text = replace(search_text, '77001234567', '77009999999') where id = 'inv_push'`
    ],
    ["the metadata", "update tolem_invoices set metadata = '{}' where id = 'inv_paid'"],
    [
      "where the page leads when it is paid",
      "update tolem_invoices set success_url = 'https://x.kz' where id = 'inv_paid'"
    ],
    ["what the code to be paid leads to", "update tolem_invoices set qr_url = 'https://x.kz/q' where id = 'inv_paid'"],
    ["the link into the application", "update tolem_invoices set deep_link = 'x://pay' where id = 'inv_paid'"],
    ["the merchant's order number", "update tolem_invoices set external_order_id = 'x' where id = 'inv_paid'"],
    ["the key of its request", "update tolem_invoices set idempotency_key = 'other' where id = 'inv_paid'"],
    ["the digest of its request", "update tolem_invoices set fingerprint = 'x' where id = 'inv_paid'"],
    ["created on another day", "update tolem_invoices set created_at = created_at - 86400000 where id = 'inv_other'"],
    [
      "backdated with day, event and total",
      `${leave("inv_expired")}; update tolem_events set created_at = created_at - 2678400000
      where invoice_id = 'inv_expired'; update tolem_deliveries set created_at = created_at - 2678400000
      where invoice_id = 'inv_expired'; update tolem_invoices set created_at = created_at - 2678400000,
      updated_at = updated_at - 2678400000, day = '2025-12-01' where id = 'inv_expired'; ${join("inv_expired")}`
    ],
    ["the end of a push", "update tolem_invoices set expires_at = expires_at + 1 where id = 'inv_live_open'"],
    ["how long a waiting one is valid", "update tolem_invoices set valid_until = 1 where id = 'inv_wait'"],
    ["how far its making has come", "update tolem_invoices set making = 'waits' where id = 'inv_live_open'"],
    ["its origin", "update tolem_invoices set origin = 'link/lnk_1' where id = 'inv_open'"],
    ["its version", "update tolem_invoices set version = version + 1 where id = 'inv_open'"],
    ["an open one is never looked at again", "update tolem_invoices set due_at = null where id = 'inv_live_open'"],
    [
      "an open one is looked at in 100 years",
      `update tolem_invoices set due_at = due_at + 3155760000000
      where id = 'inv_live_open'`
    ],
    [
      "an open one is looked at an hour later",
      "update tolem_invoices set due_at = due_at + 3600000 where id = 'inv_live_open'",
      "looks at the provider move it many times a minute; it is looked at all the same, and the end is sealed"
    ],
    ["the seal taken away", "update tolem_invoices set seal = null where id = 'inv_open'"],
    [
      "the seal of another one",
      `update tolem_invoices set seal = (select b.seal from tolem_invoices b
      where b.id = 'inv_late') where id = 'inv_open'`
    ]
  ],
  "Invoices that come and go": [
    ["the row of a live one", "delete from tolem_invoices where id = 'inv_code'"],
    ["a live one with all traces, totals left", wholly("inv_code")],
    ["a live one with all traces and its totals, usage left", `${leave("inv_code")};${wholly("inv_code")}`],
    [
      "a live one with all traces, totals and usage",
      `${leave("inv_live_failed")};${usedLess("inv_live_failed")};${wholly("inv_live_failed")}`
    ],
    [
      "a live one with all traces, totals and usage, and the places behind it moved up",
      `${leave("inv_live_failed")};${usedLess("inv_live_failed")};${wholly("inv_live_failed")};${closedUp}`,
      noCount
    ],
    [
      "the newest invoice of all, live, with all traces, totals and usage",
      `${leave("inv_live_late")};${usedLess("inv_live_late")};${wholly("inv_live_late")}`
    ],
    [
      "a live one that was refunded, with all traces, totals and usage",
      `${leave("inv_live_tried")};${usedLess("inv_live_tried")};${wholly("inv_live_tried")}`
    ],
    [
      "a live one that was refunded, with all traces, totals and usage, and the places behind it moved up",
      `${leave("inv_live_tried")};${usedLess("inv_live_tried")};${wholly("inv_live_tried")};${closedUp}`,
      noCount
    ],
    ["a sandbox one with all traces, totals left", wholly("inv_other")],
    ["a sandbox one with all traces and its totals", `${leave("inv_other")};${wholly("inv_other")}`, janitor],
    ["one of a run with all traces and its totals", `${leave("inv_run2")};${wholly("inv_run2")}`],
    [
      "one that paid a tariff, with all traces and its totals",
      `${leave("(TARIFF)")};${wholly("(TARIFF)")}`.replaceAll(
        "'(TARIFF)'",
        "(select id from tolem_invoices where idempotency_key = 'tariff/trf_1')"
      )
    ],
    [
      "a new row with an event",
      `insert into tolem_events (invoice_id, sequence, id, organization_id, type, to_status,
      source, refunded, late, created_at) select 'inv_x', 1, 'evt_x', organization_id, 'invoice.created', 'pending',
      'api', 0, 0, created_at from tolem_invoices where id = 'inv_open'; insert into tolem_invoices
      (id, organization_id, mode, kind, status, amount, refunded, created_at, updated_at, late, due_at, expires_at,
        sequence, version, day, search_text) select 'inv_x', organization_id, mode, kind, status, amount, 0, created_at,
      created_at, 0, due_at, expires_at, 1, 1, day, 'inv_x' from tolem_invoices where id = 'inv_open';
      ${join("inv_x")}`
    ],
    ["all of an organization's", "delete from tolem_invoices where organization_id = 'org_shop'"]
  ],
  Events: [
    ["the first", "delete from tolem_events where invoice_id = 'inv_paid' and sequence = 1"],
    ["a middle one", "delete from tolem_events where invoice_id = 'inv_paid' and sequence = 3"],
    ["the newest", "delete from tolem_events where invoice_id = 'inv_paid' and sequence = 4"],
    [
      "the newest, with the invoice set back to the one before",
      `delete from tolem_events where invoice_id = 'inv_late'
      and sequence = 3; update tolem_invoices set status = 'expired', sequence = 2, version = 2, late = 0,
      paid_at = null, receipt_number = null where id = 'inv_late'`
    ],
    [
      "one that was never written, as the newest",
      `insert into tolem_events (invoice_id, sequence, id, organization_id, type,
      from_status, to_status, source, refunded, late, created_at) values ('inv_open', 2, 'evt_x', 'org_shop',
      'invoice.paid', 'pending', 'paid', 'provider', 0, 0, 1)`
    ],
    [
      "two exchanged",
      `update tolem_events set sequence = 99 where invoice_id = 'inv_paid' and sequence = 2;
      update tolem_events set sequence = 2 where invoice_id = 'inv_paid' and sequence = 3;
      update tolem_events set sequence = 3 where invoice_id = 'inv_paid' and sequence = 99`
    ],
    [
      "moved to another invoice",
      "update tolem_events set invoice_id = 'inv_open' where invoice_id = 'inv_paid' and sequence = 4"
    ],
    ["another type", "update tolem_events set type = 'invoice.failed' where invoice_id = 'inv_other' and sequence = 2"],
    [
      "another status to",
      "update tolem_events set to_status = 'failed' where invoice_id = 'inv_paid' and sequence = 2"
    ],
    [
      "another status from",
      "update tolem_events set from_status = 'new' where invoice_id = 'inv_other' and sequence = 2"
    ],
    [
      "another source",
      "update tolem_events set source = 'api' where invoice_id = 'inv_live_refunded' and sequence = 4"
    ],
    [
      "the refunded sum of a middle one",
      "update tolem_events set refunded = 1 where invoice_id = 'inv_paid' and sequence = 3"
    ],
    ["late", "update tolem_events set late = 1 where invoice_id = 'inv_other' and sequence = 2"],
    [
      "backdated, a middle one",
      "update tolem_events set created_at = created_at - 1 where invoice_id = 'inv_paid' and sequence = 3"
    ],
    ["one id twice", "update tolem_events set id = 'evt_same' where invoice_id in ('inv_open', 'inv_wait')"],
    ["how many deliveries tell of it", "update tolem_events set announced = 0 where invoice_id = 'inv_other'"]
  ]
}
