-- migration 1
create table "tolem_accounts" (
id text collate "C" not null primary key,
phone text collate "C" not null unique,
name text collate "C",
status text collate "C" not null,
created_at bigint not null
);

-- migration 1
create table "tolem_organizations" (
id text collate "C" not null primary key,
name text collate "C" not null,
legal_name text collate "C",
idn text collate "C",
tariff text collate "C" not null,
status text collate "C" not null,
owner_id text collate "C" not null references "tolem_accounts" (id),
created_at bigint not null
);

-- migration 1
create index "tolem_organizations_owner" on "tolem_organizations" (owner_id);

-- migration 1
create table "tolem_api_keys" (
id text collate "C" not null primary key,
organization_id text collate "C" not null references "tolem_organizations" (id),
mode text collate "C" not null,
name text collate "C" not null,
scopes text collate "C" not null,
connection_id text collate "C",
digest text collate "C" not null unique,
last_characters text collate "C" not null,
created_at bigint not null
);

-- migration 1
create index "tolem_api_keys_organization" on "tolem_api_keys" (organization_id, created_at);

-- migration 1
create table "tolem_rate_windows" (
window_at bigint not null,
key_id text collate "C" not null,
kind text collate "C" not null,
hits bigint not null,
primary key (window_at, key_id, kind)
);

-- migration 1
create table "tolem_invoices" (
id text collate "C" not null primary key,
organization_id text collate "C" not null,
mode text collate "C" not null,
connection_id text collate "C",
kind text collate "C" not null,
status text collate "C" not null,
amount bigint not null,
refunded bigint not null,
description text collate "C",
external_order_id text collate "C",
customer_name text collate "C",
customer_phone text collate "C",
customer_email text collate "C",
success_url text collate "C",
fail_url text collate "C",
metadata text collate "C",
idempotency_key text collate "C",
fingerprint text collate "C",
provider_reference text collate "C",
provider_status text collate "C",
provider_receipt_url text collate "C",
receipt_number text collate "C",
qr_url text collate "C",
deep_link text collate "C",
expires_at bigint,
paid_at bigint,
created_at bigint not null,
updated_at bigint not null,
late bigint not null,
due_at bigint,
sequence bigint not null,
version bigint not null,
day text collate "C" not null,
search_text text collate "C" not null
);

-- migration 1
create unique index "tolem_invoices_idempotency"
on "tolem_invoices" (organization_id, mode, idempotency_key) where idempotency_key is not null;

-- migration 1
create index "tolem_invoices_newest"
on "tolem_invoices" (organization_id, mode, created_at, id);

-- migration 1
create index "tolem_invoices_status"
on "tolem_invoices" (organization_id, mode, status, created_at, id);

-- migration 1
create index "tolem_invoices_external_order"
on "tolem_invoices" (organization_id, mode, external_order_id, created_at, id)
where external_order_id is not null;

-- migration 1
create index "tolem_invoices_connection"
on "tolem_invoices" (organization_id, mode, connection_id, created_at, id) where connection_id is not null;

-- migration 1
create index "tolem_invoices_due" on "tolem_invoices" (due_at) where due_at is not null;

-- migration 1
create table "tolem_events" (
invoice_id text collate "C" not null,
sequence bigint not null,
id text collate "C" not null,
organization_id text collate "C" not null,
type text collate "C" not null,
from_status text collate "C",
to_status text collate "C" not null,
source text collate "C" not null,
refunded bigint not null,
late bigint not null,
created_at bigint not null,
primary key (invoice_id, sequence)
);

-- migration 1
create table "tolem_refunds" (
id text collate "C" not null primary key,
invoice_id text collate "C" not null,
organization_id text collate "C" not null,
amount bigint not null,
status text collate "C" not null,
reason text collate "C",
idempotency_key text collate "C",
created_at bigint not null,
completed_at bigint
);

-- migration 1
create index "tolem_refunds_invoice" on "tolem_refunds" (invoice_id, created_at, id);

-- migration 1
create table "tolem_daily_totals" (
organization_id text collate "C" not null,
mode text collate "C" not null,
connection_id text collate "C" not null,
status text collate "C" not null,
day text collate "C" not null,
shard bigint not null,
invoice_count bigint not null,
amount bigint not null,
refunded bigint not null,
primary key (organization_id, mode, connection_id, status, day, shard)
);

-- migration 1
create table "tolem_receipt_counters" (
organization_id text collate "C" not null primary key,
value bigint not null
);

-- migration 1
create table "tolem_endpoints" (
id text collate "C" not null primary key,
organization_id text collate "C" not null,
mode text collate "C" not null,
url text collate "C" not null,
events text collate "C" not null,
secret text collate "C" not null,
previous_secret text collate "C",
previous_secret_until bigint,
disabled bigint not null,
failure_count bigint not null,
pause_count bigint not null,
paused_until bigint,
created_at bigint not null,
updated_at bigint not null,
removed_at bigint
);

-- migration 1
create index "tolem_endpoints_owner"
on "tolem_endpoints" (organization_id, mode, created_at, id) where removed_at is null;

-- migration 1
create index "tolem_endpoints_disabled" on "tolem_endpoints" (id) where disabled = 1;

-- migration 1
create table "tolem_deliveries" (
id text collate "C" not null primary key,
endpoint_id text collate "C" not null,
organization_id text collate "C" not null,
mode text collate "C" not null,
kind text collate "C" not null,
invoice_id text collate "C" not null,
event_id text collate "C" not null,
sequence bigint not null,
status text collate "C" not null,
attempt_count bigint not null,
due_at bigint not null,
ready_at bigint not null,
lease text collate "C",
created_at bigint not null,
completed_at bigint
);

-- migration 1
create index "tolem_deliveries_due"
on "tolem_deliveries" (due_at, endpoint_id, invoice_id, sequence) where status = 'pending';

-- migration 1
create index "tolem_deliveries_order"
on "tolem_deliveries" (endpoint_id, invoice_id, sequence) where status = 'pending';

-- migration 1
create index "tolem_deliveries_log"
on "tolem_deliveries" (endpoint_id, created_at, id);

-- migration 1
create index "tolem_deliveries_log_status"
on "tolem_deliveries" (endpoint_id, status, created_at, id);

-- migration 1
create table "tolem_attempts" (
delivery_id text collate "C" not null,
number bigint not null,
started_at bigint not null,
duration_ms bigint not null,
url text collate "C" not null,
request_headers text collate "C" not null,
request_body text collate "C" not null,
status bigint,
response_body text collate "C",
error text collate "C",
primary key (delivery_id, number)
);

-- migration 2
create view "tolem_invoices_view" as select
id, organization_id, mode, connection_id, kind, status,
round(amount / 100.0, 2) as amount, round(refunded / 100.0, 2) as refunded,
description, external_order_id, customer_name, customer_phone, customer_email,
case when pg_input_is_valid(metadata, 'jsonb') then metadata::jsonb end as metadata, provider_reference, receipt_number, late = 1 as late, day::date as day,
to_timestamp(created_at / 1000.0) as created_at, to_timestamp(updated_at / 1000.0) as updated_at,
to_timestamp(expires_at / 1000.0) as expires_at, to_timestamp(paid_at / 1000.0) as paid_at, to_timestamp(due_at / 1000.0) as due_at
from "tolem_invoices";

-- migration 2
create view "tolem_events_view" as select
id, invoice_id, sequence, organization_id, type, from_status, to_status, source,
round(refunded / 100.0, 2) as refunded, late = 1 as late, to_timestamp(created_at / 1000.0) as created_at
from "tolem_events";

-- migration 2
create view "tolem_refunds_view" as select
id, invoice_id, organization_id, round(amount / 100.0, 2) as amount, status, reason,
to_timestamp(created_at / 1000.0) as created_at, to_timestamp(completed_at / 1000.0) as completed_at
from "tolem_refunds";

-- migration 2
create view "tolem_daily_totals_view" as select
organization_id, mode, nullif(connection_id, '') as connection_id, status, day::date as day,
sum(invoice_count)::bigint as invoice_count, round(sum(amount) / 100.0, 2) as amount,
round(sum(refunded) / 100.0, 2) as refunded
from "tolem_daily_totals" group by organization_id, mode, connection_id, status, day;

-- migration 2
create view "tolem_deliveries_view" as select
id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count,
to_timestamp(due_at / 1000.0) as due_at, to_timestamp(created_at / 1000.0) as created_at,
to_timestamp(completed_at / 1000.0) as completed_at
from "tolem_deliveries";

-- migration 2
create view "tolem_attempts_view" as select
delivery_id, number, to_timestamp(started_at / 1000.0) as started_at, duration_ms, url,
case when pg_input_is_valid(request_headers, 'jsonb') then request_headers::jsonb end as request_headers, case when pg_input_is_valid(request_body, 'jsonb') then request_body::jsonb end as request_body,
status, response_body, error
from "tolem_attempts";

-- migration 3
create table "tolem_secret_checks" (
id text collate "C" not null primary key,
sealed text collate "C" not null
);

-- migration 4
create table "tolem_connections" (
id text collate "C" not null primary key,
organization_id text collate "C" not null,
name text collate "C" not null,
status text collate "C" not null,
phone text collate "C",
is_default bigint not null,
session text collate "C",
created_at bigint not null,
updated_at bigint not null,
version bigint not null
);

-- migration 4
create index "tolem_connections_organization"
on "tolem_connections" (organization_id, created_at, id);

-- migration 4
create unique index "tolem_connections_default"
on "tolem_connections" (organization_id) where is_default = 1;

-- migration 4
create table "tolem_logins" (
id text collate "C" not null primary key,
connection_id text collate "C" not null,
organization_id text collate "C" not null,
provider_process_id text collate "C" not null,
phone text collate "C",
tries bigint not null,
expires_at bigint not null,
used_at bigint
);

-- migration 5
alter table "tolem_refunds" add column provider_reference text collate "C";

-- migration 6
alter table "tolem_organizations" add column clock_ahead_ms bigint not null default 0;

-- migration 6
create index "tolem_organizations_ahead"
on "tolem_organizations" (id) where clock_ahead_ms > 0;

-- migration 6
create table "tolem_subscriptions" (
id text collate "C" not null primary key,
organization_id text collate "C" not null,
mode text collate "C" not null,
connection_id text collate "C",
status text collate "C" not null,
amount bigint not null,
kind text collate "C" not null,
description text collate "C",
customer_name text collate "C",
customer_phone text collate "C",
customer_email text collate "C",
metadata text collate "C",
step text collate "C" not null,
every bigint not null,
day_of_month bigint,
anchor_at bigint not null,
retry_hours text collate "C" not null,
misfire text collate "C" not null,
next_index bigint not null,
next_run_at bigint not null,
last_run_at bigint,
last_invoice_id text collate "C",
runs bigint not null,
max_runs bigint,
faults bigint not null,
fault text collate "C",
idempotency_key text collate "C",
fingerprint text collate "C",
due_at bigint,
created_at bigint not null,
updated_at bigint not null,
sequence bigint not null,
version bigint not null
);

-- migration 6
create unique index "tolem_subscriptions_idempotency"
on "tolem_subscriptions" (organization_id, mode, idempotency_key) where idempotency_key is not null;

-- migration 6
create index "tolem_subscriptions_newest"
on "tolem_subscriptions" (organization_id, mode, created_at, id);

-- migration 6
create index "tolem_subscriptions_due"
on "tolem_subscriptions" (due_at) where due_at is not null;

-- migration 6
create table "tolem_subscription_events" (
subscription_id text collate "C" not null,
sequence bigint not null,
id text collate "C" not null,
organization_id text collate "C" not null,
type text collate "C" not null,
source text collate "C" not null,
run bigint,
invoice_id text collate "C",
code text collate "C",
created_at bigint not null,
primary key (subscription_id, sequence)
);

-- migration 6
create table "tolem_subscription_runs" (
subscription_id text collate "C" not null,
run bigint not null,
organization_id text collate "C" not null,
mode text collate "C" not null,
scheduled_at bigint,
invoice_id text collate "C" not null,
invoice_ids text collate "C" not null,
status text collate "C" not null,
faults bigint not null,
due_at bigint,
created_at bigint not null,
updated_at bigint not null,
primary key (subscription_id, run)
);

-- migration 6
create index "tolem_subscription_runs_invoice" on "tolem_subscription_runs" (invoice_id);

-- migration 6
create index "tolem_subscription_runs_due"
on "tolem_subscription_runs" (due_at) where due_at is not null;

-- migration 6
create table "tolem_mails" (
id text collate "C" not null primary key,
kind text collate "C" not null,
organization_id text collate "C" not null,
mode text collate "C" not null,
invoice_id text collate "C" not null,
recipient text collate "C" not null,
status text collate "C" not null,
attempts bigint not null,
reason text collate "C",
due_at bigint,
created_at bigint not null,
completed_at bigint
);

-- migration 6
create unique index "tolem_mails_invoice" on "tolem_mails" (invoice_id, kind);

-- migration 6
create index "tolem_mails_due" on "tolem_mails" (due_at) where due_at is not null;

-- migration 6
create view "tolem_subscriptions_view" as select
id, organization_id, mode, connection_id, status, round(amount / 100.0, 2) as amount, kind, description,
customer_name, customer_phone, customer_email, case when pg_input_is_valid(metadata, 'jsonb') then metadata::jsonb end as metadata, step, every, day_of_month,
to_timestamp(anchor_at / 1000.0) as anchor_at, case when pg_input_is_valid(retry_hours, 'jsonb') then retry_hours::jsonb end as retry_hours, misfire, to_timestamp(next_run_at / 1000.0) as next_run_at, to_timestamp(last_run_at / 1000.0) as last_run_at,
last_invoice_id, runs, max_runs, faults, fault, to_timestamp(due_at / 1000.0) as due_at, to_timestamp(created_at / 1000.0) as created_at,
to_timestamp(updated_at / 1000.0) as updated_at
from "tolem_subscriptions";

-- migration 6
create view "tolem_subscription_runs_view" as select
subscription_id, run, organization_id, mode, to_timestamp(scheduled_at / 1000.0) as scheduled_at, case when pg_input_is_valid(invoice_ids, 'jsonb') then invoice_ids::jsonb end as invoice_ids, status, faults,
to_timestamp(due_at / 1000.0) as due_at, to_timestamp(created_at / 1000.0) as created_at, to_timestamp(updated_at / 1000.0) as updated_at
from "tolem_subscription_runs";

-- migration 6
create view "tolem_subscription_events_view" as select
id, subscription_id, sequence, organization_id, type, source, run, invoice_id, code, to_timestamp(created_at / 1000.0) as created_at
from "tolem_subscription_events";

-- migration 6
create view "tolem_mails_view" as select
id, kind, organization_id, mode, invoice_id, recipient, status, attempts, reason,
to_timestamp(due_at / 1000.0) as due_at, to_timestamp(created_at / 1000.0) as created_at, to_timestamp(completed_at / 1000.0) as completed_at
from "tolem_mails";

-- migration 7
alter table "tolem_accounts" add column referral_code text collate "C" not null default '';

-- migration 7
update "tolem_accounts" set referral_code = substr(id, length(id) - 9);

-- migration 7
create unique index "tolem_accounts_referral"
on "tolem_accounts" (referral_code) where referral_code <> '';

-- migration 7
alter table "tolem_organizations" add column mode text collate "C" not null default 'sandbox';

-- migration 7
alter table "tolem_organizations" add column tariff_until bigint;

-- migration 7
alter table "tolem_organizations" add column referred_by text collate "C";

-- migration 7
alter table "tolem_organizations" add column partner_id text collate "C";

-- migration 7
alter table "tolem_organizations" add column idempotency_key text collate "C";

-- migration 7
create unique index "tolem_organizations_idempotency"
on "tolem_organizations" (partner_id, idempotency_key) where idempotency_key is not null;

-- migration 7
update "tolem_organizations" set tariff_until = created_at + 604800000
where tariff = 'trial';

-- migration 7
create index "tolem_organizations_partner"
on "tolem_organizations" (partner_id, created_at, id) where partner_id is not null;

-- migration 7
create index "tolem_organizations_referrer"
on "tolem_organizations" (referred_by, created_at, id) where referred_by is not null;

-- migration 7
create table "tolem_memberships" (
organization_id text collate "C" not null,
account_id text collate "C" not null,
role text collate "C" not null,
created_at bigint not null,
primary key (organization_id, account_id)
);

-- migration 7
create index "tolem_memberships_account" on "tolem_memberships" (account_id, created_at);

-- migration 7
insert into "tolem_memberships" (organization_id, account_id, role, created_at)
select id, owner_id, 'owner', created_at from "tolem_organizations";

-- migration 7
create table "tolem_usage" (
organization_id text collate "C" not null,
period text collate "C" not null,
used bigint not null,
primary key (organization_id, period)
);

-- migration 7
insert into "tolem_usage" (organization_id, period, used)
select organization_id, substr(day, 1, 7), cast(sum(invoice_count) as bigint)
from "tolem_daily_totals" where mode = 'live' group by 1, 2
union all
select organization_id, day, cast(sum(invoice_count) as bigint)
from "tolem_daily_totals" where mode = 'live' group by 1, 2;

-- migration 7
create table "tolem_tariff_orders" (
id text collate "C" not null primary key,
organization_id text collate "C" not null,
tariff text collate "C" not null,
months bigint not null,
amount bigint not null,
seller_id text collate "C" not null,
seller_mode text collate "C" not null,
created_at bigint not null,
applied_at bigint
);

-- migration 7
create index "tolem_tariff_orders_open"
on "tolem_tariff_orders" (created_at, id) where applied_at is null;

-- migration 7
create table "tolem_referral_earnings" (
id text collate "C" not null primary key,
account_id text collate "C" not null,
organization_id text collate "C" not null,
order_id text collate "C" not null unique,
amount bigint not null,
state text collate "C" not null,
created_at bigint not null,
paid_out_at bigint
);

-- migration 7
create index "tolem_referral_earnings_account"
on "tolem_referral_earnings" (account_id, created_at, id);

-- migration 7
create index "tolem_referral_earnings_newest" on "tolem_referral_earnings" (created_at, id);

-- migration 7
create table "tolem_audit" (
id text collate "C" not null primary key,
action text collate "C" not null,
organization_id text collate "C",
subject text collate "C" not null,
detail text collate "C",
actor_kind text collate "C" not null,
actor_id text collate "C",
origin text collate "C",
created_at bigint not null
);

-- migration 7
create index "tolem_audit_organization" on "tolem_audit" (organization_id, id);

-- migration 7
create view "tolem_organizations_view" as select
id, name, legal_name, idn, mode, tariff, to_timestamp(tariff_until / 1000.0) as tariff_until, status, owner_id, referred_by, partner_id,
to_timestamp(created_at / 1000.0) as created_at
from "tolem_organizations";

-- migration 7
create view "tolem_tariff_orders_view" as select
id, organization_id, tariff, months, round(amount / 100.0, 2) as amount, seller_id, seller_mode, to_timestamp(created_at / 1000.0) as created_at,
to_timestamp(applied_at / 1000.0) as applied_at
from "tolem_tariff_orders";

-- migration 7
create view "tolem_referral_earnings_view" as select
id, account_id, organization_id, order_id, round(amount / 100.0, 2) as amount, state, to_timestamp(created_at / 1000.0) as created_at, to_timestamp(paid_out_at / 1000.0) as paid_out_at
from "tolem_referral_earnings";

-- migration 7
create view "tolem_audit_view" as select
id, action, organization_id, subject, detail, actor_kind, actor_id, origin, to_timestamp(created_at / 1000.0) as created_at
from "tolem_audit";

-- migration 7
create function "tolem_audit_refuse"() returns trigger language plpgsql as $$
begin raise exception 'the audit log is append-only'; end $$;

-- migration 7
create trigger "tolem_audit_append_only" before update or delete or truncate on "tolem_audit"
for each statement execute function "tolem_audit_refuse"();

-- migration 8
create table "tolem_payment_links" (
id text collate "C" not null primary key,
organization_id text collate "C" not null,
mode text collate "C" not null,
connection_id text collate "C",
slug text collate "C" not null,
title text collate "C" not null,
description text collate "C",
amount bigint,
success_url text collate "C",
fail_url text collate "C",
status text collate "C" not null,
created_at bigint not null,
updated_at bigint not null,
version bigint not null,
removed_at bigint
);

-- migration 8
create unique index "tolem_payment_links_slug"
on "tolem_payment_links" (slug) where removed_at is null;

-- migration 8
create index "tolem_payment_links_oldest"
on "tolem_payment_links" (organization_id, mode, created_at, id) where removed_at is null;

-- migration 8
create table "tolem_form_hooks" (
id text collate "C" not null primary key,
organization_id text collate "C" not null,
mode text collate "C" not null,
connection_id text collate "C",
name text collate "C" not null,
success_url text collate "C",
fail_url text collate "C",
status text collate "C" not null,
created_at bigint not null,
updated_at bigint not null,
version bigint not null,
removed_at bigint
);

-- migration 8
create index "tolem_form_hooks_oldest"
on "tolem_form_hooks" (organization_id, mode, created_at, id) where removed_at is null;

-- migration 8
create view "tolem_payment_links_view" as select
id, organization_id, mode, connection_id, slug, title, description, round(amount / 100.0, 2) as amount,
success_url, fail_url, status, to_timestamp(created_at / 1000.0) as created_at, to_timestamp(updated_at / 1000.0) as updated_at, to_timestamp(removed_at / 1000.0) as removed_at
from "tolem_payment_links";

-- migration 8
create view "tolem_form_hooks_view" as select
id, organization_id, mode, connection_id, name, success_url, fail_url, status, to_timestamp(created_at / 1000.0) as created_at, to_timestamp(updated_at / 1000.0) as updated_at, to_timestamp(removed_at / 1000.0) as removed_at
from "tolem_form_hooks";

-- migration 9
create table "tolem_login_challenges" (
id text collate "C" not null primary key,
phone text collate "C" not null,
channel text collate "C" not null,
digest text collate "C" not null,
digest_key text collate "C" not null,
address_digest text collate "C",
tries bigint not null,
created_at bigint not null,
expires_at bigint not null,
used_at bigint
);

-- migration 9
create index "tolem_login_challenges_phone"
on "tolem_login_challenges" (phone, created_at);

-- migration 9
create index "tolem_login_challenges_address"
on "tolem_login_challenges" (address_digest, created_at) where address_digest is not null;

-- migration 9
create index "tolem_login_challenges_age" on "tolem_login_challenges" (created_at);

-- migration 9
create table "tolem_sessions" (
id text collate "C" not null primary key,
account_id text collate "C" not null references "tolem_accounts" (id),
digest text collate "C" not null unique,
address text collate "C",
user_agent text collate "C",
created_at bigint not null,
seen_at bigint not null,
idle_at bigint not null,
expires_at bigint not null,
revoked_at bigint
);

-- migration 9
create index "tolem_sessions_account" on "tolem_sessions" (account_id);

-- migration 9
create index "tolem_sessions_idle" on "tolem_sessions" (idle_at);

-- migration 10
alter table "tolem_deliveries" add column starts bigint not null default 0;

-- migration 10
create index "tolem_deliveries_turn"
on "tolem_deliveries" (endpoint_id, due_at) where status = 'pending' and starts = 0;

-- migration 10
create index "tolem_deliveries_lost"
on "tolem_deliveries" (starts, due_at) where status = 'pending' and starts > 0;

-- migration 10
drop index "tolem_deliveries_due";

-- migration 10
create or replace view "tolem_deliveries_view" as select
id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count,
to_timestamp(due_at / 1000.0) as due_at, to_timestamp(created_at / 1000.0) as created_at,
to_timestamp(completed_at / 1000.0) as completed_at, starts
from "tolem_deliveries";

-- migration 11
alter table "tolem_api_keys" add column last_used_at bigint;

-- migration 11
alter table "tolem_endpoints" add column connection_id text collate "C";

-- migration 12
alter table "tolem_invoices" add column origin text collate "C";

-- migration 12
alter table "tolem_invoices" add column making text collate "C";

-- migration 12
alter table "tolem_invoices" add column valid_until bigint;

-- migration 12
alter table "tolem_invoices" add column counted_on text collate "C";

-- migration 12
alter table "tolem_refunds" add column fingerprint text collate "C";

-- migration 12
update "tolem_invoices" set origin = idempotency_key
where fingerprint is null and idempotency_key like 'subscription/%';

-- migration 12
update "tolem_invoices" set origin = substr(idempotency_key, 1, length(idempotency_key) - 31)
where fingerprint is null
and (idempotency_key like 'payment-link/%/inv_%' or idempotency_key like 'form-hook/%/inv_%');

-- migration 12
update "tolem_invoices" set making = 'waits', valid_until = case when created_at > cast($1 as bigint) then created_at else cast($2 as bigint) end + case when origin like 'subscription/%' then 604800000 else 86400000 end, due_at = case when created_at > cast($3 as bigint) then created_at else cast($4 as bigint) end + case when origin like 'subscription/%' then 604800000 else 86400000 end
where status = 'new' and due_at is null and kind = 'qr' and origin is not null;

-- migration 12
create unique index "tolem_invoices_run" on "tolem_invoices" (origin)
where substr(origin, 1, 13) = 'subscription/';

-- migration 12
update "tolem_refunds" set created_at = completed_at where completed_at < created_at;

-- migration 12
create or replace view "tolem_invoices_view" as select
id, organization_id, mode, connection_id, kind, status, round(amount / 100.0, 2) as amount, round(refunded / 100.0, 2) as refunded,
description, external_order_id, customer_name, customer_phone, customer_email,
case when pg_input_is_valid(metadata, 'jsonb') then metadata::jsonb end as metadata,
provider_reference, receipt_number, late = 1 as late, day::date as day,
to_timestamp(created_at / 1000.0) as created_at, to_timestamp(updated_at / 1000.0) as updated_at, to_timestamp(expires_at / 1000.0) as expires_at, to_timestamp(paid_at / 1000.0) as paid_at,
to_timestamp(due_at / 1000.0) as due_at, origin, making, to_timestamp(valid_until / 1000.0) as valid_until,
nullif(case when mode = 'live' then coalesce(counted_on, day) end, '')::date as counted_on
from "tolem_invoices";

-- migration 16
alter table "tolem_events" add column announced bigint;

-- migration 16
create or replace view "tolem_events_view" as select
id, invoice_id, sequence, organization_id, type, from_status, to_status, source,
round(refunded / 100.0, 2) as refunded, late = 1 as late, to_timestamp(created_at / 1000.0) as created_at,
announced
from "tolem_events";

-- migration 17
alter table "tolem_invoices" add column seal text collate "C";

-- migration 17
create table "tolem_sealing" (
id text collate "C" not null primary key,
state text collate "C" not null,
begun_at bigint not null,
seal text collate "C" not null
);

-- migration 18
create table "tolem_chain_links" (
chain text collate "C" not null,
position bigint not null,
digest text collate "C" not null,
record_id text collate "C" not null,
content text collate "C" not null,
primary key (chain, position, digest)
);

-- migration 18
create index "tolem_chain_links_record" on "tolem_chain_links" (record_id, chain, position);

-- migration 18
create table "tolem_chain_heads" (
chain text collate "C" not null primary key,
length bigint not null,
digest text collate "C" not null,
seal text collate "C" not null
);

-- migration 20
create table "tolem_feed" (
organization_id text collate "C" not null,
mode text collate "C" not null,
position bigint not null,
event_id text collate "C" not null,
type text collate "C" not null,
invoice_id text collate "C" not null,
sequence bigint not null,
reached_at bigint not null,
primary key (organization_id, mode, position)
);

-- migration 20
create unique index "tolem_feed_invoice" on "tolem_feed" (invoice_id, sequence);

-- migration 20
create index "tolem_feed_reached"
on "tolem_feed" (organization_id, mode, reached_at, position);

-- migration 20
create table "tolem_feed_heads" (
organization_id text collate "C" not null,
mode text collate "C" not null,
position bigint not null,
reached_at bigint not null,
primary key (organization_id, mode)
);

-- migration 20
create table "tolem_feed_arrivals" (
organization_id text collate "C" not null,
id bigint not null generated by default as identity,
invoice_id text collate "C" not null,
sequence bigint not null,
primary key (organization_id, id)
);

-- migration 20
create function "tolem_note_events"() returns trigger language plpgsql as $$
begin
insert into "tolem_feed_arrivals" (organization_id, invoice_id, sequence)
select organization_id, invoice_id, sequence from written order by invoice_id, sequence;
return null;
end $$;

-- migration 20
create trigger "tolem_events_arrive" after insert on "tolem_events"
referencing new table as written for each statement execute function "tolem_note_events"();

-- migration 21
create table "tolem_consumers" (
name text collate "C" not null primary key,
types text collate "C" not null,
organizations text collate "C" not null,
since bigint not null
);

-- migration 21
create table "tolem_reactions" (
id text collate "C" not null primary key,
consumer text collate "C" not null,
organization_id text collate "C" not null,
mode text collate "C" not null,
type text collate "C" not null,
invoice_id text collate "C" not null,
sequence bigint not null,
event_id text collate "C" not null,
status text collate "C" not null,
attempt_count bigint not null,
due_at bigint not null,
lease text collate "C",
error text collate "C",
failed_at bigint
);

-- migration 21
create index "tolem_reactions_due"
on "tolem_reactions" (consumer, due_at, id) where status = 'pending';

-- migration 21
create index "tolem_reactions_order"
on "tolem_reactions" (consumer, invoice_id, sequence) where status = 'pending';

-- migration 21
create index "tolem_reactions_failed"
on "tolem_reactions" (consumer, failed_at, id) where failed_at is not null;

-- migration 21
create index "tolem_reactions_sandbox"
on "tolem_reactions" (invoice_id) where mode = 'sandbox';

-- migration 23
alter table "tolem_organizations" add column external_key text collate "C";

-- migration 23
create unique index "tolem_organizations_external"
on "tolem_organizations" (external_key) where external_key is not null;

-- migration 23
create or replace view "tolem_organizations_view" as select
id, name, legal_name, idn, mode, tariff, to_timestamp(tariff_until / 1000.0) as tariff_until, status, owner_id,
referred_by, partner_id, to_timestamp(created_at / 1000.0) as created_at, external_key
from "tolem_organizations";

-- migration 24
alter table "tolem_accounts" add column email text collate "C";

-- migration 29
insert into "tolem_feed_arrivals" (organization_id, id, invoice_id, sequence)
select e.organization_id,
row_number() over (order by e.created_at, e.invoice_id, e.sequence) - 1000000000000,
e.invoice_id, e.sequence
from "tolem_events" e
where not exists (select 1 from "tolem_feed_arrivals" a where a.invoice_id = e.invoice_id and a.sequence = e.sequence)
and not exists (select 1 from "tolem_feed" f where f.invoice_id = e.invoice_id and f.sequence = e.sequence);

-- migration 30
update "tolem_invoices" set origin = idempotency_key
where seal is null and origin is null and fingerprint is null and idempotency_key like 'subscription/%'
and not exists (select 1 from "tolem_invoices" o where o.origin = "tolem_invoices".idempotency_key);

-- migration 30
update "tolem_invoices" set origin = substr(idempotency_key, 1, length(idempotency_key) - 31)
where seal is null and origin is null and fingerprint is null
and (idempotency_key like 'payment-link/%/inv_%' or idempotency_key like 'form-hook/%/inv_%');

-- migration 30
update "tolem_invoices" set making = case when status <> 'new' or provider_reference is not null then 'made'
when due_at is null then 'waits' else 'asked' end
where seal is null and making is null;

-- migration 30
update "tolem_invoices" set counted_on = case when mode = 'live' then day else '' end
where seal is null and counted_on is null;

-- migration 34
alter table "tolem_form_hooks" add column allowed_origins text collate "C";

-- migration 34
alter table "tolem_form_hooks" add column honeypot text collate "C";

-- migration 34
alter table "tolem_form_hooks" add column caught bigint;

-- migration 34
create or replace view "tolem_form_hooks_view" as select
id, organization_id, mode, connection_id, name, success_url, fail_url, status,
to_timestamp(created_at / 1000.0) as created_at, to_timestamp(updated_at / 1000.0) as updated_at, to_timestamp(removed_at / 1000.0) as removed_at,
allowed_origins, honeypot, coalesce(caught, 0) as caught
from "tolem_form_hooks";

-- migration 35
alter table "tolem_memberships" add column connection_ids text collate "C";

-- migration 35
alter table "tolem_memberships" add column refund_limit bigint;

-- migration 35
alter table "tolem_sessions" add column fresh_until bigint;

-- migration 36
alter table "tolem_organizations" add column face text collate "C";

-- migration 36
alter table "tolem_organizations" add column logo text collate "C";

-- migration 36
alter table "tolem_organizations" add column version bigint;

-- migration 36
create table "tolem_pictures" (
id text collate "C" primary key,
organization_id text collate "C" not null,
content_type text collate "C" not null,
width bigint not null,
height bigint not null,
data text collate "C" not null,
created_at bigint not null
);

-- migration 36
create index "tolem_pictures_organization" on "tolem_pictures" (organization_id);

-- migration 37
alter table "tolem_payment_links" add column min_amount bigint;

-- migration 37
alter table "tolem_payment_links" add column max_amount bigint;

-- migration 37
alter table "tolem_payment_links" add column presets text collate "C";

-- migration 37
alter table "tolem_payment_links" add column fields text collate "C";

-- migration 37
alter table "tolem_payment_links" add column thank_you text collate "C";

-- migration 37
alter table "tolem_payment_links" add column max_payments bigint;

-- migration 37
alter table "tolem_payment_links" add column opens_at bigint;

-- migration 37
alter table "tolem_payment_links" add column closes_at bigint;

-- migration 37
create table "tolem_link_totals" (
link_id text collate "C" not null,
shard bigint not null,
made bigint not null,
held bigint not null,
paid bigint not null,
paid_amount bigint not null,
refunded bigint not null,
primary key (link_id, shard)
);

-- migration 38
insert into "tolem_link_totals" as t (link_id, shard, made, held, paid, paid_amount, refunded)
select link_id, 0, cast(sum(made) as bigint), cast(sum(held) as bigint), cast(sum(paid) as bigint), cast(sum(paid_amount) as bigint), cast(sum(refunded) as bigint)
from (
select substr(origin, 14) as link_id, 1 as made, case when status in ('new', 'pending', 'paid', 'partially_refunded') then 1 else 0 end as held,
case when paid_at is null then 0 else 1 end as paid,
case when paid_at is null then 0 else amount end as paid_amount, refunded
from "tolem_invoices" where origin like 'payment-link/%'
union all
select link_id, -made, -held, -paid, -paid_amount, -refunded from "tolem_link_totals"
) as difference
group by link_id
having sum(made) <> 0 or sum(held) <> 0 or sum(paid) <> 0 or sum(paid_amount) <> 0 or sum(refunded) <> 0
order by link_id
on conflict (link_id, shard) do update set made = t.made + excluded.made, held = t.held + excluded.held, paid = t.paid + excluded.paid, paid_amount = t.paid_amount + excluded.paid_amount, refunded = t.refunded + excluded.refunded;

-- migration 41
alter table "tolem_api_keys" add column made_by text collate "C";

-- migration 42
create index if not exists "tolem_invoices_of_links" on "tolem_invoices" (origin, status) where substr(origin, 1, 13) = 'payment-link/';

-- migration 43
insert into "tolem_link_totals" as t (link_id, shard, made, held, paid, paid_amount, refunded)
select link_id, 0, cast(sum(made) as bigint) as made, cast(sum(held) as bigint) as held, cast(sum(paid) as bigint) as paid, cast(sum(paid_amount) as bigint) as paid_amount, cast(sum(refunded) as bigint) as refunded from (
select substr(origin, 14) as link_id, 1 as made, case when (status in ('new', 'pending', 'paid', 'partially_refunded')
and (status <> 'new' or coalesce(making, 'asked') <> 'waits')) then 1 else 0 end as held,
case when paid_at is null then 0 else 1 end as paid,
case when paid_at is null then 0 else amount end as paid_amount, refunded
from "tolem_invoices" where substr(origin, 1, 13) = 'payment-link/' and true
union all
select link_id, -made, -held, -paid, -paid_amount, -refunded
from "tolem_link_totals" where true
) as balance
group by link_id having sum(made) <> 0 or sum(held) <> 0 or sum(paid) <> 0 or sum(paid_amount) <> 0 or sum(refunded) <> 0
order by link_id
on conflict (link_id, shard) do update set made = t.made + excluded.made, held = t.held + excluded.held, paid = t.paid + excluded.paid, paid_amount = t.paid_amount + excluded.paid_amount, refunded = t.refunded + excluded.refunded;

-- migration 44
alter table "tolem_invoices" add column scanned_at bigint;

-- migration 45
create index if not exists "tolem_invoices_sums" on "tolem_invoices"
(organization_id, mode, created_at, id, status, kind, connection_id, origin, amount, refunded);

-- migration 45
create index if not exists "tolem_deliveries_live" on "tolem_deliveries" (invoice_id) where mode = 'live';

-- migration 46
drop index "tolem_invoices_newest";

-- migration 47
create index if not exists "tolem_invoices_late" on "tolem_invoices" (organization_id, mode, paid_at, id) where late = 1;

-- migration 47
create index if not exists "tolem_refunds_unknown" on "tolem_refunds" (organization_id, created_at, id) where status = 'unknown';

-- migration 47
create index if not exists "tolem_deliveries_failed" on "tolem_deliveries" (organization_id, mode, completed_at, id) where status = 'failed';

-- migration 47
create index if not exists "tolem_subscriptions_stuck" on "tolem_subscriptions" (organization_id, mode, next_run_at, id) where status = 'active' and faults > 0;

-- migration 49
alter table "tolem_daily_totals" add column kind text collate "C";

-- migration 49
alter table "tolem_daily_totals" add column source text collate "C";

-- migration 50
create index if not exists "tolem_daily_totals_day" on "tolem_daily_totals" (organization_id, mode, day, status, connection_id);

-- migration 50
create index if not exists "tolem_daily_totals_mixed" on "tolem_daily_totals" (organization_id, mode, day) where kind is null;

-- migration 50
create index if not exists "tolem_tariff_orders_owner" on "tolem_tariff_orders" (organization_id, created_at, id);

-- migration 50
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, cast(sum(n) as bigint), cast(sum(a) as bigint), cast(sum(r) as bigint)
from (
select organization_id, mode, coalesce(connection_id, '') as connection_id, status, day,
cast(0 as bigint) + cast(10000000 as bigint) *
(case kind when 'phone' then 4 else 0 end + case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 2 when 'payment-' then 3
when 'form-hoo' then 4 else 1 end) as shard, kind, case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source,
1 as n, amount as a, refunded as r
from "tolem_invoices" where organization_id in (select organization_id from "tolem_daily_totals" where kind is null)
union all
select organization_id, mode, connection_id, status, day,
case when kind is null then shard else shard - shard % 10000000 end,
kind, source, -invoice_count, -amount, -refunded
from "tolem_daily_totals" where organization_id in (select organization_id from "tolem_daily_totals" where kind is null)
) as difference
group by organization_id, mode, connection_id, status, day, shard, kind, source having sum(n) <> 0 or sum(a) <> 0 or sum(r) <> 0
order by organization_id, mode, connection_id, status, day, shard
on conflict (organization_id, mode, connection_id, status, day, shard) do update set invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount, refunded = t.refunded + excluded.refunded;

-- migration 50
delete from "tolem_daily_totals"
where organization_id in (select organization_id from "tolem_daily_totals" where kind is null) and kind is null and invoice_count = 0 and amount = 0 and refunded = 0;

-- migration 51
alter table "tolem_payment_links" add column picture text collate "C";

-- migration 51
create table "tolem_place_takers" (
invoice_id text collate "C" primary key,
link_id text collate "C" not null,
visitor text collate "C" not null,
asked_at bigint not null
);

-- migration 51
create index "tolem_place_takers_visitor" on "tolem_place_takers" (link_id, visitor);

-- migration 51
create index "tolem_place_takers_age" on "tolem_place_takers" (asked_at);

-- migration 51
create table "tolem_link_sweeps" (
name text collate "C" primary key,
resume_after text collate "C" not null,
due_at bigint not null,
whole_until bigint
);

-- migration 51
insert into "tolem_link_sweeps" (name, resume_after, due_at) values ('totals', '', 0);

-- migration 52
create table "tolem_invitations" (
id text collate "C" primary key,
organization_id text collate "C" not null,
phone text collate "C" not null,
role text collate "C" not null,
connection_ids text collate "C",
refund_limit bigint,
status text collate "C" not null,
made_by text collate "C",
created_at bigint not null,
expires_at bigint not null,
settled_at bigint
);

-- migration 52
create index "tolem_invitations_organization" on "tolem_invitations"
(organization_id, created_at, id);

-- migration 52
create index "tolem_invitations_phone" on "tolem_invitations" (phone, status);

-- migration 52
create index "tolem_invitations_age" on "tolem_invitations" (expires_at, id);

-- migration 54
alter table "tolem_mails" add column resent bigint not null default 0;

-- migration 55
create table "tolem_removals" (
kind text collate "C" not null primary key,
ended_before bigint not null
);

-- migration 55
create index if not exists "tolem_attempts_age" on "tolem_attempts" (started_at);

-- migration 55
create index if not exists "tolem_mails_ended" on "tolem_mails" (completed_at) where completed_at is not null;

-- migration 56
alter table "tolem_rate_windows" set (fillfactor = 70);

-- migration 56
alter table "tolem_invoices" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_deliveries" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_mails" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_subscription_runs" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_sessions" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_events" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_attempts" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_feed" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_feed_arrivals" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_reactions" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_audit" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 56
alter table "tolem_chain_links" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000);

-- migration 58
create index if not exists "tolem_invoices_of_visitors" on "tolem_invoices" (organization_id, counted_on)
where mode = 'live' and paid_at is null
and (substr(origin, 1, 13) = 'payment-link/' or substr(origin, 1, 10) = 'form-hook/');

-- migration 70
do $do$
declare
bound constant bigint := extract(epoch from date_trunc('month', now() at time zone 'UTC' + interval '31 days')
+ interval '1 month') * 1000;
usual constant text := current_setting('lock_timeout');
found text;
begin
select pg_get_constraintdef(oid) into found from pg_constraint
where conrelid = '"tolem_attempts"'::regclass and conname = 'attempts_before';
if substring(found from '\d{10,}')::bigint >= (extract(epoch from now()) + 86400) * 1000 then
return;
end if;
perform set_config('lock_timeout', '200ms', true);
loop
begin
if to_regclass('"tolem_attempts_view"') is not null then
lock table "tolem_attempts_view" in access exclusive mode;
end if;
lock table "tolem_attempts" in access exclusive mode;
exit;
exception when lock_not_available then
perform pg_sleep(0.5);
end;
end loop;
perform set_config('lock_timeout', usual, true);
alter table "tolem_attempts" drop constraint if exists attempts_before;
execute format('alter table "tolem_attempts" add constraint attempts_before check (started_at < %s) not valid', bound);
end $do$;

-- migration 70
alter table "tolem_attempts" validate constraint attempts_before;

-- migration 70
do $do$
declare
usual constant text := current_setting('lock_timeout');
own text;
bound bigint;
options text;
granted record;
begin
perform set_config('lock_timeout', '200ms', true);
loop
begin
if to_regclass('"tolem_attempts_view"') is not null then
lock table "tolem_attempts_view" in access exclusive mode;
end if;
lock table "tolem_attempts" in access exclusive mode;
exit;
exception when lock_not_available then
perform pg_sleep(0.5);
end;
end loop;
perform set_config('lock_timeout', usual, true);
select n.nspname, array_to_string(c.reloptions, ', ') into own, options
from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = '"tolem_attempts"'::regclass;
select substring(pg_get_constraintdef(oid) from '\d{10,}')::bigint into bound
from pg_constraint where conrelid = '"tolem_attempts"'::regclass and conname = 'attempts_before';
alter table "tolem_attempts" rename to "tolem_attempts_before";
execute format('alter index if exists %I.%I rename to %I', own, 'tolem_attempts_age', 'tolem_attempts_before_age');
execute format('create table %I.%I (like %I.%I) partition by range (started_at)',
own, 'tolem_attempts', own, 'tolem_attempts_before');
execute format('create index %I on %I.%I (started_at)', 'tolem_attempts_age', own, 'tolem_attempts');
execute format('alter table %I.%I attach partition %I.%I for values from (minvalue) to (%s)',
own, 'tolem_attempts', own, 'tolem_attempts_before', bound);
execute format('alter table %I.%I drop constraint attempts_before', own, 'tolem_attempts_before');
execute format('create table %I.%I partition of %I.%I (primary key (delivery_id, number)) default with (%s)',
own, 'tolem_attempts_default', own, 'tolem_attempts', coalesce(options, 'fillfactor = 100'));
-- As before, of the table that has its name now.
if to_regclass('"tolem_attempts_view"') is not null then
execute format('create or replace view "tolem_attempts_view" as %s',
replace(pg_get_viewdef('"tolem_attempts_view"'::regclass), 'tolem_attempts_before', 'tolem_attempts'));
end if;
execute replace(replace($body$
create function "tolem_attempts_room"(at bigint) returns bigint language plpgsql security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $function$
declare
own constant text := @own@;
parent constant regclass := format('%I.%I', own, 'tolem_attempts')::regclass;
rest constant regclass := format('%I.%I', own, 'tolem_attempts_default')::regclass;
options constant text := array_to_string((select reloptions from pg_class where oid = rest), ', ');
month timestamp;
low bigint;
high bigint;
part text;
made bigint := 0;
waiting bigint;
begin
-- Made for those who may delete attempts one by one.
if not has_table_privilege(session_user, parent, 'delete') then
raise insufficient_privilege using message = 'this takes the right to delete attempts';
end if;
if not pg_try_advisory_xact_lock(hashtextextended(parent::oid::text || ' months', 0)) then return 0; end if;
month := date_trunc('month', least(to_timestamp(at / 1000.0), now() + interval '31 days') at time zone 'UTC');
for further in 0..2 loop
low := extract(epoch from month + make_interval(months => further)) * 1000;
high := extract(epoch from month + make_interval(months => further + 1)) * 1000;
part := 'tolem_attempts_' || to_char(month + make_interval(months => further), 'YYYY_MM');
continue when low < @bound@ or to_regclass(format('%I.%I', own, part)) is not null;
-- To move many would take long while others wait. They are removed one by one.
execute format('select count(*) from (select 1 from %s limit 10001) r', rest) into waiting;
exit when waiting > 10000;
begin
execute format('create table %I.%I (like %s, primary key (delivery_id, number)) with (%s)',
own, part, parent, options);
execute format('lock table only %s in share update exclusive mode', parent);
execute format('lock table %s in access exclusive mode', rest);
execute format('with moved as (delete from %s where started_at >= %s and started_at < %s returning *)
insert into %I.%I select * from moved', rest, low, high, own, part);
execute format('alter table %s attach partition %I.%I for values from (%s) to (%s)',
parent, own, part, low, high);
made := made + 1;
exception when lock_not_available then
exit;
end;
end loop;
return made;
end $function$$body$, '@own@', quote_literal(own)), '@bound@', bound::text);
execute replace(replace($body$
create function "tolem_attempts_forget"(before bigint) returns bigint language plpgsql security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $function$
declare
own constant text := @own@;
parent constant regclass := format('%I.%I', own, 'tolem_attempts')::regclass;
removals constant text := format('%I.%I', own, 'tolem_removals');
ended constant bigint := least(before, (extract(epoch from now()) * 1000)::bigint);
parts text[];
part text;
high bigint;
noted bigint;
dropped bigint := 0;
begin
-- Made for those who may delete attempts one by one.
if not has_table_privilege(session_user, parent, 'delete') then
raise insufficient_privilege using message = 'this takes the right to delete attempts';
end if;
select array_agg(r.part order by r.part), max(r.high) into parts, high
from (select c.relname::text as part,
(extract(epoch from to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') * 1000)::bigint as high
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = parent and right(c.relname, 8) ~ '^_\d{4}_\d{2}$') r
where r.high <= ended;
if parts is null then return 0; end if;
execute format('select ended_before from %s where kind = ''attempts''', removals) into noted;
if coalesce(noted, 0) < high then
execute format('insert into %s as t (kind, ended_before) values (''attempts'', %s)
on conflict (kind) do update set ended_before = excluded.ended_before
where t.ended_before < excluded.ended_before', removals, high);
return -1;
end if;
foreach part in array parts loop
begin
execute format('lock table only %s in access exclusive mode', parent);
execute format('drop table %I.%I', own, part);
dropped := dropped + 1;
exception when lock_not_available or undefined_table then
exit;
end;
end loop;
return dropped;
end $function$$body$, '@own@', quote_literal(own)), '@bound@', bound::text);
-- Whatever others were granted of the table, they have of what takes its place.
for granted in
select p.privilege_type as verb, case p.grantee when 0 then 'public' else quote_ident(r.rolname) end as to_whom,
case when p.is_grantable then ' with grant option' else '' end as further
from pg_class c cross join lateral aclexplode(c.relacl) p left join pg_roles r on r.oid = p.grantee
where c.oid = format('%I.%I', own, 'tolem_attempts_before')::regclass and p.grantee <> c.relowner
loop
execute format('grant %s on %I.%I, %I.%I to %s%s',
granted.verb, own, 'tolem_attempts', own, 'tolem_attempts_default', granted.to_whom, granted.further);
if granted.verb = 'DELETE' then
execute format('grant execute on function "tolem_attempts_room"(bigint), "tolem_attempts_forget"(bigint) to %s', granted.to_whom);
end if;
end loop;
execute format('select "tolem_attempts_room"(%s)', (extract(epoch from now()) * 1000)::bigint);
end $do$;

-- migration 74
create table "tolem_reconciliations" (
organization_id text collate "C" not null,
connection_id text collate "C" not null,
day text collate "C" not null,
status text collate "C" not null,
due_at bigint,
tries bigint not null,
fault text collate "C",
sums text collate "C",
compared_at bigint,
version bigint not null,
primary key (organization_id, connection_id, day)
);

-- migration 74
create index "tolem_reconciliations_due" on "tolem_reconciliations" (due_at)
where due_at is not null;

-- migration 74
create index "tolem_reconciliations_newest" on "tolem_reconciliations"
(organization_id, day, connection_id);

-- migration 74
create table "tolem_work_items" (
id text collate "C" not null primary key,
organization_id text collate "C" not null,
connection_id text collate "C" not null,
day text collate "C" not null,
subject text collate "C" not null,
kind text collate "C" not null,
cause text collate "C" not null,
payment text collate "C",
invoice_id text collate "C",
refund_id text collate "C",
amount_here bigint,
amount_there bigint,
status text collate "C" not null,
found_at bigint not null,
resolved_at bigint,
resolution text collate "C",
resolved_by text collate "C",
note text collate "C",
version bigint not null
);

-- migration 74
create unique index "tolem_work_items_subject" on "tolem_work_items"
(organization_id, connection_id, day, subject);

-- migration 74
create index "tolem_work_items_newest" on "tolem_work_items" (organization_id, status, day, id);

-- migration 74
create index "tolem_work_items_open" on "tolem_work_items" (found_at) where status = 'open';

-- migration 75
create index if not exists "tolem_invoices_paid" on "tolem_invoices" (organization_id, connection_id, paid_at, id) where mode = 'live' and paid_at is not null;

-- migration 75
create index if not exists "tolem_refunds_made" on "tolem_refunds" (organization_id, completed_at, id) where status = 'succeeded';

-- migration 85
create table "tolem_request_hours" (
organization_id text collate "C" not null,
mode text collate "C" not null,
hour_at bigint not null,
requests bigint not null,
refused bigint not null,
failed bigint not null,
primary key (organization_id, mode, hour_at)
);

-- migration 85
create index "tolem_request_hours_age" on "tolem_request_hours" (hour_at);

-- migration 85
create table "tolem_requests" (
organization_id text collate "C" not null,
mode text collate "C" not null,
hour_at bigint not null,
place bigint not null,
at bigint not null,
request_id text collate "C" not null,
key_ending text collate "C" not null,
method text collate "C" not null,
route text collate "C" not null,
status bigint not null,
code text collate "C",
duration_ms bigint not null,
primary key (organization_id, mode, hour_at, place)
);

-- migration 85
create index "tolem_requests_age" on "tolem_requests" (hour_at);

-- migration 85
alter table "tolem_requests" set (fillfactor = 70);

-- migration 85
alter table "tolem_request_hours" set (fillfactor = 70);

-- migration 86
create index if not exists "tolem_invoices_moved" on "tolem_invoices"
(organization_id, mode, paid_at, id, connection_id, amount, late, origin) where paid_at is not null;

-- migration 87
create table "tolem_statement_letters" (
organization_id text collate "C" not null,
account_id text collate "C" not null,
month text collate "C" not null,
status text collate "C" not null,
due_at bigint,
tries bigint not null,
sent_month text collate "C",
reason text collate "C",
created_at bigint not null,
version bigint not null,
primary key (organization_id, account_id)
);

-- migration 87
create index "tolem_statement_letters_due" on "tolem_statement_letters" (due_at) where due_at is not null;

-- migration 89
create table "tolem_form_refusal_counts" (
organization_id text collate "C" not null,
hook_id text collate "C" not null,
reason text collate "C" not null,
refused bigint not null,
first_at bigint not null,
last_at bigint not null,
day_at bigint not null,
primary key (organization_id, hook_id, reason)
);

-- migration 89
create index "tolem_form_refusal_counts_age" on "tolem_form_refusal_counts" (day_at);

-- migration 89
create table "tolem_form_refusals" (
organization_id text collate "C" not null,
hook_id text collate "C" not null,
reason text collate "C" not null,
place bigint not null,
at bigint not null,
faults text collate "C",
names text collate "C",
site text collate "C",
day_at bigint not null,
primary key (organization_id, hook_id, reason, place)
);

-- migration 89
create index "tolem_form_refusals_age" on "tolem_form_refusals" (day_at);

-- migration 89
alter table "tolem_form_refusals" set (fillfactor = 70);

-- migration 89
alter table "tolem_form_refusal_counts" set (fillfactor = 70);

-- migration 90
create index if not exists "tolem_invoices_of_links_newest" on "tolem_invoices" (origin, created_at) where substr(origin, 1, 13) = 'payment-link/';

-- migration 91
create table "tolem_operators" (
account_id text collate "C" not null primary key,
granted_at bigint not null,
granted_by text collate "C"
);

-- migration 91
create index if not exists "tolem_accounts_name" on "tolem_accounts" (name);

-- migration 91
create index if not exists "tolem_accounts_newest" on "tolem_accounts" (created_at, id);

-- migration 91
create index if not exists "tolem_organizations_name" on "tolem_organizations" (name);

-- migration 91
create index if not exists "tolem_organizations_idn" on "tolem_organizations" (idn);

-- migration 91
create index if not exists "tolem_organizations_newest" on "tolem_organizations" (created_at, id);

-- migration 91
create index if not exists "tolem_organizations_tariff" on "tolem_organizations" (tariff, status);

-- migration 91
create index if not exists "tolem_tariff_orders_newest" on "tolem_tariff_orders" (created_at, id);

-- migration 91
create index if not exists "tolem_tariff_orders_applied" on "tolem_tariff_orders" (applied_at, tariff, amount) where applied_at is not null;

-- migration 91
create index if not exists "tolem_referral_earnings_state" on "tolem_referral_earnings" (state, created_at, id);

-- migration 91
create index if not exists "tolem_referral_earnings_accrued" on "tolem_referral_earnings" (account_id, amount) where state = 'accrued';

-- migration 91
create index if not exists "tolem_audit_all_times" on "tolem_audit" (created_at, id);

-- migration 91
create index if not exists "tolem_audit_all_actors" on "tolem_audit" (actor_id, created_at, id);

-- migration 91
create index if not exists "tolem_audit_all_actions" on "tolem_audit" (action, created_at, id);

-- migration 94
create index if not exists "tolem_refunds_newest" on "tolem_refunds" (organization_id, created_at, id);

-- migration 96
create table "tolem_notice_lines" (
organization_id text collate "C" not null,
account_id text collate "C" not null,
mode text collate "C" not null,
channel text collate "C" not null,
kinds text collate "C" not null,
minimum bigint,
quiet text collate "C",
language text collate "C" not null,
status text collate "C" not null,
position bigint not null,
event_id text collate "C",
gathered text collate "C" not null,
going text collate "C",
looked_at bigint not null,
not_before bigint not null,
tries bigint not null,
told_at bigint,
reason text collate "C",
due_at bigint,
created_at bigint not null,
version bigint not null,
primary key (organization_id, account_id, mode, channel)
);

-- migration 96
create index "tolem_notice_lines_due" on "tolem_notice_lines" (due_at) where due_at is not null;

-- migration 96
create table "tolem_messenger_links" (
account_id text collate "C" not null primary key,
status text collate "C" not null,
chat_id text collate "C",
code_digest text collate "C",
code_until bigint,
reason text collate "C",
free_at bigint not null,
created_at bigint not null,
version bigint not null
);

-- migration 96
create index "tolem_messenger_links_chat" on "tolem_messenger_links" (chat_id) where chat_id is not null;

-- migration 96
create unique index "tolem_messenger_links_code" on "tolem_messenger_links" (code_digest)
where code_digest is not null;

-- migration 96
create table "tolem_messenger_readings" (
name text collate "C" not null primary key,
read_to bigint not null,
due_at bigint not null
);

-- migration 98
create table "tolem_servers" (
id text collate "C" not null primary key,
version text collate "C",
started_at bigint not null,
seen_at bigint not null,
ended_at bigint,
agents text collate "C" not null
);

-- migration 98
alter table "tolem_servers" set (fillfactor = 50);

-- migration 98
create index if not exists "tolem_refunds_unknown_oldest" on "tolem_refunds" (created_at, id) where status = 'unknown';

-- migration 98
create index if not exists "tolem_work_items_oldest" on "tolem_work_items" (found_at, id) where status = 'open';

-- migration 98
create index if not exists "tolem_connections_expired" on "tolem_connections" (created_at, id) where status = 'expired';

-- migration 98
create index if not exists "tolem_subscriptions_stuck_oldest" on "tolem_subscriptions" (next_run_at, id) where status = 'active' and faults > 0 and mode = 'live';

-- migration 98
create index if not exists "tolem_endpoints_paused" on "tolem_endpoints" (paused_until, id) where paused_until is not null and mode = 'live';

-- migration 98
create index if not exists "tolem_deliveries_failed_oldest" on "tolem_deliveries" (completed_at, id) where status = 'failed' and mode = 'live';

-- migration 98
create index if not exists "tolem_mails_failed" on "tolem_mails" (completed_at, id) where status = 'failed' and mode = 'live';

-- migration 98
drop index "tolem_work_items_open";

-- migration 100
create table "tolem_payouts" (
id text collate "C" not null primary key,
account_id text collate "C" not null,
amount bigint not null,
earning_count bigint not null,
up_to text collate "C" not null,
note text collate "C" not null,
paid_at bigint not null
);

-- migration 100
create unique index "tolem_payouts_up_to" on "tolem_payouts" (up_to);

-- migration 100
create index "tolem_payouts_account" on "tolem_payouts" (account_id, paid_at, id);

-- migration 100
alter table "tolem_referral_earnings" add column payout_id text collate "C";

-- migration 100
create index "tolem_referral_earnings_payout" on "tolem_referral_earnings" (payout_id)
where payout_id is not null;

-- migration 100
create index if not exists "tolem_referral_earnings_unpaid" on "tolem_referral_earnings" (account_id, created_at, id) where state = 'accrued';

-- migration 100
create index if not exists "tolem_referral_earnings_sums" on "tolem_referral_earnings" (account_id, state, amount);

-- migration 100
create or replace view "tolem_referral_earnings_view" as select
id, account_id, organization_id, order_id, round(amount / 100.0, 2) as amount, state, to_timestamp(created_at / 1000.0) as created_at, to_timestamp(paid_out_at / 1000.0) as paid_out_at,
payout_id
from "tolem_referral_earnings";

-- migration 100
create view "tolem_payouts_view" as select
id, account_id, round(amount / 100.0, 2) as amount, earning_count, up_to, note, to_timestamp(paid_at / 1000.0) as paid_at
from "tolem_payouts";

-- migration 101
create index if not exists "tolem_audit_deeds" on "tolem_audit" (actor_id, action, created_at, id);

-- migration 102
create table "tolem_invoice_leases" (
id text collate "C" not null primary key,
due_at bigint not null,
until bigint not null
);

-- migration 102
create index "tolem_invoice_leases_until" on "tolem_invoice_leases" (until);

-- migration 102
alter table "tolem_invoice_leases" set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- migration 103
create index if not exists "tolem_reconciliations_due_tenant" on "tolem_reconciliations" (organization_id, due_at) where due_at is not null;

-- migration 103
create index if not exists "tolem_statement_letters_due_tenant" on "tolem_statement_letters" (organization_id, due_at) where due_at is not null;

-- migration 103
create index if not exists "tolem_notice_lines_due_tenant" on "tolem_notice_lines" (organization_id, mode, due_at) where due_at is not null;

-- migration 104
do $do$
declare
bound constant timestamptz := (date_trunc('month', now() at time zone 'UTC' + interval '31 days')
+ interval '1 month') at time zone 'UTC';
usual constant text := current_setting('lock_timeout');
found text;
begin
perform set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true);
select pg_get_constraintdef(oid) into found from pg_constraint
where conrelid = '"tolem_deliveries"'::regclass and conname = 'deliveries_before';
if substring(found from '''([^'']+)''')::timestamptz >= now() + interval '1 days' then return; end if;
perform set_config('lock_timeout', '200ms', true);
loop
begin
if to_regclass('"tolem_deliveries_view"') is not null then
lock table "tolem_deliveries_view" in access exclusive mode;
end if;
lock table "tolem_deliveries" in access exclusive mode;
exit;
exception when lock_not_available then
perform pg_sleep(0.5);
end;
end loop;
perform set_config('lock_timeout', usual, true);
alter table "tolem_deliveries" add column if not exists placed_at timestamptz not null default now();
alter table "tolem_deliveries" drop constraint if exists deliveries_before;
execute format('alter table "tolem_deliveries" add constraint deliveries_before check (placed_at < %L) not valid', bound);
end $do$;

-- migration 104
alter table "tolem_deliveries" validate constraint deliveries_before;

-- migration 104
do $do$
declare
usual constant text := current_setting('lock_timeout');
own text;
bound timestamptz;
options text;
made text[];
indexed record;
renamed text;
definition text;
granted record;
begin
perform set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true);
perform set_config('lock_timeout', '200ms', true);
loop
begin
if to_regclass('"tolem_deliveries_view"') is not null then
lock table "tolem_deliveries_view" in access exclusive mode;
end if;
lock table "tolem_deliveries" in access exclusive mode;
exit;
exception when lock_not_available then
perform pg_sleep(0.5);
end;
end loop;
perform set_config('lock_timeout', usual, true);
select n.nspname, array_to_string(c.reloptions, ', ') into own, options
from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = '"tolem_deliveries"'::regclass;
select substring(pg_get_constraintdef(oid) from '''([^'']+)''')::timestamptz into bound
from pg_constraint where conrelid = '"tolem_deliveries"'::regclass and conname = 'deliveries_before';
-- The indexes become those of the part; the whole gets the same ones, which are in the part already.
for indexed in
select i.relname as name, pg_get_indexdef(i.oid) as text from pg_index x join pg_class i on i.oid = x.indexrelid
where x.indrelid = '"tolem_deliveries"'::regclass and x.indisvalid and not x.indisunique
and starts_with(i.relname, 'tolem_deliveries_') order by i.relname
loop
made := made || indexed.text;
renamed := 'tolem_deliveries_before' || substr(indexed.name, length('tolem_deliveries') + 1);
-- A longer name would be cut, and two become the same.
if octet_length(renamed) > 63 then renamed := left('tolem_deliveries', 8) || md5(indexed.name); end if;
execute format('alter index %I.%I rename to %I', own, indexed.name, renamed);
end loop;
alter table "tolem_deliveries" rename to "tolem_deliveries_before";
execute format('create table %I.%I (like %I.%I including defaults) partition by range (placed_at)',
own, 'tolem_deliveries', own, 'tolem_deliveries_before');
execute format('alter table %I.%I attach partition %I.%I for values from (minvalue) to (%L)',
own, 'tolem_deliveries', own, 'tolem_deliveries_before', bound);
execute format('alter table %I.%I drop constraint deliveries_before', own, 'tolem_deliveries_before');
foreach definition in array made loop
execute definition;
end loop;
execute format('create table %I.%I partition of %I.%I (primary key (id)) default with (%s)',
own, 'tolem_deliveries_default', own, 'tolem_deliveries', coalesce(options, 'fillfactor = 100'));
-- As before, of the table that has its name now.
if to_regclass('"tolem_deliveries_view"') is not null then
execute format('create or replace view "tolem_deliveries_view" as %s',
replace(pg_get_viewdef('"tolem_deliveries_view"'::regclass), 'tolem_deliveries_before', 'tolem_deliveries'));
end if;
execute replace(replace($body$
create function "tolem_deliveries_room"(at bigint) returns bigint language plpgsql strict security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' set timezone = 'UTC' set datestyle = 'ISO, YMD'
as $function$
declare
own constant text := @own@;
parent constant regclass := format('%I.%I', own, 'tolem_deliveries')::regclass;
rest constant regclass := format('%I.%I', own, 'tolem_deliveries_default')::regclass;
options constant text := array_to_string((select reloptions from pg_class where oid = rest), ', ');
begins timestamp;
low timestamptz;
high timestamptz;
part text;
made bigint := 0;
waiting bigint;
begin
-- Made for those who may delete deliveries one by one.
if not has_table_privilege(session_user, parent, 'delete') then
raise insufficient_privilege using message = 'this takes the right to delete deliveries';
end if;
if not pg_try_advisory_xact_lock(hashtextextended(parent::oid::text || ' months', 0)) then return 0; end if;
-- All of it is read while others wait. What is there goes one by one.
execute format('select count(*) from (select 1 from %s limit 100001) r', rest) into waiting;
if waiting > 100000 then return 0; end if;
begins := date_trunc('month', least(to_timestamp(at / 1000.0), now() + interval '31 days') at time zone 'UTC');
for further in 0..2 loop
low := (begins + make_interval(months => further)) at time zone 'UTC';
high := (begins + make_interval(months => further + 1)) at time zone 'UTC';
part := 'tolem_deliveries_' || to_char(low at time zone 'UTC', 'YYYY_MM');
continue when low < @bound@ or to_regclass(format('%I.%I', own, part)) is not null;
-- To move many takes longer still.
execute format('select count(*) from (
select 1 from %s where placed_at >= %L and placed_at < %L limit 10001) r', rest, low, high) into waiting;
continue when waiting > 10000;
begin
execute format('create table %I.%I (like %s including defaults, primary key (id)) with (%s)',
own, part, parent, options);
-- What is being added to the month that has begun would be refused where it was on its way to.
execute format('lock table only %s in %s mode', parent,
case when low <= now() + interval '1 day' or waiting > 0 then 'share row exclusive'
else 'share update exclusive' end);
execute format('lock table %s in access exclusive mode', rest);
execute format('with moved as (delete from %s where placed_at >= %L and placed_at < %L returning *)
insert into %I.%I select * from moved', rest, low, high, own, part);
execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)',
parent, own, part, low, high);
made := made + 1;
exception when lock_not_available then
exit;
end;
end loop;
return made;
end $function$$body$, '@own@', quote_literal(own)), '@bound@', quote_literal(bound::text));
execute replace(replace($body$
create function "tolem_deliveries_forget"(before bigint) returns bigint language plpgsql strict security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' set timezone = 'UTC' set datestyle = 'ISO, YMD'
as $function$
declare
own constant text := @own@;
parent constant regclass := format('%I.%I', own, 'tolem_deliveries')::regclass;
attempts constant regclass := format('%I.%I', own, 'tolem_attempts')::regclass;
removals constant text := format('%I.%I', own, 'tolem_removals');
-- The same in the calls of one sweep.
ended bigint := least(before, (extract(epoch from date_trunc('hour', now())) * 1000)::bigint);
oldest bigint;
parts text[];
part text;
begins timestamptz;
noted bigint;
staying bigint;
begin
-- Made for those who may delete deliveries one by one.
if not has_table_privilege(session_user, parent, 'delete') then
raise insufficient_privilege using message = 'this takes the right to delete deliveries';
end if;
if not pg_try_advisory_xact_lock(hashtextextended(parent::oid::text || ' forget', 0)) then return 0; end if;
-- An attempt began before its delivery ended; an hour is more than clocks of servers differ.
execute format('select a.started_at from %s a where a.started_at < %s order by a.started_at limit 1',
attempts, ended + 3600000) into oldest;
ended := least(ended, oldest - 3600000);
-- What is on its way is placed anew soon after the month, so that few can have ended later.
select array_agg(c.relname::text order by c.relname) into parts
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = parent and right(c.relname, 8) ~ '^_\d{4}_\d{2}$'
and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month 10 days' <= to_timestamp(ended / 1000.0);
if parts is null then return 0; end if;
execute format('select ended_before from %s where kind = ''deliveries''', removals) into noted;
if coalesce(noted, 0) < ended then
execute format('insert into %s as t (kind, ended_before) values (''deliveries'', %s)
on conflict (kind) do update set ended_before = excluded.ended_before
where t.ended_before < excluded.ended_before', removals, ended);
return -1;
end if;
foreach part in array parts loop
begin
begins := to_date(right(part, 7), 'YYYY_MM');
execute format('update %s set placed_at = now()
where placed_at >= %L and placed_at < %L and id = any(array(
select id from %I.%I where status = ''pending'' or completed_at >= %s limit 10000 for update))',
parent, begins, begins + interval '1 month', own, part, ended);
get diagnostics staying = row_count;
if staying = 10000 then return -1; end if;
for attempt in 1..3 loop
begin
execute format('lock table only %s in access exclusive mode', parent);
execute format('drop table %I.%I', own, part);
-- The lock lasts until the end of the call, and the next month has to be read first.
return case when part = parts[cardinality(parts)] then 1 else -1 end;
exception when lock_not_available then
perform pg_sleep(0.2);
end;
end loop;
exit;
exception when lock_not_available or undefined_table then
exit;
end;
end loop;
return 0;
end $function$$body$, '@own@', quote_literal(own)), '@bound@', quote_literal(bound::text));
-- Whatever others were granted of the table, they have of what takes its place.
for granted in
select p.privilege_type as verb, case p.grantee when 0 then 'public' else quote_ident(r.rolname) end as to_whom,
case when p.is_grantable then ' with grant option' else '' end as further
from pg_class c cross join lateral aclexplode(c.relacl) p left join pg_roles r on r.oid = p.grantee
where c.oid = format('%I.%I', own, 'tolem_deliveries_before')::regclass and p.grantee <> c.relowner
loop
execute format('grant %s on %I.%I, %I.%I to %s%s',
granted.verb, own, 'tolem_deliveries', own, 'tolem_deliveries_default', granted.to_whom, granted.further);
if granted.verb = 'DELETE' then
execute format('grant execute on function "tolem_deliveries_room"(bigint), "tolem_deliveries_forget"(bigint) to %s', granted.to_whom);
end if;
end loop;
execute format('select "tolem_deliveries_room"(%s)', (extract(epoch from now()) * 1000)::bigint);
end $do$;

-- migration 105
create function "tolem_search_keys"(searched text) returns integer[]
language plpgsql immutable strict parallel safe as $$
declare
word text collate "C";
keys integer[] := '{}';
begin
foreach word in array regexp_split_to_array(searched collate "C", '[^0-9a-z]+') loop
for place in 5 .. length(word) - 5 by 5 loop
keys := keys || (hashtext(substr(word, place, 6)) & 4194303);
end loop;
end loop;
return keys;
end $$;

-- migration 105
grant execute on function "tolem_search_keys"(text) to public;

-- migration 106
do $do$
declare
usual constant text := current_setting('lock_timeout');
begin
perform set_config('lock_timeout', '200ms', true);
loop
begin
if to_regclass('"tolem_deliveries_view"') is not null then
lock table "tolem_deliveries_view" in access exclusive mode;
end if;
lock table "tolem_deliveries" in access exclusive mode;
exit;
exception when lock_not_available then
perform pg_sleep(0.5);
end;
end loop;
perform set_config('lock_timeout', usual, true);
create index "tolem_deliveries_newest" on "tolem_deliveries" (endpoint_id, created_at, status);
create index "tolem_deliveries_newest_failed" on "tolem_deliveries" (endpoint_id, created_at) where status = 'failed';
drop index if exists "tolem_deliveries_log";
drop index if exists "tolem_deliveries_log_status";
end $do$;

-- add of a connection
insert into "tolem_connections" (id, organization_id, name, status, phone, is_default, session, created_at, updated_at, version) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
returning *;

-- add of a connection
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- add of a connection
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- add of a connection
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- add of a connection
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- add of a connection
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- find of a connection
select * from "tolem_connections" where id = $1 and organization_id = $2;

-- list of connections
select * from "tolem_connections" where organization_id = $1 order by created_at, id;

-- replace of a connection
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'connections/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_connections" t where organization_id = $1 and is_default = 1 and id <> $2
for update of t;

-- replace of a connection
update "tolem_connections" set is_default = 0, version = version + 1
where organization_id = $1 and is_default = 1 and id <> $2 returning *;

-- replace of a connection
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'connections/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_connections" t where id = $1
for update of t;

-- replace of a connection
update "tolem_connections" set name = $1, status = $2, phone = $3, is_default = cast($4 as bigint), session = $5, updated_at = cast($6 as bigint), version = cast($7 as bigint)
where id = $8 and organization_id = $9 and version = cast($10 as bigint)
returning *;

-- replace of a connection
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- replace of a connection
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- replace of a connection
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- replace of a connection
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- replace of a connection
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- remove of a connection
select c.id from "tolem_connections" c where id = $1 and organization_id = $2 for update of c;

-- add of a cashier's login
insert into "tolem_logins" (id, connection_id, organization_id, provider_process_id, phone, tries, expires_at, used_at) values ($1, $2, $3, $4, $5, $6, $7, $8);

-- cashier's login
select * from "tolem_logins" where id = $1 and connection_id = $2;

-- phone of a cashier's login
update "tolem_logins" set phone = $1 where id = $2;

-- try of a cashier's login
update "tolem_logins" set tries = tries + 1 where id = $1 returning tries;

-- end of a cashier's login
update "tolem_logins" set used_at = cast($1 as bigint) where id = $2 and used_at is null returning id;

-- addOrganization
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'accounts/'
order by l.position desc limit 1) as linked_content from "tolem_accounts" t where phone = $1
for update of t;

-- addOrganization
insert into "tolem_accounts" (id, phone, name, email, status, referral_code, created_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (phone) do update set phone = excluded.phone returning *;

-- addOrganization
insert into "tolem_organizations" (id, name, legal_name, idn, mode, tariff, tariff_until, status, owner_id, referred_by, partner_id, created_at, idempotency_key, external_key) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
returning *;

-- addOrganization
insert into "tolem_memberships" (organization_id, account_id, role, created_at, connection_ids, refund_limit) values ($1, $2, $3, $4, $5, $6)
returning *;

-- addOrganization
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- addOrganization
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- addOrganization
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- addOrganization
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- addOrganization of a name
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- addOrganization of a name
select * from "tolem_organizations" where external_key = $1;

-- addOrganization of a name
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'accounts/'
order by l.position desc limit 1) as linked_content from "tolem_accounts" t where phone = $1
for update of t;

-- addOrganization of a name
insert into "tolem_accounts" (id, phone, name, email, status, referral_code, created_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (phone) do update set phone = excluded.phone returning *;

-- addOrganization of a name
insert into "tolem_organizations" (id, name, legal_name, idn, mode, tariff, tariff_until, status, owner_id, referred_by, partner_id, created_at, idempotency_key, external_key) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
returning *;

-- addOrganization of a name
insert into "tolem_memberships" (organization_id, account_id, role, created_at, connection_ids, refund_limit) values ($1, $2, $3, $4, $5, $6)
returning *;

-- addOrganization of a name
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- addOrganization of a name
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- addOrganization of a name
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- addOrganization of a name
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- organization
select * from "tolem_organizations" where id = $1;

-- owned
select o.*, a.status as owner_status from "tolem_organizations" o
join "tolem_accounts" a on a.id = o.owner_id where o.id = $1;

-- setMode
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'organizations/' || coalesce(t.id, '')
order by l.position desc limit 1) as linked_content from "tolem_organizations" t where id = $1
for update of t;

-- setMode
update "tolem_organizations" set mode = $1 where id = $2 and mode <> $3 returning *;

-- setMode
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- setMode
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- setMode
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- setMode
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- setMode
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- organizationCount
select count(*) as count from "tolem_organizations";

-- setStatus of an account
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'accounts/'
order by l.position desc limit 1) as linked_content from "tolem_accounts" t where id = $1
for update of t;

-- setStatus of an account
update "tolem_accounts" set status = $1
where id = $2 and status <> $3 returning *;

-- setStatus of an account
select id from "tolem_accounts" where id = $1;

-- setStatus of an account that is blocked
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'accounts/'
order by l.position desc limit 1) as linked_content from "tolem_accounts" t where id = $1
for update of t;

-- setStatus of an account that is blocked
update "tolem_accounts" set status = $1
where id = $2 and status <> $3 returning *;

-- setStatus of an account that is blocked
update "tolem_sessions" set revoked_at = cast($1 as bigint)
where account_id = $2 and revoked_at is null;

-- setStatus of an account that is blocked
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- setStatus of an account that is blocked
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- setStatus of an account that is blocked
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- setStatus of an account that is blocked
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- setStatus of an organization
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'organizations/' || coalesce(t.id, '')
order by l.position desc limit 1) as linked_content from "tolem_organizations" t where id = $1
for update of t;

-- setStatus of an organization
update "tolem_organizations" set status = $1
where id = $2 and status <> $3 returning *;

-- setStatus of an organization
select id from "tolem_organizations" where id = $1;

-- addKey
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- addKey
select count(*) as count from "tolem_api_keys"
where organization_id = $1 and mode = $2;

-- addKey
insert into "tolem_api_keys"
(id, organization_id, mode, name, scopes, connection_id, digest, last_characters, created_at, made_by)
select $1, o.id, $2, $3, $4, $5, $6, $7,
cast($8 as bigint), $9
from "tolem_organizations" o where o.id = $10
returning *;

-- addKey
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- addKey
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- addKey
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- addKey
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- noteUses
update "tolem_api_keys" as k set last_used_at = s.at from unnest((select $1::text[] collate "C"), (select $2::bigint[])) as s(id, at)
where k.id = s.id and (k.last_used_at is null or k.last_used_at < s.at);

-- findKeys
select k.*, o.status as organization_status, a.status as owner_status
from unnest((select $1::text[] collate "C")) as s(digest)
join "tolem_api_keys" k on k.digest = s.digest
join "tolem_organizations" o on o.id = k.organization_id
join "tolem_accounts" a on a.id = o.owner_id;

-- keys
select * from "tolem_api_keys" where organization_id = $1 order by created_at, id;

-- bindKey
select c.id from "tolem_connections" c
where c.id = $1 and c.organization_id = $2 for share of c;

-- bindKey
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'api_keys/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_api_keys" t where id = $1
for update of t;

-- bindKey
update "tolem_api_keys" set connection_id = $1
where id = $2 and organization_id = $3 returning *;

-- bindKey
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- bindKey
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- bindKey
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- bindKey
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- removeKey
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'api_keys/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_api_keys" t where id = $1
for update of t;

-- removeKey
delete from "tolem_api_keys" where id = $1 returning *;

-- removeKey
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- removeKey
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- removeKey
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- removeKey
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- find
select id, name, legal_name, idn, face, logo, version from "tolem_organizations" where id = $1;

-- replace
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'organizations/' || coalesce(t.id, '')
order by l.position desc limit 1) as linked_content from "tolem_organizations" t where id = $1
for update of t;

-- replace
update "tolem_organizations" set name = $1, legal_name = $2, idn = $3,
face = $4, logo = $5, version = cast($6 as bigint)
where id = $7 and coalesce(version, 0) = cast($8 as bigint) returning *;

-- replace
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'pictures/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_pictures" t where organization_id = $1 and content_type = 'image/png' and id <> $2
for update of t;

-- replace
delete from "tolem_pictures" where organization_id = $1 and content_type = 'image/png' and id <> $2 returning *;

-- replace
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- replace
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- replace
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- replace
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- replace
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- replace with a logo
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'organizations/' || coalesce(t.id, '')
order by l.position desc limit 1) as linked_content from "tolem_organizations" t where id = $1
for update of t;

-- replace with a logo
update "tolem_organizations" set name = $1, legal_name = $2, idn = $3,
face = $4, logo = $5, version = cast($6 as bigint)
where id = $7 and coalesce(version, 0) = cast($8 as bigint) returning *;

-- replace with a logo
insert into "tolem_pictures" (id, organization_id, content_type, width, height, data, created_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (id) do nothing returning *;

-- replace with a logo
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'pictures/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_pictures" t where organization_id = $1 and content_type = 'image/png' and id <> $2
for update of t;

-- replace with a logo
delete from "tolem_pictures" where organization_id = $1 and content_type = 'image/png' and id <> $2 returning *;

-- replace with a logo
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- replace with a logo
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- replace with a logo
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- replace with a logo
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- replace with a logo
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- find
select * from "tolem_pictures" where id = $1;

-- accounts
select (select coalesce(json_agg(r), '[]')::text from (select count(*) as total from "tolem_accounts" a where (strpos(coalesce(a.phone, ''), $1) > 0 OR strpos(lower(coalesce(a.phone, '')), $2) > 0 OR strpos(coalesce(a.name, ''), $3) > 0 OR strpos(lower(coalesce(a.name, '')), $4) > 0 OR strpos(coalesce(a.id, ''), $5) > 0 OR strpos(lower(coalesce(a.id, '')), $6) > 0)) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (select a.* from "tolem_accounts" a where (strpos(coalesce(a.phone, ''), $7) > 0 OR strpos(lower(coalesce(a.phone, '')), $8) > 0 OR strpos(coalesce(a.name, ''), $9) > 0 OR strpos(lower(coalesce(a.name, '')), $10) > 0 OR strpos(coalesce(a.id, ''), $11) > 0 OR strpos(lower(coalesce(a.id, '')), $12) > 0) order by a.created_at desc, a.id desc limit cast($13 as bigint) offset cast($14 as bigint)) as r) as "rows";

-- organizations
select (select coalesce(json_agg(r), '[]')::text from (select count(*) as total from "tolem_organizations" o join "tolem_accounts" a on a.id = o.owner_id where (strpos(coalesce(o.name, ''), $1) > 0 OR strpos(lower(coalesce(o.name, '')), $2) > 0 OR strpos(coalesce(o.legal_name, ''), $3) > 0 OR strpos(lower(coalesce(o.legal_name, '')), $4) > 0 OR strpos(coalesce(o.idn, ''), $5) > 0 OR strpos(lower(coalesce(o.idn, '')), $6) > 0 OR strpos(coalesce(o.id, ''), $7) > 0 OR strpos(lower(coalesce(o.id, '')), $8) > 0 OR strpos(coalesce(a.phone, ''), $9) > 0 OR strpos(lower(coalesce(a.phone, '')), $10) > 0)) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (
select o.*, a.status as owner_status from "tolem_organizations" o join "tolem_accounts" a on a.id = o.owner_id where (strpos(coalesce(o.name, ''), $11) > 0 OR strpos(lower(coalesce(o.name, '')), $12) > 0 OR strpos(coalesce(o.legal_name, ''), $13) > 0 OR strpos(lower(coalesce(o.legal_name, '')), $14) > 0 OR strpos(coalesce(o.idn, ''), $15) > 0 OR strpos(lower(coalesce(o.idn, '')), $16) > 0 OR strpos(coalesce(o.id, ''), $17) > 0 OR strpos(lower(coalesce(o.id, '')), $18) > 0 OR strpos(coalesce(a.phone, ''), $19) > 0 OR strpos(lower(coalesce(a.phone, '')), $20) > 0) order by o.created_at desc, o.id desc limit cast($21 as bigint) offset cast($22 as bigint)) as r) as "rows";

-- account by phone
select * from "tolem_accounts" where phone = $1;

-- addAccount
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'accounts/'
order by l.position desc limit 1) as linked_content from "tolem_accounts" t where phone = $1
for update of t;

-- addAccount
insert into "tolem_accounts" (id, phone, name, email, status, referral_code, created_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (phone) do update set phone = excluded.phone returning *;

-- addAccount
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- addAccount
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- addAccount
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- addAccount
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- setName
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'accounts/'
order by l.position desc limit 1) as linked_content from "tolem_accounts" t where id = $1
for update of t;

-- setName
update "tolem_accounts" set name = $1 where id = $2 returning *;

-- setName
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- setName
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- setName
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- setName
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- setName
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- setEmail
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'accounts/'
order by l.position desc limit 1) as linked_content from "tolem_accounts" t where id = $1
for update of t;

-- setEmail
update "tolem_accounts" set email = $1 where id = $2 returning *;

-- setEmail
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- setEmail
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- setEmail
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- setEmail
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- setEmail
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- parts
select o.*, m.role as part_role, m.connection_ids as part_connection_ids, m.refund_limit as part_refund_limit from "tolem_memberships" m
join "tolem_organizations" o on o.id = m.organization_id
where m.account_id = $1 order by m.created_at, o.id;

-- members
select a.*, m.role as part_role, m.connection_ids as part_connection_ids, m.refund_limit as part_refund_limit from "tolem_memberships" m
join "tolem_accounts" a on a.id = m.account_id
where m.organization_id = $1 order by m.created_at, a.id;

-- addresses
select a.email from "tolem_memberships" m
join "tolem_accounts" a on a.id = m.account_id join "tolem_organizations" o on o.id = m.organization_id
where m.organization_id = $1 and a.email is not null
and (m.role <> 'owner' or o.partner_id is null or exists (
select 1 from "tolem_sessions" s where s.account_id = m.account_id and s.created_at >= m.created_at))
order by m.created_at, a.id;

-- setMember
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.organization_id || ' ' || t.account_id and l.chain = 'memberships/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_memberships" t where organization_id = $1 and account_id = $2
for update of t;

-- setMember
insert into "tolem_memberships" as m (organization_id, account_id, role, created_at)
values ($1, $2, $3, $4)
on conflict (organization_id, account_id) do update set role = excluded.role where m.role <> 'owner'
returning *;

-- setMember
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- setMember
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- setMember
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- setMember
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- setMember
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- changeMember
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.organization_id || ' ' || t.account_id and l.chain = 'memberships/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_memberships" t where organization_id = $1 and account_id = $2
for update of t;

-- changeMember
update "tolem_memberships"
set role = $1, connection_ids = $2, refund_limit = cast($3 as bigint)
where organization_id = $4 and account_id = $5 and role <> 'owner' and role in ($6,$7)
and coalesce(connection_ids, '') = $8
and coalesce(refund_limit, -1) = cast($9 as bigint)
returning *;

-- changeMember
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- changeMember
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- changeMember
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- changeMember
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- changeMember
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- removeMember
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'invitations/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_invitations" t where organization_id = $1 and status = 'pending'
and phone = (select phone from "tolem_accounts" where id = $2)
and exists (
select 1 from "tolem_memberships" where organization_id = $3 and account_id = $4 and role <> 'owner')
for update of t;

-- removeMember
update "tolem_invitations" set status = 'withdrawn', settled_at = cast($1 as bigint)
where organization_id = $2 and status = 'pending'
and phone = (select phone from "tolem_accounts" where id = $3)
and exists (
select 1 from "tolem_memberships" where organization_id = $4 and account_id = $5 and role <> 'owner') returning *;

-- removeMember
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.organization_id || ' ' || t.account_id and l.chain = 'memberships/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_memberships" t where organization_id = $1 and account_id = $2
for update of t;

-- removeMember
delete from "tolem_memberships"
where organization_id = $1 and account_id = $2 and role <> 'owner'
returning *;

-- removeMember
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- removeMember
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- removeMember
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- removeMember
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- removeMember
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- add an invitation
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- add an invitation
select 1 as found from "tolem_memberships" m join "tolem_accounts" a on a.id = m.account_id
where m.organization_id = $1 and a.phone = $2;

-- add an invitation
select (select count(*) from "tolem_invitations" where organization_id = $1 and status = 'pending'
and expires_at > cast($2 as bigint) and phone <> $3) as pending,
count(*) as made, coalesce(sum(case when phone = $4 then 1 else 0 end), 0) as asked
from "tolem_invitations"
where organization_id = $5 and created_at > cast($6 as bigint);

-- add an invitation
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'invitations/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_invitations" t where organization_id = $1 and status = 'pending'
and expires_at > cast($2 as bigint) and phone = $3
for update of t;

-- add an invitation
update "tolem_invitations" set status = 'withdrawn', settled_at = cast($1 as bigint)
where organization_id = $2 and status = 'pending'
and expires_at > cast($3 as bigint) and phone = $4 returning *;

-- add an invitation
insert into "tolem_invitations" (id, organization_id, phone, role, connection_ids, refund_limit, status, made_by, created_at, expires_at, settled_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
returning *;

-- add an invitation
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- add an invitation
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- add an invitation
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- add an invitation
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- add an invitation
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- add another invitation
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- add another invitation
select 1 as found from "tolem_memberships" m join "tolem_accounts" a on a.id = m.account_id
where m.organization_id = $1 and a.phone = $2;

-- add another invitation
select (select count(*) from "tolem_invitations" where organization_id = $1 and status = 'pending'
and expires_at > cast($2 as bigint) and phone <> $3) as pending,
count(*) as made, coalesce(sum(case when phone = $4 then 1 else 0 end), 0) as asked
from "tolem_invitations"
where organization_id = $5 and created_at > cast($6 as bigint);

-- add another invitation
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'invitations/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_invitations" t where organization_id = $1 and status = 'pending'
and expires_at > cast($2 as bigint) and phone = $3
for update of t;

-- add another invitation
update "tolem_invitations" set status = 'withdrawn', settled_at = cast($1 as bigint)
where organization_id = $2 and status = 'pending'
and expires_at > cast($3 as bigint) and phone = $4 returning *;

-- add another invitation
insert into "tolem_invitations" (id, organization_id, phone, role, connection_ids, refund_limit, status, made_by, created_at, expires_at, settled_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
returning *;

-- add another invitation
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- add another invitation
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- add another invitation
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- add another invitation
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- add another invitation
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- find an invitation
select i.* from "tolem_invitations" i where i.id = $1 and i.organization_id = $2;

-- find an invitation of a person
select i.* from "tolem_invitations" i where i.id = $1 and i.phone = (select phone from "tolem_accounts" where id = $2);

-- list invitations
select i.* from "tolem_invitations" i where i.organization_id = $1
order by case when i.status = 'pending' and i.expires_at > cast($2 as bigint) then 0 else 1 end,
i.created_at desc, i.id desc limit cast($3 as bigint);

-- offered invitations
select o.*, i.id as invitation_id, i.organization_id as invitation_organization_id, i.phone as invitation_phone, i.role as invitation_role, i.connection_ids as invitation_connection_ids, i.refund_limit as invitation_refund_limit, i.status as invitation_status, i.made_by as invitation_made_by, i.created_at as invitation_created_at, i.expires_at as invitation_expires_at, i.settled_at as invitation_settled_at
from "tolem_invitations" i join "tolem_organizations" o on o.id = i.organization_id
join "tolem_accounts" w on w.id = o.owner_id
where i.phone = (select phone from "tolem_accounts" where id = $1) and i.status = 'pending' and i.expires_at > cast($2 as bigint)
and o.status = 'active' and w.status = 'active'
and not exists (
select 1 from "tolem_memberships" m where m.organization_id = o.id and m.account_id = $3)
order by i.created_at desc, i.id desc limit cast($4 as bigint);

-- withdraw an invitation
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'invitations/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_invitations" t where id = $1 and organization_id = $2 and status = 'pending'
for update of t;

-- withdraw an invitation
update "tolem_invitations" set status = $1, settled_at = cast($2 as bigint) where id = $3 and organization_id = $4 and status = 'pending' returning *;

-- withdraw an invitation
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- withdraw an invitation
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- withdraw an invitation
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- withdraw an invitation
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- withdraw an invitation
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- accept an invitation
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'invitations/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_invitations" t where id = $1 and organization_id = $2 and status = 'pending'
for update of t;

-- accept an invitation
update "tolem_invitations" set status = $1, settled_at = cast($2 as bigint) where id = $3 and organization_id = $4 and status = 'pending' returning *;

-- accept an invitation
insert into "tolem_memberships" (organization_id, account_id, role, created_at, connection_ids, refund_limit) values ($1, $2, $3, $4, $5, $6)
on conflict (organization_id, account_id) do nothing returning *;

-- accept an invitation
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- accept an invitation
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- accept an invitation
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- accept an invitation
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- accept an invitation
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- forget invitations
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'invitations/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_invitations" t where id in (
select id from "tolem_invitations" where expires_at < cast($1 as bigint)
order by expires_at, id limit cast($2 as bigint))
for update of t;

-- forget invitations
delete from "tolem_invitations" where id in (
select id from "tolem_invitations" where expires_at < cast($1 as bigint)
order by expires_at, id limit cast($2 as bigint)) returning *;

-- make an operator
insert into "tolem_operators" (account_id, granted_at, granted_by)
select id, cast($1 as bigint), $2 from "tolem_accounts" where id = $3
on conflict (account_id) do nothing returning *;

-- make an operator
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- make an operator
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- make an operator
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- make an operator
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- make an operator
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- find an operator
select * from "tolem_operators" where account_id = $1;

-- list operators
select a.*, o.* from "tolem_operators" o join "tolem_accounts" a on a.id = o.account_id
order by o.granted_at, o.account_id limit cast($1 as bigint);

-- end an operator
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.account_id and l.chain = 'operators/'
order by l.position desc limit 1) as linked_content from "tolem_operators" t where account_id = $1
for update of t;

-- end an operator
delete from "tolem_operators" where account_id = $1 returning *;

-- end an operator
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- end an operator
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- end an operator
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- end an operator
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- end an operator
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- newest accounts
select * from "tolem_accounts" where true order by created_at desc, id desc limit cast($1 as bigint);

-- accounts behind a place
select * from "tolem_accounts" where (created_at, id) < (cast($1 as bigint), $2) order by created_at desc, id desc limit cast($3 as bigint);

-- newest organizations
select page.*, a.status as owner_status from (select * from "tolem_organizations" where (created_at, id) < (cast($1 as bigint), $2) order by created_at desc, id desc limit cast($3 as bigint)) as page join "tolem_accounts" a on a.id = page.owner_id order by page.created_at desc, page.id desc;

-- organizations that begin so
select page.*, a.status as owner_status from (select * from (select * from "tolem_organizations" where id >= $1 and id < $2
order by id limit cast($3 as bigint)) as part union select * from (select * from "tolem_organizations" where name >= $4 and name < $5
order by name limit cast($6 as bigint)) as part union select * from (select * from "tolem_organizations" where idn >= $7 and idn < $8
order by idn limit cast($9 as bigint)) as part union select * from (select o.* from (select id from "tolem_accounts" where phone >= $10 and phone < $11
order by phone limit cast($12 as bigint)) as w join "tolem_organizations" o on o.owner_id = w.id limit cast($13 as bigint)) as part union select * from (select * from "tolem_organizations" where id >= $14 and id < $15
order by id limit cast($16 as bigint)) as part union select * from (select * from "tolem_organizations" where name >= $17 and name < $18
order by name limit cast($19 as bigint)) as part union select * from (select * from "tolem_organizations" where idn >= $20 and idn < $21
order by idn limit cast($22 as bigint)) as part union select * from (select o.* from (select id from "tolem_accounts" where phone >= $23 and phone < $24
order by phone limit cast($25 as bigint)) as w join "tolem_organizations" o on o.owner_id = w.id limit cast($26 as bigint)) as part) as page join "tolem_accounts" a on a.id = page.owner_id;

-- accounts that begin so
select * from (select * from "tolem_accounts" where id >= $1 and id < $2
order by id limit cast($3 as bigint)) as part union select * from (select * from "tolem_accounts" where id >= $4 and id < $5
order by id limit cast($6 as bigint)) as part union select * from (select * from "tolem_accounts" where phone >= $7 and phone < $8
order by phone limit cast($9 as bigint)) as part union select * from (select * from "tolem_accounts" where phone >= $10 and phone < $11
order by phone limit cast($12 as bigint)) as part union select * from (select * from "tolem_accounts" where name >= $13 and name < $14
order by name limit cast($15 as bigint)) as part union select * from (select * from "tolem_accounts" where name >= $16 and name < $17
order by name limit cast($18 as bigint)) as part;

-- usage
select period, used from "tolem_usage"
where organization_id = $1 and period in ($2, $3);

-- standing
select (select coalesce(json_agg(r), '[]')::text from (select * from "tolem_organizations" where id = $1) as r) as "organizations", (select coalesce(json_agg(r), '[]')::text from (
select period, used from "tolem_usage"
where organization_id = $2 and period in ($3, $4)) as r) as "usage", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_connections" where organization_id = $5 order by created_at, id) as r) as "connections";

-- setTerm
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'organizations/' || coalesce(t.id, '')
order by l.position desc limit 1) as linked_content from "tolem_organizations" t where id = $1
for update of t;

-- setTerm
update "tolem_organizations" set
tariff = $1, tariff_until = cast($2 as bigint)
where id = $3 and tariff = $4
and coalesce(tariff_until, -1) = cast($5 as bigint)
returning *;

-- setTerm
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- setTerm
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- setTerm
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- setTerm
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- setTerm
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- newestOrder
select o.* from "tolem_tariff_orders" o
where o.organization_id = $1 and o.tariff = $2
order by o.created_at desc, o.id desc limit 1;

-- addOrder
select b.id from "tolem_organizations" b where b.id = $1 for update of b;

-- addOrder
select o.* from "tolem_tariff_orders" o
where o.organization_id = $1 and o.tariff = $2
order by o.created_at desc, o.id desc limit 1;

-- addOrder
insert into "tolem_tariff_orders" (id, organization_id, tariff, months, amount, seller_id, seller_mode, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
returning *;

-- addOrder
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- addOrder
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- addOrder
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- addOrder
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- addOrder
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- paidOrders
select o.* from "tolem_tariff_orders" o
join "tolem_invoices" i on i.organization_id = o.seller_id and i.mode = o.seller_mode
and i.idempotency_key = 'tariff/' || o.id
where o.applied_at is null and o.created_at >= cast($1 as bigint)
and i.paid_at is not null and i.amount >= o.amount
order by o.created_at, o.id limit cast($2 as bigint);

-- fulfil
select o.* from "tolem_tariff_orders" o where o.id = $1 and o.applied_at is null
for update of o;

-- fulfil
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'tariff_orders/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_tariff_orders" t where t.id = $1;

-- fulfil
update "tolem_tariff_orders" set applied_at = cast($1 as bigint) where id = $2 returning *;

-- fulfil
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'organizations/' || coalesce(t.id, '')
order by l.position desc limit 1) as linked_content from "tolem_organizations" t where id = $1
for update of t;

-- fulfil
update "tolem_organizations" set
tariff = $1, tariff_until = cast($2 as bigint)
where id = $3 and tariff = $4
and coalesce(tariff_until, -1) = cast($5 as bigint)
returning *;

-- fulfil
insert into "tolem_referral_earnings" (id, account_id, organization_id, order_id, amount, state, created_at, paid_out_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
returning *;

-- fulfil
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- fulfil
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- fulfil
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- fulfil
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- fulfil
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- earnings
select * from "tolem_referral_earnings" where account_id = $1 order by created_at desc, id desc
limit cast($2 as bigint);

-- payOut
select e.* from "tolem_referral_earnings" e where e.id = $1 and e.state = 'accrued'
for update of e;

-- payOut
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'referral_earnings/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_referral_earnings" t where t.id = $1;

-- payOut
update "tolem_referral_earnings" set state = 'paid_out', paid_out_at = cast($1 as bigint)
where id = $2 returning *;

-- payOut
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- payOut
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- payOut
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- payOut
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- payOut
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- list of bills
select o.*, i.id as invoice_id, i.status as invoice_status, i.receipt_number as invoice_receipt
from "tolem_tariff_orders" o left join "tolem_invoices" i on i.organization_id = o.seller_id and i.mode = o.seller_mode
and i.idempotency_key = 'tariff/' || o.id
where o.organization_id = $1
order by o.created_at desc, o.id desc limit cast($2 as bigint);

-- list of bills behind a place
select o.*, i.id as invoice_id, i.status as invoice_status, i.receipt_number as invoice_receipt
from "tolem_tariff_orders" o left join "tolem_invoices" i on i.organization_id = o.seller_id and i.mode = o.seller_mode
and i.idempotency_key = 'tariff/' || o.id
where (o.organization_id = $1 AND (o.created_at, o.id) < (cast($2 as bigint), $3))
order by o.created_at desc, o.id desc limit cast($4 as bigint);

-- order of a payout
select b.id from "tolem_organizations" b where b.id = $1 for update of b;

-- order of a payout
select o.* from "tolem_tariff_orders" o
where o.organization_id = $1 and o.tariff = $2
order by o.created_at desc, o.id desc limit 1;

-- order of a payout
insert into "tolem_tariff_orders" (id, organization_id, tariff, months, amount, seller_id, seller_mode, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
returning *;

-- order of a payout
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- order of a payout
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- order of a payout
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- order of a payout
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- order of a payout
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- earning of a payout
select o.* from "tolem_tariff_orders" o where o.id = $1 and o.applied_at is null
for update of o;

-- earning of a payout
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'tariff_orders/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_tariff_orders" t where t.id = $1;

-- earning of a payout
update "tolem_tariff_orders" set applied_at = cast($1 as bigint) where id = $2 returning *;

-- earning of a payout
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'organizations/' || coalesce(t.id, '')
order by l.position desc limit 1) as linked_content from "tolem_organizations" t where id = $1
for update of t;

-- earning of a payout
update "tolem_organizations" set
tariff = $1, tariff_until = cast($2 as bigint)
where id = $3 and tariff = $4
and coalesce(tariff_until, -1) = cast($5 as bigint)
returning *;

-- earning of a payout
insert into "tolem_referral_earnings" (id, account_id, organization_id, order_id, amount, state, created_at, paid_out_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
returning *;

-- earning of a payout
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- earning of a payout
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- earning of a payout
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- earning of a payout
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- earning of a payout
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- earners
select a.*, page.accrued, page.accrued_count, (
select coalesce(cast(sum(e.amount) as bigint), 0) from "tolem_referral_earnings" e
where e.account_id = page.account_id and e.state = 'paid_out') as paid_out
from (select account_id, cast(sum(amount) as bigint) as accrued, count(*) as accrued_count
from "tolem_referral_earnings" where state = 'accrued' and account_id > $1
group by account_id order by account_id limit cast($2 as bigint)) as page
join "tolem_accounts" a on a.id = page.account_id order by page.account_id;

-- earner
select (select coalesce(json_agg(r), '[]')::text from (
select a.*, (
select coalesce(cast(sum(e.amount) as bigint), 0) from "tolem_referral_earnings" e
where e.account_id = a.id and e.state = 'accrued') as accrued, (
select coalesce(cast(sum(e.amount) as bigint), 0) from "tolem_referral_earnings" e
where e.account_id = a.id and e.state = 'paid_out') as paid_out,
(select count(*) from "tolem_referral_earnings" e where e.account_id = a.id and e.state = 'accrued') as accrued_count
from "tolem_accounts" a
where a.id = $1) as r) as "people", (select coalesce(json_agg(r), '[]')::text from (
select page.*, o.name as organization_name
from (select * from "tolem_referral_earnings" where account_id = $2 and state = 'accrued'
order by created_at, id limit cast($3 as bigint)) as page
left join "tolem_organizations" o on o.id = page.organization_id order by page.created_at, page.id) as r) as "accrued", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_payouts" where account_id = $4 order by paid_at desc, id desc limit cast($5 as bigint)) as r) as "payouts";

-- pay a referrer
select e.* from "tolem_referral_earnings" e where e.account_id = $1 and e.state = 'accrued'
order by e.created_at, e.id limit cast($2 as bigint) for update of e;

-- pay a referrer
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'referral_earnings/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_referral_earnings" t where id in (select s.id from unnest((select $1::text[] collate "C")) as s(id))
for update of t;

-- pay a referrer
update "tolem_referral_earnings" set
state = 'paid_out', paid_out_at = cast($1 as bigint), payout_id = $2
where id in (select s.id from unnest((select $3::text[] collate "C")) as s(id)) returning *;

-- pay a referrer
insert into "tolem_payouts" (id, account_id, amount, earning_count, up_to, note, paid_at) values ($1, $2, $3, $4, $5, $6, $7)
returning *;

-- pay a referrer
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- pay a referrer
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- pay a referrer
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- pay a referrer
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- pay a referrer
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- pay a referrer again
select e.* from "tolem_referral_earnings" e where e.account_id = $1 and e.state = 'accrued'
order by e.created_at, e.id limit cast($2 as bigint) for update of e;

-- pay a referrer again
select * from "tolem_payouts" where account_id = $1 and up_to = $2;

-- clients
select (select coalesce(json_agg(r), '[]')::text from (select count(*) as total from "tolem_organizations" o where o.partner_id = $1) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (select o.* from "tolem_organizations" o where o.partner_id = $2 order by o.created_at desc, o.id desc
limit cast($3 as bigint) offset cast($4 as bigint)) as r) as "organizations", (select coalesce(json_agg(r), '[]')::text from (
select organization_id, mode, status,
cast(sum(case when substr(day, 1, 7) = $5 then invoice_count else 0 end) as bigint) as month_count, cast(sum(case when substr(day, 1, 7) = $6 then amount else 0 end) as bigint) as month_amount,
cast(sum(case when substr(day, 1, 7) = $7 then refunded else 0 end) as bigint) as month_refunded,
cast(sum(invoice_count) as bigint) as count, cast(sum(amount) as bigint) as amount,
cast(sum(refunded) as bigint) as refunded
from "tolem_daily_totals" where organization_id in (select id from (select o.id from "tolem_organizations" o where o.partner_id = $8 order by o.created_at desc, o.id desc
limit cast($9 as bigint) offset cast($10 as bigint)) as chosen)
group by organization_id, mode, status having sum(invoice_count) <> 0
order by organization_id, mode, status) as r) as "totals", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_connections" where organization_id in (select id from (select o.id from "tolem_organizations" o where o.partner_id = $11 order by o.created_at desc, o.id desc
limit cast($12 as bigint) offset cast($13 as bigint)) as chosen) and status = 'active'
order by created_at, id) as r) as "connections";

-- client
select (select coalesce(json_agg(r), '[]')::text from (
select o.*, a.status as owner_status from "tolem_organizations" o
join "tolem_accounts" a on a.id = o.owner_id where o.id = $1) as r) as "organizations", (select coalesce(json_agg(r), '[]')::text from (
select organization_id, mode, status,
cast(sum(case when substr(day, 1, 7) = $2 then invoice_count else 0 end) as bigint) as month_count, cast(sum(case when substr(day, 1, 7) = $3 then amount else 0 end) as bigint) as month_amount,
cast(sum(case when substr(day, 1, 7) = $4 then refunded else 0 end) as bigint) as month_refunded,
cast(sum(invoice_count) as bigint) as count, cast(sum(amount) as bigint) as amount,
cast(sum(refunded) as bigint) as refunded
from "tolem_daily_totals" where organization_id in ($5)
group by organization_id, mode, status having sum(invoice_count) <> 0
order by organization_id, mode, status) as r) as "totals", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_connections" where organization_id = $6 order by created_at, id) as r) as "connections";

-- earned
select (select coalesce(json_agg(r), '[]')::text from (
select referral_code from "tolem_accounts" where id = $1) as r) as "accounts", (select coalesce(json_agg(r), '[]')::text from (
select o.id, o.name, o.created_at, coalesce(cast(sum(case when e.state = $2 then e.amount else 0 end) as bigint), 0) as accrued, coalesce(cast(sum(case when e.state = $3 then e.amount else 0 end) as bigint), 0) as paid_out
from "tolem_organizations" o
left join "tolem_referral_earnings" e on e.organization_id = o.id and e.account_id = $4
where o.referred_by = $5
group by o.id, o.name, o.created_at order by o.created_at, o.id) as r) as "referred";

-- earned of a partner
select (select coalesce(json_agg(r), '[]')::text from (
select referral_code from "tolem_accounts" where id = $1) as r) as "accounts", (select coalesce(json_agg(r), '[]')::text from (
select o.id, o.name, o.created_at, coalesce(cast(sum(case when e.state = $2 then e.amount else 0 end) as bigint), 0) as accrued, coalesce(cast(sum(case when e.state = $3 then e.amount else 0 end) as bigint), 0) as paid_out
from "tolem_organizations" o
left join "tolem_referral_earnings" e on e.organization_id = o.id and e.account_id = $4
where o.referred_by = $5 or o.partner_id = $6
group by o.id, o.name, o.created_at order by o.created_at, o.id) as r) as "referred";

-- note of an audit
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- note of an audit
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- note of an audit
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- note of an audit
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- note of an audit
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- journal
select * from "tolem_audit" where organization_id = $1 order by created_at desc, id desc limit cast($2 as bigint);

-- journal of some actions
select * from (select * from (select * from "tolem_audit" where (coalesce(organization_id, '') = $1 AND actor_id = $2 AND (created_at, id) < (cast($3 as bigint), $4) AND action = $5) order by created_at desc, id desc limit cast($6 as bigint)) as part union all select * from (select * from "tolem_audit" where (coalesce(organization_id, '') = $7 AND actor_id = $8 AND (created_at, id) < (cast($9 as bigint), $10) AND action = $11) order by created_at desc, id desc limit cast($12 as bigint)) as part) as parts order by created_at desc, id desc limit cast($13 as bigint);

-- journal of an actor
select * from "tolem_audit" where (organization_id = $1 AND actor_id = $2 AND created_at >= cast($3 as bigint) AND created_at <= cast($4 as bigint) AND (created_at, id) < (cast($5 as bigint), $6)) order by created_at desc, id desc limit cast($7 as bigint);

-- names of a journal
select n.id, n.name from unnest((select $1::text[] collate "C")) as s(id) join "tolem_accounts" n on n.id = s.id where n.name is not null union all select n.id, n.name from unnest((select $2::text[] collate "C")) as s(id) join "tolem_organizations" n on n.id = s.id where n.name is not null;

-- journal of all
select * from "tolem_audit" order by created_at desc, id desc limit cast($1 as bigint);

-- journal of all, behind a place
select * from "tolem_audit" where (created_at, id) < (cast($1 as bigint), $2) order by created_at desc, id desc limit cast($3 as bigint);

-- journal of all, of some actions
select * from (select * from (select * from "tolem_audit" where ((created_at, id) < (cast($1 as bigint), $2) AND action = $3) order by created_at desc, id desc limit cast($4 as bigint)) as part union all select * from (select * from "tolem_audit" where ((created_at, id) < (cast($5 as bigint), $6) AND action = $7) order by created_at desc, id desc limit cast($8 as bigint)) as part) as parts order by created_at desc, id desc limit cast($9 as bigint);

-- journal of all, of an actor
select * from "tolem_audit" where (actor_id = $1 AND (created_at, id) < (cast($2 as bigint), $3)) order by created_at desc, id desc limit cast($4 as bigint);

-- journal of all, of some actions of an actor
select * from (select * from (select * from "tolem_audit" where (actor_id = $1 AND (created_at, id) < (cast($2 as bigint), $3) AND action = $4) order by created_at desc, id desc limit cast($5 as bigint)) as part union all select * from (select * from "tolem_audit" where (actor_id = $6 AND (created_at, id) < (cast($7 as bigint), $8) AND action = $9) order by created_at desc, id desc limit cast($10 as bigint)) as part) as parts order by created_at desc, id desc limit cast($11 as bigint);

-- list of the audit log
select * from "tolem_audit" where (organization_id = $1 AND id < $2) order by id desc limit cast($3 as bigint);

-- hitMany
insert into "tolem_rate_windows" as t (window_at, key_id, kind, hits)
select window_at, key_id, kind, hits from unnest((select $1::bigint[]), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[])) as s(window_at, key_id, kind, hits) where (select set_config('synchronous_commit', 'off', true)) is not null
on conflict (window_at, key_id, kind) do update set hits = t.hits + excluded.hits
returning window_at, key_id, kind, hits;

-- takeMany
insert into "tolem_rate_windows" as t (window_at, key_id, kind, hits)
select window_at, key_id, kind, hits from unnest((select $1::bigint[]), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[])) as s(window_at, key_id, kind, hits) where true
on conflict (window_at, key_id, kind) do update set hits = t.hits + excluded.hits
returning window_at, key_id, kind, hits;

-- forget
delete from "tolem_rate_windows" where (window_at, key_id, kind) in (
select t.window_at, t.key_id, t.kind from "tolem_rate_windows" t
where t.window_at < cast($1 as bigint)
order by t.window_at limit cast($2 as bigint) for update of t skip locked)
returning hits;

-- add requests
insert into "tolem_request_hours" as t (organization_id, mode, hour_at, requests, refused, failed) select organization_id, mode, hour_at, requests, refused, failed from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[]), (select $4::bigint[]), (select $5::bigint[]), (select $6::bigint[])) as s(organization_id, mode, hour_at, requests, refused, failed)
where (select set_config('synchronous_commit', 'off', true)) is not null
on conflict (organization_id, mode, hour_at) do update set requests = t.requests + excluded.requests,
refused = t.refused + excluded.refused, failed = t.failed + excluded.failed
returning organization_id, mode, hour_at, requests, refused, failed;

-- add requests
insert into "tolem_requests" as t (organization_id, mode, place, at, request_id, key_ending, method, route, status, code, duration_ms, hour_at) select organization_id, mode, place, at, request_id, key_ending, method, route, status, code, duration_ms, hour_at from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[]), (select $4::bigint[]), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::text[] collate "C"), (select $11::bigint[]), (select $12::bigint[])) as s(organization_id, mode, place, at, request_id, key_ending, method, route, status, code, duration_ms, hour_at)
where (select set_config('synchronous_commit', 'off', true)) is not null
on conflict (organization_id, mode, hour_at, place) do update set at = excluded.at, request_id = excluded.request_id, key_ending = excluded.key_ending, method = excluded.method, route = excluded.route, status = excluded.status, code = excluded.code, duration_ms = excluded.duration_ms;

-- list requests
select organization_id, mode, place, at, request_id, key_ending, method, route, status, code, duration_ms, hour_at from "tolem_requests" where (organization_id = $1 and mode = $2 AND hour_at >= cast($3 as bigint) and at >= cast($4 as bigint))
order by at desc, place desc limit cast($5 as bigint);

-- search requests
select organization_id, mode, place, at, request_id, key_ending, method, route, status, code, duration_ms, hour_at from "tolem_requests" where (organization_id = $1 and mode = $2 AND hour_at >= cast($3 as bigint) and at >= cast($4 as bigint) AND at <= cast($5 as bigint) AND (at < cast($6 as bigint) or place < cast($7 as bigint)) AND status >= 400 AND request_id = $8)
order by at desc, place desc limit cast($9 as bigint);

-- hours of requests
select organization_id, mode, hour_at, requests, refused, failed from "tolem_request_hours" where organization_id = $1 and mode = $2
and hour_at >= cast($3 as bigint) order by hour_at;

-- forget requests
delete from "tolem_requests" where (organization_id, mode, hour_at, place) in (
select t.organization_id, t.mode, t.hour_at, t.place from "tolem_requests" t where t.hour_at < cast($1 as bigint) order by t.hour_at limit cast($2 as bigint)
for update of t skip locked)
returning place;

-- forget requests
delete from "tolem_request_hours" where (organization_id, mode, hour_at) in (
select t.organization_id, t.mode, t.hour_at from "tolem_request_hours" t where t.hour_at < cast($1 as bigint) order by t.hour_at limit cast($2 as bigint)
for update of t skip locked)
returning hour_at;

-- addEndpoint
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- addEndpoint
select count(*) as count from "tolem_endpoints"
where organization_id = $1 and mode = $2 and removed_at is null;

-- addEndpoint
insert into "tolem_endpoints" (id, organization_id, mode, connection_id, url, events, secret, previous_secret, previous_secret_until, disabled, failure_count, pause_count, paused_until, created_at, updated_at) select id, organization_id, mode, connection_id, url, events, secret, previous_secret, previous_secret_until, disabled, failure_count, pause_count, paused_until, created_at, updated_at from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[]), (select $13::bigint[]), (select $14::bigint[]), (select $15::bigint[])) as s(id, organization_id, mode, connection_id, url, events, secret, previous_secret, previous_secret_until, disabled, failure_count, pause_count, paused_until, created_at, updated_at) where true returning *;

-- addEndpoint
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- addEndpoint
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- addEndpoint
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- addEndpoint
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- addEndpoint that is not known
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- addEndpoint that is not known
select count(*) as count from "tolem_endpoints"
where organization_id = $1 and mode = $2 and removed_at is null;

-- addEndpoint that is not known
select id from "tolem_endpoints"
where organization_id = $1 and mode = $2 and removed_at is null and url = $3 and coalesce(connection_id, '') = $4;

-- endpoints
select * from "tolem_endpoints" where organization_id = $1 and mode = $2 and removed_at is null order by created_at, id;

-- organizationOf
select organization_id from "tolem_endpoints" where id = $1 and removed_at is null;

-- patchEndpoint
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'endpoints/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_endpoints" t where id = $1
for update of t;

-- patchEndpoint
update "tolem_endpoints" set
url = coalesce($1, url),
events = coalesce($2, events),
disabled = coalesce(cast($3 as bigint), disabled),
secret = coalesce($4, secret),
previous_secret = case cast($5 as bigint) when 1 then $6 else previous_secret end,
previous_secret_until = case cast($7 as bigint)
when 1 then cast($8 as bigint) else previous_secret_until end,
updated_at = cast($9 as bigint)
where id = $10 and organization_id = $11 and mode = $12 and removed_at is null
returning *;

-- patchEndpoint
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- patchEndpoint
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- patchEndpoint
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- patchEndpoint
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- removeEndpoint
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'endpoints/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_endpoints" t where id = $1
for update of t;

-- removeEndpoint
update "tolem_endpoints" set removed_at = cast($1 as bigint), updated_at = cast($2 as bigint),
secret = '', previous_secret = null, previous_secret_until = null
where id = $3 and organization_id = $4 and mode = $5 and removed_at is null
returning *;

-- removeEndpoint
update "tolem_deliveries" set
status = 'failed', completed_at = cast($1 as bigint), lease = null, starts = 0
where endpoint_id = $2 and status = 'pending';

-- removeEndpoint
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- removeEndpoint
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- removeEndpoint
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- removeEndpoint
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- insertMany, created
with written as (
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[]), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::text[] collate "C"), (select $16::text[] collate "C"), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::text[] collate "C"), (select $20::text[] collate "C"), (select $21::text[] collate "C"), (select $22::text[] collate "C"), (select $23::text[] collate "C"), (select $24::text[] collate "C"), (select $25::text[] collate "C"), (select $26::text[] collate "C"), (select $27::bigint[]), (select $28::bigint[]), (select $29::bigint[]), (select $30::bigint[]), (select $31::bigint[]), (select $32::text[] collate "C"), (select $33::bigint[]), (select $34::bigint[]), (select $35::bigint[]), (select $36::bigint[]), (select $37::bigint[]), (select $38::text[] collate "C"), (select $39::text[] collate "C"), (select $40::text[] collate "C")) as s(id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal)
where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id, organization_id, mode, connection_id, status, day, amount, refunded, kind, origin
), told as (
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced)
select e.invoice_id, e.sequence, e.id, e.organization_id, e.type, e.from_status, e.to_status, e.source, e.refunded, e.late, e.created_at, e.announced from unnest((select $41::text[] collate "C"), (select $42::bigint[]), (select $43::text[] collate "C"), (select $44::text[] collate "C"), (select $45::text[] collate "C"), (select $46::text[] collate "C"), (select $47::text[] collate "C"), (select $48::text[] collate "C"), (select $49::bigint[]), (select $50::bigint[]), (select $51::bigint[]), (select $52::bigint[])) as e(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced)
join written on written.id = e.invoice_id
), counted as (insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, coalesce(connection_id, ''), status, day, shard, kind, source,
count(*), cast(sum(amount) as bigint), cast(sum(refunded) as bigint)
from (
select organization_id, mode, connection_id, status, day, amount, refunded, kind,
case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, cast(0 as bigint) + cast(10000000 as bigint) *
(case kind when 'phone' then 4 else 0 end + case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 2 when 'payment-' then 3
when 'form-hoo' then 4 else 1 end) as shard
from written
) as counted
group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6 on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded) select id from written;

-- insertMany, sandbox counted
insert into "tolem_usage" as t (organization_id, period, used)
select organization_id, period, used from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[])) as s(organization_id, period, used) where true
on conflict (organization_id, period) do update set used = t.used + excluded.used
returning organization_id, period, used;

-- insertMany, sandbox counted
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[]), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::text[] collate "C"), (select $16::text[] collate "C"), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::text[] collate "C"), (select $20::text[] collate "C"), (select $21::text[] collate "C"), (select $22::text[] collate "C"), (select $23::text[] collate "C"), (select $24::text[] collate "C"), (select $25::text[] collate "C"), (select $26::text[] collate "C"), (select $27::bigint[]), (select $28::bigint[]), (select $29::bigint[]), (select $30::bigint[]), (select $31::bigint[]), (select $32::text[] collate "C"), (select $33::bigint[]), (select $34::bigint[]), (select $35::bigint[]), (select $36::bigint[]), (select $37::bigint[]), (select $38::text[] collate "C"), (select $39::text[] collate "C"), (select $40::text[] collate "C")) as s(id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal) where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing returning id;

-- insertMany, sandbox counted
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) where true returning id;

-- insertMany, sandbox counted
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- insertMany, of a link
select l.id, l.max_payments from unnest((select $1::text[] collate "C")) as s(id) join "tolem_payment_links" l on l.id = s.id
where l.max_payments is not null order by l.id for update of l;

-- insertMany, of a link
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[]), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::text[] collate "C"), (select $16::text[] collate "C"), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::text[] collate "C"), (select $20::text[] collate "C"), (select $21::text[] collate "C"), (select $22::text[] collate "C"), (select $23::text[] collate "C"), (select $24::text[] collate "C"), (select $25::text[] collate "C"), (select $26::text[] collate "C"), (select $27::bigint[]), (select $28::bigint[]), (select $29::bigint[]), (select $30::bigint[]), (select $31::bigint[]), (select $32::text[] collate "C"), (select $33::bigint[]), (select $34::bigint[]), (select $35::bigint[]), (select $36::bigint[]), (select $37::bigint[]), (select $38::text[] collate "C"), (select $39::text[] collate "C"), (select $40::text[] collate "C")) as s(id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal) where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing returning id;

-- insertMany, of a link
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) where true returning id;

-- insertMany, of a link
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- insertMany, of a link
insert into "tolem_link_totals" as t (link_id, shard, made, held, paid, paid_amount, refunded)
select link_id, shard, made, held, paid, paid_amount, refunded from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[]), (select $4::bigint[]), (select $5::bigint[]), (select $6::bigint[]), (select $7::bigint[])) as s(link_id, shard, made, held, paid, paid_amount, refunded) where true
on conflict (link_id, shard) do update set made = t.made + excluded.made, held = t.held + excluded.held, paid = t.paid + excluded.paid, paid_amount = t.paid_amount + excluded.paid_amount, refunded = t.refunded + excluded.refunded;

-- insertMany, counted
insert into "tolem_usage" as t (organization_id, period, used)
select organization_id, period, used from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[])) as s(organization_id, period, used) where true
on conflict (organization_id, period) do update set used = t.used + excluded.used
returning organization_id, period, used;

-- insertMany, counted
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[]), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::text[] collate "C"), (select $16::text[] collate "C"), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::text[] collate "C"), (select $20::text[] collate "C"), (select $21::text[] collate "C"), (select $22::text[] collate "C"), (select $23::text[] collate "C"), (select $24::text[] collate "C"), (select $25::text[] collate "C"), (select $26::text[] collate "C"), (select $27::bigint[]), (select $28::bigint[]), (select $29::bigint[]), (select $30::bigint[]), (select $31::bigint[]), (select $32::text[] collate "C"), (select $33::bigint[]), (select $34::bigint[]), (select $35::bigint[]), (select $36::bigint[]), (select $37::bigint[]), (select $38::text[] collate "C"), (select $39::text[] collate "C"), (select $40::text[] collate "C")) as s(id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal) where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing returning id;

-- insertMany, counted
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) where true returning id;

-- insertMany, counted
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- insertMany, replayed
with written as (
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[]), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::text[] collate "C"), (select $16::text[] collate "C"), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::text[] collate "C"), (select $20::text[] collate "C"), (select $21::text[] collate "C"), (select $22::text[] collate "C"), (select $23::text[] collate "C"), (select $24::text[] collate "C"), (select $25::text[] collate "C"), (select $26::text[] collate "C"), (select $27::bigint[]), (select $28::bigint[]), (select $29::bigint[]), (select $30::bigint[]), (select $31::bigint[]), (select $32::text[] collate "C"), (select $33::bigint[]), (select $34::bigint[]), (select $35::bigint[]), (select $36::bigint[]), (select $37::bigint[]), (select $38::text[] collate "C"), (select $39::text[] collate "C"), (select $40::text[] collate "C")) as s(id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal)
where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id, organization_id, mode, connection_id, status, day, amount, refunded, kind, origin
), told as (
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced)
select e.invoice_id, e.sequence, e.id, e.organization_id, e.type, e.from_status, e.to_status, e.source, e.refunded, e.late, e.created_at, e.announced from unnest((select $41::text[] collate "C"), (select $42::bigint[]), (select $43::text[] collate "C"), (select $44::text[] collate "C"), (select $45::text[] collate "C"), (select $46::text[] collate "C"), (select $47::text[] collate "C"), (select $48::text[] collate "C"), (select $49::bigint[]), (select $50::bigint[]), (select $51::bigint[]), (select $52::bigint[])) as e(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced)
join written on written.id = e.invoice_id
), counted as (insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, coalesce(connection_id, ''), status, day, shard, kind, source,
count(*), cast(sum(amount) as bigint), cast(sum(refunded) as bigint)
from (
select organization_id, mode, connection_id, status, day, amount, refunded, kind,
case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, cast(0 as bigint) + cast(10000000 as bigint) *
(case kind when 'phone' then 4 else 0 end + case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 2 when 'payment-' then 3
when 'form-hoo' then 4 else 1 end) as shard
from written
) as counted
group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6 on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded) select id from written;

-- insertMany, replayed
select i.* from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C")) as s(organization_id, mode, idempotency_key)
join "tolem_invoices" i on i.organization_id = s.organization_id and i.mode = s.mode
and i.idempotency_key = s.idempotency_key;

-- find
select * from "tolem_invoices" where id = $1;

-- findKey
select * from "tolem_invoices"
where organization_id = $1 and mode = $2 and idempotency_key = $3;

-- list
with counted as (
select cast(coalesce(sum(invoice_count), 0) as bigint) as total from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2))
select page.*, counted.total from counted left join (select * from (select i.* from "tolem_invoices" i
where (i.organization_id = $3 AND i.mode = $4 AND cast($5 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit 200) as few
order by created_at desc, id desc limit cast($6 as bigint)) as page on true
order by page.created_at desc, page.id desc;

-- list of statuses
with counted as (
select cast(coalesce(sum(invoice_count), 0) as bigint) as total from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND i.status in ($3,$4)))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (select * from (select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $5 AND i.mode = $6 AND i.status in ($7) AND cast($8 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit 200) as few
order by created_at desc, id desc limit cast($9 as bigint)) as newest union all select * from (select * from (select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $10 AND i.mode = $11 AND i.status in ($12) AND cast($13 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit 200) as few
order by created_at desc, id desc limit cast($14 as bigint)) as newest) as candidates
order by created_at desc, id desc
limit cast($15 as bigint) offset cast($16 as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of a cashier
with counted as (
select cast(coalesce(sum(invoice_count), 0) as bigint) as total from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND i.connection_id = $3))
select page.*, counted.total from counted left join (select * from (select i.* from "tolem_invoices" i
where (i.organization_id = $4 AND i.mode = $5 AND i.connection_id = $6 AND cast($7 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit 200) as few
order by created_at desc, id desc limit cast($8 as bigint)) as page on true
order by page.created_at desc, page.id desc;

-- list of an order
with counted as (
select count(*) as total from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.external_order_id = $3))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $4 AND i.mode = $5 AND i.external_order_id = $6 AND cast($7 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast($8 as bigint)) as newest) as candidates
order by created_at desc, id desc
limit cast($9 as bigint) offset cast($10 as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of a time and a status
with counted as (
select count(*) as total from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.created_at >= cast($3 as bigint) AND i.created_at <= cast($4 as bigint) AND i.status in ($5)))
select page.*, counted.total from counted left join (select * from (select i.* from "tolem_invoices" i
where (i.organization_id = $6 AND i.mode = $7 AND i.created_at >= cast($8 as bigint) AND i.created_at <= cast($9 as bigint) AND i.status in ($10) AND cast($11 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit 200) as few
order by created_at desc, id desc limit cast($12 as bigint)) as page on true
order by page.created_at desc, page.id desc;

-- list of a search
with matched as materialized (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.search_text like $3)
limit 1001
), counted as (select count(*) as total from matched)
select page.*, counted.total from counted left join (
select i.* from (
select id from matched order by created_at desc, id desc
limit cast($4 as bigint) offset cast($5 as bigint)
) as chosen join "tolem_invoices" i on i.id = chosen.id
) as page on true
order by page.created_at desc, page.id desc;

-- list of a search for a long number
with matched as materialized (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND (("tolem_search_keys"(i.search_text) operator(pg_catalog.&&) "tolem_search_keys"($3) AND i.search_text like $4 AND i.search_text like $5 AND (i.search_text || '') like $6)))
limit 1001
), counted as (select count(*) as total from matched)
select page.*, counted.total from counted left join (
select i.* from (
select id from matched order by created_at desc, id desc
limit cast($7 as bigint) offset cast($8 as bigint)
) as chosen join "tolem_invoices" i on i.id = chosen.id
) as page on true
order by page.created_at desc, page.id desc;

-- claim of invoices
delete from "tolem_invoice_leases" where id = any(array(
select old.id from "tolem_invoice_leases" old left join "tolem_invoices" d on d.id = old.id
where d.due_at is null or d.due_at <> old.due_at
order by old.until limit 1000 for update of old skip locked)) and (select set_config('synchronous_commit', 'off', true)) is not null;

-- claim of invoices
with due as (
select d.id from "tolem_invoices" d
where d.due_at <= cast($1 as bigint) and not exists (
select 1 from "tolem_invoice_leases" l
where l.id = d.id and l.due_at = d.due_at and l.until > cast($2 as bigint)
)
order by d.due_at limit cast($3 as bigint) for update of d skip locked), taken as (
insert into "tolem_invoice_leases" as l (id, due_at, until)
select d.id, d.due_at, cast($4 as bigint) from "tolem_invoices" d
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
on conflict (id) do update set due_at = excluded.due_at, until = excluded.until
where l.due_at <> excluded.due_at or l.until <= cast($5 as bigint)
returning id)
select d.* from "tolem_invoices" d where d.id = any(array(select id from taken));

-- claim of invoices
update "tolem_invoice_leases" as l set until = cast($1 as bigint)
from unnest((select $2::text[] collate "C")) as s(id)
where l.id = s.id and l.until = cast($3 as bigint);

-- claim of invoices that ask nothing
with due as (
select d.id from "tolem_invoices" d
where d.due_at <= cast($1 as bigint) and not exists (
select 1 from "tolem_invoice_leases" l
where l.id = d.id and l.due_at = d.due_at and l.until > cast($2 as bigint)
) and (d.mode = 'sandbox' or (d.making = 'waits' and
(coalesce(d.origin, '') <> 'transaction' or d.valid_until <= cast($3 as bigint))))
order by d.due_at limit cast($4 as bigint) for update of d skip locked), taken as (
insert into "tolem_invoice_leases" as l (id, due_at, until)
select d.id, d.due_at, cast($5 as bigint) from "tolem_invoices" d
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
on conflict (id) do update set due_at = excluded.due_at, until = excluded.until
where l.due_at <> excluded.due_at or l.until <= cast($6 as bigint)
returning id)
select d.* from "tolem_invoices" d where d.id = any(array(select id from taken));

-- rescheduleMany
update "tolem_invoices" as i set due_at = s.due_at, provider_status = s.provider_status
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[]), (select $4::text[] collate "C")) as s(id, version, due_at, provider_status) where i.id = s.id and i.version = s.version;

-- commitMany, paid
select i.* from unnest((select $1::text[] collate "C")) as s(id)
join "tolem_invoices" i on i.id = s.id
order by i.id for update of i;

-- commitMany, paid
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_events" e on e.invoice_id = s.id;

-- commitMany, paid
select r.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_refunds" r on r.invoice_id = s.id;

-- commitMany, paid
insert into "tolem_receipt_counters" as t (organization_id, value)
select organization_id, value from unnest((select $1::text[] collate "C"), (select $2::bigint[])) as s(organization_id, value) where true
on conflict (organization_id) do update set value = t.value + excluded.value
returning organization_id, value;

-- commitMany, paid
insert into "tolem_deliveries" (
id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence,
status, attempt_count, due_at, ready_at, lease, created_at, completed_at
)
select
'dlv_' || substr(s.id, 5) || '_' || substr(e.id, 5), e.id, s.organization_id, s.mode, s.type, s.invoice_id,
s.id, s.sequence, 'pending', 0, s.ready_at, s.ready_at, null, s.ready_at, null
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[]), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced, mode, connection_id, ready_at)
join "tolem_endpoints" e on e.organization_id = s.organization_id and e.mode = s.mode
where e.disabled = 0 and e.removed_at is null
and (e.connection_id is null or e.connection_id = s.connection_id)
and (e.events = '' or strpos(e.events, ',' || s.type || ',') > 0)
order by e.id for share of e
returning event_id;

-- commitMany, paid
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, idempotency_key = s.idempotency_key, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, making = s.making, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, counted_on = s.counted_on, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, scanned_at = s.scanned_at, search_text = s.search_text, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[]), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::bigint[]), (select $14::bigint[]), (select $15::bigint[]), (select $16::text[] collate "C"), (select $17::bigint[]), (select $18::bigint[]), (select $19::bigint[]), (select $20::bigint[]), (select $21::bigint[]), (select $22::text[] collate "C"), (select $23::text[] collate "C")) as s(id, connection_id, status, refunded, idempotency_key, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, expires_at, paid_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, search_text, seal) where i.id = s.id;

-- commitMany, paid
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) where true;

-- commitMany, paid
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- commitMany, refunded
select i.* from unnest((select $1::text[] collate "C")) as s(id)
join "tolem_invoices" i on i.id = s.id
order by i.id for update of i;

-- commitMany, refunded
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_events" e on e.invoice_id = s.id;

-- commitMany, refunded
select r.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_refunds" r on r.invoice_id = s.id;

-- commitMany, refunded
insert into "tolem_deliveries" (
id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence,
status, attempt_count, due_at, ready_at, lease, created_at, completed_at
)
select
'dlv_' || substr(s.id, 5) || '_' || substr(e.id, 5), e.id, s.organization_id, s.mode, s.type, s.invoice_id,
s.id, s.sequence, 'pending', 0, s.ready_at, s.ready_at, null, s.ready_at, null
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[]), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced, mode, connection_id, ready_at)
join "tolem_endpoints" e on e.organization_id = s.organization_id and e.mode = s.mode
where e.disabled = 0 and e.removed_at is null
and (e.connection_id is null or e.connection_id = s.connection_id)
and (e.events = '' or strpos(e.events, ',' || s.type || ',') > 0)
order by e.id for share of e
returning event_id;

-- commitMany, refunded
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, idempotency_key = s.idempotency_key, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, making = s.making, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, counted_on = s.counted_on, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, scanned_at = s.scanned_at, search_text = s.search_text, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[]), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::bigint[]), (select $14::bigint[]), (select $15::bigint[]), (select $16::text[] collate "C"), (select $17::bigint[]), (select $18::bigint[]), (select $19::bigint[]), (select $20::bigint[]), (select $21::bigint[]), (select $22::text[] collate "C"), (select $23::text[] collate "C")) as s(id, connection_id, status, refunded, idempotency_key, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, expires_at, paid_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, search_text, seal) where i.id = s.id;

-- commitMany, refunded
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) where true;

-- commitMany, refunded
insert into "tolem_refunds" (id, invoice_id, organization_id, amount, status, reason, idempotency_key, fingerprint, provider_reference, created_at, completed_at) select id, invoice_id, organization_id, amount, status, reason, idempotency_key, fingerprint, provider_reference, created_at, completed_at from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[]), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::bigint[]), (select $11::bigint[])) as s(id, invoice_id, organization_id, amount, status, reason, idempotency_key, fingerprint, provider_reference, created_at, completed_at) where true on conflict (id) do update set status = excluded.status, reason = excluded.reason, provider_reference = excluded.provider_reference, completed_at = excluded.completed_at;

-- commitMany, refunded
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- recount, of a visitor
select l.id, l.max_payments from unnest((select $1::text[] collate "C")) as s(id) join "tolem_payment_links" l on l.id = s.id
where l.max_payments is not null order by l.id for update of l;

-- recount, of a visitor
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[]), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::text[] collate "C"), (select $16::text[] collate "C"), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::text[] collate "C"), (select $20::text[] collate "C"), (select $21::text[] collate "C"), (select $22::text[] collate "C"), (select $23::text[] collate "C"), (select $24::text[] collate "C"), (select $25::text[] collate "C"), (select $26::text[] collate "C"), (select $27::bigint[]), (select $28::bigint[]), (select $29::bigint[]), (select $30::bigint[]), (select $31::bigint[]), (select $32::text[] collate "C"), (select $33::bigint[]), (select $34::bigint[]), (select $35::bigint[]), (select $36::bigint[]), (select $37::bigint[]), (select $38::text[] collate "C"), (select $39::text[] collate "C"), (select $40::text[] collate "C")) as s(id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal) where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing returning id;

-- recount, of a visitor
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) where true returning id;

-- recount, of a visitor
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- recount, of a visitor
insert into "tolem_link_totals" as t (link_id, shard, made, held, paid, paid_amount, refunded)
select link_id, shard, made, held, paid, paid_amount, refunded from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[]), (select $4::bigint[]), (select $5::bigint[]), (select $6::bigint[]), (select $7::bigint[])) as s(link_id, shard, made, held, paid, paid_amount, refunded) where true
on conflict (link_id, shard) do update set made = t.made + excluded.made, held = t.held + excluded.held, paid = t.paid + excluded.paid, paid_amount = t.paid_amount + excluded.paid_amount, refunded = t.refunded + excluded.refunded;

-- recount, of a visitor
insert into "tolem_usage" as t (organization_id, period, used)
select organization_id, period, used from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[])) as s(organization_id, period, used) where true
on conflict (organization_id, period) do update set used = t.used + excluded.used
returning organization_id, period, used;

-- recount, of a visitor
select i.* from unnest((select $1::text[] collate "C")) as s(id)
join "tolem_invoices" i on i.id = s.id
order by i.id for update of i;

-- recount, of a visitor
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_events" e on e.invoice_id = s.id;

-- recount, of a visitor
select r.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_refunds" r on r.invoice_id = s.id;

-- recount, of a visitor
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, idempotency_key = s.idempotency_key, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, making = s.making, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, counted_on = s.counted_on, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, scanned_at = s.scanned_at, search_text = s.search_text, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[]), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::bigint[]), (select $14::bigint[]), (select $15::bigint[]), (select $16::text[] collate "C"), (select $17::bigint[]), (select $18::bigint[]), (select $19::bigint[]), (select $20::bigint[]), (select $21::bigint[]), (select $22::text[] collate "C"), (select $23::text[] collate "C")) as s(id, connection_id, status, refunded, idempotency_key, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, expires_at, paid_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, search_text, seal) where i.id = s.id;

-- recount, of a visitor
select count(*) as unpaid from (
select 1 as one from "tolem_invoices"
where organization_id = $1 and counted_on >= $2 and counted_on <= $3
and mode = 'live' and paid_at is null and (substr(origin, 1, 13) = 'payment-link/' or substr(origin, 1, 10) = 'form-hook/')
limit cast($4 as bigint)
) as counted;

-- recount
insert into "tolem_usage" as t (organization_id, period, used)
select organization_id, period, used from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[])) as s(organization_id, period, used) where true
on conflict (organization_id, period) do update set used = t.used + excluded.used
returning organization_id, period, used;

-- recount
select i.* from unnest((select $1::text[] collate "C")) as s(id)
join "tolem_invoices" i on i.id = s.id
order by i.id for update of i;

-- recount
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_events" e on e.invoice_id = s.id;

-- recount
select r.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_refunds" r on r.invoice_id = s.id;

-- recount
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, idempotency_key = s.idempotency_key, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, making = s.making, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, counted_on = s.counted_on, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, scanned_at = s.scanned_at, search_text = s.search_text, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[]), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::bigint[]), (select $14::bigint[]), (select $15::bigint[]), (select $16::text[] collate "C"), (select $17::bigint[]), (select $18::bigint[]), (select $19::bigint[]), (select $20::bigint[]), (select $21::bigint[]), (select $22::text[] collate "C"), (select $23::text[] collate "C")) as s(id, connection_id, status, refunded, idempotency_key, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, expires_at, paid_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, search_text, seal) where i.id = s.id;

-- recount
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) where true;

-- recount
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- details
select (select coalesce(json_agg(r), '[]')::text from (
select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id) as r) as "invoices", (select coalesce(json_agg(r), '[]')::text from (
select e.* from unnest((select $2::text[] collate "C")) as s(id) join "tolem_events" e on e.invoice_id = s.id order by e.invoice_id, e.sequence) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (
select r.* from unnest((select $3::text[] collate "C")) as s(id) join "tolem_refunds" r on r.invoice_id = s.id order by r.created_at, r.id) as r) as "refunds";

-- versions
select i.id, i.version from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id;

-- history
select (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_events"
where invoice_id = $1 and organization_id = $2 order by sequence) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_refunds"
where invoice_id = $3 and organization_id = $4 order by created_at, id) as r) as "refunds";

-- findSold
select i.*, o.name as seller_name, o.legal_name as seller_legal_name, o.idn as seller_idn,
o.face as seller_face, o.logo as seller_logo
from "tolem_invoices" i left join "tolem_organizations" o on o.id = i.organization_id
where i.id = $1;

-- findRefund
select * from "tolem_refunds" where id = $1;

-- addDelivery
insert into "tolem_deliveries" (id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at) select id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::bigint[]), (select $9::text[] collate "C"), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[]), (select $13::bigint[]), (select $14::bigint[])) as s(id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at)
where exists (
select 1 from "tolem_endpoints" d
where d.id = s.endpoint_id and d.removed_at is null for share of d)
and (s.kind = 'webhook.test' or exists (
select 1 from "tolem_events" e join "tolem_invoices" i on i.id = e.invoice_id
where e.invoice_id = s.invoice_id and e.sequence = s.sequence and e.id = s.event_id for share of i))
returning id;

-- deliveries
select (select coalesce(json_agg(r), '[]')::text from (
select count(*) as total from "tolem_deliveries" where endpoint_id = $1) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_deliveries" where endpoint_id = $2 order by created_at desc, id desc
limit cast($3 as bigint) offset cast($4 as bigint)) as r) as "page";

-- deliveries of a status
select (select coalesce(json_agg(r), '[]')::text from (
select count(*) as total from "tolem_deliveries" where endpoint_id = $1 and status = 'pending') as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_deliveries" where endpoint_id = $2 and status = 'pending' order by created_at desc, id desc
limit cast($3 as bigint) offset cast($4 as bigint)) as r) as "page";

-- delivery
select (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_deliveries" where id = $1 and endpoint_id = $2) as r) as "deliveries", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_attempts" where delivery_id = $3 order by number) as r) as "attempts";

-- dueOf
select * from (
select e.id, e.organization_id, e.mode,
(select min(d.due_at) from "tolem_deliveries" d
where d.status = 'pending' and d.starts = 0 and d.endpoint_id = e.id) as due_at
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(organization_id, mode) cross join lateral (select e.* from "tolem_endpoints" e where e.organization_id = s.organization_id and e.mode = s.mode and
e.disabled = 0 and e.removed_at is null and (e.paused_until is null or e.paused_until <= cast($3 as bigint)) offset 0) as e
) as looked where due_at <= cast($4 as bigint);

-- due
with recursive looked(id, n) as (
select (select min(d.endpoint_id) from "tolem_deliveries" d
where d.status = 'pending' and d.starts = 0 and d.endpoint_id > $1), 1
union all
select (select min(d.endpoint_id) from "tolem_deliveries" d
where d.status = 'pending' and d.starts = 0 and d.endpoint_id > looked.id), looked.n + 1
from looked where looked.id is not null and looked.n < cast($2 as bigint)
)
select looked.id, e.organization_id, e.mode,
(select min(d.due_at) from "tolem_deliveries" d
where d.status = 'pending' and d.starts = 0 and d.endpoint_id = looked.id) as due_at
from looked left join "tolem_endpoints" e on e.id = looked.id and
e.disabled = 0 and e.removed_at is null and (e.paused_until is null or e.paused_until <= cast($3 as bigint))
order by looked.n;

-- claim of deliveries, and release
with due as (select d.id from unnest((select $1::text[] collate "C")) as s(id) cross join lateral (
select own.id from "tolem_deliveries" own
where own.endpoint_id = s.id and own.status = 'pending' and own.starts = 0
and own.due_at <= cast($2 as bigint) and (own.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = own.endpoint_id
and earlier.invoice_id = own.invoice_id and earlier.sequence < own.sequence
))
order by own.due_at limit cast($3 as bigint) for update of own skip locked) as d)
update "tolem_deliveries" as d set
due_at = cast($4 as bigint), lease = $5, starts = d.starts + 1
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
returning id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at, starts;

-- claim of deliveries, and release
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_endpoints" e on e.id = s.id;

-- claim of deliveries, and release
select e.* from unnest((select $1::text[] collate "C"), (select $2::bigint[])) as s(invoice_id, sequence)
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- claim of deliveries, and release
select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id;

-- claim of deliveries, and release
update "tolem_deliveries" as d set due_at = cast($1 as bigint), lease = null, starts = d.starts - 1
from unnest((select $2::text[] collate "C"), (select $3::text[] collate "C")) as s(id, lease)
where d.id = s.id and d.lease = s.lease;

-- reclaim of deliveries
with due as (select d.id from unnest((select $1::text[] collate "C")) as s(id) cross join lateral (
select own.id from "tolem_deliveries" own
where own.endpoint_id = s.id and own.status = 'pending' and own.starts = 0
and own.due_at <= cast($2 as bigint) and (own.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = own.endpoint_id
and earlier.invoice_id = own.invoice_id and earlier.sequence < own.sequence
))
order by own.due_at limit cast($3 as bigint) for update of own skip locked) as d)
update "tolem_deliveries" as d set
due_at = cast($4 as bigint), lease = $5, starts = d.starts + 1
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
returning id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at, starts;

-- reclaim of deliveries
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_endpoints" e on e.id = s.id;

-- reclaim of deliveries
select e.* from unnest((select $1::text[] collate "C"), (select $2::bigint[])) as s(invoice_id, sequence)
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- reclaim of deliveries
select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id;

-- reclaim of deliveries
with due as (
select d.id from "tolem_deliveries" d where d.id = any(array(
select * from (
select own.id from "tolem_deliveries" own join "tolem_endpoints" e on e.id = own.endpoint_id
where own.status = 'pending' and own.starts > 0 and own.starts = cast($1 as bigint) and own.due_at <= cast($2 as bigint)
and
e.disabled = 0 and e.removed_at is null and (e.paused_until is null or e.paused_until <= cast($3 as bigint)) and (own.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = own.endpoint_id
and earlier.invoice_id = own.invoice_id and earlier.sequence < own.sequence
))
order by own.due_at limit cast($4 as bigint)
) as part union all
select * from (
select own.id from "tolem_deliveries" own join "tolem_endpoints" e on e.id = own.endpoint_id
where own.status = 'pending' and own.starts > 0 and own.starts = cast($5 as bigint) and own.due_at <= cast($6 as bigint)
and
e.disabled = 0 and e.removed_at is null and (e.paused_until is null or e.paused_until <= cast($7 as bigint)) and (own.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = own.endpoint_id
and earlier.invoice_id = own.invoice_id and earlier.sequence < own.sequence
))
order by own.due_at limit cast($8 as bigint)
) as part union all
select * from (
select own.id from "tolem_deliveries" own join "tolem_endpoints" e on e.id = own.endpoint_id
where own.status = 'pending' and own.starts > 0 and own.starts > cast($9 as bigint) and own.due_at <= cast($10 as bigint)
and
e.disabled = 0 and e.removed_at is null and (e.paused_until is null or e.paused_until <= cast($11 as bigint)) and (own.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = own.endpoint_id
and earlier.invoice_id = own.invoice_id and earlier.sequence < own.sequence
))
order by own.due_at limit cast($12 as bigint)
) as part))
and d.status = 'pending' and d.starts > 0 and d.due_at <= cast($13 as bigint)
for update of d skip locked)
update "tolem_deliveries" as d set
due_at = cast($14 as bigint), lease = $15, starts = d.starts + 1
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
returning id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at, starts;

-- reclaim of deliveries
update "tolem_deliveries" as d set due_at = cast($1 as bigint), lease = null, starts = d.starts - 1
from unnest((select $2::text[] collate "C"), (select $3::text[] collate "C")) as s(id, lease)
where d.id = s.id and d.lease = s.lease;

-- reclaim of deliveries
with due as (
select d.id from "tolem_deliveries" d where d.id = any(array(
select * from (
select own.id from "tolem_deliveries" own join "tolem_endpoints" e on e.id = own.endpoint_id
where own.status = 'pending' and own.starts > 0 and own.starts > cast($1 as bigint) and own.due_at <= cast($2 as bigint)
and
e.disabled = 0 and e.removed_at is null and (e.paused_until is null or e.paused_until <= cast($3 as bigint)) and (own.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = own.endpoint_id
and earlier.invoice_id = own.invoice_id and earlier.sequence < own.sequence
))
order by own.due_at limit cast($4 as bigint)
) as part))
and d.status = 'pending' and d.starts > 0 and d.due_at <= cast($5 as bigint)
for update of d skip locked)
update "tolem_deliveries" as d set
due_at = cast($6 as bigint), lease = $7, starts = d.starts + 1
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
returning id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at, starts;

-- settleMany, pausing
with due as (select d.id from unnest((select $1::text[] collate "C")) as s(id) cross join lateral (
select own.id from "tolem_deliveries" own
where own.endpoint_id = s.id and own.status = 'pending' and own.starts = 0
and own.due_at <= cast($2 as bigint) and (own.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = own.endpoint_id
and earlier.invoice_id = own.invoice_id and earlier.sequence < own.sequence
))
order by own.due_at limit cast($3 as bigint) for update of own skip locked) as d)
update "tolem_deliveries" as d set
due_at = cast($4 as bigint), lease = $5, starts = d.starts + 1
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
returning id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at, starts;

-- settleMany, pausing
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_endpoints" e on e.id = s.id;

-- settleMany, pausing
select e.* from unnest((select $1::text[] collate "C"), (select $2::bigint[])) as s(invoice_id, sequence)
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- settleMany, pausing
select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id;

-- settleMany, pausing
select e.id, e.failure_count, e.pause_count, e.paused_until from unnest((select $1::text[] collate "C")) as s(id)
join "tolem_endpoints" e on e.id = s.id
order by e.id for update of e;

-- settleMany, pausing
select d.id, d.lease
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(id, lease)
join "tolem_deliveries" d on d.id = s.id and d.lease = s.lease
order by d.id for update of d;

-- settleMany, pausing
insert into "tolem_attempts" (number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id) select number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C")) as s(number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id) where true;

-- settleMany, pausing
update "tolem_deliveries" as d set
status = s.status, attempt_count = s.attempt_count, lease = null, starts = 0, completed_at = s.completed_at,
due_at = coalesce(s.due_at, d.due_at), ready_at = coalesce(s.due_at, d.ready_at)
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[]), (select $4::bigint[]), (select $5::bigint[])) as s(id, status, attempt_count, due_at, completed_at)
where d.id = s.id;

-- settleMany, pausing
update "tolem_endpoints" as e set
failure_count = s.failure_count, pause_count = s.pause_count, paused_until = s.paused_until
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[]), (select $4::bigint[])) as s(id, failure_count, pause_count, paused_until)
where e.id = s.id;

-- takeProbe
update "tolem_endpoints" set paused_until = cast($1 as bigint)
where id = $2 and paused_until = cast($3 as bigint) and removed_at is null
returning id;

-- settleMany, lifting
with due as (select d.id from unnest((select $1::text[] collate "C")) as s(id) cross join lateral (
select own.id from "tolem_deliveries" own
where own.endpoint_id = s.id and own.status = 'pending' and own.starts = 0
and own.due_at <= cast($2 as bigint) and (own.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = own.endpoint_id
and earlier.invoice_id = own.invoice_id and earlier.sequence < own.sequence
))
order by own.due_at limit cast($3 as bigint) for update of own skip locked) as d)
update "tolem_deliveries" as d set
due_at = cast($4 as bigint), lease = $5, starts = d.starts + 1
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
returning id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at, starts;

-- settleMany, lifting
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_endpoints" e on e.id = s.id;

-- settleMany, lifting
select e.* from unnest((select $1::text[] collate "C"), (select $2::bigint[])) as s(invoice_id, sequence)
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- settleMany, lifting
select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id;

-- settleMany, lifting
with arrived as materialized (
select * from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::bigint[]), (select $15::bigint[])) as s(number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id, endpoint_id, lease, settled_status, attempt_count, completed_at)
), settled as (
update "tolem_deliveries" as d set
status = s.settled_status, attempt_count = s.attempt_count, lease = null, starts = 0,
completed_at = s.completed_at
from arrived s
where d.id = s.delivery_id and d.lease = s.lease and not exists (
select 1 from "tolem_endpoints" e where e.id = any(array(select endpoint_id from arrived))
and (e.failure_count <> 0 or e.pause_count <> 0 or e.paused_until is not null)
)
returning d.id
), logged as (
insert into "tolem_attempts" (number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id)
select number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id from arrived join settled on settled.id = arrived.delivery_id
)
select id from settled;

-- settleMany, lifting
select e.id, e.failure_count, e.pause_count, e.paused_until from unnest((select $1::text[] collate "C")) as s(id)
join "tolem_endpoints" e on e.id = s.id
order by e.id for update of e;

-- settleMany, lifting
select d.id, d.lease
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(id, lease)
join "tolem_deliveries" d on d.id = s.id and d.lease = s.lease
order by d.id for update of d;

-- settleMany, lifting
insert into "tolem_attempts" (number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id) select number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C")) as s(number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id) where true;

-- settleMany, lifting
update "tolem_deliveries" as d set
status = s.status, attempt_count = s.attempt_count, lease = null, starts = 0, completed_at = s.completed_at,
due_at = coalesce(s.due_at, d.due_at), ready_at = coalesce(s.due_at, d.ready_at)
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[]), (select $4::bigint[]), (select $5::bigint[])) as s(id, status, attempt_count, due_at, completed_at)
where d.id = s.id;

-- settleMany, lifting
update "tolem_endpoints" as e set
failure_count = s.failure_count, pause_count = s.pause_count, paused_until = s.paused_until
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[]), (select $4::bigint[])) as s(id, failure_count, pause_count, paused_until)
where e.id = s.id;

-- settleMany, arrived
insert into "tolem_deliveries" (id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at) select id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::bigint[]), (select $9::text[] collate "C"), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[]), (select $13::bigint[]), (select $14::bigint[])) as s(id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at)
where exists (
select 1 from "tolem_endpoints" d
where d.id = s.endpoint_id and d.removed_at is null for share of d)
and (s.kind = 'webhook.test' or exists (
select 1 from "tolem_events" e join "tolem_invoices" i on i.id = e.invoice_id
where e.invoice_id = s.invoice_id and e.sequence = s.sequence and e.id = s.event_id for share of i))
returning id;

-- settleMany, arrived
with due as (select d.id from unnest((select $1::text[] collate "C")) as s(id) cross join lateral (
select own.id from "tolem_deliveries" own
where own.endpoint_id = s.id and own.status = 'pending' and own.starts = 0
and own.due_at <= cast($2 as bigint) and (own.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = own.endpoint_id
and earlier.invoice_id = own.invoice_id and earlier.sequence < own.sequence
))
order by own.due_at limit cast($3 as bigint) for update of own skip locked) as d)
update "tolem_deliveries" as d set
due_at = cast($4 as bigint), lease = $5, starts = d.starts + 1
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
returning id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, created_at, completed_at, ready_at, starts;

-- settleMany, arrived
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_endpoints" e on e.id = s.id;

-- settleMany, arrived
select e.* from unnest((select $1::text[] collate "C"), (select $2::bigint[])) as s(invoice_id, sequence)
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- settleMany, arrived
select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id;

-- settleMany, arrived
with arrived as materialized (
select * from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::bigint[]), (select $15::bigint[])) as s(number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id, endpoint_id, lease, settled_status, attempt_count, completed_at)
), settled as (
update "tolem_deliveries" as d set
status = s.settled_status, attempt_count = s.attempt_count, lease = null, starts = 0,
completed_at = s.completed_at
from arrived s
where d.id = s.delivery_id and d.lease = s.lease and not exists (
select 1 from "tolem_endpoints" e where e.id = any(array(select endpoint_id from arrived))
and (e.failure_count <> 0 or e.pause_count <> 0 or e.paused_until is not null)
)
returning d.id
), logged as (
insert into "tolem_attempts" (number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id)
select number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error, delivery_id from arrived join settled on settled.id = arrived.delivery_id
)
select id from settled;

-- tend months
select set_config('statement_timeout', '0', true);

-- tend months
select "tolem_attempts_room"(cast($1 as bigint)) as answer;

-- tend months
select "tolem_deliveries_room"(cast($1 as bigint)) as answer;

-- tend months
select "tolem_attempts_forget"(cast($1 as bigint)) as answer;

-- tend months
select "tolem_deliveries_forget"(cast($1 as bigint)) as answer;

-- gather deliveries
select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true);

-- gather deliveries
select case when coalesce(b.ends <= m.low at time zone 'UTC', true) then to_char(m.low, 'YYYY-MM-DD"Z"')
else '-infinity' end as low, to_char(greatest(m.high, b.ends at time zone 'UTC'), 'YYYY-MM-DD"Z"') as high
from (select date_trunc('month', now() at time zone 'UTC' - interval '7 days') as low,
date_trunc('month', now() at time zone 'UTC' + interval '1 day') + interval '1 month' as high) as m
left join (
select cast(substring(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)') as timestamptz) as ends from pg_class c where c.oid = to_regclass($1)
) as b on true;

-- gather deliveries
select 1 as far from "tolem_deliveries" d where d.status = 'pending' and (d.placed_at < cast($1 as timestamptz) or d.placed_at >= cast($2 as timestamptz)) limit 1;

-- forget attempts
select * from (
select a.delivery_id, a.number from "tolem_attempts_before" a where a.started_at < cast($1 as bigint)
order by a.started_at limit cast($2 as bigint) for update of a skip locked) as b
union all
select * from (
select a.delivery_id, a.number from "tolem_attempts_default" a where a.started_at < cast($3 as bigint)
order by a.started_at limit cast($4 as bigint) for update of a skip locked) as r
limit cast($5 as bigint);

-- forget bodies
select r.ended_before from "tolem_removals" r where r.kind = $1;

-- forget bodies
select a.delivery_id, a.number, a.started_at from "tolem_attempts" a
where (a.started_at, a.delivery_id, a.number)
> (cast($1 as bigint), $2, cast($3 as bigint))
and a.started_at < cast($4 as bigint)
order by a.started_at, a.delivery_id, a.number limit cast($5 as bigint);

-- forget bodies
insert into "tolem_removals" as t (kind, ended_before) values ($1, cast($2 as bigint))
on conflict (kind) do update set ended_before = excluded.ended_before
where t.ended_before < excluded.ended_before;

-- forget bodies
update "tolem_attempts" set request_body = 'null', response_body = null
where (delivery_id, number) in (select s.delivery_id, s.number from unnest((select $1::text[] collate "C"), (select $2::bigint[])) as s(delivery_id, number))
and (request_body not in ('', 'null') or response_body is not null)
returning number;

-- forget deliveries
select e.id from "tolem_endpoints" e
where e.id > $1
and (
(select d.created_at from "tolem_deliveries_before" d where d.endpoint_id = e.id and d.status = 'delivered'
order by d.created_at limit 1) < cast($2 as bigint) or
(select d.created_at from "tolem_deliveries_before" d where d.endpoint_id = e.id and d.status = 'failed'
order by d.created_at limit 1) < cast($3 as bigint) or
(select d.created_at from "tolem_deliveries_default" d where d.endpoint_id = e.id and d.status = 'delivered'
order by d.created_at limit 1) < cast($4 as bigint) or
(select d.created_at from "tolem_deliveries_default" d where d.endpoint_id = e.id and d.status = 'failed'
order by d.created_at limit 1) < cast($5 as bigint))
order by e.id limit 1;

-- forget deliveries
select * from (
select d.id, d.created_at, d.completed_at from "tolem_deliveries_before" d
where d.endpoint_id = $1 and d.status = 'delivered'
and (d.created_at, d.id) > (cast($2 as bigint), $3)
and d.created_at < cast($4 as bigint)
order by d.created_at, d.id limit cast($5 as bigint)
) as part union all
select * from (
select d.id, d.created_at, d.completed_at from "tolem_deliveries_before" d
where d.endpoint_id = $6 and d.status = 'failed'
and (d.created_at, d.id) > (cast($7 as bigint), $8)
and d.created_at < cast($9 as bigint)
order by d.created_at, d.id limit cast($10 as bigint)
) as part union all
select * from (
select d.id, d.created_at, d.completed_at from "tolem_deliveries_default" d
where d.endpoint_id = $11 and d.status = 'delivered'
and (d.created_at, d.id) > (cast($12 as bigint), $13)
and d.created_at < cast($14 as bigint)
order by d.created_at, d.id limit cast($15 as bigint)
) as part union all
select * from (
select d.id, d.created_at, d.completed_at from "tolem_deliveries_default" d
where d.endpoint_id = $16 and d.status = 'failed'
and (d.created_at, d.id) > (cast($17 as bigint), $18)
and d.created_at < cast($19 as bigint)
order by d.created_at, d.id limit cast($20 as bigint)
) as part
order by created_at, id limit cast($21 as bigint);

-- forget deliveries
select d.id from unnest((select $1::text[] collate "C")) as s(id) join "tolem_deliveries" d on d.id = s.id
where d.status <> 'pending' order by d.id for update of d skip locked;

-- forget deliveries
insert into "tolem_removals" as t (kind, ended_before) values ($1, cast($2 as bigint))
on conflict (kind) do update set ended_before = excluded.ended_before
where t.ended_before < excluded.ended_before;

-- forget deliveries
delete from "tolem_attempts" where delivery_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget deliveries
delete from "tolem_deliveries" where id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- days of a link
select nth, count(*) as made, cast(sum(opened) as bigint) as opened, cast(sum(paid) as bigint) as paid,
cast(sum(paid * amount) as text) as paid_amount, cast(sum(refunded) as text) as refunded
from (
select (i.created_at - cast($1 as bigint)) / 86400000 as nth, i.amount, i.refunded,
case when coalesce(i.making, 'made') = 'waits' then 0 else 1 end as opened,
case when i.paid_at is null then 0 else 1 end as paid
from "tolem_invoices" i
where i.origin = $2 and substr(i.origin, 1, 13) = 'payment-link/'
and i.created_at >= cast($3 as bigint) and i.organization_id = $4
order by i.created_at desc limit cast($5 as bigint)
) as looked
group by nth order by nth;

-- page of invoices
with page as materialized (
select i.id, i.created_at from (
select i.id, i.created_at, i.status, i.kind, i.connection_id, i.origin, i.amount, i.refunded from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2)
order by i.created_at desc, i.id desc limit cast($3 as bigint)
) as i where true
limit cast($4 as bigint) offset cast($5 as bigint)), edge as (
select i.created_at as end_at, i.id as end_id from "tolem_invoices" i
where (i.organization_id = $6 AND i.mode = $7)
order by i.created_at desc, i.id desc
limit (case when (select count(*) from page) < cast($8 as bigint) then 1 else 0 end) offset cast($9 as bigint))
select i.*, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true left join page on true
left join "tolem_invoices" i on i.id = page.id
order by page.created_at desc, page.id desc;

-- page of invoices behind a place
with page as materialized (
select i.id, i.created_at from (
select i.id, i.created_at, i.status, i.kind, i.connection_id, i.origin, i.amount, i.refunded from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.created_at <= cast($3 as bigint) AND (i.created_at < cast($4 as bigint) or i.id < $5))
order by i.created_at desc, i.id desc limit cast($6 as bigint)
) as i where true
limit cast($7 as bigint) offset cast($8 as bigint)), edge as (
select i.created_at as end_at, i.id as end_id from "tolem_invoices" i
where (i.organization_id = $9 AND i.mode = $10 AND i.created_at <= cast($11 as bigint) AND (i.created_at < cast($12 as bigint) or i.id < $13))
order by i.created_at desc, i.id desc
limit (case when (select count(*) from page) < cast($14 as bigint) then 1 else 0 end) offset cast($15 as bigint))
select i.*, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true left join page on true
left join "tolem_invoices" i on i.id = page.id
order by page.created_at desc, page.id desc;

-- page of some invoices
with page as materialized (
select i.id, i.created_at from (
select i.id, i.created_at, i.status, i.kind, i.connection_id, i.origin, i.amount, i.refunded, i.search_text from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.created_at >= cast($3 as bigint) AND i.created_at <= cast($4 as bigint) AND i.external_order_id = $5)
order by i.created_at desc, i.id desc limit cast($6 as bigint)
) as i where (coalesce(i.connection_id, '') = $7 AND coalesce(i.connection_id, '') in ($8,$9) AND coalesce(i.status, '') in ($10) AND i.kind = $11 AND case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end = $12 AND i.amount >= cast($13 as bigint) AND i.amount <= cast($14 as bigint) AND i.search_text like $15)
limit cast($16 as bigint) offset cast($17 as bigint)), edge as (
select i.created_at as end_at, i.id as end_id from "tolem_invoices" i
where (i.organization_id = $18 AND i.mode = $19 AND i.created_at >= cast($20 as bigint) AND i.created_at <= cast($21 as bigint) AND i.external_order_id = $22)
order by i.created_at desc, i.id desc
limit (case when (select count(*) from page) < cast($23 as bigint) then 1 else 0 end) offset cast($24 as bigint))
select i.*, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true left join page on true
left join "tolem_invoices" i on i.id = page.id
order by page.created_at desc, page.id desc;

-- sums of days
select i.status, cast(sum(i.invoice_count) as bigint) as invoice_count,
cast(sum(i.amount) as text) as amount, cast(sum(i.refunded) as text) as refunded from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND coalesce(i.status, '') in ($3))
group by i.status having sum(i.invoice_count) > 0 order by i.status;

-- sums of rows
with edge as (
select i.created_at as end_at, i.id as end_id from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2)
order by i.created_at desc, i.id desc
limit (case when true then 1 else 0 end) offset cast($3 as bigint)), summed as (
select i.status, cast(count(*) as bigint) as invoice_count,
cast(sum(i.amount) as text) as amount, cast(sum(i.refunded) as text) as refunded
from (
select i.id, i.created_at, i.status, i.kind, i.connection_id, i.origin, i.amount, i.refunded from "tolem_invoices" i
where (i.organization_id = $4 AND i.mode = $5)
order by i.created_at desc, i.id desc limit cast($6 as bigint)
) as i where i.amount >= cast($7 as bigint) group by i.status
)
select summed.*, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true left join summed on true order by summed.status;

-- sums of some invoices
with edge as (
select i.created_at as end_at, i.id as end_id from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.created_at >= cast($3 as bigint) AND i.created_at <= cast($4 as bigint) AND i.external_order_id = $5)
order by i.created_at desc, i.id desc
limit (case when true then 1 else 0 end) offset cast($6 as bigint)), summed as (
select i.status, cast(count(*) as bigint) as invoice_count,
cast(sum(i.amount) as text) as amount, cast(sum(i.refunded) as text) as refunded
from (
select i.id, i.created_at, i.status, i.kind, i.connection_id, i.origin, i.amount, i.refunded, i.search_text from "tolem_invoices" i
where (i.organization_id = $7 AND i.mode = $8 AND i.created_at >= cast($9 as bigint) AND i.created_at <= cast($10 as bigint) AND i.external_order_id = $11)
order by i.created_at desc, i.id desc limit cast($12 as bigint)
) as i where (coalesce(i.connection_id, '') = $13 AND coalesce(i.connection_id, '') in ($14,$15) AND coalesce(i.status, '') in ($16) AND i.kind = $17 AND case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end = $18 AND i.amount >= cast($19 as bigint) AND i.amount <= cast($20 as bigint) AND i.search_text like $21) group by i.status
)
select summed.*, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true left join summed on true order by summed.status;

-- sums of an order
with edge as (
select i.created_at as end_at, i.id as end_id from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.external_order_id = $3)
order by i.created_at desc, i.id desc
limit (case when true then 1 else 0 end) offset cast($4 as bigint)), summed as (
select i.status, cast(count(*) as bigint) as invoice_count,
cast(sum(i.amount) as text) as amount, cast(sum(i.refunded) as text) as refunded
from (
select i.id, i.created_at, i.status, i.kind, i.connection_id, i.origin, i.amount, i.refunded from "tolem_invoices" i
where (i.organization_id = $5 AND i.mode = $6 AND i.external_order_id = $7)
order by i.created_at desc, i.id desc limit cast($8 as bigint)
) as i where true group by i.status
)
select summed.*, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true left join summed on true order by summed.status;

-- sums of a kind
with looked as (
select i.day, i.connection_id, i.status, i.invoice_count, i.amount, i.refunded from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND i.kind is null)
order by i.day desc limit 1001)
select day from looked group by connection_id, status, day
having sum(invoice_count) <> 0 or sum(amount) <> 0 or sum(refunded) <> 0 or (select count(*) from looked) > 1000 limit 1;

-- sums of a kind
select i.status, cast(sum(i.invoice_count) as bigint) as invoice_count,
cast(sum(i.amount) as text) as amount, cast(sum(i.refunded) as text) as refunded from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND i.kind = $3)
group by i.status having sum(i.invoice_count) > 0 order by i.status;

-- count of rows
with edge as (
select i.created_at as end_at, i.id as end_id from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2)
order by i.created_at desc, i.id desc
limit (case when true then 1 else 0 end) offset cast($3 as bigint))
select (select count(*) from (
select 1 as one from (
select i.id, i.created_at, i.status, i.kind, i.connection_id, i.origin, i.amount, i.refunded from "tolem_invoices" i
where (i.organization_id = $4 AND i.mode = $5)
order by i.created_at desc, i.id desc limit cast($6 as bigint)
) as i where i.amount >= cast($7 as bigint)
limit cast($8 as bigint)
) as chosen) as n, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true;

-- days of reports
select i.day, i.connection_id, i.status, cast(sum(i.invoice_count) as bigint) as invoice_count,
cast(sum(i.amount) as text) as amount, cast(sum(i.refunded) as text) as refunded
from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND i.day >= $3 AND i.day <= $4)
group by i.day, i.connection_id, i.status having sum(i.invoice_count) > 0;

-- sources of reports
with looked as (
select i.day, i.connection_id, i.status, i.invoice_count, i.amount, i.refunded from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND i.kind is null AND i.day >= $3 AND i.day <= $4)
order by i.day desc limit 1001)
select day, 0 as is_last from looked group by connection_id, status, day having sum(invoice_count) <> 0 or sum(amount) <> 0 or sum(refunded) <> 0
union
select min(day) as day, 1 as is_last from looked
having count(*) > 1000;

-- sources of reports
select i.source, i.status, cast(sum(i.invoice_count) as bigint) as invoice_count,
cast(sum(i.amount) as text) as amount, cast(sum(i.refunded) as text) as refunded from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND i.day >= $3 AND i.day <= $4 AND i.source is not null) group by i.source, i.status having sum(i.invoice_count) > 0;

-- deliveries of an invoice
select d.* from (
select d.id from "tolem_deliveries" d where d.invoice_id = $1 and d.mode = 'live'
union all
select d.id from "tolem_deliveries" d where d.invoice_id = $2 and d.mode = 'sandbox'
) as part
join "tolem_deliveries" d on d.id = part.id
where d.organization_id = $3
order by d.created_at, d.id limit cast($4 as bigint);

-- deliveries of a time
select d.* from "tolem_deliveries" d where (d.endpoint_id = $1 AND d.status = 'failed' AND d.created_at >= cast($2 as bigint) AND d.created_at <= cast($3 as bigint) AND d.organization_id = $4 AND d.mode = $5 AND d.kind <> 'webhook.test' AND (d.created_at > cast($6 as bigint) or d.id > $7) AND not exists (
select 1 from "tolem_deliveries" e
where e.invoice_id = d.invoice_id and e.mode = 'live'
and coalesce(e.endpoint_id, '') = d.endpoint_id and e.event_id = d.event_id and coalesce(e.status, '') <> 'failed') AND not exists (
select 1 from "tolem_deliveries" e
where e.invoice_id = d.invoice_id and e.mode = 'live'
and coalesce(e.endpoint_id, '') = d.endpoint_id and e.event_id = d.event_id and
coalesce(e.created_at, 0) >= cast($8 as bigint)
and (e.created_at < d.created_at or (e.created_at = d.created_at and e.id < d.id))))
order by d.created_at, d.id limit cast($9 as bigint);

-- all deliveries of a time
select d.* from "tolem_deliveries" d where (d.endpoint_id = $1 AND d.created_at >= cast($2 as bigint) AND d.created_at <= cast($3 as bigint) AND d.organization_id = $4 AND d.mode = $5 AND d.kind <> 'webhook.test' AND not exists (
select 1 from "tolem_deliveries" e
where e.invoice_id = d.invoice_id and e.mode = 'sandbox'
and coalesce(e.endpoint_id, '') = d.endpoint_id and e.event_id = d.event_id and
coalesce(e.created_at, 0) >= cast($6 as bigint)
and (e.created_at < d.created_at or (e.created_at = d.created_at and e.id < d.id))))
order by d.created_at, d.id limit cast($7 as bigint);

-- sums of movements
with moved as (
select s.first, (i.paid_at - s.base_at) / s.day_ms as n, coalesce(i.connection_id, '') as connection_id,
case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, count(*) as payments, sum(i.amount) as paid, sum(i.late) as late_payments,
sum(case when i.late = 1 then i.amount else 0 end) as late, 0 as refunds, 0 as refunded
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[]), (select $4::bigint[]), (select $5::bigint[])) as s(first, base_at, day_ms, from_at, to_at) cross join "tolem_invoices" i
where (i.organization_id = $6 AND i.mode = $7 AND i.paid_at is not null)
and i.paid_at >= s.from_at and i.paid_at <= s.to_at
group by 1, 2, 3, 4
union all
select s.first, (r.completed_at - s.base_at) / s.day_ms as n, coalesce(i.connection_id, '') as connection_id,
case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, 0, 0, 0, 0, count(*), sum(r.amount)
from unnest((select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(first, base_at, day_ms, from_at, to_at) cross join "tolem_refunds" r join "tolem_invoices" i on i.id = r.invoice_id
where r.organization_id = $13 and r.status = 'succeeded' and (i.organization_id = $14 AND i.mode = $15)
and r.completed_at >= s.from_at and r.completed_at <= s.to_at
group by 1, 2, 3, 4
)
select 'day' as axis, first as name, n, cast(sum(payments) as bigint) as payments, cast(sum(paid) as text) as paid, cast(sum(late_payments) as bigint) as late_payments, cast(sum(late) as text) as late, cast(sum(refunds) as bigint) as refunds, cast(sum(refunded) as text) as refunded from moved group by first, n
union all
select 'cashier' as axis, connection_id as name, 0 as n, cast(sum(payments) as bigint) as payments, cast(sum(paid) as text) as paid, cast(sum(late_payments) as bigint) as late_payments, cast(sum(late) as text) as late, cast(sum(refunds) as bigint) as refunds, cast(sum(refunded) as text) as refunded from moved group by connection_id
union all
select 'source' as axis, source as name, 0 as n, cast(sum(payments) as bigint) as payments, cast(sum(paid) as text) as paid, cast(sum(late_payments) as bigint) as late_payments, cast(sum(late) as text) as late, cast(sum(refunds) as bigint) as refunds, cast(sum(refunded) as text) as refunded from moved group by source;

-- sums of a till's movements
with moved as (
select s.first, (i.paid_at - s.base_at) / s.day_ms as n, coalesce(i.connection_id, '') as connection_id,
case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, count(*) as payments, sum(i.amount) as paid, sum(i.late) as late_payments,
sum(case when i.late = 1 then i.amount else 0 end) as late, 0 as refunds, 0 as refunded
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[]), (select $4::bigint[]), (select $5::bigint[])) as s(first, base_at, day_ms, from_at, to_at) cross join "tolem_invoices" i
where (i.organization_id = $6 AND i.mode = $7 AND coalesce(i.connection_id, '') = $8 AND coalesce(i.connection_id, '') in ($9,$10) AND i.paid_at is not null)
and i.paid_at >= s.from_at and i.paid_at <= s.to_at
group by 1, 2, 3, 4
union all
select s.first, (r.completed_at - s.base_at) / s.day_ms as n, coalesce(i.connection_id, '') as connection_id,
case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, 0, 0, 0, 0, count(*), sum(r.amount)
from unnest((select $11::text[] collate "C"), (select $12::bigint[]), (select $13::bigint[]), (select $14::bigint[]), (select $15::bigint[])) as s(first, base_at, day_ms, from_at, to_at) cross join "tolem_refunds" r join "tolem_invoices" i on i.id = r.invoice_id
where r.organization_id = $16 and r.status = 'succeeded' and (i.organization_id = $17 AND i.mode = $18 AND coalesce(i.connection_id, '') = $19 AND coalesce(i.connection_id, '') in ($20,$21))
and r.completed_at >= s.from_at and r.completed_at <= s.to_at
group by 1, 2, 3, 4
)
select 'day' as axis, first as name, n, cast(sum(payments) as bigint) as payments, cast(sum(paid) as text) as paid, cast(sum(late_payments) as bigint) as late_payments, cast(sum(late) as text) as late, cast(sum(refunds) as bigint) as refunds, cast(sum(refunded) as text) as refunded from moved group by first, n
union all
select 'cashier' as axis, connection_id as name, 0 as n, cast(sum(payments) as bigint) as payments, cast(sum(paid) as text) as paid, cast(sum(late_payments) as bigint) as late_payments, cast(sum(late) as text) as late, cast(sum(refunds) as bigint) as refunds, cast(sum(refunded) as text) as refunded from moved group by connection_id
union all
select 'source' as axis, source as name, 0 as n, cast(sum(payments) as bigint) as payments, cast(sum(paid) as text) as paid, cast(sum(late_payments) as bigint) as late_payments, cast(sum(late) as text) as late, cast(sum(refunds) as bigint) as refunds, cast(sum(refunded) as text) as refunded from moved group by source;

-- page of movements
select moved.* from (
select * from (
select 'payment' as kind, i.id, i.paid_at as at, i.id as invoice_id, i.amount, i.late, i.connection_id, case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, i.receipt_number, i.external_order_id, i.description,
i.customer_name,
i.provider_reference as reference, null as reason
from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.paid_at is not null)
and i.paid_at >= cast($3 as bigint) and i.paid_at <= cast($4 as bigint)
order by i.paid_at, i.id limit cast($5 as bigint)) as paid
union all
select * from (
select 'refund' as kind, r.id, r.completed_at as at, r.invoice_id, r.amount, 0 as late, i.connection_id, case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, i.receipt_number, i.external_order_id, i.description,
i.customer_name,
r.provider_reference as reference, r.reason
from "tolem_refunds" r join "tolem_invoices" i on i.id = r.invoice_id
where r.organization_id = $6 and r.status = 'succeeded'
and (i.organization_id = $7 AND i.mode = $8)
and r.completed_at >= cast($9 as bigint) and r.completed_at <= cast($10 as bigint)
order by r.completed_at, r.id limit cast($11 as bigint)
) as given
) as moved order by moved.at, moved.id limit cast($12 as bigint);

-- page of movements behind a place
select moved.* from (
select * from (
select 'payment' as kind, i.id, i.paid_at as at, i.id as invoice_id, i.amount, i.late, i.connection_id, case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, i.receipt_number, i.external_order_id, i.description,
i.customer_name,
i.provider_reference as reference, null as reason
from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.paid_at is not null)
and i.paid_at >= cast($3 as bigint) and i.paid_at <= cast($4 as bigint)
and (i.paid_at, i.id) > (cast($5 as bigint), $6)
order by i.paid_at, i.id limit cast($7 as bigint)) as paid
union all
select * from (
select 'refund' as kind, r.id, r.completed_at as at, r.invoice_id, r.amount, 0 as late, i.connection_id, case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, i.receipt_number, i.external_order_id, i.description,
i.customer_name,
r.provider_reference as reference, r.reason
from "tolem_refunds" r join "tolem_invoices" i on i.id = r.invoice_id
where r.organization_id = $8 and r.status = 'succeeded'
and (i.organization_id = $9 AND i.mode = $10)
and r.completed_at >= cast($11 as bigint) and r.completed_at <= cast($12 as bigint)
and (r.completed_at, r.id) > (cast($13 as bigint), $14)
order by r.completed_at, r.id limit cast($15 as bigint)
) as given
) as moved order by moved.at, moved.id limit cast($16 as bigint);

-- first and last payment
select edge.* from (
select * from (
select 'payment' as kind, i.id, i.paid_at as at, i.id as invoice_id, i.amount, i.late, i.connection_id, case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, i.receipt_number, i.external_order_id, i.description,
i.customer_name,
i.provider_reference as reference, null as reason
from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.paid_at is not null)
and i.paid_at >= cast($3 as bigint) and i.paid_at <= cast($4 as bigint)
order by i.paid_at, i.id limit cast($5 as bigint)) as first_one
union
select * from (
select 'payment' as kind, i.id, i.paid_at as at, i.id as invoice_id, i.amount, i.late, i.connection_id, case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end as source, i.receipt_number, i.external_order_id, i.description,
i.customer_name,
i.provider_reference as reference, null as reason
from "tolem_invoices" i
where (i.organization_id = $6 AND i.mode = $7 AND i.paid_at is not null)
and i.paid_at >= cast($8 as bigint) and i.paid_at <= cast($9 as bigint)
order by i.paid_at desc, i.id desc limit cast($10 as bigint)) as last_one
) as edge order by edge.at, edge.id;

-- page of refunds
with looked as materialized (select r.id, r.created_at, r.invoice_id, r.status from "tolem_refunds" r where r.organization_id = $1
order by r.created_at desc, r.id desc limit cast($2 as bigint)),
page as materialized (
select looked.id, looked.created_at from looked cross join "tolem_invoices" i
where (i.id = looked.invoice_id AND i.organization_id = $3 AND i.mode = $4)
order by looked.created_at desc, looked.id desc limit cast($5 as bigint)
),
edge as (
select looked.created_at as end_at, looked.id as end_id from looked order by looked.created_at, looked.id
limit (case when (select count(*) from page) < cast($6 as bigint)
and (select count(*) from looked) = cast($7 as bigint) then 1 else 0 end)
)
select r.*, i.connection_id, i.external_order_id, i.description, i.receipt_number, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true left join page on true
left join "tolem_refunds" r on r.id = page.id left join "tolem_invoices" i on i.id = r.invoice_id
order by page.created_at desc, page.id desc;

-- page of unknown refunds
with looked as materialized (select r.id, r.created_at, r.invoice_id, r.status from "tolem_refunds" r where (r.organization_id = $1 AND r.status = 'unknown')
order by r.created_at desc, r.id desc limit cast($2 as bigint)),
page as materialized (
select looked.id, looked.created_at from looked cross join "tolem_invoices" i
where (i.id = looked.invoice_id AND i.organization_id = $3 AND i.mode = $4 AND looked.status in ($5))
order by looked.created_at desc, looked.id desc limit cast($6 as bigint)
),
edge as (
select looked.created_at as end_at, looked.id as end_id from looked order by looked.created_at, looked.id
limit (case when (select count(*) from page) < cast($7 as bigint)
and (select count(*) from looked) = cast($8 as bigint) then 1 else 0 end)
)
select r.*, i.connection_id, i.external_order_id, i.description, i.receipt_number, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true left join page on true
left join "tolem_refunds" r on r.id = page.id left join "tolem_invoices" i on i.id = r.invoice_id
order by page.created_at desc, page.id desc;

-- page of some refunds behind a place
with looked as materialized (select r.id, r.created_at, r.invoice_id, r.status from "tolem_refunds" r where (r.organization_id = $1 AND r.created_at >= cast($2 as bigint) AND r.created_at <= cast($3 as bigint) AND (r.created_at, r.id) < (cast($4 as bigint), $5))
order by r.created_at desc, r.id desc limit cast($6 as bigint)),
page as materialized (
select looked.id, looked.created_at from looked cross join "tolem_invoices" i
where (i.id = looked.invoice_id AND i.organization_id = $7 AND i.mode = $8 AND coalesce(i.connection_id, '') = $9 AND looked.status in ($10,$11))
order by looked.created_at desc, looked.id desc limit cast($12 as bigint)
),
edge as (
select looked.created_at as end_at, looked.id as end_id from looked order by looked.created_at, looked.id
limit (case when (select count(*) from page) < cast($13 as bigint)
and (select count(*) from looked) = cast($14 as bigint) then 1 else 0 end)
)
select r.*, i.connection_id, i.external_order_id, i.description, i.receipt_number, edge.end_at, edge.end_id
from (select 1 as one) as part left join edge on true left join page on true
left join "tolem_refunds" r on r.id = page.id left join "tolem_invoices" i on i.id = r.invoice_id
order by page.created_at desc, page.id desc;

-- sums of refunds
with looked as materialized (select r.id, r.created_at, r.invoice_id, r.status from "tolem_refunds" r where r.organization_id = $1
order by r.created_at desc, r.id desc limit cast($2 as bigint))
select summed.status, summed.refund_count, summed.amount, counted.looked
from (select cast(count(*) as bigint) as looked from looked) as counted left join (
select r.status, cast(count(*) as bigint) as refund_count, cast(sum(r.amount) as text) as amount
from looked cross join "tolem_refunds" r cross join "tolem_invoices" i
where r.id = looked.id and (i.id = looked.invoice_id AND i.organization_id = $3 AND i.mode = $4 AND coalesce(i.connection_id, '') in ($5,$6))
group by r.status
) as summed on true order by summed.status;

-- choose statement letters
insert into "tolem_statement_letters" (organization_id, account_id, month, status, due_at, tries, sent_month, reason, created_at, version) select organization_id, account_id, month, status, due_at, tries, sent_month, reason, created_at, version from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::bigint[]), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[])) as s(organization_id, account_id, month, status, due_at, tries, sent_month, reason, created_at, version) where true
on conflict (organization_id, account_id) do nothing returning *;

-- choose statement letters
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- choose statement letters
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- choose statement letters
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- choose statement letters
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- choose statement letters
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- find statement letters
select * from "tolem_statement_letters" where organization_id = $1 and account_id = $2;

-- claim of statement letters of a tenant
with due as (
select d.organization_id, d.account_id from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(organization_id, mode) cross join lateral (
select f.organization_id, f.account_id from "tolem_statement_letters" f
where f.organization_id = s.organization_id and 'live' = s.mode
and f.due_at <= cast($3 as bigint)
order by f.due_at limit cast($4 as bigint) for update of f skip locked) as d
limit cast($5 as bigint))
update "tolem_statement_letters" set due_at = cast($6 as bigint)
where (organization_id, account_id) in (select organization_id, account_id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- waiting for statement letters
with recursive places (organization_id, step) as (
select
(select min(f.organization_id) from "tolem_statement_letters" f where f.due_at is not null and f.organization_id > $1), 1
union all
select
(select min(f.organization_id) from "tolem_statement_letters" f where f.due_at is not null and f.organization_id > places.organization_id), places.step + 1 from places
where places.organization_id is not null and places.step < 256
)
select places.organization_id, places.step, modes.mode, case when exists (
select 1 from "tolem_statement_letters" f
where f.organization_id = places.organization_id and 'live' = modes.mode
and f.due_at <= cast($2 as bigint)
) then 1 else 0 end as due
from places cross join (select 'live' as mode union all select 'sandbox') as modes
where places.organization_id is not null order by places.step, modes.mode;

-- claim of statement letters
with due as (
select d.organization_id, d.account_id from "tolem_statement_letters" d
where d.due_at <= cast($1 as bigint)
order by d.due_at limit cast($2 as bigint) for update of d skip locked)
update "tolem_statement_letters" set due_at = cast($3 as bigint)
where (organization_id, account_id) in (select organization_id, account_id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- replace statement letters
update "tolem_statement_letters" set month = $1, status = $2, due_at = cast($3 as bigint), tries = cast($4 as bigint), sent_month = $5, reason = $6, version = cast($7 as bigint)
where organization_id = $8 and account_id = $9 and version = cast($10 as bigint)
returning account_id;

-- end statement letters
delete from "tolem_statement_letters" where organization_id = $1 and account_id = $2 returning *;

-- end statement letters
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- end statement letters
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- end statement letters
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- end statement letters
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- end statement letters
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- choose notices
insert into "tolem_notice_lines" (organization_id, account_id, mode, channel, kinds, minimum, quiet, language, status, position, event_id, gathered, going, looked_at, not_before, tries, told_at, reason, due_at, created_at, version) select organization_id, account_id, mode, channel, kinds, minimum, quiet, language, status, position, event_id, gathered, going, looked_at, not_before, tries, told_at, reason, due_at, created_at, version from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::bigint[]), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::bigint[]), (select $15::bigint[]), (select $16::bigint[]), (select $17::bigint[]), (select $18::text[] collate "C"), (select $19::bigint[]), (select $20::bigint[]), (select $21::bigint[])) as s(organization_id, account_id, mode, channel, kinds, minimum, quiet, language, status, position, event_id, gathered, going, looked_at, not_before, tries, told_at, reason, due_at, created_at, version) where true
on conflict (organization_id, account_id, mode, channel) do nothing returning *;

-- choose notices
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- choose notices
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- choose notices
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- choose notices
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- choose notices
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- find notices
select * from "tolem_notice_lines" where organization_id = $1 and account_id = $2 and mode = $3 and channel = $4;

-- list notices
select * from "tolem_notice_lines" where organization_id = $1 and account_id = $2 and mode = $3 order by channel;

-- claim of notices of a tenant
with due as (
select d.organization_id, d.account_id, d.mode, d.channel from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(organization_id, mode) cross join lateral (
select f.organization_id, f.account_id, f.mode, f.channel from "tolem_notice_lines" f
where f.organization_id = s.organization_id and f.mode = s.mode
and f.due_at <= cast($3 as bigint)
order by f.due_at limit cast($4 as bigint) for update of f skip locked) as d
limit cast($5 as bigint))
update "tolem_notice_lines" set due_at = cast($6 as bigint)
where (organization_id, account_id, mode, channel) in (select organization_id, account_id, mode, channel from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- waiting for notices
with recursive places (organization_id, step) as (
select
(select min(f.organization_id) from "tolem_notice_lines" f where f.due_at is not null and f.organization_id > $1), 1
union all
select
(select min(f.organization_id) from "tolem_notice_lines" f where f.due_at is not null and f.organization_id > places.organization_id), places.step + 1 from places
where places.organization_id is not null and places.step < 256
)
select places.organization_id, places.step, modes.mode, case when exists (
select 1 from "tolem_notice_lines" f
where f.organization_id = places.organization_id and f.mode = modes.mode
and f.due_at <= cast($2 as bigint)
) then 1 else 0 end as due
from places cross join (select 'live' as mode union all select 'sandbox') as modes
where places.organization_id is not null order by places.step, modes.mode;

-- claim of notices
with due as (
select d.organization_id, d.account_id, d.mode, d.channel from "tolem_notice_lines" d
where d.due_at <= cast($1 as bigint)
order by d.due_at limit cast($2 as bigint) for update of d skip locked)
update "tolem_notice_lines" set due_at = cast($3 as bigint)
where (organization_id, account_id, mode, channel) in (select organization_id, account_id, mode, channel from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- replace notices
update "tolem_notice_lines" set kinds = $1, minimum = cast($2 as bigint), quiet = $3, language = $4, status = $5, position = cast($6 as bigint), event_id = $7, gathered = $8, going = $9, looked_at = cast($10 as bigint), not_before = cast($11 as bigint), tries = cast($12 as bigint), told_at = cast($13 as bigint), reason = $14, due_at = cast($15 as bigint), version = cast($16 as bigint)
where organization_id = $17 and account_id = $18 and mode = $19 and channel = $20 and version = cast($21 as bigint) returning *;

-- choose other notices
update "tolem_notice_lines" set kinds = $1, minimum = cast($2 as bigint), quiet = $3, language = $4, status = $5, position = cast($6 as bigint), event_id = $7, gathered = $8, going = $9, looked_at = cast($10 as bigint), not_before = cast($11 as bigint), tries = cast($12 as bigint), told_at = cast($13 as bigint), reason = $14, due_at = cast($15 as bigint), version = cast($16 as bigint)
where organization_id = $17 and account_id = $18 and mode = $19 and channel = $20 and version = cast($21 as bigint) returning *;

-- choose other notices
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- choose other notices
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- choose other notices
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- choose other notices
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- choose other notices
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- end notices
delete from "tolem_notice_lines" where organization_id = $1 and account_id = $2 and mode = $3 and channel = $4 returning *;

-- end notices
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- end notices
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- end notices
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- end notices
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- end notices
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- ask for a chat
insert into "tolem_messenger_links" (account_id, status, chat_id, code_digest, code_until, reason, free_at, created_at, version) select account_id, status, chat_id, code_digest, code_until, reason, free_at, created_at, version from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::bigint[]), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[]), (select $9::bigint[])) as s(account_id, status, chat_id, code_digest, code_until, reason, free_at, created_at, version) where true
on conflict (account_id) do nothing returning *;

-- find a chat
select * from "tolem_messenger_links" where account_id = $1;

-- find a chat by its code
select * from "tolem_messenger_links" where code_digest = $1;

-- begin a chat
update "tolem_messenger_links" set status = $1, chat_id = $2, code_digest = $3, code_until = cast($4 as bigint), reason = $5, version = cast($6 as bigint)
where account_id = $7 and version = cast($8 as bigint) returning *;

-- begin a chat
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- begin a chat
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- begin a chat
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- begin a chat
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- begin a chat
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- ask for another chat
update "tolem_messenger_links" set status = $1, chat_id = $2, code_digest = $3, code_until = cast($4 as bigint), reason = $5, version = cast($6 as bigint)
where account_id = $7 and version = cast($8 as bigint) returning *;

-- accounts of a chat
select * from "tolem_messenger_links" where chat_id = $1 order by account_id
limit 50;

-- take a place of a chat
update "tolem_messenger_links" set free_at = cast($1 as bigint)
where account_id = $2 and status = 'linked' and free_at <= cast($3 as bigint)
returning account_id;

-- hold a chat
update "tolem_messenger_links" set free_at = cast($1 as bigint)
where account_id = $2 and free_at < cast($3 as bigint) returning account_id;

-- leave a chat
delete from "tolem_messenger_links" where account_id = $1 returning *;

-- leave a chat
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- leave a chat
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- leave a chat
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- leave a chat
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- leave a chat
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- lease the reading
insert into "tolem_messenger_readings" as r (name, read_to, due_at) values ($1, 0, cast($2 as bigint))
on conflict (name) do update set due_at = excluded.due_at where r.due_at <= cast($3 as bigint)
returning read_to, due_at;

-- note the reading
update "tolem_messenger_readings" set read_to = cast($1 as bigint), due_at = cast($2 as bigint)
where name = $3 and due_at = cast($4 as bigint) returning name;

-- concerns cashier_session_lost
select c.updated_at as since, c.name, c.id as connection_id from "tolem_connections" c
where c.organization_id = $1 and c.status = 'expired'
order by c.updated_at desc, c.id desc limit cast($2 as bigint);

-- concerns endpoint_paused
select e.updated_at as since, e.url as name, e.connection_id, e.id as endpoint_id, e.paused_until as until
from "tolem_endpoints" e
where e.organization_id = $1 and e.mode = $2 and e.removed_at is null and e.disabled = 0
and e.paused_until > cast($3 as bigint)
order by e.updated_at desc, e.id desc limit cast($4 as bigint);

-- concerns refund_unknown
select looked.created_at as since, i.external_order_id as name, i.connection_id, looked.invoice_id,
looked.id as refund_id, looked.amount
from (
select u.* from "tolem_refunds" u
where u.organization_id = $1 and u.status = 'unknown'
order by u.created_at desc, u.id desc limit 5000
) as looked join "tolem_invoices" i on i.id = looked.invoice_id
where i.mode = $2
order by looked.created_at desc, looked.id desc limit cast($3 as bigint);

-- concerns subscription_stuck
select s.next_run_at as since, s.description as name, s.id as subscription_id, s.connection_id, s.amount,
s.fault as code
from "tolem_subscriptions" s
where s.organization_id = $1 and s.mode = $2 and s.status = 'active' and s.faults > 0
order by s.next_run_at desc, s.id desc limit cast($3 as bigint);

-- concerns late_money
select i.paid_at as since, i.external_order_id as name, i.connection_id, i.id as invoice_id,
i.amount - i.refunded as amount
from (
select i.* from "tolem_invoices" i
where i.organization_id = $1 and i.mode = $2 and i.late = 1
and i.paid_at >= cast($3 as bigint)
order by i.paid_at desc, i.id desc limit 5000
) as i
where i.refunded < i.amount
order by i.paid_at desc, i.id desc limit cast($4 as bigint);

-- concerns delivery_given_up
select looked.completed_at as since, e.url as name, e.connection_id, looked.endpoint_id, looked.invoice_id,
looked.id as delivery_id, looked.kind as code
from (
select f.* from "tolem_deliveries" f
where f.organization_id = $1 and f.mode = $2 and f.status = 'failed'
and f.completed_at >= cast($3 as bigint)
order by f.completed_at desc, f.id desc limit 500
) as looked
join "tolem_endpoints" e on e.id = looked.endpoint_id and e.removed_at is null
where looked.kind <> 'webhook.test' and not exists (
select 1 from "tolem_deliveries" o
where o.invoice_id = looked.invoice_id and o.mode = 'live'
and coalesce(o.endpoint_id, '') = looked.endpoint_id and o.event_id = looked.event_id
and (coalesce(o.status, '') <> 'failed' or o.completed_at > looked.completed_at
or (o.completed_at = looked.completed_at and o.id > looked.id)))
order by looked.completed_at desc, looked.id desc limit cast($4 as bigint);

-- own concerns cashier_session_lost
select c.updated_at as since, c.name, c.id as connection_id from "tolem_connections" c
where c.organization_id = $1 and c.status = 'expired'
and c.id in ($2)
order by c.updated_at desc, c.id desc limit cast($3 as bigint);

-- own concerns endpoint_paused
select e.updated_at as since, e.url as name, e.connection_id, e.id as endpoint_id, e.paused_until as until
from "tolem_endpoints" e
where e.organization_id = $1 and e.mode = $2 and e.removed_at is null and e.disabled = 0
and e.paused_until > cast($3 as bigint)
order by e.updated_at desc, e.id desc limit cast($4 as bigint);

-- own concerns refund_unknown
select looked.created_at as since, i.external_order_id as name, i.connection_id, looked.invoice_id,
looked.id as refund_id, looked.amount
from (
select u.* from "tolem_refunds" u
where u.organization_id = $1 and u.status = 'unknown'
order by u.created_at desc, u.id desc limit 5000
) as looked join "tolem_invoices" i on i.id = looked.invoice_id
where i.mode = $2 and coalesce(i.connection_id, '') in ($3)
order by looked.created_at desc, looked.id desc limit cast($4 as bigint);

-- own concerns subscription_stuck
select s.next_run_at as since, s.description as name, s.id as subscription_id, s.connection_id, s.amount,
s.fault as code
from "tolem_subscriptions" s
where s.organization_id = $1 and s.mode = $2 and s.status = 'active' and s.faults > 0
order by s.next_run_at desc, s.id desc limit cast($3 as bigint);

-- own concerns late_money
select i.paid_at as since, i.external_order_id as name, i.connection_id, i.id as invoice_id,
i.amount - i.refunded as amount
from (
select i.* from "tolem_invoices" i
where i.organization_id = $1 and i.mode = $2 and i.late = 1
and i.paid_at >= cast($3 as bigint)
order by i.paid_at desc, i.id desc limit 5000
) as i
where i.refunded < i.amount and coalesce(i.connection_id, '') in ($4)
order by i.paid_at desc, i.id desc limit cast($5 as bigint);

-- own concerns delivery_given_up
select looked.completed_at as since, e.url as name, e.connection_id, looked.endpoint_id, looked.invoice_id,
looked.id as delivery_id, looked.kind as code
from (
select f.* from "tolem_deliveries" f
where f.organization_id = $1 and f.mode = $2 and f.status = 'failed'
and f.completed_at >= cast($3 as bigint)
order by f.completed_at desc, f.id desc limit 500
) as looked
join "tolem_endpoints" e on e.id = looked.endpoint_id and e.removed_at is null
where looked.kind <> 'webhook.test' and not exists (
select 1 from "tolem_deliveries" o
where o.invoice_id = looked.invoice_id and o.mode = 'sandbox'
and coalesce(o.endpoint_id, '') = looked.endpoint_id and o.event_id = looked.event_id
and (coalesce(o.status, '') <> 'failed' or o.completed_at > looked.completed_at
or (o.completed_at = looked.completed_at and o.id > looked.id)))
order by looked.completed_at desc, looked.id desc limit cast($4 as bigint);

-- standing of sessions
select s.n, m.*
from unnest((select $1::bigint[]), (select $2::text[] collate "C"), (select $3::text[] collate "C")) as s(n, session_id, organization_id)
join "tolem_sessions" e on e.id = s.session_id
join "tolem_memberships" m on m.account_id = e.account_id and m.organization_id = s.organization_id
join "tolem_organizations" o on o.id = m.organization_id
where e.revoked_at is null and e.idle_at > cast($4 as bigint) and o.status <> 'archived';

-- things of organizations
select 'connection' as type, c.id, c.organization_id, '' as mode, cast(c.version as text) as state
from unnest((select $1::text[] collate "C")) as s(organization_id) cross join lateral (select c.* from "tolem_connections" c where c.organization_id = s.organization_id offset 0) as c
union all
select 'endpoint' as type, e.id, e.organization_id, e.mode, cast(e.updated_at as text) || ' '
|| cast(coalesce(e.paused_until, 0) as text) || ' ' || cast(e.disabled as text) as state
from unnest((select $2::text[] collate "C")) as s(organization_id) cross join lateral (select e.* from "tolem_endpoints" e where
e.organization_id = s.organization_id and e.mode in ('live', 'sandbox') and e.removed_at is null offset 0) as e;

-- insert of a subscription
insert into "tolem_subscriptions" (id, organization_id, mode, connection_id, status, amount, kind, description, customer_name, customer_phone, customer_email, metadata, step, every, day_of_month, anchor_at, retry_hours, misfire, next_index, next_run_at, last_run_at, last_invoice_id, runs, max_runs, faults, fault, idempotency_key, fingerprint, due_at, created_at, updated_at, sequence, version) select id, organization_id, mode, connection_id, status, amount, kind, description, customer_name, customer_phone, customer_email, metadata, step, every, day_of_month, anchor_at, retry_hours, misfire, next_index, next_run_at, last_run_at, last_invoice_id, runs, max_runs, faults, fault, idempotency_key, fingerprint, due_at, created_at, updated_at, sequence, version from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::bigint[]), (select $15::bigint[]), (select $16::bigint[]), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::bigint[]), (select $20::bigint[]), (select $21::bigint[]), (select $22::text[] collate "C"), (select $23::bigint[]), (select $24::bigint[]), (select $25::bigint[]), (select $26::text[] collate "C"), (select $27::text[] collate "C"), (select $28::text[] collate "C"), (select $29::bigint[]), (select $30::bigint[]), (select $31::bigint[]), (select $32::bigint[]), (select $33::bigint[])) as s(id, organization_id, mode, connection_id, status, amount, kind, description, customer_name, customer_phone, customer_email, metadata, step, every, day_of_month, anchor_at, retry_hours, misfire, next_index, next_run_at, last_run_at, last_invoice_id, runs, max_runs, faults, fault, idempotency_key, fingerprint, due_at, created_at, updated_at, sequence, version) where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning *;

-- insert of a subscription
insert into "tolem_subscription_events" (subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at) select subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::bigint[])) as s(subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at) where true;

-- insert of a subscription
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- insert of a subscription
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- insert of a subscription
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- insert of a subscription
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- commitMany of subscriptions
select d.id, d.version from unnest((select $1::text[] collate "C")) as s(id)
join "tolem_subscriptions" d on d.id = s.id
order by d.id for update of d;

-- commitMany of subscriptions
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[]), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::text[] collate "C"), (select $16::text[] collate "C"), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::text[] collate "C"), (select $20::text[] collate "C"), (select $21::text[] collate "C"), (select $22::text[] collate "C"), (select $23::text[] collate "C"), (select $24::text[] collate "C"), (select $25::text[] collate "C"), (select $26::text[] collate "C"), (select $27::bigint[]), (select $28::bigint[]), (select $29::bigint[]), (select $30::bigint[]), (select $31::bigint[]), (select $32::text[] collate "C"), (select $33::bigint[]), (select $34::bigint[]), (select $35::bigint[]), (select $36::bigint[]), (select $37::bigint[]), (select $38::text[] collate "C"), (select $39::text[] collate "C"), (select $40::text[] collate "C")) as s(id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, origin, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, valid_until, expires_at, paid_at, created_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, day, search_text, seal) where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing returning id;

-- commitMany of subscriptions
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) where true returning id;

-- commitMany of subscriptions
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- commitMany of subscriptions
update "tolem_subscriptions" as d set status = s.status, amount = s.amount, kind = s.kind, description = s.description, customer_name = s.customer_name, customer_phone = s.customer_phone, customer_email = s.customer_email, metadata = s.metadata, step = s.step, every = s.every, day_of_month = s.day_of_month, anchor_at = s.anchor_at, retry_hours = s.retry_hours, misfire = s.misfire, next_index = s.next_index, next_run_at = s.next_run_at, last_run_at = s.last_run_at, last_invoice_id = s.last_invoice_id, runs = s.runs, max_runs = s.max_runs, faults = s.faults, fault = s.fault, due_at = s.due_at, updated_at = s.updated_at, sequence = s.sequence, version = s.version
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::bigint[]), (select $15::bigint[]), (select $16::bigint[]), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::bigint[]), (select $20::bigint[]), (select $21::bigint[]), (select $22::text[] collate "C"), (select $23::bigint[]), (select $24::bigint[]), (select $25::bigint[]), (select $26::text[] collate "C"), (select $27::text[] collate "C"), (select $28::text[] collate "C"), (select $29::bigint[]), (select $30::bigint[]), (select $31::bigint[]), (select $32::bigint[]), (select $33::bigint[])) as s(id, organization_id, mode, connection_id, status, amount, kind, description, customer_name, customer_phone, customer_email, metadata, step, every, day_of_month, anchor_at, retry_hours, misfire, next_index, next_run_at, last_run_at, last_invoice_id, runs, max_runs, faults, fault, idempotency_key, fingerprint, due_at, created_at, updated_at, sequence, version) where d.id = s.id;

-- commitMany of subscriptions
insert into "tolem_subscription_events" (subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at) select subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::bigint[])) as s(subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at) where true;

-- commitMany of subscriptions
insert into "tolem_subscription_runs" (subscription_id, run, organization_id, scheduled_at, invoice_ids, status, faults, due_at, created_at, updated_at, mode, invoice_id) select subscription_id, run, organization_id, scheduled_at, invoice_ids, status, faults, due_at, created_at, updated_at, mode, invoice_id from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::bigint[]), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[]), (select $9::bigint[]), (select $10::bigint[]), (select $11::text[] collate "C"), (select $12::text[] collate "C")) as s(subscription_id, run, organization_id, scheduled_at, invoice_ids, status, faults, due_at, created_at, updated_at, mode, invoice_id) where true on conflict (subscription_id, run) do update set invoice_ids = excluded.invoice_ids, status = excluded.status, faults = excluded.faults, due_at = excluded.due_at, updated_at = excluded.updated_at, invoice_id = excluded.invoice_id;

-- commitMany of subscriptions
insert into "tolem_mails" (id, kind, organization_id, mode, invoice_id, recipient, status, attempts, resent, reason, due_at, created_at, completed_at) select id, kind, organization_id, mode, invoice_id, recipient, status, attempts, resent, reason, due_at, created_at, completed_at from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::bigint[]), (select $9::bigint[]), (select $10::text[] collate "C"), (select $11::bigint[]), (select $12::bigint[]), (select $13::bigint[])) as s(id, kind, organization_id, mode, invoice_id, recipient, status, attempts, resent, reason, due_at, created_at, completed_at) where true on conflict (invoice_id, kind) do nothing;

-- commitMany, waking a run
select i.* from unnest((select $1::text[] collate "C")) as s(id)
join "tolem_invoices" i on i.id = s.id
order by i.id for update of i;

-- commitMany, waking a run
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_events" e on e.invoice_id = s.id;

-- commitMany, waking a run
select r.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_refunds" r on r.invoice_id = s.id;

-- commitMany, waking a run
insert into "tolem_deliveries" (
id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence,
status, attempt_count, due_at, ready_at, lease, created_at, completed_at
)
select
'dlv_' || substr(s.id, 5) || '_' || substr(e.id, 5), e.id, s.organization_id, s.mode, s.type, s.invoice_id,
s.id, s.sequence, 'pending', 0, s.ready_at, s.ready_at, null, s.ready_at, null
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[]), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced, mode, connection_id, ready_at)
join "tolem_endpoints" e on e.organization_id = s.organization_id and e.mode = s.mode
where e.disabled = 0 and e.removed_at is null
and (e.connection_id is null or e.connection_id = s.connection_id)
and (e.events = '' or strpos(e.events, ',' || s.type || ',') > 0)
order by e.id for share of e
returning event_id;

-- commitMany, waking a run
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, idempotency_key = s.idempotency_key, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, making = s.making, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, counted_on = s.counted_on, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, scanned_at = s.scanned_at, search_text = s.search_text, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[]), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::text[] collate "C"), (select $12::text[] collate "C"), (select $13::bigint[]), (select $14::bigint[]), (select $15::bigint[]), (select $16::text[] collate "C"), (select $17::bigint[]), (select $18::bigint[]), (select $19::bigint[]), (select $20::bigint[]), (select $21::bigint[]), (select $22::text[] collate "C"), (select $23::text[] collate "C")) as s(id, connection_id, status, refunded, idempotency_key, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, making, expires_at, paid_at, updated_at, counted_on, late, due_at, sequence, version, scanned_at, search_text, seal) where i.id = s.id;

-- commitMany, waking a run
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::bigint[])) as s(invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at, announced) where true;

-- commitMany, waking a run
select d.id from "tolem_subscriptions" d
where d.id in (select s.subscription_id from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[])) as s(subscription_id, run, at))
order by d.id for update of d;

-- commitMany, waking a run
update "tolem_subscriptions" set version = version + 1 where id in ($1);

-- commitMany, waking a run
update "tolem_subscription_runs" as d set due_at = s.at from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[])) as s(subscription_id, run, at)
where d.subscription_id = s.subscription_id and d.run = s.run and d.status <> 'ended';

-- commitMany, waking a run
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- find a subscription
select * from "tolem_subscriptions" where id = $1;

-- list subscriptions
select (select coalesce(json_agg(r), '[]')::text from (select count(*) as total from "tolem_subscriptions" d where (d.organization_id = $1 AND d.mode = $2 AND d.connection_id = $3 AND d.status in ($4))) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (
select d.* from "tolem_subscriptions" d where (d.organization_id = $5 AND d.mode = $6 AND d.connection_id = $7 AND d.status in ($8)) order by d.created_at desc, d.id desc
limit cast($9 as bigint) offset cast($10 as bigint)) as r) as "page";

-- search subscriptions
with counted as (select count(*) as total from "tolem_subscriptions" d where (d.organization_id = $1 AND d.mode = $2 AND d.connection_id = $3 AND d.status in ($4) AND (d.id || '' || coalesce(d.description, '') || '' || coalesce(d.customer_name, '') || '' || coalesce(d.customer_phone, '') || '' || coalesce(d.customer_email, '')) ~ $5))
select page.*, counted.total from counted left join (
select d.* from "tolem_subscriptions" d where (d.organization_id = $6 AND d.mode = $7 AND d.connection_id = $8 AND d.status in ($9) AND (d.id || '' || coalesce(d.description, '') || '' || coalesce(d.customer_name, '') || '' || coalesce(d.customer_phone, '') || '' || coalesce(d.customer_email, '')) ~ $10) order by d.created_at desc, d.id desc
limit cast($11 as bigint) offset cast($12 as bigint)) as page on true
order by page.created_at desc, page.id desc;

-- list subscriptions that are stuck
select (select coalesce(json_agg(r), '[]')::text from (select count(*) as total from "tolem_subscriptions" d where (d.organization_id = $1 AND d.mode = $2 AND d.status = 'active' and d.faults > 0)) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (
select d.* from "tolem_subscriptions" d where (d.organization_id = $3 AND d.mode = $4 AND d.status = 'active' and d.faults > 0) order by d.created_at desc, d.id desc
limit cast($5 as bigint) offset cast($6 as bigint)) as r) as "page";

-- sums of subscriptions
select d.status, d.step, d.every, count(*) as count, cast(sum(d.amount) as text) as amount,
cast(sum(case when d.status = 'active' and d.faults > 0 then 1 else 0 end) as bigint) as stuck
from "tolem_subscriptions" d where (d.organization_id = $1 AND d.mode = $2)
group by d.status, d.step, d.every;

-- schedule of subscriptions
select step, every, anchor_at, next_run_at, misfire, failing, left_over, count(*) as count,
cast(sum(amount) as text) as amount, max(id) as last_id
from (
select part.id, part.step, part.every, part.anchor_at, part.next_run_at, part.misfire, part.amount,
case when part.faults > 0 then 1 else 0 end as failing, part.max_runs - part.runs as left_over
from (select d.* from "tolem_subscriptions" d where (d.organization_id = $1 AND d.mode = $2 AND d.status = 'active' AND d.next_run_at < cast($3 as bigint))
order by d.next_run_at, d.id limit cast($4 as bigint)) as part
) as looked
group by step, every, anchor_at, next_run_at, misfire, failing, left_over;

-- schedule of subscriptions, further on
select step, every, anchor_at, next_run_at, misfire, failing, left_over, count(*) as count,
cast(sum(amount) as text) as amount, max(id) as last_id
from (
select part.id, part.step, part.every, part.anchor_at, part.next_run_at, part.misfire, part.amount,
case when part.faults > 0 then 1 else 0 end as failing, part.max_runs - part.runs as left_over
from (select d.* from "tolem_subscriptions" d where (d.organization_id = $1 AND d.mode = $2 AND d.status = 'active' AND d.next_run_at < cast($3 as bigint) AND (d.next_run_at, d.id) > (cast($4 as bigint), $5))
order by d.next_run_at, d.id limit cast($6 as bigint)) as part
) as looked
group by step, every, anchor_at, next_run_at, misfire, failing, left_over;

-- scheduled subscriptions
select d.* from "tolem_subscriptions" d where (d.organization_id = $1 AND d.mode = $2 AND d.status = 'active' AND d.next_run_at < cast($3 as bigint))
order by d.next_run_at, d.id limit cast($4 as bigint);

-- runs of a subscription
select * from "tolem_subscription_runs" where subscription_id = $1
order by run desc limit cast($2 as bigint);

-- earlier runs of a subscription
select * from "tolem_subscription_runs" where subscription_id = $1 and run < cast($2 as bigint)
order by run desc limit cast($3 as bigint);

-- detail of a subscription
select (select coalesce(json_agg(r), '[]')::text from (select * from "tolem_subscriptions" where id = $1) as r) as "subscriptions", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_subscription_events" where subscription_id = $2 order by sequence) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (select * from "tolem_subscription_runs" where subscription_id = $3 order by run) as r) as "runs";

-- claim of subscriptions
with due as (
select d.id from "tolem_subscriptions" d
where d.due_at <= cast($1 as bigint)
order by d.due_at limit cast($2 as bigint) for update of d skip locked)
update "tolem_subscriptions" set due_at = cast($3 as bigint)
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- claim of subscriptions of a tenant
with due as (
select d.id from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(organization_id, mode) cross join lateral (
select f.id from "tolem_subscriptions" f
where f.organization_id = s.organization_id and f.mode = s.mode
and f.due_at <= cast($3 as bigint)
order by f.due_at limit cast($4 as bigint) for update of f skip locked) as d
limit cast($5 as bigint))
update "tolem_subscriptions" set due_at = cast($6 as bigint)
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- claim of runs
with due as (
select d.subscription_id, d.run from "tolem_subscription_runs" d
where d.due_at <= cast($1 as bigint)
order by d.due_at limit cast($2 as bigint) for update of d skip locked)
update "tolem_subscription_runs" set due_at = cast($3 as bigint)
where (subscription_id, run) in (select subscription_id, run from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- claim of runs
select * from "tolem_subscriptions" where id in ($1);

-- claim of runs of a tenant
with due as (
select d.subscription_id, d.run from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(organization_id, mode) cross join lateral (
select f.subscription_id, f.run from "tolem_subscription_runs" f
where f.organization_id = s.organization_id and f.mode = s.mode
and f.due_at <= cast($3 as bigint)
order by f.due_at limit cast($4 as bigint) for update of f skip locked) as d
limit cast($5 as bigint))
update "tolem_subscription_runs" set due_at = cast($6 as bigint)
where (subscription_id, run) in (select subscription_id, run from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- waiting for subscriptions
with recursive places (organization_id, step) as (
select
(select min(f.organization_id) from "tolem_subscriptions" f where f.due_at is not null and f.organization_id > $1), 1
union all
select
(select min(f.organization_id) from "tolem_subscriptions" f where f.due_at is not null and f.organization_id > places.organization_id), places.step + 1 from places
where places.organization_id is not null and places.step < 256
)
select places.organization_id, places.step, modes.mode, case when exists (
select 1 from "tolem_subscriptions" f
where f.organization_id = places.organization_id and f.mode = modes.mode
and f.due_at <= cast($2 as bigint)
) then 1 else 0 end as due
from places cross join (select 'live' as mode union all select 'sandbox') as modes
where places.organization_id is not null order by places.step, modes.mode;

-- waiting for runs
with recursive places (organization_id, step) as (
select
(select min(f.organization_id) from "tolem_subscription_runs" f where f.due_at is not null and f.organization_id > $1), 1
union all
select
(select min(f.organization_id) from "tolem_subscription_runs" f where f.due_at is not null and f.organization_id > places.organization_id), places.step + 1 from places
where places.organization_id is not null and places.step < 256
)
select places.organization_id, places.step, modes.mode, case when exists (
select 1 from "tolem_subscription_runs" f
where f.organization_id = places.organization_id and f.mode = modes.mode
and f.due_at <= cast($2 as bigint)
) then 1 else 0 end as due
from places cross join (select 'live' as mode union all select 'sandbox') as modes
where places.organization_id is not null order by places.step, modes.mode;

-- claim of invoices of a tenant
with due as (
select d.id from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(organization_id, mode) cross join lateral (
select f.id from "tolem_invoices" f
where f.organization_id = s.organization_id and f.mode = s.mode
and f.due_at <= cast($3 as bigint) and not exists (
select 1 from "tolem_invoice_leases" l
where l.id = f.id and l.due_at = f.due_at and l.until > cast($4 as bigint)
)
order by f.due_at limit cast($5 as bigint) for update of f skip locked) as d
limit cast($6 as bigint)), taken as (
insert into "tolem_invoice_leases" as l (id, due_at, until)
select d.id, d.due_at, cast($7 as bigint) from "tolem_invoices" d
where d.id = any(array(select id from due)) and (select set_config('synchronous_commit', 'off', true)) is not null
on conflict (id) do update set due_at = excluded.due_at, until = excluded.until
where l.due_at <> excluded.due_at or l.until <= cast($8 as bigint)
returning id)
select d.* from "tolem_invoices" d where d.id = any(array(select id from taken));

-- waiting for invoices
with recursive places (organization_id, step) as (
select
(select min(f.organization_id) from "tolem_invoices" f where f.due_at is not null and f.organization_id > $1), 1
union all
select
(select min(f.organization_id) from "tolem_invoices" f where f.due_at is not null and f.organization_id > places.organization_id), places.step + 1 from places
where places.organization_id is not null and places.step < 256
)
select places.organization_id, places.step, modes.mode, case when exists (
select 1 from "tolem_invoices" f
where f.organization_id = places.organization_id and f.mode = modes.mode
and f.due_at <= cast($2 as bigint) and not exists (
select 1 from "tolem_invoice_leases" l
where l.id = f.id and l.due_at = f.due_at and l.until > cast($3 as bigint)
)
) then 1 else 0 end as due
from places cross join (select 'live' as mode union all select 'sandbox') as modes
where places.organization_id is not null order by places.step, modes.mode;

-- register a consumer
insert into "tolem_consumers" (name, types, organizations, since)
values ($1, $2, $3, cast($4 as bigint))
on conflict (name) do update set types = excluded.types, organizations = excluded.organizations;

-- arriving
with recursive arriving (organization_id) as (
select (select min(a.organization_id) from "tolem_feed_arrivals" a where a.organization_id > $1)
union all
select (select min(a.organization_id) from "tolem_feed_arrivals" a
where a.organization_id > arriving.organization_id)
from arriving where arriving.organization_id is not null
)
select organization_id from arriving where organization_id is not null limit cast($2 as bigint);

-- place what is announced
select 1 as found from "tolem_feed_arrivals" where organization_id = $1 limit 1;

-- place what is announced
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- place what is announced
select a.id, a.invoice_id, a.sequence, e.id as event_id, e.type, e.created_at, e.from_status, e.to_status, i.origin,
case when e.id is not null and f.position is null then i.mode end as mode
from (
select * from "tolem_feed_arrivals" where organization_id = $1
order by id limit cast($2 as bigint)
) as a
left join "tolem_invoices" i on i.id = a.invoice_id
left join "tolem_events" e on e.invoice_id = a.invoice_id and e.sequence = a.sequence
left join "tolem_feed" f on f.invoice_id = a.invoice_id and f.sequence = a.sequence
order by a.id;

-- place what is announced
select mode, position, reached_at from "tolem_feed_heads" where organization_id = $1;

-- place what is announced
insert into "tolem_feed" (organization_id, mode, position, event_id, type, invoice_id, sequence, reached_at) select organization_id, mode, position, event_id, type, invoice_id, sequence, reached_at from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::bigint[])) as s(organization_id, mode, position, event_id, type, invoice_id, sequence, reached_at) where true;

-- place what is announced
insert into "tolem_feed_heads" (organization_id, mode, position, reached_at) select organization_id, mode, position, reached_at from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[]), (select $4::bigint[])) as s(organization_id, mode, position, reached_at) where true
on conflict (organization_id, mode) do update set position = excluded.position, reached_at = excluded.reached_at;

-- place what is announced
select * from "tolem_consumers" order by name;

-- place what is announced
insert into "tolem_reactions" (id, consumer, organization_id, mode, type, invoice_id, sequence, event_id, status, attempt_count, due_at)
select id, consumer, organization_id, mode, type, invoice_id, sequence, event_id, 'pending', 0, 0 from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::bigint[]), (select $8::text[] collate "C")) as s(id, consumer, organization_id, mode, type, invoice_id, sequence, event_id) where true;

-- place what is announced
delete from "tolem_feed_arrivals" where organization_id = $1
and id in (select s.id from unnest((select $2::bigint[])) as s(id));

-- claim a reaction
with due as (
select r.id as due_id from "tolem_reactions" r
where r.consumer in ($1) and r.status = 'pending' and r.due_at <= cast($2 as bigint)
and not exists (
select 1 from "tolem_reactions" p
where p.consumer = r.consumer and p.invoice_id = r.invoice_id and p.status = 'pending'
and p.sequence < r.sequence)
order by r.due_at, r.id limit cast($3 as bigint) for update of r skip locked
)
update "tolem_reactions" as d
set due_at = cast($4 as bigint), lease = $5, attempt_count = d.attempt_count + 1
from due where d.id = due.due_id and d.status = 'pending'
returning id, consumer, invoice_id, sequence, event_id, attempt_count;

-- claim a reaction
select (select coalesce(json_agg(r), '[]')::text from (select e.* from "tolem_events" e where e.invoice_id in ($1)) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (select i.* from "tolem_invoices" i where i.id in ($2)) as r) as "invoices";

-- claim a reaction
update "tolem_reactions" set status = $1, lease = null,
due_at = cast($2 as bigint), error = $3, failed_at = cast($4 as bigint)
where id = $5 and lease = $6 and status = 'pending';

-- claim a reaction
update "tolem_reactions" as d
set due_at = cast($1 as bigint), lease = null, attempt_count = d.attempt_count - 1
from unnest((select $2::text[] collate "C"), (select $3::text[] collate "C")) as s(id, lease)
where d.id = s.id and d.lease = s.lease and d.status = 'pending';

-- failures of reactions
select * from "tolem_reactions" where consumer = $1 and failed_at is not null
order by failed_at desc, id desc limit cast($2 as bigint) offset cast($3 as bigint);

-- settle a reaction
with due as (
select r.id as due_id from "tolem_reactions" r
where r.consumer in ($1) and r.status = 'pending' and r.due_at <= cast($2 as bigint)
and not exists (
select 1 from "tolem_reactions" p
where p.consumer = r.consumer and p.invoice_id = r.invoice_id and p.status = 'pending'
and p.sequence < r.sequence)
order by r.due_at, r.id limit cast($3 as bigint) for update of r skip locked
)
update "tolem_reactions" as d
set due_at = cast($4 as bigint), lease = $5, attempt_count = d.attempt_count + 1
from due where d.id = due.due_id and d.status = 'pending'
returning id, consumer, invoice_id, sequence, event_id, attempt_count;

-- settle a reaction
select (select coalesce(json_agg(r), '[]')::text from (select e.* from "tolem_events" e where e.invoice_id in ($1)) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (select i.* from "tolem_invoices" i where i.id in ($2)) as r) as "invoices";

-- settle a reaction
delete from "tolem_reactions"
where id = $1 and lease = $2 and status = 'pending' returning id;

-- resend a reaction
update "tolem_reactions" set status = 'pending', attempt_count = 0, lease = null,
due_at = cast($1 as bigint)
where id = $2 and status = 'failed' returning id;

-- remove a consumer
delete from "tolem_reactions" where consumer = $1 and status = 'pending';

-- remove a consumer
delete from "tolem_reactions" where consumer = $1 and failed_at is not null;

-- remove a consumer
delete from "tolem_consumers" where name = $1 returning name;

-- place events
select 1 as found from "tolem_feed_arrivals" where organization_id = $1 limit 1;

-- read the feed
select (select coalesce(json_agg(r), '[]')::text from (
select part.position, part.event_id, part.invoice_id, part.sequence from (select * from (select * from "tolem_feed" f where f.organization_id = $1 and f.mode = $2 and f.position > cast($3 as bigint)
order by f.position limit 10000) as few
order by position limit cast($4 as bigint)) as part
where 1=1 order by part.position limit cast($5 as bigint)) as r) as "places", (select coalesce(json_agg(r), '[]')::text from (
select e.* from (
select part.position, part.event_id, part.invoice_id, part.sequence from (select * from (select * from "tolem_feed" f where f.organization_id = $6 and f.mode = $7 and f.position > cast($8 as bigint)
order by f.position limit 10000) as few
order by position limit cast($9 as bigint)) as part
where 1=1 order by part.position limit cast($10 as bigint)) as w
join "tolem_events" e on e.invoice_id = w.invoice_id and e.sequence = w.sequence) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (
select i.* from "tolem_invoices" i where i.id in (select w.invoice_id from (
select part.position, part.event_id, part.invoice_id, part.sequence from (select * from (select * from "tolem_feed" f where f.organization_id = $11 and f.mode = $12 and f.position > cast($13 as bigint)
order by f.position limit 10000) as few
order by position limit cast($14 as bigint)) as part
where 1=1 order by part.position limit cast($15 as bigint)) as w)) as r) as "invoices", (select coalesce(json_agg(r), '[]')::text from (
select f.position, f.event_id, w.looked from (
select max(part.position) as position, count(*) as looked from (select * from (select * from "tolem_feed" f where f.organization_id = $16 and f.mode = $17 and f.position > cast($18 as bigint)
order by f.position limit 10000) as few
order by position limit cast($19 as bigint)) as part
) as w join "tolem_feed" f on f.organization_id = $20 and f.mode = $21 and f.position = w.position) as r) as "last";

-- read the feed behind a cursor, of types
select h.position, f.event_id from "tolem_feed_heads" h
left join "tolem_feed" f on f.organization_id = h.organization_id and f.mode = h.mode
and f.position = cast($1 as bigint)
where h.organization_id = $2 and h.mode = $3;

-- read the feed behind a cursor, of types
select f.position, f.event_id from "tolem_feed" f
where f.organization_id = $1 and f.mode = $2 and f.position < coalesce((
select n.position from "tolem_feed" n
where n.organization_id = $3 and n.mode = $4
and n.reached_at >= cast($5 as bigint)
order by n.reached_at, n.position limit 1), 9007199254740991)
order by f.position desc limit 1;

-- read the feed behind a cursor, of types
select (select coalesce(json_agg(r), '[]')::text from (
select part.position, part.event_id, part.invoice_id, part.sequence from (select * from (select * from "tolem_feed" f where f.organization_id = $1 and f.mode = $2 and f.position > cast($3 as bigint)
order by f.position limit 10000) as few
order by position limit cast($4 as bigint)) as part
where part.type in ($5,$6) order by part.position limit cast($7 as bigint)) as r) as "places", (select coalesce(json_agg(r), '[]')::text from (
select e.* from (
select part.position, part.event_id, part.invoice_id, part.sequence from (select * from (select * from "tolem_feed" f where f.organization_id = $8 and f.mode = $9 and f.position > cast($10 as bigint)
order by f.position limit 10000) as few
order by position limit cast($11 as bigint)) as part
where part.type in ($12,$13) order by part.position limit cast($14 as bigint)) as w
join "tolem_events" e on e.invoice_id = w.invoice_id and e.sequence = w.sequence) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (
select i.* from "tolem_invoices" i where i.id in (select w.invoice_id from (
select part.position, part.event_id, part.invoice_id, part.sequence from (select * from (select * from "tolem_feed" f where f.organization_id = $15 and f.mode = $16 and f.position > cast($17 as bigint)
order by f.position limit 10000) as few
order by position limit cast($18 as bigint)) as part
where part.type in ($19,$20) order by part.position limit cast($21 as bigint)) as w)) as r) as "invoices", (select coalesce(json_agg(r), '[]')::text from (
select f.position, f.event_id, w.looked from (
select max(part.position) as position, count(*) as looked from (select * from (select * from "tolem_feed" f where f.organization_id = $22 and f.mode = $23 and f.position > cast($24 as bigint)
order by f.position limit 10000) as few
order by position limit cast($25 as bigint)) as part
) as w join "tolem_feed" f on f.organization_id = $26 and f.mode = $27 and f.position = w.position) as r) as "last";

-- read the feed since an instant, of a cashier
select f.position, f.event_id from "tolem_feed" f
where f.organization_id = $1 and f.mode = $2 and f.position < coalesce((
select n.position from "tolem_feed" n
where n.organization_id = $3 and n.mode = $4
and n.reached_at >= cast($5 as bigint)
order by n.reached_at, n.position limit 1), 9007199254740991)
order by f.position desc limit 1;

-- read the feed since an instant, of a cashier
select (select coalesce(json_agg(r), '[]')::text from (
select part.position, part.event_id, part.invoice_id, part.sequence from (select * from (select * from "tolem_feed" f where f.organization_id = $1 and f.mode = $2 and f.position > cast($3 as bigint)
order by f.position limit 10000) as few
order by position limit cast($4 as bigint)) as part
where exists (select 1 from "tolem_invoices" i
where i.id = part.invoice_id and i.connection_id = $5) order by part.position limit cast($6 as bigint)) as r) as "places", (select coalesce(json_agg(r), '[]')::text from (
select e.* from (
select part.position, part.event_id, part.invoice_id, part.sequence from (select * from (select * from "tolem_feed" f where f.organization_id = $7 and f.mode = $8 and f.position > cast($9 as bigint)
order by f.position limit 10000) as few
order by position limit cast($10 as bigint)) as part
where exists (select 1 from "tolem_invoices" i
where i.id = part.invoice_id and i.connection_id = $11) order by part.position limit cast($12 as bigint)) as w
join "tolem_events" e on e.invoice_id = w.invoice_id and e.sequence = w.sequence) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (
select i.* from "tolem_invoices" i where i.id in (select w.invoice_id from (
select part.position, part.event_id, part.invoice_id, part.sequence from (select * from (select * from "tolem_feed" f where f.organization_id = $13 and f.mode = $14 and f.position > cast($15 as bigint)
order by f.position limit 10000) as few
order by position limit cast($16 as bigint)) as part
where exists (select 1 from "tolem_invoices" i
where i.id = part.invoice_id and i.connection_id = $17) order by part.position limit cast($18 as bigint)) as w)) as r) as "invoices", (select coalesce(json_agg(r), '[]')::text from (
select f.position, f.event_id, w.looked from (
select max(part.position) as position, count(*) as looked from (select * from (select * from "tolem_feed" f where f.organization_id = $19 and f.mode = $20 and f.position > cast($21 as bigint)
order by f.position limit 10000) as few
order by position limit cast($22 as bigint)) as part
) as w join "tolem_feed" f on f.organization_id = $23 and f.mode = $24 and f.position = w.position) as r) as "last";

-- arrived of the feed
select s.organization_id from unnest((select $1::text[] collate "C")) as s(organization_id)
where exists (select 1 from "tolem_feed_arrivals" a where a.organization_id = s.organization_id);

-- ready of the feed
select s.n from unnest((select $1::bigint[]), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[]), (select $5::text[] collate "C"), (select $6::text[] collate "C")) as s(n, organization_id, mode, position, types, connection_id) where exists (
select 1 from "tolem_feed" f
where f.organization_id = s.organization_id and f.mode = s.mode and f.position > s.position
and (s.types = '' or strpos(s.types, ',' || f.type || ',') > 0)
and (s.connection_id = '' or exists (select 1 from "tolem_invoices" i
where i.id = f.invoice_id and i.connection_id = s.connection_id)));

-- claim of letters of a tenant
with due as (
select d.id from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(organization_id, mode) cross join lateral (
select f.id from "tolem_mails" f
where f.organization_id = s.organization_id and f.mode = s.mode
and f.due_at <= cast($3 as bigint)
order by f.due_at limit cast($4 as bigint) for update of f skip locked) as d
limit cast($5 as bigint))
update "tolem_mails" set due_at = cast($6 as bigint)
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- waiting for letters
with recursive places (organization_id, step) as (
select
(select min(f.organization_id) from "tolem_mails" f where f.due_at is not null and f.organization_id > $1), 1
union all
select
(select min(f.organization_id) from "tolem_mails" f where f.due_at is not null and f.organization_id > places.organization_id), places.step + 1 from places
where places.organization_id is not null and places.step < 256
)
select places.organization_id, places.step, modes.mode, case when exists (
select 1 from "tolem_mails" f
where f.organization_id = places.organization_id and f.mode = modes.mode
and f.due_at <= cast($2 as bigint)
) then 1 else 0 end as due
from places cross join (select 'live' as mode union all select 'sandbox') as modes
where places.organization_id is not null order by places.step, modes.mode;

-- claim of letters
with due as (
select d.id from "tolem_mails" d
where d.due_at <= cast($1 as bigint)
order by d.due_at limit cast($2 as bigint) for update of d skip locked)
update "tolem_mails" set due_at = cast($3 as bigint)
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- begin a letter
update "tolem_mails" set status = 'sending', attempts = attempts + 1
where id = $1 and status = 'pending' and due_at = cast($2 as bigint)
returning id;

-- begin a letter
insert into "tolem_usage" as t (organization_id, period, used)
values ($1, $2, 1)
on conflict (organization_id, period) do update set used = t.used + 1
where t.used < cast($3 as bigint)
returning used;

-- settle a letter
update "tolem_mails" set status = $1, reason = $2, due_at = cast($3 as bigint),
completed_at = cast($4 as bigint)
where id = $5 and status in ('pending', 'sending');

-- list letters
select * from "tolem_mails" where invoice_id = $1 and organization_id = $2
order by created_at, id;

-- send a letter again
update "tolem_mails" set status = $1, attempts = cast($2 as bigint),
resent = cast($3 as bigint), reason = $4, due_at = cast($5 as bigint),
completed_at = cast($6 as bigint)
where id = $7 and organization_id = $8 and status = $9
and resent = cast($10 as bigint)
returning *;

-- send a letter again
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- send a letter again
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- send a letter again
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- send a letter again
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- send a letter again
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- forget letters
delete from "tolem_mails" where id = any(array(
select old.id from "tolem_mails" old where old.completed_at < cast($1 as bigint)
order by old.completed_at limit cast($2 as bigint) for update of old skip locked)) returning id;

-- ahead, of clocks
select id, clock_ahead_ms from "tolem_organizations" where clock_ahead_ms > 0;

-- advance a clock
update "tolem_organizations" set clock_ahead_ms = cast($1 as bigint)
where id = $2 and clock_ahead_ms < cast($3 as bigint);

-- advance a clock
select clock_ahead_ms from "tolem_organizations" where id = $1;

-- nextDueAt
select min(due_at) as due_at from (
select * from (
select i.due_at from "tolem_invoices" i
where i.organization_id = $1 and i.mode = 'sandbox' and i.status in ('new', 'pending')
and i.due_at is not null and not exists (
select 1 from "tolem_invoice_leases" l where l.id = i.id and l.due_at = i.due_at
)
order by i.due_at limit 1
) as free
union all
select min(held.until) from "tolem_invoice_leases" held join "tolem_invoices" i on i.id = held.id
where i.organization_id = $2 and i.mode = 'sandbox' and i.due_at = held.due_at
union all
select min(due_at) from "tolem_subscriptions" where organization_id = $3 and mode = 'sandbox'
union all
select min(due_at) from "tolem_subscription_runs"
where organization_id = $4 and mode = 'sandbox' and due_at is not null
) as dates;

-- add a link
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- add a link
select count(*) as count from "tolem_payment_links"
where organization_id = $1 and mode = $2 and removed_at is null;

-- add a link
insert into "tolem_payment_links" (id, organization_id, mode, connection_id, slug, title, description, picture, amount, min_amount, max_amount, presets, fields, thank_you, max_payments, opens_at, closes_at, success_url, fail_url, status, created_at, updated_at, version) select id, organization_id, mode, connection_id, slug, title, description, picture, amount, min_amount, max_amount, presets, fields, thank_you, max_payments, opens_at, closes_at, success_url, fail_url, status, created_at, updated_at, version from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::bigint[]), (select $16::bigint[]), (select $17::bigint[]), (select $18::text[] collate "C"), (select $19::text[] collate "C"), (select $20::text[] collate "C"), (select $21::bigint[]), (select $22::bigint[]), (select $23::bigint[])) as s(id, organization_id, mode, connection_id, slug, title, description, picture, amount, min_amount, max_amount, presets, fields, thank_you, max_payments, opens_at, closes_at, success_url, fail_url, status, created_at, updated_at, version) where true on conflict (slug) where removed_at is null do nothing returning *;

-- add a link
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- add a link
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- add a link
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- add a link
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- find a link
select * from "tolem_payment_links" where id = $1 and removed_at is null;

-- find a link
select t.link_id, cast(sum(t.made) as text) as made, cast(sum(t.held) as text) as held, cast(sum(t.paid) as text) as paid, cast(sum(t.paid_amount) as text) as paid_amount, cast(sum(t.refunded) as text) as refunded
from unnest((select $1::text[] collate "C")) as s(id) join "tolem_link_totals" t on t.link_id = s.id group by t.link_id;

-- find a slug
select * from "tolem_payment_links" where slug = $1 and removed_at is null;

-- find a slug
select t.link_id, cast(sum(t.made) as text) as made, cast(sum(t.held) as text) as held, cast(sum(t.paid) as text) as paid, cast(sum(t.paid_amount) as text) as paid_amount, cast(sum(t.refunded) as text) as refunded
from unnest((select $1::text[] collate "C")) as s(id) join "tolem_link_totals" t on t.link_id = s.id group by t.link_id;

-- list links
select * from "tolem_payment_links"
where organization_id = $1 and mode = $2 and removed_at is null
order by created_at, id;

-- list links
select t.link_id, cast(sum(t.made) as text) as made, cast(sum(t.held) as text) as held, cast(sum(t.paid) as text) as paid, cast(sum(t.paid_amount) as text) as paid_amount, cast(sum(t.refunded) as text) as refunded
from unnest((select $1::text[] collate "C")) as s(id) join "tolem_link_totals" t on t.link_id = s.id group by t.link_id;

-- list links of a cashier
select * from "tolem_payment_links"
where organization_id = $1 and mode = $2 and removed_at is null and connection_id = $3
order by created_at, id;

-- replace a link
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- replace a link
select substr(picture, 1, 40) as name from "tolem_payment_links"
where id = $1 and organization_id = $2 and removed_at is null;

-- replace a link
select id from "tolem_payment_links" where slug = $1 and removed_at is null and id <> $2;

-- replace a link
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'payment_links/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_payment_links" t where id = $1
for update of t;

-- replace a link
update "tolem_payment_links" set slug = $1, title = $2, description = $3, picture = $4, amount = cast($5 as bigint), min_amount = cast($6 as bigint), max_amount = cast($7 as bigint), presets = $8, fields = $9, thank_you = $10, max_payments = cast($11 as bigint), opens_at = cast($12 as bigint), closes_at = cast($13 as bigint), success_url = $14, fail_url = $15, status = $16, updated_at = cast($17 as bigint), version = cast($18 as bigint)
where id = $19 and organization_id = $20 and version = cast($21 as bigint)
and removed_at is null
returning *;

-- replace a link
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- replace a link
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- replace a link
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- replace a link
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- add a link with a picture
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- add a link with a picture
select count(*) as count from "tolem_payment_links"
where organization_id = $1 and mode = $2 and removed_at is null;

-- add a link with a picture
insert into "tolem_payment_links" (id, organization_id, mode, connection_id, slug, title, description, picture, amount, min_amount, max_amount, presets, fields, thank_you, max_payments, opens_at, closes_at, success_url, fail_url, status, created_at, updated_at, version) select id, organization_id, mode, connection_id, slug, title, description, picture, amount, min_amount, max_amount, presets, fields, thank_you, max_payments, opens_at, closes_at, success_url, fail_url, status, created_at, updated_at, version from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::text[] collate "C"), (select $15::bigint[]), (select $16::bigint[]), (select $17::bigint[]), (select $18::text[] collate "C"), (select $19::text[] collate "C"), (select $20::text[] collate "C"), (select $21::bigint[]), (select $22::bigint[]), (select $23::bigint[])) as s(id, organization_id, mode, connection_id, slug, title, description, picture, amount, min_amount, max_amount, presets, fields, thank_you, max_payments, opens_at, closes_at, success_url, fail_url, status, created_at, updated_at, version) where true on conflict (slug) where removed_at is null do nothing returning *;

-- add a link with a picture
insert into "tolem_pictures" (id, organization_id, content_type, width, height, data, created_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (id) do nothing returning *;

-- add a link with a picture
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- add a link with a picture
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- add a link with a picture
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- add a link with a picture
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- show another picture
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- show another picture
select substr(picture, 1, 40) as name from "tolem_payment_links"
where id = $1 and organization_id = $2 and removed_at is null;

-- show another picture
select id from "tolem_payment_links" where slug = $1 and removed_at is null and id <> $2;

-- show another picture
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'payment_links/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_payment_links" t where id = $1
for update of t;

-- show another picture
update "tolem_payment_links" set slug = $1, title = $2, description = $3, picture = $4, amount = cast($5 as bigint), min_amount = cast($6 as bigint), max_amount = cast($7 as bigint), presets = $8, fields = $9, thank_you = $10, max_payments = cast($11 as bigint), opens_at = cast($12 as bigint), closes_at = cast($13 as bigint), success_url = $14, fail_url = $15, status = $16, updated_at = cast($17 as bigint), version = cast($18 as bigint)
where id = $19 and organization_id = $20 and version = cast($21 as bigint)
and removed_at is null
returning *;

-- show another picture
insert into "tolem_pictures" (id, organization_id, content_type, width, height, data, created_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (id) do nothing returning *;

-- show another picture
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- show another picture
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- show another picture
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- show another picture
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- take a place
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- take a place
select cast(sum(case when ((status in ('new', 'pending', 'paid', 'partially_refunded')
and (status <> 'new' or coalesce(making, 'asked') <> 'waits')) and i.paid_at is null)
or (status = 'cancelled' and kind = 'qr' and coalesce(making, 'made') <> 'waits'
and coalesce(expires_at, updated_at + 3600000) > cast($1 as bigint))
or (i.status = 'new' and t.asked_at > cast($2 as bigint)) then 1 else 0 end) as text) as held,
cast(sum(case when i.status = 'expired' and i.updated_at > cast($3 as bigint) then 1 else 0 end) as text)
as lost
from "tolem_place_takers" t join "tolem_invoices" i on i.id = t.invoice_id
where t.link_id = $4 and t.visitor = $5 and t.invoice_id <> $6;

-- take a place
insert into "tolem_place_takers" (invoice_id, link_id, visitor, asked_at)
values ($1, $2, $3, cast($4 as bigint))
on conflict (invoice_id) do update set visitor = excluded.visitor, asked_at = excluded.asked_at;

-- forget takers
delete from "tolem_place_takers" where invoice_id = any(array(
select old.invoice_id from "tolem_place_takers" old where old.asked_at < cast($1 as bigint)
order by old.asked_at limit cast($2 as bigint) for update of old skip locked)) returning invoice_id;

-- lend the sweep over links
update "tolem_link_sweeps" set due_at = cast($1 as bigint), whole_until = coalesce(whole_until, cast($2 as bigint))
where name = 'totals' and due_at <= cast($3 as bigint) returning resume_after, whole_until;

-- sweep over links
select l.id from "tolem_payment_links" l where l.id > $1 and l.removed_at is null
order by l.id limit cast($2 as bigint) for update of l;

-- sweep over links
update "tolem_link_sweeps" set resume_after = $1, due_at = cast($2 as bigint)
where name = 'totals' and due_at = cast($3 as bigint) and resume_after = $4 returning name;

-- sweep over links
insert into "tolem_link_totals" as t (link_id, shard, made, held, paid, paid_amount, refunded)
select link_id, 0, cast(sum(made) as bigint) as made, cast(sum(held) as bigint) as held, cast(sum(paid) as bigint) as paid, cast(sum(paid_amount) as bigint) as paid_amount, cast(sum(refunded) as bigint) as refunded from (
select substr(origin, 14) as link_id, 1 as made, case when (status in ('new', 'pending', 'paid', 'partially_refunded')
and (status <> 'new' or coalesce(making, 'asked') <> 'waits')) then 1 else 0 end as held,
case when paid_at is null then 0 else 1 end as paid,
case when paid_at is null then 0 else amount end as paid_amount, refunded
from "tolem_invoices" where substr(origin, 1, 13) = 'payment-link/' and origin in ($1)
union all
select link_id, -made, -held, -paid, -paid_amount, -refunded
from "tolem_link_totals" where link_id in ($2)
) as balance
group by link_id having sum(made) <> 0 or sum(held) <> 0 or sum(paid) <> 0 or sum(paid_amount) <> 0 or sum(refunded) <> 0
order by link_id
on conflict (link_id, shard) do update set made = t.made + excluded.made, held = t.held + excluded.held, paid = t.paid + excluded.paid, paid_amount = t.paid_amount + excluded.paid_amount, refunded = t.refunded + excluded.refunded;

-- sweep over links that sell out
select l.id from "tolem_payment_links" l where l.id > $1 and l.removed_at is null and l.max_payments is not null
order by l.id limit cast($2 as bigint) for update of l;

-- sweep over links that sell out
update "tolem_link_sweeps" set resume_after = $1, due_at = cast($2 as bigint)
where name = 'totals' and due_at = cast($3 as bigint) and resume_after = $4 returning name;

-- remove a link
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- remove a link
select substr(picture, 1, 40) as name from "tolem_payment_links"
where id = $1 and organization_id = $2 and removed_at is null;

-- remove a link
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'payment_links/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_payment_links" t where id = $1
for update of t;

-- remove a link
update "tolem_payment_links" set removed_at = cast($1 as bigint), updated_at = cast($2 as bigint)
where id = $3 and organization_id = $4 and removed_at is null
returning *;

-- remove a link
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- remove a link
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- remove a link
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- remove a link
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- add a hook
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- add a hook
select count(*) as count from "tolem_form_hooks"
where organization_id = $1 and mode = $2 and removed_at is null;

-- add a hook
insert into "tolem_form_hooks" (id, organization_id, mode, connection_id, name, success_url, fail_url, status, created_at, updated_at, version, allowed_origins, honeypot, caught) select id, organization_id, mode, connection_id, name, success_url, fail_url, status, created_at, updated_at, version, allowed_origins, honeypot, caught from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[]), (select $12::text[] collate "C"), (select $13::text[] collate "C"), (select $14::bigint[])) as s(id, organization_id, mode, connection_id, name, success_url, fail_url, status, created_at, updated_at, version, allowed_origins, honeypot, caught) where true returning *;

-- add a hook
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- add a hook
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- add a hook
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- add a hook
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- find a hook
select * from "tolem_form_hooks" where id = $1 and removed_at is null;

-- list hooks
select * from "tolem_form_hooks"
where organization_id = $1 and mode = $2 and removed_at is null
order by created_at, id;

-- list hooks of a cashier
select * from "tolem_form_hooks"
where organization_id = $1 and mode = $2 and removed_at is null and connection_id = $3
order by created_at, id;

-- count a caught form
update "tolem_form_hooks" set caught = coalesce(caught, 0) + 1 where id = $1 and removed_at is null;

-- replace a hook
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'form_hooks/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_form_hooks" t where id = $1
for update of t;

-- replace a hook
update "tolem_form_hooks" set name = $1, success_url = $2, fail_url = $3, status = $4, updated_at = cast($5 as bigint), version = cast($6 as bigint), allowed_origins = $7, honeypot = $8
where id = $9 and organization_id = $10 and version = cast($11 as bigint)
and removed_at is null
returning *;

-- replace a hook
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- replace a hook
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- replace a hook
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- replace a hook
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- remove a hook
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'form_hooks/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_form_hooks" t where id = $1
for update of t;

-- remove a hook
update "tolem_form_hooks" set removed_at = cast($1 as bigint), updated_at = cast($2 as bigint)
where id = $3 and organization_id = $4 and removed_at is null
returning *;

-- remove a hook
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- remove a hook
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- remove a hook
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- remove a hook
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- add refused forms
insert into "tolem_form_refusal_counts" as t (organization_id, hook_id, reason, refused, first_at, last_at, day_at)
select h.organization_id, s.hook_id, s.reason, s.refused, s.first_at, s.last_at, s.day_at
from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::bigint[]), (select $5::bigint[]), (select $6::bigint[]), (select $7::bigint[])) as s(organization_id, hook_id, reason, refused, first_at, last_at, day_at) join "tolem_form_hooks" h on h.id = s.hook_id
where h.removed_at is null and (select set_config('synchronous_commit', 'off', true)) is not null
on conflict (organization_id, hook_id, reason) do update set refused = t.refused + excluded.refused,
last_at = case when t.last_at > excluded.last_at then t.last_at else excluded.last_at end,
day_at = case when t.day_at > excluded.day_at then t.day_at else excluded.day_at end
returning organization_id, hook_id, reason, refused, first_at, last_at, day_at;

-- list refused forms
select organization_id, hook_id, reason, place, at, faults, names, site, day_at from "tolem_form_refusals" where organization_id = $1 and hook_id = $2 and at >= cast($3 as bigint)
order by at desc, reason, place desc limit cast($4 as bigint);

-- list forms refused for a reason
select organization_id, hook_id, reason, place, at, faults, names, site, day_at from "tolem_form_refusals" where (organization_id = $1 and hook_id = $2 and at >= cast($3 as bigint) AND reason = $4)
order by at desc, reason, place desc limit cast($5 as bigint);

-- counts of refused forms
select organization_id, hook_id, reason, refused, first_at, last_at, day_at from "tolem_form_refusal_counts"
where organization_id = $1 and hook_id = $2 and last_at >= cast($3 as bigint)
order by refused desc, reason;

-- forget refused forms
delete from "tolem_form_refusals" where (organization_id, hook_id, reason, place) in (
select t.organization_id, t.hook_id, t.reason, t.place from "tolem_form_refusals" t where t.day_at < cast($1 as bigint) order by t.day_at limit cast($2 as bigint)
for update of t skip locked)
returning place;

-- forget refused forms
delete from "tolem_form_refusal_counts" where (organization_id, hook_id, reason) in (
select t.organization_id, t.hook_id, t.reason from "tolem_form_refusal_counts" t where t.day_at < cast($1 as bigint) order by t.day_at limit cast($2 as bigint)
for update of t skip locked)
returning reason;

-- addChallenge
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- addChallenge
select created_at from "tolem_login_challenges"
where phone = $1 and created_at > cast($2 as bigint)
order by created_at desc limit cast($3 as bigint);

-- addChallenge
select created_at from "tolem_login_challenges"
where address_digest = $1 and created_at > cast($2 as bigint)
order by created_at desc limit cast($3 as bigint);

-- addChallenge
insert into "tolem_login_challenges" (id, phone, channel, digest, digest_key, address_digest, tries, created_at, expires_at, used_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- findChallenge
select * from "tolem_login_challenges" where id = $1;

-- countTry
update "tolem_login_challenges" set tries = tries + 1 where id = $1 returning tries;

-- enter
update "tolem_login_challenges" set used_at = cast($1 as bigint)
where id = $2 and used_at is null returning id;

-- enter
insert into "tolem_accounts" (id, phone, name, email, status, referral_code, created_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (phone) do nothing returning *;

-- enter
select a.* from "tolem_accounts" a where a.phone = $1 for update of a;

-- enter
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- enter
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- enter
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- enter
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- enter
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- confirmEmail
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'accounts/'
order by l.position desc limit 1) as linked_content from "tolem_accounts" t where id = $1
for update of t;

-- confirmEmail
update "tolem_login_challenges" set used_at = cast($1 as bigint)
where id = $2 and used_at is null returning id;

-- confirm
update "tolem_login_challenges" set used_at = cast($1 as bigint)
where id = $2 and used_at is null
and exists (select 1 from "tolem_sessions" where id = $3 and revoked_at is null and idle_at > cast($4 as bigint)) returning id;

-- findSession
select * from "tolem_sessions" where digest = $1;

-- touchSession
update "tolem_sessions" set seen_at = cast($1 as bigint), idle_at = cast($2 as bigint)
where id = $3 and seen_at = cast($4 as bigint) and revoked_at is null;

-- countTry that fails
update "tolem_login_challenges" set tries = tries + 1 where id = $1 returning tries;

-- countTry that fails
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- countTry that fails
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- countTry that fails
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- countTry that fails
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- countTry that fails
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- sessions
select * from "tolem_sessions"
where account_id = $1 and revoked_at is null and idle_at > cast($2 as bigint)
order by created_at desc, id desc;

-- revoke of a token
update "tolem_sessions" set revoked_at = cast($1 as bigint)
where digest = $2 and idle_at > cast($3 as bigint) and revoked_at is null returning id;

-- revoke of one
update "tolem_sessions" set revoked_at = cast($1 as bigint)
where (account_id = $2 AND id = $3) and idle_at > cast($4 as bigint) and revoked_at is null returning id;

-- revoke of the others
update "tolem_sessions" set revoked_at = cast($1 as bigint)
where (account_id = $2 AND id <> $3) and idle_at > cast($4 as bigint) and revoked_at is null returning id;

-- revoke of all
update "tolem_sessions" set revoked_at = cast($1 as bigint)
where account_id = $2 and idle_at > cast($3 as bigint) and revoked_at is null returning id;

-- forget challenges
delete from "tolem_login_challenges" where id = any(array(
select old.id from "tolem_login_challenges" old where old.created_at < cast($1 as bigint)
order by old.created_at limit cast($2 as bigint) for update of old skip locked)) returning id;

-- forget sessions
delete from "tolem_sessions" where id = any(array(
select old.id from "tolem_sessions" old where old.idle_at < cast($1 as bigint)
order by old.idle_at limit cast($2 as bigint) for update of old skip locked)) returning id;

-- organizations, of sandboxes
select id from "tolem_organizations" where id > $1 order by id limit cast($2 as bigint);

-- forget invoices
select i.id, i.created_at from "tolem_invoices" i
where i.organization_id = $1 and i.mode = 'sandbox'
and (i.created_at, i.id) > (cast($2 as bigint), $3) and i.created_at <= cast($4 as bigint)
order by i.created_at, i.id limit cast($5 as bigint);

-- forget invoices
select 1 as found from "tolem_feed_arrivals" where organization_id = $1 limit 1;

-- forget invoices
select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id
where i.organization_id = $2 and i.mode = 'sandbox'
and i.updated_at <= cast($3 as bigint)
and not exists (
select 1 from "tolem_subscription_runs" r where r.subscription_id = substr(coalesce(i.origin, case when i.fingerprint is null then i.idempotency_key end), 14, 30)
and coalesce(i.origin, case when i.fingerprint is null then i.idempotency_key end) like 'subscription/%')
and not exists (
select 1 from "tolem_tariff_orders" o where o.id = substr(i.idempotency_key, 8)
and i.organization_id = o.seller_id and i.mode = o.seller_mode
and i.idempotency_key = 'tariff/' || o.id)
order by i.id for update of i skip locked;

-- forget invoices
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- forget invoices
delete from "tolem_attempts" where delivery_id in (
select d.id from "tolem_deliveries" d where d.mode = 'sandbox' and d.invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id)));

-- forget invoices
delete from "tolem_deliveries" where mode = 'sandbox' and invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget invoices
delete from "tolem_mails" where mode = 'sandbox' and invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget invoices
delete from "tolem_refunds" where invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget invoices
delete from "tolem_reactions" where mode = 'sandbox' and invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget invoices
delete from "tolem_feed" where mode = 'sandbox' and invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget invoices
delete from "tolem_events" where invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget invoices
delete from "tolem_invoices" where mode = 'sandbox' and id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget invoices
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- forget invoices
insert into "tolem_link_totals" as t (link_id, shard, made, held, paid, paid_amount, refunded)
select link_id, shard, made, held, paid, paid_amount, refunded from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::bigint[]), (select $4::bigint[]), (select $5::bigint[]), (select $6::bigint[]), (select $7::bigint[])) as s(link_id, shard, made, held, paid, paid_amount, refunded) where true
on conflict (link_id, shard) do update set made = t.made + excluded.made, held = t.held + excluded.held, paid = t.paid + excluded.paid, paid_amount = t.paid_amount + excluded.paid_amount, refunded = t.refunded + excluded.refunded;

-- forget subscriptions
select d.id from "tolem_subscriptions" d
where d.organization_id = $1 and d.mode = 'sandbox'
and d.created_at <= cast($2 as bigint) and d.updated_at <= cast($3 as bigint)
and not exists (
select 1 from "tolem_subscription_events" e join "tolem_invoices" i on i.id = e.invoice_id
where e.subscription_id = d.id and i.updated_at > cast($4 as bigint))
order by d.created_at, d.id limit cast($5 as bigint) for update of d skip locked;

-- forget subscriptions
select distinct s.id, e.invoice_id from unnest((select $1::text[] collate "C")) as s(id)
join "tolem_subscription_events" e on e.subscription_id = s.id
where e.invoice_id is not null;

-- forget subscriptions
select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id
where i.organization_id = $2 and i.mode = 'sandbox' and i.updated_at <= cast($3 as bigint)
order by i.id for update of i skip locked;

-- forget subscriptions
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- forget subscriptions
delete from "tolem_attempts" where delivery_id in (
select d.id from "tolem_deliveries" d where d.mode = 'sandbox' and d.invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id)));

-- forget subscriptions
delete from "tolem_deliveries" where mode = 'sandbox' and invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget subscriptions
delete from "tolem_mails" where mode = 'sandbox' and invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget subscriptions
delete from "tolem_refunds" where invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget subscriptions
delete from "tolem_reactions" where mode = 'sandbox' and invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget subscriptions
delete from "tolem_feed" where mode = 'sandbox' and invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget subscriptions
delete from "tolem_events" where invoice_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget subscriptions
delete from "tolem_invoices" where mode = 'sandbox' and id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget subscriptions
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[]), (select $11::bigint[])) as s(organization_id, mode, connection_id, status, day, shard, kind, source, invoice_count, amount, refunded) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- forget subscriptions
delete from "tolem_subscription_runs" where mode = 'sandbox' and subscription_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget subscriptions
delete from "tolem_subscription_events" where subscription_id in (select s.id from unnest((select $1::text[] collate "C")) as s(id));

-- forget subscriptions
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'subscriptions/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_subscriptions" t where mode = 'sandbox' and id in (select s.id from unnest((select $1::text[] collate "C")) as s(id))
for update of t;

-- forget subscriptions
delete from "tolem_subscriptions" where mode = 'sandbox' and id in (select s.id from unnest((select $1::text[] collate "C")) as s(id)) returning *;

-- forget subscriptions
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- forget subscriptions
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- forget subscriptions
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- forget subscriptions
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- forget traces
delete from "tolem_usage" where organization_id = $1
and (period like 'sandbox/%' or period like 'letters/sandbox/%')
and substr(period, length(period) - 9) < $2;

-- forget traces
select d.id from "tolem_endpoints" e join "tolem_deliveries" d on d.endpoint_id = e.id
where e.organization_id = $1 and e.mode = 'sandbox' and e.removed_at is null
and d.kind = 'webhook.test' and d.mode = 'sandbox' and d.created_at <= cast($2 as bigint)
limit cast($3 as bigint);

-- enrol a day
insert into "tolem_reconciliations" (organization_id, connection_id, day, status, due_at, tries, version)
select c.organization_id, c.id, $1, 'waiting', cast($2 as bigint), 0, 1
from "tolem_connections" c join "tolem_organizations" o on o.id = c.organization_id
join "tolem_accounts" w on w.id = o.owner_id
where c.id > $3 and c.status = 'active' and o.mode = 'live' and o.status = 'active'
and w.status = 'active'
and not exists (
select 1 from "tolem_reconciliations" r
where r.organization_id = c.organization_id and r.connection_id = c.id and r.day = $4)
order by c.id limit cast($5 as bigint)
on conflict (organization_id, connection_id, day) do nothing returning connection_id;

-- ask for a day
insert into "tolem_reconciliations" as reconciled (organization_id, connection_id, day, status, due_at, tries, fault, sums, compared_at, version)
select organization_id, connection_id, day, status, due_at, tries, fault, sums, compared_at, version from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::bigint[]), (select $6::bigint[]), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::bigint[]), (select $10::bigint[])) as s(organization_id, connection_id, day, status, due_at, tries, fault, sums, compared_at, version) where true on conflict (organization_id, connection_id, day) do update set status = 'waiting',
due_at = excluded.due_at, tries = 0, fault = null, version = reconciled.version + 1 returning *;

-- ask for a day
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- ask for a day
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- ask for a day
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- ask for a day
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- ask for a day
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- claim days of a tenant
with due as (
select d.organization_id, d.connection_id, d.day from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C")) as s(organization_id, mode) cross join lateral (
select f.organization_id, f.connection_id, f.day from "tolem_reconciliations" f
where f.organization_id = s.organization_id and 'live' = s.mode
and f.due_at <= cast($3 as bigint)
order by f.due_at limit cast($4 as bigint) for update of f skip locked) as d
limit cast($5 as bigint))
update "tolem_reconciliations" set due_at = cast($6 as bigint)
where (organization_id, connection_id, day) in (select organization_id, connection_id, day from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- waiting for days
with recursive places (organization_id, step) as (
select
(select min(f.organization_id) from "tolem_reconciliations" f where f.due_at is not null and f.organization_id > $1), 1
union all
select
(select min(f.organization_id) from "tolem_reconciliations" f where f.due_at is not null and f.organization_id > places.organization_id), places.step + 1 from places
where places.organization_id is not null and places.step < 256
)
select places.organization_id, places.step, modes.mode, case when exists (
select 1 from "tolem_reconciliations" f
where f.organization_id = places.organization_id and 'live' = modes.mode
and f.due_at <= cast($2 as bigint)
) then 1 else 0 end as due
from places cross join (select 'live' as mode union all select 'sandbox') as modes
where places.organization_id is not null order by places.step, modes.mode;

-- claim days
with due as (
select d.organization_id, d.connection_id, d.day from "tolem_reconciliations" d
where d.due_at <= cast($1 as bigint)
order by d.due_at limit cast($2 as bigint) for update of d skip locked)
update "tolem_reconciliations" set due_at = cast($3 as bigint)
where (organization_id, connection_id, day) in (select organization_id, connection_id, day from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- list days
select r.* from "tolem_reconciliations" r
where r.organization_id = $1 and r.day >= $2 and r.day <= $3
order by r.day desc, r.connection_id limit cast($4 as bigint);

-- replace a day
update "tolem_reconciliations" set status = $1, due_at = cast($2 as bigint), tries = cast($3 as bigint), fault = $4, sums = $5, compared_at = cast($6 as bigint), version = cast($7 as bigint)
where organization_id = $8 and connection_id = $9 and day = $10
and version = cast($11 as bigint) returning day;

-- own operations
select moved.* from (
select * from (
select 'payment' as kind, i.id, i.id as invoice_id, i.provider_reference as reference,
i.provider_reference as payment, i.amount, i.paid_at as at
from "tolem_invoices" i
where i.organization_id = $1 and i.connection_id = $2
and i.mode = 'live' and i.paid_at is not null and
(i.paid_at, i.id) > (cast($3 as bigint), $4)
and i.paid_at < cast($5 as bigint)
order by i.paid_at, i.id limit cast($6 as bigint)
) as paid
union all
select * from (
select 'refund' as kind, r.id, r.invoice_id, r.provider_reference as reference,
i.provider_reference as payment, r.amount, r.completed_at as at
from "tolem_refunds" r join "tolem_invoices" i on i.id = r.invoice_id
where r.organization_id = $7 and r.status = 'succeeded'
and i.mode = 'live' and i.connection_id = $8 and
(r.completed_at, r.id) > (cast($9 as bigint), $10)
and r.completed_at < cast($11 as bigint)
order by r.completed_at, r.id limit cast($12 as bigint)
) as given
) as moved order by moved.at, moved.id limit cast($13 as bigint);

-- known invoices
select i.id, i.connection_id, i.status, i.amount, i.provider_reference, i.paid_at from "tolem_invoices" i
where i.organization_id = $1 and i.mode = 'live' and (i.id in (select s.name from unnest((select $2::text[] collate "C")) as s(name)) or i.id in (
select r.invoice_id from "tolem_refunds" r
where r.organization_id = $3 and r.id in (select s.name from unnest((select $4::text[] collate "C")) as s(name))
))
union
select i.id, i.connection_id, i.status, i.amount, i.provider_reference, i.paid_at from "tolem_invoices" i
where i.organization_id = $5 and i.mode = 'live' and i.connection_id = $6
and i.created_at >= cast($7 as bigint) and i.created_at < cast($8 as bigint)
and i.provider_reference in (select s.name from unnest((select $9::text[] collate "C")) as s(name));

-- known invoices
select r.id, r.invoice_id, r.status, r.amount, r.provider_reference from "tolem_refunds" r
where r.organization_id = $1 and r.invoice_id in (select s.name from unnest((select $2::text[] collate "C")) as s(name))
order by r.created_at, r.id;

-- settle a day
update "tolem_reconciliations" set status = $1, due_at = cast($2 as bigint), tries = cast($3 as bigint), fault = $4, sums = $5, compared_at = cast($6 as bigint), version = cast($7 as bigint)
where organization_id = $8 and connection_id = $9 and day = $10
and version = cast($11 as bigint) returning day;

-- settle a day
insert into "tolem_work_items" (id, organization_id, connection_id, day, subject, kind, cause, payment, invoice_id, refund_id, amount_here, amount_there, status, found_at, resolved_at, resolution, resolved_by, note, version) select id, organization_id, connection_id, day, subject, kind, cause, payment, invoice_id, refund_id, amount_here, amount_there, status, found_at, resolved_at, resolution, resolved_by, note, version from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C"), (select $6::text[] collate "C"), (select $7::text[] collate "C"), (select $8::text[] collate "C"), (select $9::text[] collate "C"), (select $10::text[] collate "C"), (select $11::bigint[]), (select $12::bigint[]), (select $13::text[] collate "C"), (select $14::bigint[]), (select $15::bigint[]), (select $16::text[] collate "C"), (select $17::text[] collate "C"), (select $18::text[] collate "C"), (select $19::bigint[])) as s(id, organization_id, connection_id, day, subject, kind, cause, payment, invoice_id, refund_id, amount_here, amount_there, status, found_at, resolved_at, resolution, resolved_by, note, version) where true;

-- settle a day
insert into "tolem_audit" (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- settle a day
insert into "tolem_chain_heads" (chain, length, digest, seal)
select s.chain, s.length, s.digest, case when exists (
select 1 from "tolem_chain_links" l where l.record_id = s.chain and l.chain = $1) then '' else s.seal end
from unnest((select $2::text[] collate "C"), (select $3::bigint[]), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, length, digest, seal)
where not exists (select 1 from "tolem_chain_heads" h where h.chain = s.chain)
order by s.chain
on conflict (chain) do nothing returning chain;

-- settle a day
select h.* from unnest((select $1::text[] collate "C")) as s(chain) join "tolem_chain_heads" h on h.chain = s.chain
order by h.chain for update of h;

-- settle a day
insert into "tolem_chain_links" (chain, position, digest, record_id, content)
select chain, position, digest, record_id, content from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C"), (select $5::text[] collate "C")) as s(chain, position, digest, record_id, content) where true;

-- settle a day
update "tolem_chain_heads" as h set length = s.length, digest = s.digest, seal = s.seal
from unnest((select $1::text[] collate "C"), (select $2::bigint[]), (select $3::text[] collate "C"), (select $4::text[] collate "C")) as s(chain, length, digest, seal) where h.chain = s.chain;

-- settle a day again
update "tolem_reconciliations" set status = $1, due_at = cast($2 as bigint), tries = cast($3 as bigint), fault = $4, sums = $5, compared_at = cast($6 as bigint), version = cast($7 as bigint)
where organization_id = $8 and connection_id = $9 and day = $10
and version = cast($11 as bigint) returning day;

-- settle a day again
update "tolem_work_items" set kind = $1, cause = $2, payment = $3, invoice_id = $4, refund_id = $5, amount_here = cast($6 as bigint), amount_there = cast($7 as bigint), status = $8, found_at = cast($9 as bigint), resolved_at = cast($10 as bigint), resolution = $11, resolved_by = $12, note = $13, version = cast($14 as bigint)
where id = $15 and organization_id = $16
and version = cast($17 as bigint) returning id;

-- work items of a day
select w.* from "tolem_work_items" w
where w.organization_id = $1 and w.connection_id = $2 and w.day = $3
order by w.subject;

-- work items
select count(*) as n from "tolem_work_items" w where
w.organization_id = $1 and w.day >= $2 and w.day <= $3;

-- work items
select w.* from "tolem_work_items" w where
w.organization_id = $1 and w.day >= $2 and w.day <= $3
order by w.status, w.day desc, w.id desc
limit cast($4 as bigint) offset cast($5 as bigint);

-- open work items
select count(*) as n from "tolem_work_items" w where
w.organization_id = $1 and w.day >= $2 and w.day <= $3
and w.status = $4;

-- open work items
select w.* from "tolem_work_items" w where
w.organization_id = $1 and w.day >= $2 and w.day <= $3
and w.status = $4
order by w.status, w.day desc, w.id desc
limit cast($5 as bigint) offset cast($6 as bigint);

-- open work items of days
select w.connection_id, w.day, count(*) as n from "tolem_work_items" w
where w.organization_id = $1 and w.status = 'open' and w.day >= $2 and w.day <= $3
group by w.connection_id, w.day;

-- one work item
select w.* from "tolem_work_items" w where w.id = $1 and w.organization_id = $2;

-- replace a work item
update "tolem_work_items" set kind = $1, cause = $2, payment = $3, invoice_id = $4, refund_id = $5, amount_here = cast($6 as bigint), amount_there = cast($7 as bigint), status = $8, found_at = cast($9 as bigint), resolved_at = cast($10 as bigint), resolution = $11, resolved_by = $12, note = $13, version = cast($14 as bigint)
where id = $15 and organization_id = $16
and version = cast($17 as bigint) returning id;

-- what waits
select 'invoices' as kind, count(*) as count, min(w.at) as oldest_at from (
select due_at as at from "tolem_invoices" d
where due_at is not null and due_at <= cast($1 as bigint) and not exists (
select 1 from "tolem_invoice_leases" l
where l.id = d.id and l.due_at = d.due_at and l.until > cast($2 as bigint)
)
order by due_at limit cast($3 as bigint)
) as w union all
select 'letters' as kind, count(*) as count, min(w.at) as oldest_at from (
select due_at as at from "tolem_mails" d
where due_at is not null and due_at <= cast($4 as bigint)
order by due_at limit cast($5 as bigint)
) as w union all
select 'subscriptions' as kind, count(*) as count, min(w.at) as oldest_at from (
select due_at as at from "tolem_subscriptions" d
where due_at is not null and due_at <= cast($6 as bigint)
order by due_at limit cast($7 as bigint)
) as w union all
select 'subscription_runs' as kind, count(*) as count, min(w.at) as oldest_at from (
select due_at as at from "tolem_subscription_runs" d
where due_at is not null and due_at <= cast($8 as bigint)
order by due_at limit cast($9 as bigint)
) as w union all
select 'reconciliations' as kind, count(*) as count, min(w.at) as oldest_at from (
select due_at as at from "tolem_reconciliations" d
where due_at is not null and due_at <= cast($10 as bigint)
order by due_at limit cast($11 as bigint)
) as w union all
select 'work_items' as kind, count(*) as count, min(w.at) as oldest_at from (
select found_at as at from "tolem_work_items" d
where status = 'open' and found_at <= cast($12 as bigint)
order by found_at limit cast($13 as bigint)
) as w;

-- size of the database
select pg_database_size(current_database()) as bytes;

-- tell of a server
insert into "tolem_servers" (id, version, started_at, seen_at, ended_at, agents) select id, version, started_at, seen_at, ended_at, agents from unnest((select $1::text[] collate "C"), (select $2::text[] collate "C"), (select $3::bigint[]), (select $4::bigint[]), (select $5::bigint[]), (select $6::text[] collate "C")) as s(id, version, started_at, seen_at, ended_at, agents) where (select set_config('synchronous_commit', 'off', true)) is not null
on conflict (id) do update set version = excluded.version, seen_at = excluded.seen_at, ended_at = excluded.ended_at, agents = excluded.agents;

-- servers seen last
select * from "tolem_servers" order by seen_at desc, id desc limit cast($1 as bigint);

-- forget servers
delete from "tolem_servers" where id = any(array(
select old.id from "tolem_servers" old where old.seen_at < cast($1 as bigint)
order by old.seen_at limit cast($2 as bigint) for update of old skip locked)) returning id;

-- work: refund_unknown
select looked.at, looked.id, looked.organization_id, o.name as organization, looked.created_at as since, looked.invoice_id, looked.id as refund_id, looked.amount, i.connection_id,
case when i.mode = 'live' then 1 else 0 end as shown
from (
select w.created_at as at, w.* from "tolem_refunds" w
where w.status = 'unknown' and (w.created_at, w.id) > (cast($1 as bigint), $2)
order by w.created_at, w.id limit cast($3 as bigint)
) as looked left join "tolem_organizations" o on o.id = looked.organization_id
left join "tolem_invoices" i on i.id = looked.invoice_id
order by looked.at, looked.id;

-- work: difference_open
select looked.at, looked.id, looked.organization_id, o.name as organization, looked.found_at as since, looked.id as work_item_id, looked.connection_id, looked.invoice_id,
looked.refund_id, looked.kind as code,
1 as shown
from (
select w.found_at as at, w.* from "tolem_work_items" w
where w.status = 'open' and (w.found_at, w.id) > (cast($1 as bigint), $2)
order by w.found_at, w.id limit cast($3 as bigint)
) as looked left join "tolem_organizations" o on o.id = looked.organization_id
order by looked.at, looked.id;

-- work: order_unfulfilled
select looked.at, looked.id, looked.organization_id, o.name as organization, coalesce(i.paid_at, looked.created_at) as since, looked.id as order_id, looked.amount,
looked.tariff as code,
case when i.paid_at <= cast($1 as bigint) and i.amount >= looked.amount then 1 else 0 end as shown
from (
select w.created_at as at, w.* from "tolem_tariff_orders" w
where w.applied_at is null and (w.created_at, w.id) > (cast($2 as bigint), $3)
order by w.created_at, w.id limit cast($4 as bigint)
) as looked left join "tolem_organizations" o on o.id = looked.organization_id
left join "tolem_invoices" i on i.organization_id = looked.seller_id and i.mode = looked.seller_mode
and i.idempotency_key = 'tariff/' || looked.id
order by looked.at, looked.id;

-- work: cashier_session_lost
select looked.at, looked.id, looked.organization_id, o.name as organization, looked.updated_at as since, looked.id as connection_id,
1 as shown
from (
select w.created_at as at, w.* from "tolem_connections" w
where w.status = 'expired' and (w.created_at, w.id) > (cast($1 as bigint), $2)
order by w.created_at, w.id limit cast($3 as bigint)
) as looked left join "tolem_organizations" o on o.id = looked.organization_id
order by looked.at, looked.id;

-- work: subscription_stuck
select looked.at, looked.id, looked.organization_id, o.name as organization, looked.next_run_at as since, looked.id as subscription_id, looked.connection_id, looked.amount,
looked.fault as code,
1 as shown
from (
select w.next_run_at as at, w.* from "tolem_subscriptions" w
where w.status = 'active' and w.faults > 0 and w.mode = 'live' and (w.next_run_at, w.id) > (cast($1 as bigint), $2)
order by w.next_run_at, w.id limit cast($3 as bigint)
) as looked left join "tolem_organizations" o on o.id = looked.organization_id
order by looked.at, looked.id;

-- work: endpoint_paused
select looked.at, looked.id, looked.organization_id, o.name as organization, looked.updated_at as since, looked.id as endpoint_id, looked.connection_id,
looked.paused_until as until,
case when looked.removed_at is null and looked.disabled = 0 then 1 else 0 end as shown
from (
select w.paused_until as at, w.* from "tolem_endpoints" w
where w.paused_until is not null and w.mode = 'live' and (w.paused_until, w.id) > (cast($1 as bigint), $2)
order by w.paused_until, w.id limit cast($3 as bigint)
) as looked left join "tolem_organizations" o on o.id = looked.organization_id
order by looked.at, looked.id;

-- work: delivery_given_up
select looked.at, looked.id, looked.organization_id, o.name as organization, looked.completed_at as since, looked.id as delivery_id, looked.endpoint_id, looked.invoice_id,
e.connection_id, looked.kind as code,
case when e.id is not null and looked.kind <> 'webhook.test' and not exists (
select 1 from "tolem_deliveries" d
where d.invoice_id = looked.invoice_id and d.mode = 'live'
and coalesce(d.endpoint_id, '') = looked.endpoint_id and d.event_id = looked.event_id
and (coalesce(d.status, '') <> 'failed' or d.completed_at > looked.completed_at
or (d.completed_at = looked.completed_at and d.id > looked.id))) then 1 else 0 end as shown
from (
select w.completed_at as at, w.* from "tolem_deliveries" w
where w.status = 'failed' and w.mode = 'live' and (w.completed_at, w.id) > (cast($1 as bigint), $2)
order by w.completed_at, w.id limit cast($3 as bigint)
) as looked left join "tolem_organizations" o on o.id = looked.organization_id
left join "tolem_endpoints" e on e.id = looked.endpoint_id and e.removed_at is null
order by looked.at, looked.id;

-- work: letter_failed
select looked.at, looked.id, looked.organization_id, o.name as organization, looked.completed_at as since, looked.id as letter_id, looked.invoice_id,
1 as shown
from (
select w.completed_at as at, w.* from "tolem_mails" w
where w.status = 'failed' and w.mode = 'live' and (w.completed_at, w.id) > (cast($1 as bigint), $2)
order by w.completed_at, w.id limit cast($3 as bigint)
) as looked left join "tolem_organizations" o on o.id = looked.organization_id
order by looked.at, looked.id;

-- findings
set transaction isolation level repeatable read, read only;

-- findings
lock table "tolem_attempts", "tolem_deliveries" in access share mode;

-- findings
select set_config('statement_timeout', '0', true), set_config('enable_seqscan', 'on', true);

-- findings
select subject, detail from (select verb.name as subject, 'the trigger is gone, or refuses nothing' as detail
from (values ('update', 16), ('delete', 8), ('truncate', 32)) as verb (name, bit)
where not exists (
select 1 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
where t.tgrelid = to_regclass($1) and t.tgenabled in ('O', 'A') and not t.tgisinternal
and t.tgtype & 2 = 2 and t.tgtype & 1 = 0 and t.tgtype & verb.bit = verb.bit
and t.tgqual is null and p.prosrc like '%raise exception%'
)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select 'events' as subject, cast($1 as text) as detail where not exists (
select 1 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
where t.tgrelid = to_regclass($2) and t.tgenabled in ('O', 'A') and not t.tgisinternal
and t.tgtype & 1 = 0 and t.tgtype & 4 = 4 and t.tgnewtable is not null and t.tgqual is null
and p.prosrc like '%insert into%' || cast($3 as text) || '%')) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select s.name as subject, case when f.name is null then 'the index is gone' else 'it keeps nothing apart' end
as detail
from unnest((select $1::text[] collate "C"), (select $2::bigint[])) as s(name, is_unique) left join (select c.relname::text as name, case when x.indisunique then 1 else 0 end as is_unique
from pg_index x join pg_class c on c.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
where x.indisvalid and t.relnamespace = (select relnamespace from pg_class where oid = to_regclass($3))) as f on f.name = s.name
where f.name is null or f.is_unique < s.is_unique) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select i.id as subject, 'paid ' || i.amount || ', refunded ' || coalesce(r.refunded, i.refunded) as detail
from "tolem_invoices" i left join (
select invoice_id, sum(amount) as refunded from "tolem_refunds" where status = 'succeeded' group by invoice_id) as r on r.invoice_id = i.id
where i.refunded > i.amount or r.refunded > i.amount) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select i.id as subject, 'invoice ' || i.refunded || ', records ' || coalesce(r.refunded, 0) as detail
from "tolem_invoices" i left join (
select invoice_id, sum(amount) as refunded from "tolem_refunds" where status = 'succeeded' group by invoice_id) as r on r.invoice_id = i.id
where i.refunded <> coalesce(r.refunded, 0)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select r.id as subject, case when i.id is null then 'of no invoice'
when r.organization_id <> i.organization_id then 'another organization'
when r.status not in ('pending', 'succeeded', 'failed', 'unknown') then 'an unknown status'
when r.amount <= 0 then 'no amount'
when r.amount > i.amount then 'more than was paid'
when i.paid_at is null then 'of an unpaid invoice'
when r.status in ('succeeded', 'failed') and r.completed_at is null then 'completed at no time'
when r.completed_at < r.created_at then 'completed before it was there'
when r.status in ('pending', 'unknown') and r.completed_at is not null then 'completed and unresolved'
when i.mode = 'live' and r.status in ('failed', 'unknown') and i.version < i.sequence + 2 then 'its invoice was not changed for it' end as detail
from "tolem_refunds" r left join "tolem_invoices" i on i.id = r.invoice_id where (i.id is null)
or (r.organization_id <> i.organization_id)
or (r.status not in ('pending', 'succeeded', 'failed', 'unknown'))
or (r.amount <= 0)
or (r.amount > i.amount)
or (i.paid_at is null)
or (r.status in ('succeeded', 'failed') and r.completed_at is null)
or (r.completed_at < r.created_at)
or (r.status in ('pending', 'unknown') and r.completed_at is not null)
or (i.mode = 'live' and r.status in ('failed', 'unknown') and i.version < i.sequence + 2)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select invoice_id as subject, count(*) || ' unresolved refunds' as detail
from "tolem_refunds" where status in ('pending', 'unknown') group by invoice_id having count(*) > 1) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select cast(invoice_id as text) || ' ' || cast(idempotency_key as text) as subject, count(*) || ' rows' as detail
from "tolem_refunds" where idempotency_key is not null and status <> 'failed' group by invoice_id, idempotency_key having count(*) > 1) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select cast(invoice_id as text) || ' ' || cast(provider_reference as text) as subject, count(*) || ' rows' as detail
from "tolem_refunds" where provider_reference is not null group by invoice_id, provider_reference having count(*) > 1) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select coalesce(u.organization_id, t.organization_id) || ' ' || coalesce(u.period, t.period) as subject,
'counted ' || coalesce(u.used, 0) || ', invoices ' || coalesce(t.n, 0) as detail
from (
select organization_id, coalesce(counted_on, day) as period, count(*) as n
from "tolem_invoices" where mode = 'live' and coalesce(counted_on, day) <> '' group by 1, 2
union all
select organization_id, substr(coalesce(counted_on, day), 1, 7) as period, count(*) as n
from "tolem_invoices" where mode = 'live' and coalesce(counted_on, day) <> '' group by 1, 2
) as t
full join (select * from "tolem_usage" where period not like '%/%') as u
on u.organization_id = t.organization_id and u.period = t.period
where coalesce(u.used, 0) <> coalesce(t.n, 0)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select organization_id || ' ' || mode || ' ' || connection_id || ' ' || status || ' ' || day as subject,
'totals are off by ' || sum(n) || ' invoices, amount ' || sum(a) || ', refunded ' || sum(r) as detail
from (
select organization_id, mode, connection_id, status, day, invoice_count as n, amount as a, refunded as r
from "tolem_daily_totals"
union all
select organization_id, mode, coalesce(connection_id, ''), status, day, -1, -amount, -refunded
from "tolem_invoices"
) as balance
group by organization_id, mode, connection_id, status, day
having sum(n) <> 0 or sum(a) <> 0 or sum(r) <> 0) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select organization_id || ' ' || mode || ' ' || connection_id || ' ' || status || ' ' || day || ' '
|| coalesce(kind, '') || ' ' || coalesce(source, '') as subject,
'totals of a kind are off by ' || n || ' invoices, amount ' || a || ', refunded ' || r as detail
from (
select organization_id, mode, connection_id, status, day, kind, source, shard,
sum(n) as n, sum(a) as a, sum(r) as r
from (
select organization_id, mode, connection_id, status, day, kind, source,
shard - shard % 10000000 as shard, invoice_count as n, amount as a, refunded as r
from "tolem_daily_totals"
where kind is not null or source is not null or shard >= 10000000
union all
select organization_id, mode, coalesce(connection_id, ''), status, day, kind, case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 'subscription' when 'payment-' then 'payment-link'
when 'form-hoo' then 'form-hook' else 'request' end,
cast(0 as bigint) + cast(10000000 as bigint) *
(case kind when 'phone' then 4 else 0 end + case substr(coalesce(origin, ''), 1, 8)
when 'subscrip' then 2 when 'payment-' then 3
when 'form-hoo' then 4 else 1 end), -1, -amount, -refunded
from "tolem_invoices"
) as parts
group by organization_id, mode, connection_id, status, day, kind, source, shard
having sum(n) <> 0 or sum(a) <> 0 or sum(r) <> 0
) as balance
where not exists (
select 1 from "tolem_daily_totals" m
where m.organization_id = balance.organization_id and m.mode = balance.mode and m.day = balance.day
and m.kind is null and m.source is null and m.shard < 10000000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select link_id as subject, 'sums of a link are off by ' || sum(n) || ' invoices, ' || sum(h) || ' held, '
|| sum(p) || ' paid, amount ' || sum(a) || ', refunded ' || sum(r) as detail
from (
select link_id, made as n, held as h, paid as p, paid_amount as a, refunded as r from "tolem_link_totals"
union all
select substr(origin, 14), -1, case when (status in ('new', 'pending', 'paid', 'partially_refunded')
and (status <> 'new' or coalesce(making, 'asked') <> 'waits')) then -1 else 0 end,
case when paid_at is null then 0 else -1 end, case when paid_at is null then 0 else -amount end, -refunded
from "tolem_invoices" where origin like 'payment-link/%'
) as balance
group by link_id
having sum(n) <> 0 or sum(h) <> 0 or sum(p) <> 0 or sum(a) <> 0 or sum(r) <> 0) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select coalesce(i.id, e.invoice_id) as subject,
'sequence ' || coalesce(i.sequence, 0) || ', events ' || coalesce(e.n, 0)
|| ' from ' || coalesce(e.low, 0) || ' to ' || coalesce(e.high, 0) as detail
from (select invoice_id, count(*) as n, min(sequence) as low, max(sequence) as high
from "tolem_events" group by invoice_id) as e
full join "tolem_invoices" i on i.id = e.invoice_id
where i.id is null or e.n is null or e.n <> i.sequence or e.low <> 1 or e.high <> i.sequence) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, 'invoice ' || i.status || ', event ' || e.to_status as detail
from "tolem_invoices" i join "tolem_events" e on e.invoice_id = i.id and e.sequence = i.sequence
where e.to_status <> i.status) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, case when e.refunded <> i.refunded then 'another refunded sum'
when i.sequence > 1 and i.version = i.sequence and e.created_at <> i.updated_at then 'another time' end as detail
from "tolem_invoices" i join "tolem_events" e on e.invoice_id = i.id and e.sequence = i.sequence where (e.refunded <> i.refunded)
or (i.sequence > 1 and i.version = i.sequence and e.created_at <> i.updated_at)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select e.id as subject, case when e.organization_id <> i.organization_id then 'another organization'
when e.source not in ('api', 'cabinet', 'provider', 'schedule', 'system') then 'an unknown source'
when e.late not in (0, 1) then 'a flag that is none'
when e.sequence = 1 and (e.type <> 'invoice.created' or e.from_status is not null or e.to_status not in ('new', 'pending') or e.created_at <> i.created_at or e.refunded <> 0) then 'a beginning that is none'
when e.sequence > 1 and e.type <> 'invoice.' || e.to_status then 'another type than its status'
when e.sequence > 1 and e.from_status is distinct from e.before_status then 'not from where the one before went'
when e.sequence > 1 and e.from_status || '>' || e.to_status not in ('new>pending', 'new>paid', 'new>failed', 'new>expired', 'new>cancelled', 'pending>paid', 'pending>failed', 'pending>expired', 'pending>cancelled', 'expired>paid', 'cancelled>paid', 'paid>partially_refunded', 'paid>refunded', 'partially_refunded>partially_refunded', 'partially_refunded>refunded') then 'a step that cannot be'
when e.late <> case when e.to_status = 'paid' and e.from_status in ('expired', 'cancelled') then 1 else 0 end then 'late, unlike its step'
when e.sequence > 1 and case when e.to_status in ('refunded', 'partially_refunded') then e.refunded <= e.before_refunded else e.refunded <> e.before_refunded end then 'a refunded sum that does not follow'
when (e.to_status = 'refunded') <> (e.refunded = i.amount) and e.sequence > 1 or e.refunded > i.amount then 'another sum than its status says' end as detail
from (select e.*,
lag(e.to_status) over (partition by e.invoice_id order by e.sequence) as before_status,
lag(e.refunded) over (partition by e.invoice_id order by e.sequence) as before_refunded
from "tolem_events" e) as e join "tolem_invoices" i on i.id = e.invoice_id where (e.organization_id <> i.organization_id)
or (e.source not in ('api', 'cabinet', 'provider', 'schedule', 'system'))
or (e.late not in (0, 1))
or (e.sequence = 1 and (e.type <> 'invoice.created' or e.from_status is not null or e.to_status not in ('new', 'pending') or e.created_at <> i.created_at or e.refunded <> 0))
or (e.sequence > 1 and e.type <> 'invoice.' || e.to_status)
or (e.sequence > 1 and e.from_status is distinct from e.before_status)
or (e.sequence > 1 and e.from_status || '>' || e.to_status not in ('new>pending', 'new>paid', 'new>failed', 'new>expired', 'new>cancelled', 'pending>paid', 'pending>failed', 'pending>expired', 'pending>cancelled', 'expired>paid', 'cancelled>paid', 'paid>partially_refunded', 'paid>refunded', 'partially_refunded>partially_refunded', 'partially_refunded>refunded'))
or (e.late <> case when e.to_status = 'paid' and e.from_status in ('expired', 'cancelled') then 1 else 0 end)
or (e.sequence > 1 and case when e.to_status in ('refunded', 'partially_refunded') then e.refunded <= e.before_refunded else e.refunded <> e.before_refunded end)
or ((e.to_status = 'refunded') <> (e.refunded = i.amount) and e.sequence > 1 or e.refunded > i.amount)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select invoice_id as subject,
'refunds of ' || amount || ': ' || sum(told) || ' events, ' || sum(made) || ' records' as detail
from (
select e.invoice_id, e.refunded - e.before_refunded as amount, 1 as told, 0 as made from (select e.*,
lag(e.to_status) over (partition by e.invoice_id order by e.sequence) as before_status,
lag(e.refunded) over (partition by e.invoice_id order by e.sequence) as before_refunded
from "tolem_events" e) as e
where e.sequence > 1 and e.to_status in ('refunded', 'partially_refunded')
union all
select invoice_id, amount, 0, 1 from "tolem_refunds" where status = 'succeeded'
) as both_sides
group by invoice_id, amount having sum(told) <> sum(made)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select cast(id as text) as subject, count(*) || ' rows' as detail
from "tolem_events" where true group by id having count(*) > 1) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select v.id as subject, v.type || ' has no delivery to endpoint ' || p.id as detail
from "tolem_events" v
join "tolem_invoices" i on i.id = v.invoice_id
join "tolem_endpoints" p on p.organization_id = v.organization_id and p.mode = i.mode
where v.type in ($1,$2,$3,$4,$5,$6)
and (v.from_status <> 'new' or v.to_status not in ('failed', 'expired') or i.origin is not null)
and p.disabled = 0 and p.removed_at is null
and (p.connection_id is null or p.connection_id = i.connection_id)
and p.updated_at <= v.created_at - cast($7 as bigint)
and (p.events = '' or strpos(p.events, ',' || v.type || ',') > 0)
and not exists (
select 1 from "tolem_deliveries" d
where d.id = 'dlv_' || substr(v.id, 5) || '_' || substr(p.id, 5) and d.endpoint_id = p.id and d.event_id = v.id
)
and not (v.created_at - coalesce(
(select o.clock_ahead_ms from "tolem_organizations" o where o.id = v.organization_id), 0)
< coalesce((select r.ended_before + cast($8 as bigint) from "tolem_removals" r where r.kind = $9), 0))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select v.id as subject, 'announced ' || v.announced || ' times, deliveries ' || count(d.id) as detail
from "tolem_events" v
left join "tolem_deliveries" d on d.invoice_id = v.invoice_id and d.sequence = v.sequence and d.event_id = v.id
and d.id = 'dlv_' || substr(v.id, 5) || '_' || substr(d.endpoint_id, 5)
where v.announced is not null
group by v.id, v.announced, v.created_at, v.organization_id
having count(d.id) > v.announced or (count(d.id) < v.announced and not (v.created_at - coalesce(
(select o.clock_ahead_ms from "tolem_organizations" o where o.id = v.organization_id), 0)
< coalesce((select r.ended_before + cast($1 as bigint) from "tolem_removals" r where r.kind = $2), 0)))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
with waiting as materialized (select organization_id, invoice_id, sequence from "tolem_feed_arrivals")
select e.id as subject, 'it has no place in the feed, and waits for none' as detail
from "tolem_events" e
left join "tolem_feed" f on f.invoice_id = e.invoice_id and f.sequence = e.sequence
left join waiting a on a.organization_id = e.organization_id and a.invoice_id = e.invoice_id
and a.sequence = e.sequence
where f.position is null and a.invoice_id is null) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select f.event_id as subject, case when e.id is null or i.id is null then 'no such event'
when e.id <> f.event_id then 'another id'
when e.type <> f.type then 'another type'
when e.organization_id <> f.organization_id then 'another organization'
when i.mode <> f.mode then 'another mode'
when f.position < 1 then 'a place that is none'
when f.mode = 'live' and f.position <> coalesce(f.before_position, 0) + 1 then 'a gap before it'
when f.sequence <= f.before_sequence then 'after what came later on the invoice'
when f.reached_at < e.created_at or f.reached_at < f.before_reached_at then 'reached too early'
when (f.mode = 'live' or f.position = 1 or f.before_position = f.position - 1) and f.reached_at > e.created_at and f.reached_at > coalesce(f.before_reached_at, 0) then 'reached too late' end as detail
from (select f.*,
lag(f.position) over (partition by f.organization_id, f.mode order by f.position) as before_position,
lag(f.reached_at) over (partition by f.organization_id, f.mode order by f.position) as before_reached_at,
lag(f.sequence) over (partition by f.invoice_id order by f.position) as before_sequence
from "tolem_feed" f) as f
left join "tolem_events" e on e.invoice_id = f.invoice_id and e.sequence = f.sequence
left join "tolem_invoices" i on i.id = f.invoice_id where (e.id is null or i.id is null)
or (e.id <> f.event_id)
or (e.type <> f.type)
or (e.organization_id <> f.organization_id)
or (i.mode <> f.mode)
or (f.position < 1)
or (f.mode = 'live' and f.position <> coalesce(f.before_position, 0) + 1)
or (f.sequence <= f.before_sequence)
or (f.reached_at < e.created_at or f.reached_at < f.before_reached_at)
or ((f.mode = 'live' or f.position = 1 or f.before_position = f.position - 1) and f.reached_at > e.created_at and f.reached_at > coalesce(f.before_reached_at, 0))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select f.organization_id || ' ' || f.mode as subject,
'it ends at ' || f.position || ', its head at ' || coalesce(h.position, 0) as detail
from (select organization_id, mode, max(position) as position, max(reached_at) as reached_at
from "tolem_feed" group by organization_id, mode) as f
left join "tolem_feed_heads" h on h.organization_id = f.organization_id and h.mode = f.mode
where h.position is null or h.position < f.position or h.reached_at < f.reached_at
or f.mode = 'live' and (h.position <> f.position or h.reached_at <> f.reached_at)
or h.position = f.position and h.reached_at <> f.reached_at) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select r.id as subject, case when c.name is null then 'of no consumer'
when e.id is null or i.id is null then 'no such event'
when e.id <> r.event_id or r.id <> 'rct_' || substr(r.event_id, 5) || '_' || r.consumer then 'of another event'
when e.type <> r.type then 'another type'
when e.organization_id <> r.organization_id then 'another organization'
when i.mode <> r.mode then 'another mode'
when r.status not in ('pending', 'failed') then 'an unknown status'
when r.attempt_count < 0 or r.status = 'failed' and r.attempt_count < 1 then 'an impossible number of tries'
when r.status = 'failed' and (r.error is null or r.failed_at is null) then 'failed without an error'
when (r.error is null) <> (r.failed_at is null) then 'an error without its time'
when r.lease is not null and (r.attempt_count < 1 or r.status <> 'pending') then 'held by what is no try'
when r.due_at > 31622400000 then 'never due' end as detail
from "tolem_reactions" r
left join "tolem_events" e on e.invoice_id = r.invoice_id and e.sequence = r.sequence
left join "tolem_invoices" i on i.id = r.invoice_id
left join "tolem_consumers" c on c.name = r.consumer where (c.name is null)
or (e.id is null or i.id is null)
or (e.id <> r.event_id or r.id <> 'rct_' || substr(r.event_id, 5) || '_' || r.consumer)
or (e.type <> r.type)
or (e.organization_id <> r.organization_id)
or (i.mode <> r.mode)
or (r.status not in ('pending', 'failed'))
or (r.attempt_count < 0 or r.status = 'failed' and r.attempt_count < 1)
or (r.status = 'failed' and (r.error is null or r.failed_at is null))
or ((r.error is null) <> (r.failed_at is null))
or (r.lease is not null and (r.attempt_count < 1 or r.status <> 'pending'))
or (r.due_at > 31622400000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, case when i.status not in ('new', 'pending', 'paid', 'failed', 'expired', 'cancelled', 'refunded', 'partially_refunded') then 'an unknown status'
when i.kind not in ('qr', 'phone') then 'an unknown kind'
when i.mode not in ('live', 'sandbox') then 'an unknown mode'
when i.amount <= 0 then 'no amount'
when i.refunded < 0 then 'a negative refunded sum'
when i.late not in (0, 1) then 'a flag that is none'
when i.version < i.sequence or i.sequence < 1 then 'a version below its sequence'
when i.fingerprint is not null and i.idempotency_key is null and (i.mode = 'sandbox' or coalesce(i.counted_on, i.day) <> '') then 'a digest of no request'
when i.making is not null and i.making not in ('waits', 'asked', 'unanswered', 'made') then 'an unknown way to the provider'
when i.counted_on <> '' and i.counted_on not like '____-__-__' then 'counted on a day that is none'
when i.kind = 'phone' and i.customer_phone is null then 'a push to no phone'
when i.expires_at < i.created_at - 300000 then 'an end before its beginning'
when i.mode = 'live' and i.connection_id is null then 'live without cashier'
when i.mode = 'sandbox' and i.provider_reference is not null then 'a provider in the sandbox' end as detail
from "tolem_invoices" i where (i.status not in ('new', 'pending', 'paid', 'failed', 'expired', 'cancelled', 'refunded', 'partially_refunded'))
or (i.kind not in ('qr', 'phone'))
or (i.mode not in ('live', 'sandbox'))
or (i.amount <= 0)
or (i.refunded < 0)
or (i.late not in (0, 1))
or (i.version < i.sequence or i.sequence < 1)
or (i.fingerprint is not null and i.idempotency_key is null and (i.mode = 'sandbox' or coalesce(i.counted_on, i.day) <> ''))
or (i.making is not null and i.making not in ('waits', 'asked', 'unanswered', 'made'))
or (i.counted_on <> '' and i.counted_on not like '____-__-__')
or (i.kind = 'phone' and i.customer_phone is null)
or (i.expires_at < i.created_at - 300000)
or (i.mode = 'live' and i.connection_id is null)
or (i.mode = 'sandbox' and i.provider_reference is not null)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, case when i.status in ('paid', 'partially_refunded', 'refunded') and i.paid_at is null then 'paid at no time'
when i.status not in ('paid', 'partially_refunded', 'refunded') and i.paid_at is not null then 'a payment of an unpaid one'
when i.status in ('paid', 'partially_refunded', 'refunded') and i.receipt_number is null then 'paid without receipt number'
when i.status not in ('paid', 'partially_refunded', 'refunded') and i.receipt_number is not null then 'a receipt of an unpaid one'
when i.late = 1 and i.status not in ('paid', 'partially_refunded', 'refunded') then 'late and unpaid'
when i.refunded > 0 and i.status not in ('paid', 'partially_refunded', 'refunded') then 'refunded and unpaid'
when (i.status = 'paid' and i.refunded <> 0) or (i.status = 'refunded' and i.refunded <> i.amount) or (i.status = 'partially_refunded' and (i.refunded <= 0 or i.refunded >= i.amount)) then 'another sum than its status says'
when i.mode = 'live' and i.provider_reference is null and (i.status = 'pending' or i.status in ('paid', 'partially_refunded', 'refunded')) then 'live, and the provider has no name for it' end as detail
from "tolem_invoices" i where (i.status in ('paid', 'partially_refunded', 'refunded') and i.paid_at is null)
or (i.status not in ('paid', 'partially_refunded', 'refunded') and i.paid_at is not null)
or (i.status in ('paid', 'partially_refunded', 'refunded') and i.receipt_number is null)
or (i.status not in ('paid', 'partially_refunded', 'refunded') and i.receipt_number is not null)
or (i.late = 1 and i.status not in ('paid', 'partially_refunded', 'refunded'))
or (i.refunded > 0 and i.status not in ('paid', 'partially_refunded', 'refunded'))
or ((i.status = 'paid' and i.refunded <> 0) or (i.status = 'refunded' and i.refunded <> i.amount) or (i.status = 'partially_refunded' and (i.refunded <= 0 or i.refunded >= i.amount)))
or (i.mode = 'live' and i.provider_reference is null and (i.status = 'pending' or i.status in ('paid', 'partially_refunded', 'refunded')))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, case when i.late <> e.late then 'late, unlike its event'
when e.created_at >= i.created_at and i.paid_at < i.created_at - case i.mode when 'live' then 300000 else 0 end then 'paid before it was there' end as detail
from "tolem_invoices" i join "tolem_events" e on e.invoice_id = i.id and e.type = 'invoice.paid' where (i.late <> e.late)
or (e.created_at >= i.created_at and i.paid_at < i.created_at - case i.mode when 'live' then 300000 else 0 end)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, case when i.due_at is null and (i.status = 'pending' or i.status = 'new' and (i.valid_until is not null or i.origin is null and (i.idempotency_key is null or i.fingerprint is not null))) then 'nobody looks at it again'
when i.status in ('new', 'pending') and i.due_at > i.updated_at + 31622400000 then 'due too late'
when i.status = 'pending' and i.expires_at is null then 'pending without end' end as detail
from "tolem_invoices" i where (i.due_at is null and (i.status = 'pending' or i.status = 'new' and (i.valid_until is not null or i.origin is null and (i.idempotency_key is null or i.fingerprint is not null))))
or (i.status in ('new', 'pending') and i.due_at > i.updated_at + 31622400000)
or (i.status = 'pending' and i.expires_at is null)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, case when substr(i.search_text, 1, length(i.id)) <> lower(i.id) then 'the search text of another one' end as detail
from "tolem_invoices" i where (substr(i.search_text, 1, length(i.id)) <> lower(i.id))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select l.id as subject, case when substr(l.id, 1, 4) <> 'inv_' then 'of no invoice'
when l.due_at < 0 or l.until < l.due_at then 'ends before it began'
when l.until > l.due_at + 31622400000 and l.until > 0 + 31622400000 then 'held for ever' end as detail
from "tolem_invoice_leases" l where (substr(l.id, 1, 4) <> 'inv_')
or (l.due_at < 0 or l.until < l.due_at)
or (l.until > l.due_at + 31622400000 and l.until > 0 + 31622400000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, case when c.organization_id <> i.organization_id then 'a cashier of another organization' end as detail
from "tolem_invoices" i join "tolem_connections" c on c.id = i.connection_id where (c.organization_id <> i.organization_id)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select cast(organization_id as text) || ' ' || cast(receipt_number as text) as subject, count(*) || ' rows' as detail
from "tolem_invoices" where receipt_number is not null group by organization_id, receipt_number having count(*) > 1) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select cast(organization_id as text) || ' ' || cast(provider_reference as text) as subject, count(*) || ' rows' as detail
from "tolem_invoices" where mode = 'live' and provider_reference is not null group by organization_id, provider_reference having count(*) > 1) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.organization_id as subject,
'counter ' || coalesce(c.value, 0) || ', receipts to ' || i.high as detail
from (select organization_id, max(receipt_number) as high from "tolem_invoices"
where mode = 'sandbox' and length(receipt_number) = 8 group by organization_id) as i
left join "tolem_receipt_counters" c on c.organization_id = i.organization_id
where substr(cast(100000000 + coalesce(c.value, 0) as text), 2) < i.high) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select p.id as subject, case when p.mode not in ('live', 'sandbox') then 'an unknown mode'
when p.connection_id is not null and p.mode <> 'live' then 'a cashier in the sandbox'
when p.url not like 'http%://%' then 'no address'
when p.events <> '' and p.events not like ',%,' then 'kinds that are none'
when p.disabled not in (0, 1) then 'a flag that is none'
when p.removed_at is not null and p.secret <> '' then 'a secret that has ended and is kept'
when p.removed_at is null and p.secret = '' then 'no secret'
when (p.previous_secret is null) <> (p.previous_secret_until is null) then 'half of an earlier secret'
when p.failure_count < 0 or p.pause_count < 0 then 'a negative count'
when p.paused_until is not null and p.pause_count = 0 then 'a pause that was not counted'
when p.paused_until > 2592000000 then 'a pause without end' end as detail
from "tolem_endpoints" p where (p.mode not in ('live', 'sandbox'))
or (p.connection_id is not null and p.mode <> 'live')
or (p.url not like 'http%://%')
or (p.events <> '' and p.events not like ',%,')
or (p.disabled not in (0, 1))
or (p.removed_at is not null and p.secret <> '')
or (p.removed_at is null and p.secret = '')
or ((p.previous_secret is null) <> (p.previous_secret_until is null))
or (p.failure_count < 0 or p.pause_count < 0)
or (p.paused_until is not null and p.pause_count = 0)
or (p.paused_until > 2592000000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select d.id as subject, case when p.id is null then 'to no endpoint'
when d.organization_id <> p.organization_id then 'another organization than its endpoint'
when d.mode <> p.mode then 'another mode than its endpoint'
when d.kind <> 'webhook.test' and p.connection_id <> coalesce(i.connection_id, '') then 'another cashier than its endpoint' end as detail
from "tolem_deliveries" d left join "tolem_endpoints" p on p.id = d.endpoint_id
left join "tolem_invoices" i on i.id = d.invoice_id where (p.id is null)
or (d.organization_id <> p.organization_id)
or (d.mode <> p.mode)
or (d.kind <> 'webhook.test' and p.connection_id <> coalesce(i.connection_id, ''))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select d.id as subject, case when d.kind not in ('invoice.paid', 'invoice.failed', 'invoice.expired', 'invoice.cancelled', 'invoice.refunded', 'invoice.partially_refunded', 'webhook.test') then 'an unknown kind'
when d.kind <> 'webhook.test' and i.id is null then 'of no invoice'
when d.kind <> 'webhook.test' and (e.id is null or e.id <> d.event_id) then 'of no event'
when d.kind <> 'webhook.test' and d.kind <> e.type then 'another kind than its event'
when d.kind <> 'webhook.test' and d.organization_id <> i.organization_id then 'another organization than its invoice'
when d.kind <> 'webhook.test' and d.mode <> i.mode then 'another mode than its invoice'
when d.kind <> 'webhook.test' and d.mode = 'live' and d.created_at <> e.created_at and d.id = 'dlv_' || substr(e.id, 5) || '_' || substr(d.endpoint_id, 5) then 'another time than its event' end as detail
from "tolem_deliveries" d
left join "tolem_events" e on e.invoice_id = d.invoice_id and e.sequence = d.sequence
left join "tolem_invoices" i on i.id = d.invoice_id where (d.kind not in ('invoice.paid', 'invoice.failed', 'invoice.expired', 'invoice.cancelled', 'invoice.refunded', 'invoice.partially_refunded', 'webhook.test'))
or (d.kind <> 'webhook.test' and i.id is null)
or (d.kind <> 'webhook.test' and (e.id is null or e.id <> d.event_id))
or (d.kind <> 'webhook.test' and d.kind <> e.type)
or (d.kind <> 'webhook.test' and d.organization_id <> i.organization_id)
or (d.kind <> 'webhook.test' and d.mode <> i.mode)
or (d.kind <> 'webhook.test' and d.mode = 'live' and d.created_at <> e.created_at and d.id = 'dlv_' || substr(e.id, 5) || '_' || substr(d.endpoint_id, 5))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select d.id as subject, case when d.status not in ('pending', 'delivered', 'failed') then 'an unknown status'
when d.status = 'delivered' and coalesce(a.taken, 0) = 0 and (d.old = 0 or a.n is not null) then 'delivered without a successful attempt'
when d.status <> 'delivered' and a.taken = 1 then 'a successful attempt, and not delivered'
when d.status = 'failed' and a.n is null and p.removed_at is null and d.old = 0 then 'given up without an attempt'
when d.attempt_count <> coalesce(a.n, 0) and d.old = 0 or d.attempt_count <> coalesce(a.high, d.attempt_count) then 'attempts that are not counted'
when a.low <> 1 and d.old = 0 or a.high - a.low + 1 <> a.n then 'a gap in the attempts'
when (d.status = 'pending') <> (d.completed_at is null) then 'pending and completed'
when d.status <> 'pending' and (d.lease is not null or d.starts <> 0) then 'claimed and completed'
when d.starts < 0 then 'a negative number of starts' end as detail
from (select d.*, case when d.created_at < coalesce((select r.ended_before + cast($1 as bigint) from "tolem_removals" r where r.kind = $2), 0) then 1 else 0 end as old
from "tolem_deliveries" d) as d left join (select delivery_id, count(*) as n, max(number) as high, min(number) as low,
max(case when status between 200 and 299 then 1 else 0 end) as taken
from "tolem_attempts" group by delivery_id) as a on a.delivery_id = d.id
left join "tolem_endpoints" p on p.id = d.endpoint_id where (d.status not in ('pending', 'delivered', 'failed'))
or (d.status = 'delivered' and coalesce(a.taken, 0) = 0 and (d.old = 0 or a.n is not null))
or (d.status <> 'delivered' and a.taken = 1)
or (d.status = 'failed' and a.n is null and p.removed_at is null and d.old = 0)
or (d.attempt_count <> coalesce(a.n, 0) and d.old = 0 or d.attempt_count <> coalesce(a.high, d.attempt_count))
or (a.low <> 1 and d.old = 0 or a.high - a.low + 1 <> a.n)
or ((d.status = 'pending') <> (d.completed_at is null))
or (d.status <> 'pending' and (d.lease is not null or d.starts <> 0))
or (d.starts < 0)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select d.id as subject, case when d.status = 'pending' and (d.due_at > d.created_at + 31622400000 and d.due_at > d.ready_at + 31622400000 or d.ready_at > d.created_at + 31622400000) then 'due too late' end as detail
from "tolem_deliveries" d where (d.status = 'pending' and (d.due_at > d.created_at + 31622400000 and d.due_at > d.ready_at + 31622400000 or d.ready_at > d.created_at + 31622400000))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select a.delivery_id || ' ' || a.number as subject, case when d.id is null then 'of no delivery'
when a.duration_ms < 0 then 'a negative time'
when a.url not like 'http%://%' then 'no address'
when a.status is null and a.error is null then 'neither answer nor reason' end as detail
from "tolem_attempts" a left join "tolem_deliveries" d on d.id = a.delivery_id where (d.id is null)
or (a.duration_ms < 0)
or (a.url not like 'http%://%')
or (a.status is null and a.error is null)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select r.kind as subject, case when r.kind not in ('attempts', 'bodies', 'deliveries') then 'an unknown kind'
when r.ended_before < 0 or r.ended_before > 10000 then 'at a time to come' end as detail
from "tolem_removals" r where (r.kind not in ('attempts', 'bodies', 'deliveries'))
or (r.ended_before < 0 or r.ended_before > 10000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select d.id as subject, case when c.organization_id <> d.organization_id then 'a cashier of another organization'
when d.status not in ('active', 'paused', 'cancelled', 'finished') then 'an unknown status'
when d.mode not in ('live', 'sandbox') then 'an unknown mode'
when d.kind not in ('qr', 'phone') then 'an unknown kind'
when d.amount <= 0 then 'no amount'
when d.kind = 'phone' and d.customer_phone is null then 'a push to no phone'
when d.step not in ('day', 'week', 'month') or d.every < 1 then 'an unknown rhythm'
when d.day_of_month not between 1 and 31 or d.day_of_month is not null and d.step <> 'month' then 'no day of a month'
when d.retry_hours not like '[%]' then 'retries that are no list'
when d.misfire not in ('run_once', 'skip') then 'an unknown way with missed dates'
when d.runs < 0 or d.faults < 0 or d.next_index < 0 or d.max_runs < 1 then 'a negative count'
when (d.fault is null) <> (d.faults = 0) then 'a fault that was not counted'
when d.fingerprint is not null and d.idempotency_key is null then 'a digest of no request'
when d.version < 1 then 'no version' end as detail
from "tolem_subscriptions" d left join "tolem_connections" c on c.id = d.connection_id where (c.organization_id <> d.organization_id)
or (d.status not in ('active', 'paused', 'cancelled', 'finished'))
or (d.mode not in ('live', 'sandbox'))
or (d.kind not in ('qr', 'phone'))
or (d.amount <= 0)
or (d.kind = 'phone' and d.customer_phone is null)
or (d.step not in ('day', 'week', 'month') or d.every < 1)
or (d.day_of_month not between 1 and 31 or d.day_of_month is not null and d.step <> 'month')
or (d.retry_hours not like '[%]')
or (d.misfire not in ('run_once', 'skip'))
or (d.runs < 0 or d.faults < 0 or d.next_index < 0 or d.max_runs < 1)
or ((d.fault is null) <> (d.faults = 0))
or (d.fingerprint is not null and d.idempotency_key is null)
or (d.version < 1)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select d.id as subject, case when d.status = 'active' and d.due_at is null then 'nobody looks at it again'
when d.status = 'active' and d.due_at < d.next_run_at then 'due before its date'
when d.status = 'active' and d.due_at > d.next_run_at + 31622400000 then 'due too late'
when d.status <> 'active' and d.due_at is not null then 'due, and not active' end as detail
from "tolem_subscriptions" d where (d.status = 'active' and d.due_at is null)
or (d.status = 'active' and d.due_at < d.next_run_at)
or (d.status = 'active' and d.due_at > d.next_run_at + 31622400000)
or (d.status <> 'active' and d.due_at is not null)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select d.id as subject, case when d.status <> case when e.cancelled > 0 then 'cancelled' when e.finished > 0 then 'finished' when e.paused > e.resumed then 'paused' else 'active' end then 'another status than its events'
when e.created <> 1 or e.created_at <> d.created_at then 'another beginning than its events'
when e.runs <> d.runs then 'another number of runs than its events' end as detail
from "tolem_subscriptions" d join (
select subscription_id,
max(case when type = 'subscription.created' then sequence else 0 end) as created,
max(case when type = 'subscription.paused' then sequence else 0 end) as paused,
max(case when type = 'subscription.resumed' then sequence else 0 end) as resumed,
max(case when type = 'subscription.cancelled' then sequence else 0 end) as cancelled,
max(case when type = 'subscription.finished' then sequence else 0 end) as finished,
sum(case when type = 'subscription.run' then 1 else 0 end) as runs,
min(created_at) as first_at, max(case when sequence = 1 then created_at end) as created_at
from "tolem_subscription_events" group by subscription_id) as e on e.subscription_id = d.id where (d.status <> case when e.cancelled > 0 then 'cancelled' when e.finished > 0 then 'finished' when e.paused > e.resumed then 'paused' else 'active' end)
or (e.created <> 1 or e.created_at <> d.created_at)
or (e.runs <> d.runs)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select r.subscription_id || ' ' || r.run as subject, case when d.id is null then 'of no subscription'
when r.organization_id <> d.organization_id then 'another organization'
when r.mode <> d.mode then 'another mode'
when r.status not in ('issuing', 'open', 'ended') then 'an unknown status'
when r.invoice_ids not like '[%"' || r.invoice_id || '"]' then 'another invoice than the last of its own'
when r.faults < 0 or r.run < 1 then 'a negative count'
when r.status = 'ended' and r.due_at is not null then 'ended and due'
when r.status = 'issuing' and r.due_at is null then 'nobody looks at it again'
when r.due_at > r.updated_at + 31622400000 then 'due too late' end as detail
from "tolem_subscription_runs" r left join "tolem_subscriptions" d on d.id = r.subscription_id where (d.id is null)
or (r.organization_id <> d.organization_id)
or (r.mode <> d.mode)
or (r.status not in ('issuing', 'open', 'ended'))
or (r.invoice_ids not like '[%"' || r.invoice_id || '"]')
or (r.faults < 0 or r.run < 1)
or (r.status = 'ended' and r.due_at is not null)
or (r.status = 'issuing' and r.due_at is null)
or (r.due_at > r.updated_at + 31622400000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select r.subscription_id || ' ' || r.run as subject, r.invoice_id || ' is open, and nothing follows' as detail
from "tolem_subscription_runs" r join "tolem_invoices" i on i.id = r.invoice_id
where r.status = 'ended' and i.status in ('new', 'pending') and not exists (
select 1 from "tolem_subscription_events" e join "tolem_invoices" p on p.id = e.invoice_id
where e.subscription_id = r.subscription_id and e.run = r.run and p.paid_at is not null)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select cast(subscription_id as text) || ' ' || cast(scheduled_at as text) as subject, count(*) || ' rows' as detail
from "tolem_subscription_runs" where scheduled_at is not null group by subscription_id, scheduled_at having count(*) > 1) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select coalesce(d.id, r.subscription_id) as subject,
'runs ' || coalesce(d.runs, 0) || ', rows ' || coalesce(r.n, 0) || ' to ' || coalesce(r.high, 0) as detail
from (select subscription_id, count(*) as n, max(run) as high
from "tolem_subscription_runs" group by subscription_id) as r
full join "tolem_subscriptions" d on d.id = r.subscription_id
where d.id is null or d.runs <> coalesce(r.n, 0) or d.runs <> coalesce(r.high, 0)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select subject, detail from (
select r.subscription_id as subject, 'run ' || r.run || ' names ' || r.invoice_id as detail
from "tolem_subscription_runs" r
left join "tolem_invoices" i on i.id = r.invoice_id and i.organization_id = r.organization_id and i.mode = r.mode
where i.id is null
union all
select e.subscription_id, 'run ' || e.run || ' made ' || e.invoice_id from "tolem_subscription_events" e
left join "tolem_invoices" i on i.id = e.invoice_id and i.organization_id = e.organization_id
where e.invoice_id is not null and i.id is null
union all
select i.id, 'no run names it: ' || i.origin from "tolem_invoices" i
where i.origin like 'subscription/%' and not exists (
select 1 from "tolem_subscription_runs" r
where r.subscription_id = substr(i.origin, 14, 30)
and strpos(r.invoice_ids, '"' || i.id || '"') > 0
)
) as strays) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select r.subscription_id as subject,
'run ' || r.run || ' names ' || r.invoice_ids || ', its events ' || coalesce(e.n, 0) as detail
from "tolem_subscription_runs" r
left join (select subscription_id, run, count(distinct invoice_id) as n
from "tolem_subscription_events" where invoice_id is not null group by subscription_id, run) as e
on e.subscription_id = r.subscription_id and e.run = r.run
where coalesce(e.n, 0) * 2 <> length(r.invoice_ids) - length(replace(r.invoice_ids, '"', ''))
or exists (
select 1 from "tolem_subscription_events" m
where m.subscription_id = r.subscription_id and m.run = r.run and m.invoice_id is not null
and not strpos(r.invoice_ids, '"' || m.invoice_id || '"') > 0
)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select d.id as subject, d.status || ', runs ' || d.runs || ' of ' || coalesce(d.max_runs, 0)
|| ', last ' || coalesce(d.last_invoice_id, 'none') as detail
from "tolem_subscriptions" d
where (d.runs = 0 and (d.last_invoice_id is not null or d.last_run_at is not null))
or (d.runs > 0 and not exists (
select 1 from "tolem_subscription_runs" r
where r.subscription_id = d.id and r.run = d.runs and r.created_at = d.last_run_at
))
or (d.runs > 0 and d.last_invoice_id is distinct from (
select e.invoice_id from "tolem_subscription_events" e
where e.subscription_id = d.id and e.invoice_id is not null order by e.sequence desc limit 1
))
or (d.status = 'finished' and (d.max_runs is null or d.runs < d.max_runs))
or (d.status in ('active', 'paused') and d.runs >= d.max_runs)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select e.id as subject, case when e.organization_id <> d.organization_id then 'another organization'
when e.source not in ('api', 'cabinet', 'provider', 'schedule', 'system') then 'an unknown source'
when e.type not in ('subscription.created', 'subscription.changed', 'subscription.paused', 'subscription.resumed', 'subscription.cancelled', 'subscription.finished', 'subscription.run', 'subscription.reissued', 'subscription.skipped', 'subscription.run_failed') then 'an unknown type'
when e.type in ('subscription.run', 'subscription.reissued') and (e.run is null or e.invoice_id is null) then 'a run without its invoice'
when e.type not in ('subscription.run', 'subscription.reissued') and e.invoice_id is not null then 'an invoice of no run'
when (e.type = 'subscription.run_failed') <> (e.code is not null) then 'a failure without its code' end as detail
from "tolem_subscription_events" e left join "tolem_subscriptions" d on d.id = e.subscription_id where (e.organization_id <> d.organization_id)
or (e.source not in ('api', 'cabinet', 'provider', 'schedule', 'system'))
or (e.type not in ('subscription.created', 'subscription.changed', 'subscription.paused', 'subscription.resumed', 'subscription.cancelled', 'subscription.finished', 'subscription.run', 'subscription.reissued', 'subscription.skipped', 'subscription.run_failed'))
or (e.type in ('subscription.run', 'subscription.reissued') and (e.run is null or e.invoice_id is null))
or (e.type not in ('subscription.run', 'subscription.reissued') and e.invoice_id is not null)
or ((e.type = 'subscription.run_failed') <> (e.code is not null))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select cast(id as text) as subject, count(*) || ' rows' as detail
from "tolem_subscription_events" where true group by id having count(*) > 1) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select coalesce(d.id, e.subscription_id) as subject,
'sequence ' || coalesce(d.sequence, 0) || ', events ' || coalesce(e.n, 0)
|| ' from ' || coalesce(e.low, 0) || ' to ' || coalesce(e.high, 0) as detail
from (select subscription_id, count(*) as n, min(sequence) as low, max(sequence) as high
from "tolem_subscription_events" group by subscription_id) as e
full join "tolem_subscriptions" d on d.id = e.subscription_id
where d.id is null or e.n is null or e.n <> d.sequence or e.low <> 1 or e.high <> d.sequence) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select o.id as subject, case when o.amount <= 0 then 'no amount'
when o.months < 1 then 'no months'
when o.seller_mode not in ('live', 'sandbox') then 'an unknown mode'
when o.applied_at is not null and o.invoice_id is null then 'in force without an invoice'
when o.applied_at is not null and o.paid_at is null then 'in force and unpaid'
when o.amount <> o.invoiced then 'another amount than its invoice'
when o.tariff <> o.invoiced_tariff then 'another tariff than its invoice'
when o.organization_id <> o.invoiced_organization then 'another organization than its invoice'
when o.applied_at is null and o.told_at < -3600000 then 'paid and not in force'
when o.applied_at < o.created_at - 10000 then 'in force before it was ordered'
when o.applied_at > o.created_at + 31622400000 then 'in force too late' end as detail
from (select o.*, i.id as invoice_id, i.amount as invoiced, i.paid_at as paid_at,
case when pg_input_is_valid(i.metadata, 'json') then i.metadata::json ->> 'tariff' end as invoiced_tariff,
case when pg_input_is_valid(i.metadata, 'json') then i.metadata::json ->> 'organizationId' end as invoiced_organization,
(select min(e.created_at) from "tolem_events" e where e.invoice_id = i.id and e.type = 'invoice.paid') as told_at
from "tolem_tariff_orders" o
left join "tolem_invoices" i on i.organization_id = o.seller_id and i.mode = o.seller_mode
and i.idempotency_key = 'tariff/' || o.id) as o where (o.amount <= 0)
or (o.months < 1)
or (o.seller_mode not in ('live', 'sandbox'))
or (o.applied_at is not null and o.invoice_id is null)
or (o.applied_at is not null and o.paid_at is null)
or (o.amount <> o.invoiced)
or (o.tariff <> o.invoiced_tariff)
or (o.organization_id <> o.invoiced_organization)
or (o.applied_at is null and o.told_at < -3600000)
or (o.applied_at < o.created_at - 10000)
or (o.applied_at > o.created_at + 31622400000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select o.id as subject, case when b.id is null then 'of no organization'
when s.id is null then 'sold by no organization' end as detail
from "tolem_tariff_orders" o left join "tolem_organizations" b on b.id = o.organization_id
left join "tolem_organizations" s on s.id = o.seller_id where (b.id is null)
or (s.id is null)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select e.id as subject, case when o.id is null then 'of no order'
when o.applied_at is null then 'of an order that is not in force'
when e.organization_id <> o.organization_id then 'another organization than its order'
when a.id is null then 'for no known account'
when b.referred_by is distinct from e.account_id then 'for one who has not brought the organization'
when e.amount <= 0 then 'no amount'
when e.amount > o.amount then 'more than was paid'
when e.created_at <> o.applied_at then 'at another time than its order'
when e.state not in ('accrued', 'paid_out') then 'an unknown state'
when (e.state = 'paid_out') <> (e.paid_out_at is not null) then 'paid out at no time' end as detail
from "tolem_referral_earnings" e
left join "tolem_tariff_orders" o on o.id = e.order_id
left join "tolem_organizations" b on b.id = e.organization_id
left join "tolem_accounts" a on a.id = e.account_id where (o.id is null)
or (o.applied_at is null)
or (e.organization_id <> o.organization_id)
or (a.id is null)
or (b.referred_by is distinct from e.account_id)
or (e.amount <= 0)
or (e.amount > o.amount)
or (e.created_at <> o.applied_at)
or (e.state not in ('accrued', 'paid_out'))
or ((e.state = 'paid_out') <> (e.paid_out_at is not null))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select o.id as subject, case when o.record_id is null then 'nothing in the audit log tells of it'
when o.organization_id <> o.told_organization then 'another organization than its record'
when o.tariff <> o.told_tariff then 'another tariff than its record'
when o.told_earning is not null and o.earning_id is distinct from o.told_earning then 'its earning is gone'
when o.told_amount <> o.earned then 'another amount was earned' end as detail
from (select o.*, a.id as record_id, a.organization_id as told_organization,
case when pg_input_is_valid(a.detail, 'json') then a.detail::json ->> 'tariff' end as told_tariff, case when pg_input_is_valid(a.detail, 'json') then a.detail::json ->> 'earning' end as told_earning,
case when pg_input_is_valid(a.detail, 'json') then a.detail::json ->> 'earned' end as told_amount, e.id as earning_id, cast(e.amount as text) as earned
from "tolem_tariff_orders" o
left join "tolem_audit" a on a.action = 'tariff.paid' and a.subject = o.id
left join "tolem_referral_earnings" e on e.order_id = o.id
where o.applied_at is not null) as o where (o.record_id is null)
or (o.organization_id <> o.told_organization)
or (o.tariff <> o.told_tariff)
or (o.told_earning is not null and o.earning_id is distinct from o.told_earning)
or (o.told_amount <> o.earned)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select e.id as subject, e.state || ', unlike the audit log' as detail from "tolem_referral_earnings" e
where (e.state = 'paid_out') <> exists (
select 1 from "tolem_audit" a where a.action = 'earning.paid_out' and a.subject = coalesce(e.payout_id, e.id)
)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select a.subject as subject, 'the audit log says that it was paid' as detail from "tolem_audit" a
left join "tolem_tariff_orders" o on o.id = a.subject
where a.action = 'tariff.paid' and o.applied_at is null) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select o.id as subject, 'tariff ' || o.tariff || ' unlike the audit log' as detail
from "tolem_organizations" o
join (select organization_id, max(created_at) as newest_at from "tolem_audit"
where action in ('tariff.granted', 'tariff.paid') and detail is not null group by organization_id) as n
on n.organization_id = o.id
where not exists (
select 1 from "tolem_audit" a
where a.organization_id = o.id and a.action in ('tariff.granted', 'tariff.paid')
and a.created_at >= n.newest_at - cast($1 as bigint)
and case when pg_input_is_valid(a.detail, 'json') then a.detail::json ->> 'tariff' end = o.tariff
and coalesce(case when pg_input_is_valid(a.detail, 'json') then a.detail::json ->> 'tariffUntil' end, '') = coalesce(cast(o.tariff_until as text), '')
)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select p.id as subject, case when p.payee is null then 'for no known account'
when p.earnings = 0 then 'for nothing'
when p.amount <> p.earned then 'another sum than its earnings'
when p.earning_count <> p.earnings then 'another number of earnings'
when p.agreeing <> p.earnings then 'an earning of another person or time'
when p.last_ones <> 1 then 'its last earning is of another'
when p.note = '' then 'without a note' end as detail
from (select p.*, a.id as payee, count(e.id) as earnings, coalesce(sum(e.amount), 0) as earned,
count(case when e.account_id = p.account_id and e.paid_out_at = p.paid_at then 1 end) as agreeing,
count(case when e.id = p.up_to then 1 end) as last_ones
from "tolem_payouts" p left join "tolem_referral_earnings" e on e.payout_id = p.id
left join "tolem_accounts" a on a.id = p.account_id
group by p.id, p.account_id, p.amount, p.earning_count, p.up_to, p.note, p.paid_at, a.id) as p where (p.payee is null)
or (p.earnings = 0)
or (p.amount <> p.earned)
or (p.earning_count <> p.earnings)
or (p.agreeing <> p.earnings)
or (p.last_ones <> 1)
or (p.note = '')) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select p.id as subject, case when p.record_id is null then 'nothing in the audit log tells of it'
when p.account_id <> p.told_account then 'another person than its record'
when cast(p.amount as text) <> p.told_amount then 'another amount than its record' end as detail
from (select p.*, a.id as record_id, case when pg_input_is_valid(a.detail, 'json') then a.detail::json ->> 'accountId' end as told_account,
case when pg_input_is_valid(a.detail, 'json') then a.detail::json ->> 'amount' end as told_amount
from "tolem_payouts" p left join "tolem_audit" a on a.action = 'earning.paid_out' and a.subject = p.id) as p where (p.record_id is null)
or (p.account_id <> p.told_account)
or (cast(p.amount as text) <> p.told_amount)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select coalesce(e.id, a.subject) as subject, 'its payout is gone' as detail
from (select payout_id as subject from "tolem_referral_earnings" where payout_id is not null
union select subject from "tolem_audit" where action = 'earning.paid_out' and detail is not null) as a
left join "tolem_referral_earnings" e on e.payout_id = a.subject
left join "tolem_payouts" p on p.id = a.subject
where p.id is null) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select a.id as subject, case when a.status not in ('active', 'blocked') then 'an unknown status'
when length(a.phone) <> 11 or a.phone not like '7%' then 'no phone'
when a.email not like '%_@_%._%' then 'an address that is none' end as detail
from "tolem_accounts" a where (a.status not in ('active', 'blocked'))
or (length(a.phone) <> 11 or a.phone not like '7%')
or (a.email not like '%_@_%._%')) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select o.account_id as subject, case when a.id is null then 'of nobody' end as detail
from "tolem_operators" o left join "tolem_accounts" a on a.id = o.account_id where (a.id is null)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select m.organization_id || ' ' || m.account_id as subject, case when a.id is null then 'of nobody'
when o.id is null then 'of no organization'
when m.role not in ('owner', 'manager', 'accountant', 'cashier', 'developer', 'operator') then 'an unknown role'
when m.refund_limit <= 0 then 'refunds of nothing'
when m.role = 'owner' and o.owner_id <> m.account_id then 'an owner who owns it not' end as detail
from "tolem_memberships" m left join "tolem_accounts" a on a.id = m.account_id
left join "tolem_organizations" o on o.id = m.organization_id where (a.id is null)
or (o.id is null)
or (m.role not in ('owner', 'manager', 'accountant', 'cashier', 'developer', 'operator'))
or (m.refund_limit <= 0)
or (m.role = 'owner' and o.owner_id <> m.account_id)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, case when o.id is null then 'of no organization'
when length(i.phone) <> 11 or i.phone not like '7%' then 'no phone'
when i.role not in ('manager', 'accountant', 'cashier', 'developer') then 'an unknown role'
when i.refund_limit <= 0 then 'refunds of nothing'
when i.status not in ('pending', 'accepted', 'declined', 'withdrawn') then 'an unknown status'
when (i.status = 'pending') = (i.settled_at is not null) then 'settled at no time'
when i.expires_at > i.created_at + 31622400000 or i.expires_at < i.created_at then 'an end beyond all ends' end as detail
from "tolem_invitations" i left join "tolem_organizations" o on o.id = i.organization_id where (o.id is null)
or (length(i.phone) <> 11 or i.phone not like '7%')
or (i.role not in ('manager', 'accountant', 'cashier', 'developer'))
or (i.refund_limit <= 0)
or (i.status not in ('pending', 'accepted', 'declined', 'withdrawn'))
or ((i.status = 'pending') = (i.settled_at is not null))
or (i.expires_at > i.created_at + 31622400000 or i.expires_at < i.created_at)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select s.id as subject, case when a.id is null then 'of nobody'
when length(s.digest) < 2 then 'no digest'
when s.expires_at > s.created_at + 31622400000 or s.idle_at > s.expires_at then 'an end beyond all ends'
when s.seen_at > s.expires_at then 'seen after its end' end as detail
from "tolem_sessions" s left join "tolem_accounts" a on a.id = s.account_id where (a.id is null)
or (length(s.digest) < 2)
or (s.expires_at > s.created_at + 31622400000 or s.idle_at > s.expires_at)
or (s.seen_at > s.expires_at)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select c.id as subject, case when c.tries < 0 then 'a negative count'
when (length(c.phone) <> 11 or c.phone not like '7%') and c.phone not like 'address/%' then 'no phone'
when c.expires_at > c.created_at + 31622400000 then 'an end beyond all ends' end as detail
from "tolem_login_challenges" c where (c.tries < 0)
or ((length(c.phone) <> 11 or c.phone not like '7%') and c.phone not like 'address/%')
or (c.expires_at > c.created_at + 31622400000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select o.id as subject, case when a.id is null then 'owned by nobody'
when m.role is distinct from 'owner' then 'an owner without membership'
when o.mode not in ('live', 'sandbox') then 'an unknown mode'
when o.status not in ('active', 'archived') then 'an unknown status'
when o.referred_by is not null and r.id is null then 'brought by nobody'
when o.referred_by = o.owner_id then 'brought by its owner'
when o.partner_id is not null and p.id is null then 'a client of nobody'
when o.partner_id = o.id then 'a client of itself'
when o.partner_id is not null and o.external_key is not null then 'a client, with a name of the application'
when o.version < 1 then 'no version'
when o.logo is not null and g.organization_id is distinct from o.id then 'a logo of no picture'
when o.partner_id is null and o.idempotency_key is not null then 'a key of no partner'
when o.clock_ahead_ms < 0 then 'a clock behind' end as detail
from "tolem_organizations" o
left join "tolem_accounts" a on a.id = o.owner_id
left join "tolem_memberships" m on m.organization_id = o.id and m.account_id = o.owner_id
left join "tolem_accounts" r on r.id = o.referred_by
left join "tolem_organizations" p on p.id = o.partner_id
left join "tolem_pictures" g on g.id = o.logo where (a.id is null)
or (m.role is distinct from 'owner')
or (o.mode not in ('live', 'sandbox'))
or (o.status not in ('active', 'archived'))
or (o.referred_by is not null and r.id is null)
or (o.referred_by = o.owner_id)
or (o.partner_id is not null and p.id is null)
or (o.partner_id = o.id)
or (o.partner_id is not null and o.external_key is not null)
or (o.version < 1)
or (o.logo is not null and g.organization_id is distinct from o.id)
or (o.partner_id is null and o.idempotency_key is not null)
or (o.clock_ahead_ms < 0)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select g.id as subject, case when o.id is null then 'of no organization'
when g.content_type not in ('image/png', 'image/jpeg') then 'an unknown type'
when g.width < 1 or g.height < 1 then 'no size' end as detail
from "tolem_pictures" g left join "tolem_organizations" o on o.id = g.organization_id where (o.id is null)
or (g.content_type not in ('image/png', 'image/jpeg'))
or (g.width < 1 or g.height < 1)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select k.id as subject, case when o.id is null then 'of no organization'
when k.mode not in ('live', 'sandbox') then 'an unknown mode'
when k.connection_id is not null and c.organization_id is distinct from k.organization_id then 'bound to a cashier of another organization'
when length(k.digest) < 2 then 'no digest' end as detail
from "tolem_api_keys" k left join "tolem_organizations" o on o.id = k.organization_id
left join "tolem_connections" c on c.id = k.connection_id where (o.id is null)
or (k.mode not in ('live', 'sandbox'))
or (k.connection_id is not null and c.organization_id is distinct from k.organization_id)
or (length(k.digest) < 2)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select c.id as subject, case when c.status not in ('pending', 'active', 'expired', 'disabled') then 'an unknown status'
when c.is_default not in (0, 1) then 'a flag that is none'
when c.version < 1 then 'no version' end as detail
from "tolem_connections" c where (c.status not in ('pending', 'active', 'expired', 'disabled'))
or (c.is_default not in (0, 1))
or (c.version < 1)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select l.id as subject, case when l.organization_id <> c.organization_id then 'another organization'
when l.tries < 0 then 'a negative count' end as detail
from "tolem_logins" l left join "tolem_connections" c on c.id = l.connection_id where (l.organization_id <> c.organization_id)
or (l.tries < 0)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select l.id as subject, case when l.mode not in ('live', 'sandbox') then 'an unknown mode'
when l.status not in ('active', 'paused') then 'an unknown status'
when c.organization_id <> l.organization_id then 'a cashier of another organization'
when l.success_url not like 'http%://%' or l.fail_url not like 'http%://%' then 'an address that is none'
when l.version < 1 then 'no version'
when l.amount <= 0 or l.min_amount <= 0 or l.max_amount < coalesce(l.min_amount, 1) then 'no amount'
when length(l.slug) = 0 then 'no address'
when l.max_payments < 1 then 'room for no payment'
when l.closes_at <= coalesce(l.opens_at, 0) then 'an end before its beginning'
when l.picture is not null and l.removed_at is null and g.organization_id is distinct from l.organization_id then 'no such picture' end as detail
from "tolem_payment_links" l left join "tolem_connections" c on c.id = l.connection_id
left join "tolem_pictures" g on g.id = substr(l.picture, 1, 40) where (l.mode not in ('live', 'sandbox'))
or (l.status not in ('active', 'paused'))
or (c.organization_id <> l.organization_id)
or (l.success_url not like 'http%://%' or l.fail_url not like 'http%://%')
or (l.version < 1)
or (l.amount <= 0 or l.min_amount <= 0 or l.max_amount < coalesce(l.min_amount, 1))
or (length(l.slug) = 0)
or (l.max_payments < 1)
or (l.closes_at <= coalesce(l.opens_at, 0))
or (l.picture is not null and l.removed_at is null and g.organization_id is distinct from l.organization_id)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select h.id as subject, case when h.mode not in ('live', 'sandbox') then 'an unknown mode'
when h.status not in ('active', 'paused') then 'an unknown status'
when c.organization_id <> h.organization_id then 'a cashier of another organization'
when h.success_url not like 'http%://%' or h.fail_url not like 'http%://%' then 'an address that is none'
when h.version < 1 then 'no version'
when h.caught < 0 then 'a negative count' end as detail
from "tolem_form_hooks" h left join "tolem_connections" c on c.id = h.connection_id where (h.mode not in ('live', 'sandbox'))
or (h.status not in ('active', 'paused'))
or (c.organization_id <> h.organization_id)
or (h.success_url not like 'http%://%' or h.fail_url not like 'http%://%')
or (h.version < 1)
or (h.caught < 0)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select m.id as subject, case when i.id is null then 'of no invoice'
when m.organization_id <> i.organization_id then 'another organization'
when m.mode <> i.mode then 'another mode'
when m.kind not in ('invoice', 'receipt') then 'an unknown kind'
when m.kind = 'receipt' and i.paid_at is null then 'a receipt of an unpaid invoice'
when m.status not in ('pending', 'sending', 'sent', 'failed', 'unknown', 'kept') then 'an unknown status'
when m.recipient is distinct from i.customer_email then 'another recipient than the customer'
when m.attempts < 0 or m.resent < 0 then 'a negative count'
when m.resent > 5 then 'sent again too often'
when m.status = 'sent' and m.attempts = 0 then 'sent without an attempt'
when m.status in ('pending', 'sending') and m.due_at is null then 'nobody sends it'
when m.status not in ('pending', 'sending') and m.due_at is not null then 'due and completed'
when (m.status in ('pending', 'sending')) = (m.completed_at is not null) then 'completed at no time'
when m.resent = 0 and m.due_at > m.created_at + 31622400000 then 'due too late' end as detail
from "tolem_mails" m left join "tolem_invoices" i on i.id = m.invoice_id where (i.id is null)
or (m.organization_id <> i.organization_id)
or (m.mode <> i.mode)
or (m.kind not in ('invoice', 'receipt'))
or (m.kind = 'receipt' and i.paid_at is null)
or (m.status not in ('pending', 'sending', 'sent', 'failed', 'unknown', 'kept'))
or (m.recipient is distinct from i.customer_email)
or (m.attempts < 0 or m.resent < 0)
or (m.resent > 5)
or (m.status = 'sent' and m.attempts = 0)
or (m.status in ('pending', 'sending') and m.due_at is null)
or (m.status not in ('pending', 'sending') and m.due_at is not null)
or ((m.status in ('pending', 'sending')) = (m.completed_at is not null))
or (m.resent = 0 and m.due_at > m.created_at + 31622400000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select r.connection_id || ' ' || r.day as subject, case when o.id is null then 'of no organization'
when r.day not like '____-__-__' then 'of no day'
when r.status not in ('waiting', 'compared', 'failed') then 'an unknown status'
when r.fault not in ('no_cashier', 'not_able', 'throttled', 'refused', 'no_answer', 'too_different') then 'an unknown fault'
when r.tries < 0 or r.version < 1 then 'a negative count'
when (r.status = 'waiting') <> (r.due_at is not null) then 'due, and waiting for nothing'
when r.due_at > 0 + 31622400000 then 'due beyond all days'
when r.status = 'failed' and r.fault is null then 'failed of nothing'
when r.status = 'compared' and r.fault is not null then 'compared with a fault'
when r.status = 'compared' and r.sums is null then 'compared without sums'
when (r.sums is null) <> (r.compared_at is null) then 'sums of no comparison' end as detail
from "tolem_reconciliations" r left join "tolem_organizations" o on o.id = r.organization_id where (o.id is null)
or (r.day not like '____-__-__')
or (r.status not in ('waiting', 'compared', 'failed'))
or (r.fault not in ('no_cashier', 'not_able', 'throttled', 'refused', 'no_answer', 'too_different'))
or (r.tries < 0 or r.version < 1)
or ((r.status = 'waiting') <> (r.due_at is not null))
or (r.due_at > 0 + 31622400000)
or (r.status = 'failed' and r.fault is null)
or (r.status = 'compared' and r.fault is not null)
or (r.status = 'compared' and r.sums is null)
or ((r.sums is null) <> (r.compared_at is null))) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select w.id as subject, case when r.day is null then 'of no compared day'
when w.subject not like 'payment %' and w.subject not like 'refund %' then 'of no movement'
when w.kind not in ('missing_here', 'missing_there', 'amount_differs', 'refunded_elsewhere') then 'an unknown kind'
when w.cause not in ('unknown_invoice', 'not_noticed', 'paid_twice', 'refund_open', 'refund_failed', 'made_elsewhere', 'not_listed', 'amounts') then 'an unknown cause'
when w.status not in ('open', 'resolved') then 'an unknown status'
when w.resolution not in ('gone', 'settled', 'accepted') then 'an unknown resolution'
when w.invoice_id is not null and i.organization_id is distinct from w.organization_id then 'an invoice of another organization'
when w.refund_id is not null and f.invoice_id is distinct from w.invoice_id then 'a refund of another invoice'
when w.kind in ('missing_here', 'refunded_elsewhere') and w.amount_here is not null then 'missing here, with an amount here'
when w.kind = 'missing_there' and w.amount_there is not null then 'missing there, with an amount there'
when coalesce(w.amount_here, w.amount_there, 0) <= 0 or w.amount_there <= 0 then 'an amount of nothing'
when w.kind = 'amount_differs' and (w.amount_here is distinct from w.amount_there) = false then 'amounts that do not differ'
when (w.status = 'open') = (w.resolved_at is not null) then 'resolved at no time'
when w.resolved_at < w.found_at then 'resolved before it was found'
when (w.status = 'open') <> (w.resolution is null) then 'resolved in no way'
when w.resolution = 'accepted' and w.note is null then 'accepted without a note'
when w.resolved_by is not null and (a.id is null or w.resolution = 'gone') then 'resolved by a person who is none'
when w.version < 1 then 'no version' end as detail
from "tolem_work_items" w
left join "tolem_reconciliations" r on r.organization_id = w.organization_id
and r.connection_id = w.connection_id and r.day = w.day
left join "tolem_invoices" i on i.id = w.invoice_id
left join "tolem_refunds" f on f.id = w.refund_id
left join "tolem_accounts" a on a.id = w.resolved_by where (r.day is null)
or (w.subject not like 'payment %' and w.subject not like 'refund %')
or (w.kind not in ('missing_here', 'missing_there', 'amount_differs', 'refunded_elsewhere'))
or (w.cause not in ('unknown_invoice', 'not_noticed', 'paid_twice', 'refund_open', 'refund_failed', 'made_elsewhere', 'not_listed', 'amounts'))
or (w.status not in ('open', 'resolved'))
or (w.resolution not in ('gone', 'settled', 'accepted'))
or (w.invoice_id is not null and i.organization_id is distinct from w.organization_id)
or (w.refund_id is not null and f.invoice_id is distinct from w.invoice_id)
or (w.kind in ('missing_here', 'refunded_elsewhere') and w.amount_here is not null)
or (w.kind = 'missing_there' and w.amount_there is not null)
or (coalesce(w.amount_here, w.amount_there, 0) <= 0 or w.amount_there <= 0)
or (w.kind = 'amount_differs' and (w.amount_here is distinct from w.amount_there) = false)
or ((w.status = 'open') = (w.resolved_at is not null))
or (w.resolved_at < w.found_at)
or ((w.status = 'open') <> (w.resolution is null))
or (w.resolution = 'accepted' and w.note is null)
or (w.resolved_by is not null and (a.id is null or w.resolution = 'gone'))
or (w.version < 1)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select l.organization_id || ' ' || l.account_id as subject, case when o.id is null then 'of no organization'
when a.id is null then 'of no account'
when l.month not like '____-__' then 'of no month'
when l.sent_month not like '____-__' then 'sent of no month'
when l.sent_month >= l.month then 'sent of a month that has not come'
when l.status not in ('waiting', 'sending') then 'an unknown status'
when l.due_at is null or l.due_at > 0 + 31622400000 then 'never due'
when l.due_at < l.created_at then 'due before it was chosen'
when l.tries < 0 or l.version < 1 then 'a negative count'
when l.status = 'sending' and l.tries < 1 then 'handed over at no time' end as detail
from "tolem_statement_letters" l left join "tolem_organizations" o on o.id = l.organization_id
left join "tolem_accounts" a on a.id = l.account_id where (o.id is null)
or (a.id is null)
or (l.month not like '____-__')
or (l.sent_month not like '____-__')
or (l.sent_month >= l.month)
or (l.status not in ('waiting', 'sending'))
or (l.due_at is null or l.due_at > 0 + 31622400000)
or (l.due_at < l.created_at)
or (l.tries < 0 or l.version < 1)
or (l.status = 'sending' and l.tries < 1)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select l.organization_id || ' ' || l.account_id || ' ' || l.mode || ' ' || l.channel as subject, case when o.id is null then 'of no organization'
when a.id is null then 'of no account'
when l.mode not in ('live', 'sandbox') then 'an unknown mode'
when l.channel not in ('letter', 'telegram') then 'an unknown channel'
when l.language not in ('kk', 'ru', 'en') then 'an unknown language'
when l.status not in ('waiting', 'sending', 'given_up') then 'an unknown status'
when l.kinds not like '["%"]' then 'tells of nothing'
when l.minimum < 0 then 'a negative minimum'
when l.quiet not like '{%"from":%"to":%"days":[%]}' then 'quiet at no time'
when l.position < 0 or (l.position = 0) <> (l.event_id is null) then 'no place in the feed'
when l.gathered not like '{%"paid":%"late":%}' then 'nothing to gather in'
when l.going not like '[%]' then 'no list of troubles'
when l.looked_at < 0 or l.looked_at > 0 + 10000 then 'looked at in time to come'
when l.told_at < l.created_at or l.told_at > 0 + 10000 then 'told in time to come'
when l.created_at < 0 or l.created_at > 0 + 10000 then 'made in time to come'
when l.not_before < 0 or l.not_before > 0 + 31622400000 then 'held for ever'
when l.due_at is null or l.due_at < l.created_at or l.due_at > 0 + 31622400000 then 'never due'
when l.tries < 0 or l.version < 1 then 'a negative count'
when l.status = 'sending' and l.tries < 1 then 'handed over at no time' end as detail
from "tolem_notice_lines" l left join "tolem_organizations" o on o.id = l.organization_id
left join "tolem_accounts" a on a.id = l.account_id where (o.id is null)
or (a.id is null)
or (l.mode not in ('live', 'sandbox'))
or (l.channel not in ('letter', 'telegram'))
or (l.language not in ('kk', 'ru', 'en'))
or (l.status not in ('waiting', 'sending', 'given_up'))
or (l.kinds not like '["%"]')
or (l.minimum < 0)
or (l.quiet not like '{%"from":%"to":%"days":[%]}')
or (l.position < 0 or (l.position = 0) <> (l.event_id is null))
or (l.gathered not like '{%"paid":%"late":%}')
or (l.going not like '[%]')
or (l.looked_at < 0 or l.looked_at > 0 + 10000)
or (l.told_at < l.created_at or l.told_at > 0 + 10000)
or (l.created_at < 0 or l.created_at > 0 + 10000)
or (l.not_before < 0 or l.not_before > 0 + 31622400000)
or (l.due_at is null or l.due_at < l.created_at or l.due_at > 0 + 31622400000)
or (l.tries < 0 or l.version < 1)
or (l.status = 'sending' and l.tries < 1)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select l.account_id as subject, case when a.id is null then 'of no account'
when l.status not in ('asked', 'linked', 'ended') then 'an unknown status'
when (l.status = 'linked') <> (l.chat_id is not null) then 'a chat where there is none'
when (l.code_digest is null) <> (l.code_until is null) then 'a code without a time'
when length(l.code_digest) <> 64 then 'no digest'
when l.status = 'asked' and l.code_digest is null then 'neither code nor chat'
when l.code_until < l.created_at or l.code_until > 0 + 31622400000 then 'a code for ever'
when (l.status = 'ended') <> (l.reason is not null) then 'an end without a reason'
when l.reason not in ('blocked', 'stopped') then 'an unknown reason'
when l.free_at < 0 or l.free_at > 0 + 31622400000 then 'held for ever'
when l.created_at < 0 or l.created_at > 0 + 10000 then 'made in time to come'
when l.version < 1 then 'no version' end as detail
from "tolem_messenger_links" l left join "tolem_accounts" a on a.id = l.account_id where (a.id is null)
or (l.status not in ('asked', 'linked', 'ended'))
or ((l.status = 'linked') <> (l.chat_id is not null))
or ((l.code_digest is null) <> (l.code_until is null))
or (length(l.code_digest) <> 64)
or (l.status = 'asked' and l.code_digest is null)
or (l.code_until < l.created_at or l.code_until > 0 + 31622400000)
or ((l.status = 'ended') <> (l.reason is not null))
or (l.reason not in ('blocked', 'stopped'))
or (l.free_at < 0 or l.free_at > 0 + 31622400000)
or (l.created_at < 0 or l.created_at > 0 + 10000)
or (l.version < 1)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select r.name as subject, case when r.name <> 'telegram' then 'an unknown messenger'
when r.read_to < 0 then 'before the first message'
when r.due_at < 0 or r.due_at > 0 + 31622400000 then 'held for ever' end as detail
from "tolem_messenger_readings" r where (r.name <> 'telegram')
or (r.read_to < 0)
or (r.due_at < 0 or r.due_at > 0 + 31622400000)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select a.id as subject, case when a.action not like '%.%' then 'no action'
when a.actor_kind not in ('key', 'account', 'operator', 'application') then 'an unknown kind of actor'
when length(a.subject) = 0 then 'no subject' end as detail
from "tolem_audit" a where (a.action not like '%.%')
or (a.actor_kind not in ('key', 'account', 'operator', 'application'))
or (length(a.subject) = 0)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select subject, max('unlike the audit log') as detail from (
select k.id as subject, case when a.organization_id = k.organization_id and a.detail = k.mode || ' ' || k.scopes then 1 else 0 end as agrees
from
(select a.*, max(a.created_at) over (partition by a.organization_id, a.subject) as newest_at
from "tolem_audit" a where a.action in ($1)) as a join "tolem_api_keys" k on k.id = a.subject where a.created_at >= a.newest_at - cast($2 as bigint)
) as said group by subject having max(agrees) = 0) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select subject, max('unlike the audit log') as detail from (
select k.id as subject, case when a.detail is not distinct from k.connection_id then 1 else 0 end as agrees
from
(select a.*, max(a.created_at) over (partition by a.organization_id, a.subject) as newest_at
from "tolem_audit" a where a.action in ($1)) as a join "tolem_api_keys" k on k.id = a.subject where a.created_at >= a.newest_at - cast($2 as bigint)
) as said group by subject having max(agrees) = 0) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select subject, max('unlike the audit log') as detail from (
select o.id as subject, case when a.detail = o.mode then 1 else 0 end as agrees
from
(select a.*, max(a.created_at) over (partition by a.organization_id, a.subject) as newest_at
from "tolem_audit" a where a.action in ($1)) as a join "tolem_organizations" o on o.id = a.subject where a.created_at >= a.newest_at - cast($2 as bigint)
) as said group by subject having max(agrees) = 0) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select subject, max('unlike the audit log') as detail from (
select o.id as subject, case when (a.action = 'organization.archived') = (o.status = 'archived') then 1 else 0 end as agrees
from
(select a.*, max(a.created_at) over (partition by a.organization_id, a.subject) as newest_at
from "tolem_audit" a where a.action in ($1,$2)) as a join "tolem_organizations" o on o.id = a.subject where a.created_at >= a.newest_at - cast($3 as bigint)
) as said group by subject having max(agrees) = 0) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select subject, max('unlike the audit log') as detail from (
select p.id as subject, case when (a.action = 'account.blocked') = (p.status = 'blocked') then 1 else 0 end as agrees
from
(select a.*, max(a.created_at) over (partition by a.organization_id, a.subject) as newest_at
from "tolem_audit" a where a.action in ($1,$2)) as a join "tolem_accounts" p on p.id = a.subject where a.created_at >= a.newest_at - cast($3 as bigint)
) as said group by subject having max(agrees) = 0) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select subject, max('unlike the audit log') as detail from (
select a.organization_id || ' ' || a.subject as subject, case when coalesce(m.role, '') = case a.action when 'member.added' then a.detail else '' end or m.role = 'owner' then 1 else 0 end as agrees
from
(select a.*, max(a.created_at) over (partition by a.organization_id, a.subject) as newest_at
from "tolem_audit" a where a.action in ($1,$2)) as a join "tolem_organizations" o on o.id = a.organization_id
left join "tolem_memberships" m on m.organization_id = a.organization_id and m.account_id = a.subject where a.created_at >= a.newest_at - cast($3 as bigint)
) as said group by subject having max(agrees) = 0) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (
select a.subject as subject, 'the audit log says that it was made' as detail from "tolem_audit" a
where a.action = 'key.created'
and not exists (select 1 from "tolem_api_keys" k where k.id = a.subject)
and not exists (select 1 from "tolem_audit" d where d.action = 'key.deleted' and d.subject = a.subject)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select subject, detail from (
select a.subject as subject, 'made, and there no more' as detail from "tolem_audit" a
where a.action = 'endpoint.created' and not exists (select 1 from "tolem_endpoints" p where p.id = a.subject)
union all
select p.id, 'unlike the audit log: another owner' from "tolem_audit" a join "tolem_endpoints" p on p.id = a.subject
where a.action = 'endpoint.created'
and (p.organization_id <> a.organization_id or a.detail is distinct from p.mode)
union all
select p.id, 'unlike the audit log: whether it is there' from "tolem_endpoints" p
where exists (select 1 from "tolem_audit" c where c.action = 'endpoint.created' and c.subject = p.id)
and (p.removed_at is not null)
<> exists (select 1 from "tolem_audit" d where d.action = 'endpoint.deleted' and d.subject = p.id)
) as all_of_them) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select i.id as subject, 'refund ' || a.refund_id || ' unlike the audit log' as detail
from (select subject, case when pg_input_is_valid(detail, 'json') then detail::json ->> 'refundId' end as refund_id, case when pg_input_is_valid(detail, 'json') then detail::json ->> 'amount' end as amount
from "tolem_audit" where action = 'refund.requested') as a
join "tolem_invoices" i on i.id = a.subject
left join "tolem_refunds" r on r.id = a.refund_id and r.invoice_id = a.subject
where a.refund_id is not null
and (r.id is null or abs(cast(a.amount as double precision) * 100 - r.amount) > 0.5)) as breaches
order by 1 limit 1000;

-- findings
select * from "tolem_invoices" where true order by id limit 500;

-- findings
select * from "tolem_events" where true order by invoice_id, sequence limit 500;

-- findings
select * from "tolem_deliveries" where true order by id limit 500;

-- findings
select * from "tolem_endpoints" where true order by id limit 500;

-- findings
select * from "tolem_subscriptions" where true order by id limit 500;

-- findings
select * from "tolem_subscription_runs" where true order by subscription_id, run limit 500;

-- findings
select * from "tolem_mails" where true order by id limit 500;

-- findings
select id, secret as secret from "tolem_endpoints"
where id > $1 and secret <> '' order by id limit 500;

-- findings
select id, previous_secret as secret from "tolem_endpoints"
where id > $1 and previous_secret is not null order by id limit 500;

-- findings
select id, session as secret from "tolem_connections"
where id > $1 and session is not null order by id limit 500;

-- findings
select id, sealed as secret from "tolem_secret_checks"
where id > $1 and true order by id limit 500;

-- findings
select * from "tolem_sealing";

-- findings
select id from "tolem_invoices" where id > $1 order by id limit 200;

-- findings
select (select coalesce(json_agg(r), '[]')::text from (select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id) as r) as "invoices", (select coalesce(json_agg(r), '[]')::text from (select e.* from unnest((select $2::text[] collate "C")) as s(id) join "tolem_events" e on e.invoice_id = s.id) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (select r.* from unnest((select $3::text[] collate "C")) as s(id) join "tolem_refunds" r on r.invoice_id = s.id) as r) as "refunds";

-- findings
select subject, detail from (
select h.chain as subject, 'its end is not its newest link' as detail from "tolem_chain_heads" h
left join (select chain, count(*) as n, max(position) as newest from "tolem_chain_links" group by chain) c
on c.chain = h.chain
where h.length <> coalesce(c.n, 0) or h.length <> coalesce(c.newest, 0)
or h.digest <> coalesce(
(select min(l.digest) from "tolem_chain_links" l where l.chain = h.chain and l.position = h.length), '')
union all
select distinct l.chain, 'its end is gone' from "tolem_chain_links" l
where not exists (select 1 from "tolem_chain_heads" h where h.chain = l.chain)
union all
select l.record_id, 'the chain is gone' from "tolem_chain_links" l
where l.chain = $1 and not exists (select 1 from "tolem_chain_heads" h where h.chain = l.record_id)
union all
select h.chain, 'it is not in the chain of chains' from "tolem_chain_heads" h
where h.chain <> $2
and not exists (select 1 from "tolem_chain_links" l where l.record_id = h.chain and l.chain = $3)
union all
select 'chains', 'the chain of chains is gone' from (select 1 as one) as once
where not exists (select 1 from "tolem_chain_heads" h where h.chain = $4)
and exists (select 1 from "tolem_sealing" where id = $5)) as breaches
order by 1 limit 1000;

-- findings
select subject, detail from (select record_id as subject, 'gone from audit' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'audit/' and l.chain < 'audit0' and l.content <> $1 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_audit" t
) as missing_audit union all select record_id as subject, 'gone from tariff_orders' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'tariff_orders/' and l.chain < 'tariff_orders0' and l.content <> $2 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_tariff_orders" t
) as missing_tariff_orders union all select record_id as subject, 'gone from referral_earnings' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'referral_earnings/' and l.chain < 'referral_earnings0' and l.content <> $3 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_referral_earnings" t
) as missing_referral_earnings union all select record_id as subject, 'gone from payouts' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'payouts/' and l.chain < 'payouts0' and l.content <> $4 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_payouts" t
) as missing_payouts union all select record_id as subject, 'gone from accounts' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'accounts/' and l.chain < 'accounts0' and l.content <> $5 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_accounts" t
) as missing_accounts union all select record_id as subject, 'gone from operators' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'operators/' and l.chain < 'operators0' and l.content <> $6 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.account_id from "tolem_operators" t
) as missing_operators union all select record_id as subject, 'gone from organizations' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'organizations/' and l.chain < 'organizations0' and l.content <> $7 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_organizations" t
) as missing_organizations union all select record_id as subject, 'gone from memberships' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'memberships/' and l.chain < 'memberships0' and l.content <> $8 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.organization_id || ' ' || t.account_id from "tolem_memberships" t
) as missing_memberships union all select record_id as subject, 'gone from invitations' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'invitations/' and l.chain < 'invitations0' and l.content <> $9 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_invitations" t
) as missing_invitations union all select record_id as subject, 'gone from api_keys' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'api_keys/' and l.chain < 'api_keys0' and l.content <> $10 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_api_keys" t
) as missing_api_keys union all select record_id as subject, 'gone from connections' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'connections/' and l.chain < 'connections0' and l.content <> $11 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_connections" t
) as missing_connections union all select record_id as subject, 'gone from endpoints' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'endpoints/' and l.chain < 'endpoints0' and l.content <> $12 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_endpoints" t
) as missing_endpoints union all select record_id as subject, 'gone from payment_links' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'payment_links/' and l.chain < 'payment_links0' and l.content <> $13 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_payment_links" t
) as missing_payment_links union all select record_id as subject, 'gone from form_hooks' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'form_hooks/' and l.chain < 'form_hooks0' and l.content <> $14 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_form_hooks" t
) as missing_form_hooks union all select record_id as subject, 'gone from pictures' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'pictures/' and l.chain < 'pictures0' and l.content <> $15 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_pictures" t
) as missing_pictures union all select record_id as subject, 'gone from subscriptions' as detail from (
select l.record_id from "tolem_chain_links" l
where l.chain >= 'subscriptions/' and l.chain < 'subscriptions0' and l.content <> $16 and not exists (
select 1 from "tolem_chain_links" n
where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
except select t.id from "tolem_subscriptions" t
) as missing_subscriptions) as breaches
order by 1 limit 1000;

-- findings
select l.*, (select min(p.digest) from "tolem_chain_links" p where p.chain = l.chain and p.position = l.position - 1)
as previous
from "tolem_chain_links" l
where (l.chain, l.position, l.digest) > ($1, cast($2 as bigint), $3)
order by l.chain, l.position, l.digest limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'audit/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_audit" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'tariff_orders/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_tariff_orders" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'referral_earnings/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_referral_earnings" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'payouts/' || coalesce(t.account_id, '')
order by l.position desc limit 1) as linked_content from "tolem_payouts" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'accounts/'
order by l.position desc limit 1) as linked_content from "tolem_accounts" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.account_id and l.chain = 'operators/'
order by l.position desc limit 1) as linked_content from "tolem_operators" t where t.account_id > $1
order by t.account_id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'organizations/' || coalesce(t.id, '')
order by l.position desc limit 1) as linked_content from "tolem_organizations" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.organization_id || ' ' || t.account_id and l.chain = 'memberships/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_memberships" t where t.organization_id || ' ' || t.account_id > $1
order by t.organization_id || ' ' || t.account_id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'invitations/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_invitations" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'api_keys/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_api_keys" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'connections/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_connections" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'endpoints/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_endpoints" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'payment_links/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_payment_links" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'form_hooks/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_form_hooks" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'pictures/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_pictures" t where t.id > $1
order by t.id limit 500;

-- findings
select t.*, (select l.content from "tolem_chain_links" l
where l.record_id = t.id and l.chain = 'subscriptions/' || coalesce(t.organization_id, '')
order by l.position desc limit 1) as linked_content from "tolem_subscriptions" t where t.id > $1
order by t.id limit 500;

-- findings
select * from "tolem_chain_heads" order by chain;

-- findings
select count(*) as n from "tolem_accounts";

-- findings
select count(*) as n from "tolem_organizations";

-- findings
select count(*) as n from "tolem_api_keys";

-- findings
select count(*) as n from "tolem_rate_windows";

-- findings
select count(*) as n from "tolem_invoices";

-- findings
select count(*) as n from "tolem_events";

-- findings
select count(*) as n from "tolem_refunds";

-- findings
select count(*) as n from "tolem_daily_totals";

-- findings
select count(*) as n from "tolem_receipt_counters";

-- findings
select count(*) as n from "tolem_endpoints";

-- findings
select count(*) as n from "tolem_deliveries";

-- findings
select count(*) as n from "tolem_attempts";

-- findings
select count(*) as n from "tolem_secret_checks";

-- findings
select count(*) as n from "tolem_connections";

-- findings
select count(*) as n from "tolem_logins";

-- findings
select count(*) as n from "tolem_subscriptions";

-- findings
select count(*) as n from "tolem_subscription_events";

-- findings
select count(*) as n from "tolem_subscription_runs";

-- findings
select count(*) as n from "tolem_mails";

-- findings
select count(*) as n from "tolem_memberships";

-- findings
select count(*) as n from "tolem_invitations";

-- findings
select count(*) as n from "tolem_usage";

-- findings
select count(*) as n from "tolem_tariff_orders";

-- findings
select count(*) as n from "tolem_referral_earnings";

-- findings
select count(*) as n from "tolem_audit";

-- findings
select count(*) as n from "tolem_payment_links";

-- findings
select count(*) as n from "tolem_link_totals";

-- findings
select count(*) as n from "tolem_link_sweeps";

-- findings
select count(*) as n from "tolem_place_takers";

-- findings
select count(*) as n from "tolem_form_hooks";

-- findings
select count(*) as n from "tolem_login_challenges";

-- findings
select count(*) as n from "tolem_sessions";

-- findings
select count(*) as n from "tolem_sealing";

-- findings
select count(*) as n from "tolem_chain_links";

-- findings
select count(*) as n from "tolem_chain_heads";

-- findings
select count(*) as n from "tolem_feed";

-- findings
select count(*) as n from "tolem_feed_heads";

-- findings
select count(*) as n from "tolem_feed_arrivals";

-- findings
select count(*) as n from "tolem_consumers";

-- findings
select count(*) as n from "tolem_reactions";

-- findings
select count(*) as n from "tolem_pictures";

-- findings
select count(*) as n from "tolem_removals";

-- findings
select count(*) as n from "tolem_requests";

-- findings
select count(*) as n from "tolem_request_hours";

-- findings
select count(*) as n from "tolem_form_refusals";

-- findings
select count(*) as n from "tolem_form_refusal_counts";

-- findings
select count(*) as n from "tolem_reconciliations";

-- findings
select count(*) as n from "tolem_work_items";

-- findings
select count(*) as n from "tolem_statement_letters";

-- findings
select count(*) as n from "tolem_operators";

-- findings
select count(*) as n from "tolem_notice_lines";

-- findings
select count(*) as n from "tolem_messenger_links";

-- findings
select count(*) as n from "tolem_messenger_readings";

-- findings
select count(*) as n from "tolem_servers";

-- findings
select count(*) as n from "tolem_payouts";

-- findings
select count(*) as n from "tolem_invoice_leases";

-- findings
select n.nspname::text as schema, has_function_privilege(p.oid, 'execute') as allowed
from pg_extension e join pg_namespace n on n.oid = e.extnamespace
join pg_proc p on p.pronamespace = n.oid and p.proname = 'bt_index_check' and p.pronargs = 2
where e.extname = 'amcheck';

-- seal anew
select id, "secret" as sealed from "tolem_endpoints"
where id > $1 and "secret" <> '' and "secret" not like $2
order by id limit 200;

-- seal anew
select id, "previous_secret" as sealed from "tolem_endpoints"
where id > $1 and "previous_secret" <> '' and "previous_secret" not like $2
order by id limit 200;

-- seal anew
select id, "session" as sealed from "tolem_connections"
where id > $1 and "session" <> '' and "session" not like $2
order by id limit 200;

-- seal anew
select id, "digest_key" as sealed from "tolem_login_challenges"
where id > $1 and "digest_key" <> '' and "digest_key" not like $2
order by id limit 200;

-- seal anew
select id from "tolem_invoices" where id > $1 order by id limit 200;

-- seal anew
select i.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_invoices" i on i.id = s.id
order by i.id for update of i;

-- seal anew
select e.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_events" e on e.invoice_id = s.id;

-- seal anew
select r.* from unnest((select $1::text[] collate "C")) as s(id) join "tolem_refunds" r on r.invoice_id = s.id;

-- seal anew
select * from "tolem_sealing" order by id;

-- seal anew
select h.* from "tolem_chain_heads" h where h.seal not like $1 order by h.chain for update of h;

-- begin seals
select * from "tolem_sealing" where state = 'upgraded';
