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

-- add of a connection
insert into "tolem_connections"
(id, organization_id, name, status, phone, is_default, session, created_at, updated_at, version)
values ($1, $2, $3, $4, $5, $6, $7,
$8, $9, $10) returning id;

-- add of a connection
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9);

-- remove of a connection
select c.id from "tolem_connections" c where id = $1 and organization_id = $2 for update of c;

-- addOrganization
insert into "tolem_accounts" (id, phone, name, status, referral_code, created_at)
values ($1, $2, $3, $4, $5, $6)
on conflict (phone) do update set phone = excluded.phone returning *;

-- addOrganization
insert into "tolem_organizations"
(id, name, legal_name, idn, mode, tariff, tariff_until, status, owner_id, referred_by, partner_id,
idempotency_key, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
$10, $11, $12, $13);

-- addOrganization
insert into "tolem_memberships" (organization_id, account_id, role, created_at)
values ($1, $2, $3, $4);

-- organization
select * from "tolem_organizations" where id = $1;

-- owned
select o.*, a.status as owner_status from "tolem_organizations" o
join "tolem_accounts" a on a.id = o.owner_id where o.id = $1;

-- setMode
update "tolem_organizations" set mode = $1 where id = $2 and mode <> $3 returning id;

-- setMode
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9);

-- organizationCount
select count(*) as count from "tolem_organizations";

-- setStatus of an account
update "tolem_accounts" set status = $1 where id = $2 returning id;

-- setStatus of an account that is blocked
update "tolem_accounts" set status = $1 where id = $2 returning id;

-- setStatus of an account that is blocked
update "tolem_sessions" set revoked_at = cast($1 as bigint)
where account_id = $2 and revoked_at is null;

-- setStatus of an organization
update "tolem_organizations" set status = $1
where id = $2 returning id;

-- addKey
insert into "tolem_api_keys"
(id, organization_id, mode, name, scopes, connection_id, digest, last_characters, created_at)
select $1, o.id, $2, $3, $4, $5, $6, $7,
cast($8 as bigint)
from "tolem_organizations" o where o.id = $9
returning id;

-- findKeys
select k.*, o.status as organization_status, a.status as owner_status
from json_to_recordset($1::json) as s(digest text collate "C")
join "tolem_api_keys" k on k.digest = s.digest
join "tolem_organizations" o on o.id = k.organization_id
join "tolem_accounts" a on a.id = o.owner_id;

-- keys
select * from "tolem_api_keys" where organization_id = $1 order by created_at, id;

-- bindKey
select c.id from "tolem_connections" c
where c.id = $1 and c.organization_id = $2 for share of c;

-- bindKey
update "tolem_api_keys" set connection_id = $1
where id = $2 and organization_id = $3 returning id;

-- removeKey
delete from "tolem_api_keys" where id = $1 returning organization_id;

-- accounts
select (select coalesce(json_agg(r), '[]')::text from (select count(*) as total from "tolem_accounts" a where (strpos(coalesce(a.phone, ''), $1) > 0 OR strpos(lower(coalesce(a.phone, '')), $2) > 0 OR strpos(coalesce(a.name, ''), $3) > 0 OR strpos(lower(coalesce(a.name, '')), $4) > 0 OR strpos(coalesce(a.id, ''), $5) > 0 OR strpos(lower(coalesce(a.id, '')), $6) > 0)) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (select a.* from "tolem_accounts" a where (strpos(coalesce(a.phone, ''), $7) > 0 OR strpos(lower(coalesce(a.phone, '')), $8) > 0 OR strpos(coalesce(a.name, ''), $9) > 0 OR strpos(lower(coalesce(a.name, '')), $10) > 0 OR strpos(coalesce(a.id, ''), $11) > 0 OR strpos(lower(coalesce(a.id, '')), $12) > 0) order by a.created_at desc, a.id desc limit cast($13 as bigint) offset cast($14 as bigint)) as r) as "rows";

-- organizations
select (select coalesce(json_agg(r), '[]')::text from (select count(*) as total from "tolem_organizations" o join "tolem_accounts" a on a.id = o.owner_id where (strpos(coalesce(o.name, ''), $1) > 0 OR strpos(lower(coalesce(o.name, '')), $2) > 0 OR strpos(coalesce(o.legal_name, ''), $3) > 0 OR strpos(lower(coalesce(o.legal_name, '')), $4) > 0 OR strpos(coalesce(o.idn, ''), $5) > 0 OR strpos(lower(coalesce(o.idn, '')), $6) > 0 OR strpos(coalesce(o.id, ''), $7) > 0 OR strpos(lower(coalesce(o.id, '')), $8) > 0 OR strpos(coalesce(a.phone, ''), $9) > 0 OR strpos(lower(coalesce(a.phone, '')), $10) > 0)) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (
select o.*, a.status as owner_status from "tolem_organizations" o join "tolem_accounts" a on a.id = o.owner_id where (strpos(coalesce(o.name, ''), $11) > 0 OR strpos(lower(coalesce(o.name, '')), $12) > 0 OR strpos(coalesce(o.legal_name, ''), $13) > 0 OR strpos(lower(coalesce(o.legal_name, '')), $14) > 0 OR strpos(coalesce(o.idn, ''), $15) > 0 OR strpos(lower(coalesce(o.idn, '')), $16) > 0 OR strpos(coalesce(o.id, ''), $17) > 0 OR strpos(lower(coalesce(o.id, '')), $18) > 0 OR strpos(coalesce(a.phone, ''), $19) > 0 OR strpos(lower(coalesce(a.phone, '')), $20) > 0) order by o.created_at desc, o.id desc limit cast($21 as bigint) offset cast($22 as bigint)) as r) as "rows";

-- account by phone
select * from "tolem_accounts" where phone = $1;

-- addAccount
insert into "tolem_accounts" (id, phone, name, status, referral_code, created_at)
values ($1, $2, $3, $4, $5, $6)
on conflict (phone) do update set phone = excluded.phone returning *;

-- parts
select o.*, m.role from "tolem_memberships" m join "tolem_organizations" o on o.id = m.organization_id
where m.account_id = $1 order by m.created_at, o.id;

-- members
select a.*, m.role from "tolem_memberships" m join "tolem_accounts" a on a.id = m.account_id
where m.organization_id = $1 order by m.created_at, a.id;

-- setMember
insert into "tolem_memberships" as m (organization_id, account_id, role, created_at)
values ($1, $2, $3, $4)
on conflict (organization_id, account_id) do update set role = excluded.role where m.role <> 'owner'
returning account_id;

-- setMember
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9);

-- removeMember
delete from "tolem_memberships"
where organization_id = $1 and account_id = $2 and role <> 'owner'
returning account_id;

-- removeMember
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9);

-- usage
select period, used from "tolem_usage"
where organization_id = $1 and period in ($2, $3);

-- standing
select (select coalesce(json_agg(r), '[]')::text from (select * from "tolem_organizations" where id = $1) as r) as "organizations", (select coalesce(json_agg(r), '[]')::text from (
select period, used from "tolem_usage"
where organization_id = $2 and period in ($3, $4)) as r) as "usage", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_connections" where organization_id = $5 order by created_at, id) as r) as "connections";

-- setTerm
update "tolem_organizations" set tariff = $1, tariff_until = cast($2 as bigint)
where id = $3 and tariff = $4
and coalesce(tariff_until, -1) = cast($5 as bigint)
returning id;

-- setTerm
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9);

-- addOrder
insert into "tolem_tariff_orders"
(id, organization_id, tariff, months, amount, seller_id, seller_mode, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8);

-- paidOrders
select o.* from "tolem_tariff_orders" o
join "tolem_invoices" i on i.organization_id = o.seller_id and i.mode = o.seller_mode
and i.idempotency_key = 'tariff/' || o.id
where o.applied_at is null and o.created_at >= cast($1 as bigint)
and i.paid_at is not null and i.amount >= o.amount
order by o.created_at, o.id limit cast($2 as bigint);

-- fulfil
update "tolem_tariff_orders" set applied_at = cast($1 as bigint)
where id = $2 and applied_at is null returning id;

-- fulfil
update "tolem_organizations" set tariff = $1, tariff_until = cast($2 as bigint)
where id = $3 and tariff = $4
and coalesce(tariff_until, -1) = cast($5 as bigint)
returning id;

-- fulfil
insert into "tolem_referral_earnings"
(id, account_id, organization_id, order_id, amount, state, created_at, paid_out_at)
values ($1, $2, $3, $4, $5, $6, $7, null);

-- fulfil
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9);

-- earnings
select * from "tolem_referral_earnings" where account_id = $1 order by created_at desc, id desc
limit cast($2 as bigint);

-- payOut
update "tolem_referral_earnings" set state = 'paid_out', paid_out_at = cast($1 as bigint)
where id = $2 and state = 'accrued' returning *;

-- payOut
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9);

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
left join "tolem_referral_earnings" e on e.organization_id = o.id and e.account_id = o.referred_by
where o.referred_by = $4
group by o.id, o.name, o.created_at order by o.created_at, o.id) as r) as "referred";

-- list of the audit log
select * from "tolem_audit" where (organization_id = $1 AND id < $2) order by id desc limit cast($3 as bigint);

-- hitMany
insert into "tolem_rate_windows" as t (window_at, key_id, kind, hits)
select window_at, key_id, kind, hits from json_to_recordset($1::json) as s(window_at bigint, key_id text collate "C", kind text collate "C", hits bigint) where (select set_config('synchronous_commit', 'off', true)) is not null
on conflict (window_at, key_id, kind) do update set hits = t.hits + excluded.hits
returning window_at, key_id, kind, hits;

-- forget
delete from "tolem_rate_windows" where window_at < cast($1 as bigint);

-- addEndpoint
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- addEndpoint
insert into "tolem_endpoints" (id, organization_id, mode, url, events, secret, previous_secret, previous_secret_until, disabled, failure_count, pause_count, paused_until, created_at, updated_at) select id, organization_id, mode, url, events, secret, previous_secret, previous_secret_until, disabled, failure_count, pause_count, paused_until, created_at, updated_at from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", url text collate "C", events text collate "C", secret text collate "C", previous_secret text collate "C", previous_secret_until bigint, disabled bigint, failure_count bigint, pause_count bigint, paused_until bigint, created_at bigint, updated_at bigint)
where (select count(*) from "tolem_endpoints" where organization_id = $2 and mode = $3 and removed_at is null) < cast($4 as bigint)
returning id;

-- endpoints
select * from "tolem_endpoints" where organization_id = $1 and mode = $2 and removed_at is null order by created_at, id;

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

-- removeEndpoint
update "tolem_endpoints" set removed_at = cast($1 as bigint), updated_at = cast($2 as bigint),
secret = '', previous_secret = null, previous_secret_until = null
where id = $3 and organization_id = $4 and mode = $5 and removed_at is null
returning id;

-- removeEndpoint
update "tolem_deliveries" set status = 'failed', completed_at = cast($1 as bigint), lease = null
where endpoint_id = $2 and status = 'pending';

-- insertMany, created
with written as (
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", connection_id text collate "C", kind text collate "C", status text collate "C", amount bigint, refunded bigint, description text collate "C", external_order_id text collate "C", customer_name text collate "C", customer_phone text collate "C", customer_email text collate "C", success_url text collate "C", fail_url text collate "C", metadata text collate "C", idempotency_key text collate "C", fingerprint text collate "C", provider_reference text collate "C", provider_status text collate "C", provider_receipt_url text collate "C", receipt_number text collate "C", qr_url text collate "C", deep_link text collate "C", expires_at bigint, paid_at bigint, created_at bigint, updated_at bigint, late bigint, due_at bigint, sequence bigint, version bigint, day text collate "C", search_text text collate "C")
where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id, organization_id, mode, connection_id, status, day, amount, refunded
), told as (
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select e.invoice_id, e.sequence, e.id, e.organization_id, e.type, e.from_status, e.to_status, e.source, e.refunded, e.late, e.created_at from json_to_recordset($2::json) as e(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint)
join written on written.id = e.invoice_id
), counted as (insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, coalesce(connection_id, ''), status, day, cast($3 as bigint),
count(*), cast(sum(amount) as bigint), cast(sum(refunded) as bigint)
from written group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded)
select id from written;

-- insertMany, sandbox counted
insert into "tolem_usage" as t (organization_id, period, used)
select organization_id, period, used from json_to_recordset($1::json) as s(organization_id text collate "C", period text collate "C", used bigint) where true
on conflict (organization_id, period) do update set used = t.used + excluded.used
returning organization_id, period, used;

-- insertMany, sandbox counted
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", connection_id text collate "C", kind text collate "C", status text collate "C", amount bigint, refunded bigint, description text collate "C", external_order_id text collate "C", customer_name text collate "C", customer_phone text collate "C", customer_email text collate "C", success_url text collate "C", fail_url text collate "C", metadata text collate "C", idempotency_key text collate "C", fingerprint text collate "C", provider_reference text collate "C", provider_status text collate "C", provider_receipt_url text collate "C", receipt_number text collate "C", qr_url text collate "C", deep_link text collate "C", expires_at bigint, paid_at bigint, created_at bigint, updated_at bigint, late bigint, due_at bigint, sequence bigint, version bigint, day text collate "C", search_text text collate "C") where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- insertMany, sandbox counted
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint) where true;

-- insertMany, sandbox counted
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from json_to_recordset($1::json) as s(organization_id text collate "C", mode text collate "C", connection_id text collate "C", status text collate "C", day text collate "C", shard bigint, invoice_count bigint, amount bigint, refunded bigint) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- insertMany, counted
insert into "tolem_usage" as t (organization_id, period, used)
select organization_id, period, used from json_to_recordset($1::json) as s(organization_id text collate "C", period text collate "C", used bigint) where true
on conflict (organization_id, period) do update set used = t.used + excluded.used
returning organization_id, period, used;

-- insertMany, counted
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", connection_id text collate "C", kind text collate "C", status text collate "C", amount bigint, refunded bigint, description text collate "C", external_order_id text collate "C", customer_name text collate "C", customer_phone text collate "C", customer_email text collate "C", success_url text collate "C", fail_url text collate "C", metadata text collate "C", idempotency_key text collate "C", fingerprint text collate "C", provider_reference text collate "C", provider_status text collate "C", provider_receipt_url text collate "C", receipt_number text collate "C", qr_url text collate "C", deep_link text collate "C", expires_at bigint, paid_at bigint, created_at bigint, updated_at bigint, late bigint, due_at bigint, sequence bigint, version bigint, day text collate "C", search_text text collate "C") where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- insertMany, counted
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint) where true;

-- insertMany, counted
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from json_to_recordset($1::json) as s(organization_id text collate "C", mode text collate "C", connection_id text collate "C", status text collate "C", day text collate "C", shard bigint, invoice_count bigint, amount bigint, refunded bigint) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- insertMany, replayed
with written as (
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", connection_id text collate "C", kind text collate "C", status text collate "C", amount bigint, refunded bigint, description text collate "C", external_order_id text collate "C", customer_name text collate "C", customer_phone text collate "C", customer_email text collate "C", success_url text collate "C", fail_url text collate "C", metadata text collate "C", idempotency_key text collate "C", fingerprint text collate "C", provider_reference text collate "C", provider_status text collate "C", provider_receipt_url text collate "C", receipt_number text collate "C", qr_url text collate "C", deep_link text collate "C", expires_at bigint, paid_at bigint, created_at bigint, updated_at bigint, late bigint, due_at bigint, sequence bigint, version bigint, day text collate "C", search_text text collate "C")
where true on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id, organization_id, mode, connection_id, status, day, amount, refunded
), told as (
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select e.invoice_id, e.sequence, e.id, e.organization_id, e.type, e.from_status, e.to_status, e.source, e.refunded, e.late, e.created_at from json_to_recordset($2::json) as e(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint)
join written on written.id = e.invoice_id
), counted as (insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, coalesce(connection_id, ''), status, day, cast($3 as bigint),
count(*), cast(sum(amount) as bigint), cast(sum(refunded) as bigint)
from written group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded)
select id from written;

-- insertMany, replayed
select i.* from json_to_recordset($1::json) as s(organization_id text collate "C", mode text collate "C", idempotency_key text collate "C")
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
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $3 AND i.mode = $4 AND cast($5 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast($6 as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast($7 as bigint) offset cast($8 as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of statuses
with counted as (
select cast(coalesce(sum(invoice_count), 0) as bigint) as total from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND i.status in ($3,$4)))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $5 AND i.mode = $6 AND i.status in ($7) AND cast($8 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast($9 as bigint)
) as newest union all select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $10 AND i.mode = $11 AND i.status in ($12) AND cast($13 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast($14 as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast($15 as bigint) offset cast($16 as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of a cashier
with counted as (
select cast(coalesce(sum(invoice_count), 0) as bigint) as total from "tolem_daily_totals" i
where (i.organization_id = $1 AND i.mode = $2 AND i.connection_id = $3))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $4 AND i.mode = $5 AND i.connection_id = $6 AND cast($7 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast($8 as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast($9 as bigint) offset cast($10 as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of an order
with counted as (
select count(*) as total from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.external_order_id = $3))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $4 AND i.mode = $5 AND i.external_order_id = $6 AND cast($7 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast($8 as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast($9 as bigint) offset cast($10 as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of a time and a status
with counted as (
select count(*) as total from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.created_at >= cast($3 as bigint) AND i.created_at <= cast($4 as bigint) AND i.status in ($5)))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $6 AND i.mode = $7 AND i.created_at >= cast($8 as bigint) AND i.created_at <= cast($9 as bigint) AND i.status in ($10) AND cast($11 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast($12 as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast($13 as bigint) offset cast($14 as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of a search
with counted as (
select count(*) as total from "tolem_invoices" i
where (i.organization_id = $1 AND i.mode = $2 AND i.search_text like $3))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = $4 AND i.mode = $5 AND i.search_text like $6 AND cast($7 as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast($8 as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast($9 as bigint) offset cast($10 as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- claim of invoices
with due as (
select i.id from "tolem_invoices" i where i.due_at <= cast($1 as bigint) and true
order by i.due_at limit cast($2 as bigint) for update of i skip locked
)
update "tolem_invoices" set due_at = cast($3 as bigint)
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- rescheduleMany
update "tolem_invoices" as i set due_at = s.due_at, provider_status = s.provider_status
from json_to_recordset($1::json) as s(id text collate "C", version bigint, due_at bigint, provider_status text collate "C") where i.id = s.id and i.version = s.version;

-- commitMany, paid
select i.id, i.version from json_to_recordset($1::json) as s(id text collate "C")
join "tolem_invoices" i on i.id = s.id
order by i.id for update of i;

-- commitMany, paid
insert into "tolem_receipt_counters" as t (organization_id, value)
select organization_id, value from json_to_recordset($1::json) as s(organization_id text collate "C", value bigint) where true
on conflict (organization_id) do update set value = t.value + excluded.value
returning organization_id, value;

-- commitMany, paid
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, search_text = s.search_text
from json_to_recordset($1::json) as s(id text collate "C", connection_id text collate "C", status text collate "C", refunded bigint, provider_reference text collate "C", provider_status text collate "C", provider_receipt_url text collate "C", receipt_number text collate "C", qr_url text collate "C", deep_link text collate "C", expires_at bigint, paid_at bigint, updated_at bigint, late bigint, due_at bigint, sequence bigint, version bigint, search_text text collate "C") where i.id = s.id;

-- commitMany, paid
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint) where true;

-- commitMany, paid
insert into "tolem_deliveries" (
id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence,
status, attempt_count, due_at, ready_at, lease, created_at, completed_at
)
select
'dlv_' || substr(s.id, 5) || '_' || substr(e.id, 5), e.id, s.organization_id, s.mode, s.type, s.invoice_id,
s.id, s.sequence, 'pending', 0,
case when e.paused_until > s.ready_at then e.paused_until else s.ready_at end,
s.ready_at, null, s.ready_at, null
from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint, mode text collate "C", ready_at bigint)
join "tolem_endpoints" e on e.organization_id = s.organization_id and e.mode = s.mode
where e.disabled = 0 and e.removed_at is null
and (e.events = '' or strpos(e.events, ',' || s.type || ',') > 0)
order by e.id for share of e;

-- commitMany, paid
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from json_to_recordset($1::json) as s(organization_id text collate "C", mode text collate "C", connection_id text collate "C", status text collate "C", day text collate "C", shard bigint, invoice_count bigint, amount bigint, refunded bigint) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- commitMany, refunded
select i.id, i.version from json_to_recordset($1::json) as s(id text collate "C")
join "tolem_invoices" i on i.id = s.id
order by i.id for update of i;

-- commitMany, refunded
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, search_text = s.search_text
from json_to_recordset($1::json) as s(id text collate "C", connection_id text collate "C", status text collate "C", refunded bigint, provider_reference text collate "C", provider_status text collate "C", provider_receipt_url text collate "C", receipt_number text collate "C", qr_url text collate "C", deep_link text collate "C", expires_at bigint, paid_at bigint, updated_at bigint, late bigint, due_at bigint, sequence bigint, version bigint, search_text text collate "C") where i.id = s.id;

-- commitMany, refunded
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint) where true;

-- commitMany, refunded
insert into "tolem_refunds" (id, invoice_id, organization_id, amount, status, reason, idempotency_key, provider_reference, created_at, completed_at)
select id, invoice_id, organization_id, amount, status, reason, idempotency_key, provider_reference, created_at, completed_at from json_to_recordset($1::json) as s(id text collate "C", invoice_id text collate "C", organization_id text collate "C", amount bigint, status text collate "C", reason text collate "C", idempotency_key text collate "C", provider_reference text collate "C", created_at bigint, completed_at bigint) where true
on conflict (id) do update set
status = excluded.status, reason = excluded.reason, completed_at = excluded.completed_at,
provider_reference = excluded.provider_reference;

-- commitMany, refunded
insert into "tolem_deliveries" (
id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence,
status, attempt_count, due_at, ready_at, lease, created_at, completed_at
)
select
'dlv_' || substr(s.id, 5) || '_' || substr(e.id, 5), e.id, s.organization_id, s.mode, s.type, s.invoice_id,
s.id, s.sequence, 'pending', 0,
case when e.paused_until > s.ready_at then e.paused_until else s.ready_at end,
s.ready_at, null, s.ready_at, null
from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint, mode text collate "C", ready_at bigint)
join "tolem_endpoints" e on e.organization_id = s.organization_id and e.mode = s.mode
where e.disabled = 0 and e.removed_at is null
and (e.events = '' or strpos(e.events, ',' || s.type || ',') > 0)
order by e.id for share of e;

-- commitMany, refunded
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from json_to_recordset($1::json) as s(organization_id text collate "C", mode text collate "C", connection_id text collate "C", status text collate "C", day text collate "C", shard bigint, invoice_count bigint, amount bigint, refunded bigint) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- details
select (select coalesce(json_agg(r), '[]')::text from (
select i.* from json_to_recordset($1::json) as s(id text collate "C") join "tolem_invoices" i on i.id = s.id) as r) as "invoices", (select coalesce(json_agg(r), '[]')::text from (
select e.* from json_to_recordset($2::json) as s(id text collate "C") join "tolem_events" e on e.invoice_id = s.id order by e.invoice_id, e.sequence) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (
select r.* from json_to_recordset($3::json) as s(id text collate "C") join "tolem_refunds" r on r.invoice_id = s.id order by r.created_at, r.id) as r) as "refunds";

-- history
select (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_events"
where invoice_id = $1 and organization_id = $2 order by sequence) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_refunds"
where invoice_id = $3 and organization_id = $4 order by created_at, id) as r) as "refunds";

-- findSold
select i.*, o.name as seller_name, o.legal_name as seller_legal_name
from "tolem_invoices" i left join "tolem_organizations" o on o.id = i.organization_id
where i.id = $1;

-- addDelivery
insert into "tolem_deliveries" (id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, ready_at, created_at, completed_at) select id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, ready_at, created_at, completed_at from json_to_recordset($1::json) as s(id text collate "C", endpoint_id text collate "C", organization_id text collate "C", mode text collate "C", kind text collate "C", invoice_id text collate "C", event_id text collate "C", sequence bigint, status text collate "C", attempt_count bigint, due_at bigint, ready_at bigint, created_at bigint, completed_at bigint) where true;

-- deliveries
select (select coalesce(json_agg(r), '[]')::text from (
select count(*) as total from "tolem_deliveries" where endpoint_id = $1) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_deliveries" where endpoint_id = $2 order by created_at desc, id desc
limit cast($3 as bigint) offset cast($4 as bigint)) as r) as "page";

-- deliveries of a status
select (select coalesce(json_agg(r), '[]')::text from (
select count(*) as total from "tolem_deliveries" where endpoint_id = $1 and status = $2) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_deliveries" where endpoint_id = $3 and status = $4 order by created_at desc, id desc
limit cast($5 as bigint) offset cast($6 as bigint)) as r) as "page";

-- delivery
select (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_deliveries" where id = $1 and endpoint_id = $2) as r) as "deliveries", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_attempts" where delivery_id = $3 order by number) as r) as "attempts";

-- claim of deliveries, and release
with due as (
select d.id from "tolem_deliveries" d
where d.status = 'pending' and d.due_at <= cast($1 as bigint)
and d.endpoint_id not in (select id from json_to_recordset($2::json) as s(id text collate "C"))
and d.endpoint_id not in (select e.id from "tolem_endpoints" e where e.disabled = 1)
and (d.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = d.endpoint_id
and earlier.invoice_id = d.invoice_id and earlier.sequence < d.sequence
))
order by d.due_at limit cast($3 as bigint) for update of d skip locked
)
update "tolem_deliveries" set due_at = cast($4 as bigint), lease = $5
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- claim of deliveries, and release
select e.* from json_to_recordset($1::json) as s(id text collate "C") join "tolem_endpoints" e on e.id = s.id;

-- claim of deliveries, and release
select e.* from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint)
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- claim of deliveries, and release
select i.* from json_to_recordset($1::json) as s(id text collate "C") join "tolem_invoices" i on i.id = s.id;

-- claim of deliveries, and release
update "tolem_deliveries" as d set due_at = cast($1 as bigint), lease = null
from json_to_recordset($2::json) as s(id text collate "C", lease text collate "C")
where d.id = s.id and d.lease = s.lease and d.status = 'pending';

-- settleMany, pausing
with due as (
select d.id from "tolem_deliveries" d
where d.status = 'pending' and d.due_at <= cast($1 as bigint)
and d.endpoint_id not in (select id from json_to_recordset($2::json) as s(id text collate "C"))
and d.endpoint_id not in (select e.id from "tolem_endpoints" e where e.disabled = 1)
and (d.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = d.endpoint_id
and earlier.invoice_id = d.invoice_id and earlier.sequence < d.sequence
))
order by d.due_at limit cast($3 as bigint) for update of d skip locked
)
update "tolem_deliveries" set due_at = cast($4 as bigint), lease = $5
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- settleMany, pausing
select e.* from json_to_recordset($1::json) as s(id text collate "C") join "tolem_endpoints" e on e.id = s.id;

-- settleMany, pausing
select e.* from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint)
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- settleMany, pausing
select i.* from json_to_recordset($1::json) as s(id text collate "C") join "tolem_invoices" i on i.id = s.id;

-- settleMany, pausing
select e.id, e.failure_count, e.pause_count, e.paused_until from json_to_recordset($1::json) as s(id text collate "C")
join "tolem_endpoints" e on e.id = s.id
order by e.id for update of e;

-- settleMany, pausing
select d.id, d.lease
from json_to_recordset($1::json) as s(id text collate "C", lease text collate "C")
join "tolem_deliveries" d on d.id = s.id and d.lease = s.lease and d.status = 'pending'
order by d.id for update of d;

-- settleMany, pausing
insert into "tolem_attempts" (delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error)
select delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error from json_to_recordset($1::json) as s(delivery_id text collate "C", number bigint, started_at bigint, duration_ms bigint, url text collate "C", request_headers text collate "C", request_body text collate "C", status bigint, response_body text collate "C", error text collate "C") where true;

-- settleMany, pausing
update "tolem_deliveries" as d set
status = s.status, attempt_count = s.attempt_count, lease = null, completed_at = s.completed_at,
due_at = coalesce(s.due_at, d.due_at), ready_at = coalesce(s.ready_at, d.ready_at)
from json_to_recordset($1::json) as s(id text collate "C", status text collate "C", attempt_count bigint, due_at bigint, ready_at bigint, completed_at bigint)
where d.id = s.id;

-- settleMany, pausing
update "tolem_endpoints" as e set
failure_count = s.failure_count, pause_count = s.pause_count, paused_until = s.paused_until
from json_to_recordset($1::json) as s(id text collate "C", failure_count bigint, pause_count bigint, paused_until bigint)
where e.id = s.id;

-- settleMany, pausing
update "tolem_deliveries" as d set due_at = s.until
from json_to_recordset($1::json) as s(id text collate "C", until bigint)
where d.endpoint_id = s.id and d.status = 'pending' and d.lease is null and d.due_at < s.until;

-- takeProbe
update "tolem_endpoints" set paused_until = cast($1 as bigint)
where id = $2 and paused_until = cast($3 as bigint) and removed_at is null
returning id;

-- takeProbe
update "tolem_deliveries" as d set due_at = s.until
from json_to_recordset($1::json) as s(id text collate "C", until bigint)
where d.endpoint_id = s.id and d.status = 'pending' and d.lease is null and d.due_at < s.until;

-- settleMany, lifting
with due as (
select d.id from "tolem_deliveries" d
where d.status = 'pending' and d.due_at <= cast($1 as bigint)
and d.endpoint_id not in (select id from json_to_recordset($2::json) as s(id text collate "C"))
and d.endpoint_id not in (select e.id from "tolem_endpoints" e where e.disabled = 1)
and (d.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = d.endpoint_id
and earlier.invoice_id = d.invoice_id and earlier.sequence < d.sequence
))
order by d.due_at limit cast($3 as bigint) for update of d skip locked
)
update "tolem_deliveries" set due_at = cast($4 as bigint), lease = $5
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- settleMany, lifting
select e.* from json_to_recordset($1::json) as s(id text collate "C") join "tolem_endpoints" e on e.id = s.id;

-- settleMany, lifting
select e.* from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint)
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- settleMany, lifting
select i.* from json_to_recordset($1::json) as s(id text collate "C") join "tolem_invoices" i on i.id = s.id;

-- settleMany, lifting
select e.id, e.failure_count, e.pause_count, e.paused_until from json_to_recordset($1::json) as s(id text collate "C")
join "tolem_endpoints" e on e.id = s.id
order by e.id for update of e;

-- settleMany, lifting
select d.id, d.lease
from json_to_recordset($1::json) as s(id text collate "C", lease text collate "C")
join "tolem_deliveries" d on d.id = s.id and d.lease = s.lease and d.status = 'pending'
order by d.id for update of d;

-- settleMany, lifting
insert into "tolem_attempts" (delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error)
select delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error from json_to_recordset($1::json) as s(delivery_id text collate "C", number bigint, started_at bigint, duration_ms bigint, url text collate "C", request_headers text collate "C", request_body text collate "C", status bigint, response_body text collate "C", error text collate "C") where true;

-- settleMany, lifting
update "tolem_deliveries" as d set
status = s.status, attempt_count = s.attempt_count, lease = null, completed_at = s.completed_at,
due_at = coalesce(s.due_at, d.due_at), ready_at = coalesce(s.ready_at, d.ready_at)
from json_to_recordset($1::json) as s(id text collate "C", status text collate "C", attempt_count bigint, due_at bigint, ready_at bigint, completed_at bigint)
where d.id = s.id;

-- settleMany, lifting
update "tolem_endpoints" as e set
failure_count = s.failure_count, pause_count = s.pause_count, paused_until = s.paused_until
from json_to_recordset($1::json) as s(id text collate "C", failure_count bigint, pause_count bigint, paused_until bigint)
where e.id = s.id;

-- settleMany, lifting
update "tolem_deliveries" as d set
due_at = case when d.ready_at > cast($1 as bigint) then d.ready_at else cast($2 as bigint) end
from json_to_recordset($3::json) as s(id text collate "C")
where d.endpoint_id = s.id and d.status = 'pending' and d.lease is null
and d.due_at > d.ready_at and d.due_at > cast($4 as bigint);

-- insert of a subscription
insert into "tolem_subscriptions" (id, organization_id, mode, connection_id, status, amount, kind, description, customer_name, customer_phone, customer_email, metadata, step, every, day_of_month, anchor_at, retry_hours, misfire, next_index, next_run_at, last_run_at, last_invoice_id, runs, max_runs, faults, fault, idempotency_key, fingerprint, due_at, created_at, updated_at, sequence, version)
select id, organization_id, mode, connection_id, status, amount, kind, description, customer_name, customer_phone, customer_email, metadata, step, every, day_of_month, anchor_at, retry_hours, misfire, next_index, next_run_at, last_run_at, last_invoice_id, runs, max_runs, faults, fault, idempotency_key, fingerprint, due_at, created_at, updated_at, sequence, version from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", connection_id text collate "C", status text collate "C", amount bigint, kind text collate "C", description text collate "C", customer_name text collate "C", customer_phone text collate "C", customer_email text collate "C", metadata text collate "C", step text collate "C", every bigint, day_of_month bigint, anchor_at bigint, retry_hours text collate "C", misfire text collate "C", next_index bigint, next_run_at bigint, last_run_at bigint, last_invoice_id text collate "C", runs bigint, max_runs bigint, faults bigint, fault text collate "C", idempotency_key text collate "C", fingerprint text collate "C", due_at bigint, created_at bigint, updated_at bigint, sequence bigint, version bigint) where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- insert of a subscription
insert into "tolem_subscription_events" (subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at)
select subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at from json_to_recordset($1::json) as s(subscription_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", source text collate "C", run bigint, invoice_id text collate "C", code text collate "C", created_at bigint) where true;

-- commitMany of subscriptions
select d.id, d.version from json_to_recordset($1::json) as s(id text collate "C")
join "tolem_subscriptions" d on d.id = s.id
order by d.id for update of d;

-- commitMany of subscriptions
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", connection_id text collate "C", kind text collate "C", status text collate "C", amount bigint, refunded bigint, description text collate "C", external_order_id text collate "C", customer_name text collate "C", customer_phone text collate "C", customer_email text collate "C", success_url text collate "C", fail_url text collate "C", metadata text collate "C", idempotency_key text collate "C", fingerprint text collate "C", provider_reference text collate "C", provider_status text collate "C", provider_receipt_url text collate "C", receipt_number text collate "C", qr_url text collate "C", deep_link text collate "C", expires_at bigint, paid_at bigint, created_at bigint, updated_at bigint, late bigint, due_at bigint, sequence bigint, version bigint, day text collate "C", search_text text collate "C") where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- commitMany of subscriptions
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint) where true;

-- commitMany of subscriptions
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from json_to_recordset($1::json) as s(organization_id text collate "C", mode text collate "C", connection_id text collate "C", status text collate "C", day text collate "C", shard bigint, invoice_count bigint, amount bigint, refunded bigint) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- commitMany of subscriptions
update "tolem_subscriptions" as d set status = s.status, amount = s.amount, kind = s.kind, description = s.description, customer_name = s.customer_name, customer_phone = s.customer_phone, customer_email = s.customer_email, metadata = s.metadata, step = s.step, every = s.every, day_of_month = s.day_of_month, anchor_at = s.anchor_at, retry_hours = s.retry_hours, misfire = s.misfire, next_index = s.next_index, next_run_at = s.next_run_at, last_run_at = s.last_run_at, last_invoice_id = s.last_invoice_id, runs = s.runs, max_runs = s.max_runs, faults = s.faults, fault = s.fault, due_at = s.due_at, updated_at = s.updated_at, sequence = s.sequence, version = s.version
from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", connection_id text collate "C", status text collate "C", amount bigint, kind text collate "C", description text collate "C", customer_name text collate "C", customer_phone text collate "C", customer_email text collate "C", metadata text collate "C", step text collate "C", every bigint, day_of_month bigint, anchor_at bigint, retry_hours text collate "C", misfire text collate "C", next_index bigint, next_run_at bigint, last_run_at bigint, last_invoice_id text collate "C", runs bigint, max_runs bigint, faults bigint, fault text collate "C", idempotency_key text collate "C", fingerprint text collate "C", due_at bigint, created_at bigint, updated_at bigint, sequence bigint, version bigint) where d.id = s.id;

-- commitMany of subscriptions
insert into "tolem_subscription_events" (subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at)
select subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at from json_to_recordset($1::json) as s(subscription_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", source text collate "C", run bigint, invoice_id text collate "C", code text collate "C", created_at bigint) where true;

-- commitMany of subscriptions
insert into "tolem_subscription_runs" (subscription_id, run, organization_id, mode, scheduled_at, invoice_id, invoice_ids, status, faults, due_at, created_at, updated_at)
select subscription_id, run, organization_id, mode, scheduled_at, invoice_id, invoice_ids, status, faults, due_at, created_at, updated_at from json_to_recordset($1::json) as s(subscription_id text collate "C", run bigint, organization_id text collate "C", mode text collate "C", scheduled_at bigint, invoice_id text collate "C", invoice_ids text collate "C", status text collate "C", faults bigint, due_at bigint, created_at bigint, updated_at bigint) where true
on conflict (subscription_id, run) do update set
invoice_id = excluded.invoice_id, invoice_ids = excluded.invoice_ids, status = excluded.status,
faults = excluded.faults, due_at = excluded.due_at, updated_at = excluded.updated_at;

-- commitMany of subscriptions
insert into "tolem_mails" (id, kind, organization_id, mode, invoice_id, recipient, status, attempts, reason, due_at, created_at, completed_at)
select id, kind, organization_id, mode, invoice_id, recipient, status, attempts, reason, due_at, created_at, completed_at from json_to_recordset($1::json) as s(id text collate "C", kind text collate "C", organization_id text collate "C", mode text collate "C", invoice_id text collate "C", recipient text collate "C", status text collate "C", attempts bigint, reason text collate "C", due_at bigint, created_at bigint, completed_at bigint) where true on conflict (invoice_id, kind) do nothing;

-- commitMany, waking a run
select i.id, i.version from json_to_recordset($1::json) as s(id text collate "C")
join "tolem_invoices" i on i.id = s.id
order by i.id for update of i;

-- commitMany, waking a run
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, search_text = s.search_text
from json_to_recordset($1::json) as s(id text collate "C", connection_id text collate "C", status text collate "C", refunded bigint, provider_reference text collate "C", provider_status text collate "C", provider_receipt_url text collate "C", receipt_number text collate "C", qr_url text collate "C", deep_link text collate "C", expires_at bigint, paid_at bigint, updated_at bigint, late bigint, due_at bigint, sequence bigint, version bigint, search_text text collate "C") where i.id = s.id;

-- commitMany, waking a run
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint) where true;

-- commitMany, waking a run
insert into "tolem_deliveries" (
id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence,
status, attempt_count, due_at, ready_at, lease, created_at, completed_at
)
select
'dlv_' || substr(s.id, 5) || '_' || substr(e.id, 5), e.id, s.organization_id, s.mode, s.type, s.invoice_id,
s.id, s.sequence, 'pending', 0,
case when e.paused_until > s.ready_at then e.paused_until else s.ready_at end,
s.ready_at, null, s.ready_at, null
from json_to_recordset($1::json) as s(invoice_id text collate "C", sequence bigint, id text collate "C", organization_id text collate "C", type text collate "C", from_status text collate "C", to_status text collate "C", source text collate "C", refunded bigint, late bigint, created_at bigint, mode text collate "C", ready_at bigint)
join "tolem_endpoints" e on e.organization_id = s.organization_id and e.mode = s.mode
where e.disabled = 0 and e.removed_at is null
and (e.events = '' or strpos(e.events, ',' || s.type || ',') > 0)
order by e.id for share of e;

-- commitMany, waking a run
select d.id from "tolem_subscriptions" d where d.id in (
select r.subscription_id from json_to_recordset($1::json) as s(invoice_id text collate "C", at bigint)
join "tolem_subscription_runs" r on r.invoice_id = s.invoice_id where r.status <> 'ended'
) order by d.id for update of d;

-- commitMany, waking a run
update "tolem_subscriptions" set version = version + 1 where id in ($1);

-- commitMany, waking a run
update "tolem_subscription_runs" as d set due_at = s.at from json_to_recordset($1::json) as s(invoice_id text collate "C", at bigint)
where d.invoice_id = s.invoice_id and d.status <> 'ended';

-- commitMany, waking a run
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from json_to_recordset($1::json) as s(organization_id text collate "C", mode text collate "C", connection_id text collate "C", status text collate "C", day text collate "C", shard bigint, invoice_count bigint, amount bigint, refunded bigint) where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- find a subscription
select * from "tolem_subscriptions" where id = $1;

-- list subscriptions
select (select coalesce(json_agg(r), '[]')::text from (
select count(*) as total from "tolem_subscriptions" where (organization_id = $1 AND mode = $2 AND connection_id = $3 AND status in ($4))) as r) as "counted", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_subscriptions" where (organization_id = $5 AND mode = $6 AND connection_id = $7 AND status in ($8)) order by created_at desc, id desc
limit cast($9 as bigint) offset cast($10 as bigint)) as r) as "page";

-- detail of a subscription
select (select coalesce(json_agg(r), '[]')::text from (select * from "tolem_subscriptions" where id = $1) as r) as "subscriptions", (select coalesce(json_agg(r), '[]')::text from (
select * from "tolem_subscription_events" where subscription_id = $2 order by sequence) as r) as "events", (select coalesce(json_agg(r), '[]')::text from (select * from "tolem_subscription_runs" where subscription_id = $3 order by run) as r) as "runs";

-- claim of subscriptions
with due as (
select d.id from "tolem_subscriptions" d where d.due_at <= cast($1 as bigint) and true
order by d.due_at limit cast($2 as bigint) for update of d skip locked
)
update "tolem_subscriptions" set due_at = cast($3 as bigint)
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- claim of subscriptions of a sandbox
with due as (
select d.id from "tolem_subscriptions" d where d.due_at <= cast($1 as bigint) and d.organization_id = $2 and d.mode = 'sandbox'
order by d.due_at limit cast($3 as bigint) for update of d skip locked
)
update "tolem_subscriptions" set due_at = cast($4 as bigint)
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- claim of runs
with due as (
select d.subscription_id, d.run from "tolem_subscription_runs" d
where d.due_at <= cast($1 as bigint) and true
order by d.due_at limit cast($2 as bigint) for update of d skip locked
)
update "tolem_subscription_runs" set due_at = cast($3 as bigint)
where (subscription_id, run) in (select subscription_id, run from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- claim of runs
select * from "tolem_subscriptions" where id in ($1);

-- claim of invoices of a sandbox
with due as (
select i.id from "tolem_invoices" i where i.due_at <= cast($1 as bigint) and i.organization_id = $2 and i.mode = 'sandbox' and i.status in ('new', 'pending')
order by i.due_at limit cast($3 as bigint) for update of i skip locked
)
update "tolem_invoices" set due_at = cast($4 as bigint)
where id in (select id from due) and (select set_config('synchronous_commit', 'off', true)) is not null
returning *;

-- claim of letters
with due as (
select m.id from "tolem_mails" m where m.due_at <= cast($1 as bigint)
order by m.due_at limit cast($2 as bigint) for update of m skip locked
)
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

-- ahead, of clocks
select id, clock_ahead_ms from "tolem_organizations" where clock_ahead_ms > 0;

-- advance a clock
update "tolem_organizations" set clock_ahead_ms = cast($1 as bigint)
where id = $2 and clock_ahead_ms < cast($3 as bigint);

-- advance a clock
select clock_ahead_ms from "tolem_organizations" where id = $1;

-- nextDueAt
select min(due_at) as due_at from (
select min(due_at) as due_at from "tolem_invoices"
where organization_id = $1 and mode = 'sandbox' and status in ('new', 'pending')
union all
select min(due_at) from "tolem_subscriptions" where organization_id = $2 and mode = 'sandbox'
union all
select min(due_at) from "tolem_subscription_runs"
where organization_id = $3 and mode = 'sandbox' and due_at is not null
) as dates;

-- add a link
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- add a link
select count(*) as count from "tolem_payment_links"
where organization_id = $1 and mode = $2 and removed_at is null;

-- add a link
insert into "tolem_payment_links" (id, organization_id, mode, connection_id, slug, title, description, amount, success_url, fail_url, status, created_at, updated_at, version) select id, organization_id, mode, connection_id, slug, title, description, amount, success_url, fail_url, status, created_at, updated_at, version from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", connection_id text collate "C", slug text collate "C", title text collate "C", description text collate "C", amount bigint, success_url text collate "C", fail_url text collate "C", status text collate "C", created_at bigint, updated_at bigint, version bigint) where true
on conflict (slug) where removed_at is null do nothing
returning id;

-- find a link
select * from "tolem_payment_links" where id = $1 and removed_at is null;

-- find a slug
select * from "tolem_payment_links" where slug = $1 and removed_at is null;

-- list links
select * from "tolem_payment_links"
where organization_id = $1 and mode = $2 and removed_at is null
order by created_at, id;

-- list links of a cashier
select * from "tolem_payment_links"
where organization_id = $1 and mode = $2 and removed_at is null and connection_id = $3
order by created_at, id;

-- replace a link
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- replace a link
select id from "tolem_payment_links" where slug = $1 and removed_at is null and id <> $2;

-- replace a link
update "tolem_payment_links" set slug = $1, title = $2, description = $3,
amount = cast($4 as bigint), success_url = $5, fail_url = $6, status = $7,
updated_at = cast($8 as bigint), version = cast($9 as bigint)
where id = $10 and organization_id = $11 and version = cast($12 as bigint)
and removed_at is null
returning id;

-- remove a link
update "tolem_payment_links" set removed_at = cast($1 as bigint), updated_at = cast($2 as bigint)
where id = $3 and organization_id = $4 and removed_at is null
returning id;

-- add a hook
select pg_advisory_xact_lock(hashtextextended($1, 0))::text;

-- add a hook
insert into "tolem_form_hooks" (id, organization_id, mode, connection_id, name, success_url, fail_url, status, created_at, updated_at, version) select id, organization_id, mode, connection_id, name, success_url, fail_url, status, created_at, updated_at, version from json_to_recordset($1::json) as s(id text collate "C", organization_id text collate "C", mode text collate "C", connection_id text collate "C", name text collate "C", success_url text collate "C", fail_url text collate "C", status text collate "C", created_at bigint, updated_at bigint, version bigint)
where (select count(*) from "tolem_form_hooks"
where organization_id = $2 and mode = $3 and removed_at is null
) < cast($4 as bigint)
returning id;

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

-- replace a hook
update "tolem_form_hooks" set name = $1, success_url = $2, fail_url = $3,
status = $4, updated_at = cast($5 as bigint), version = cast($6 as bigint)
where id = $7 and organization_id = $8 and version = cast($9 as bigint)
and removed_at is null
returning id;

-- remove a hook
update "tolem_form_hooks" set removed_at = cast($1 as bigint), updated_at = cast($2 as bigint)
where id = $3 and organization_id = $4 and removed_at is null
returning id;

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
insert into "tolem_login_challenges"
(id, phone, channel, digest, digest_key, address_digest, tries, created_at, expires_at, used_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9, $10);

-- findChallenge
select * from "tolem_login_challenges" where id = $1;

-- countTry
update "tolem_login_challenges" set tries = tries + 1 where id = $1 returning tries;

-- enter
update "tolem_login_challenges" set used_at = cast($1 as bigint)
where id = $2 and used_at is null returning id;

-- enter
insert into "tolem_accounts" (id, phone, name, status, referral_code, created_at)
values ($1, $2, $3, $4, $5,
$6)
on conflict (phone) do nothing;

-- enter
select a.* from "tolem_accounts" a where a.phone = $1 for update of a;

-- enter
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9);

-- findSession
select * from "tolem_sessions" where digest = $1;

-- touchSession
update "tolem_sessions" set seen_at = cast($1 as bigint), idle_at = cast($2 as bigint)
where id = $3 and seen_at = cast($4 as bigint) and revoked_at is null;

-- countTry that fails
update "tolem_login_challenges" set tries = tries + 1 where id = $1 returning tries;

-- countTry that fails
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
$9);

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

-- forget logins
delete from "tolem_login_challenges" where created_at < cast($1 as bigint);

-- forget logins
delete from "tolem_sessions" where idle_at < cast($1 as bigint);

-- findings
select i.id as subject, 'paid ' || i.amount || ', refunded ' || coalesce(r.refunded, i.refunded) as detail
from "tolem_invoices" i left join (
select invoice_id, sum(amount) as refunded from "tolem_refunds" where status = 'succeeded' group by invoice_id) as r on r.invoice_id = i.id
where i.refunded > i.amount or r.refunded > i.amount
order by i.id limit 1000;

-- findings
select i.id as subject, 'invoice ' || i.refunded || ', records ' || coalesce(r.refunded, 0) as detail
from "tolem_invoices" i left join (
select invoice_id, sum(amount) as refunded from "tolem_refunds" where status = 'succeeded' group by invoice_id) as r on r.invoice_id = i.id
where i.refunded <> coalesce(r.refunded, 0)
order by i.id limit 1000;

-- findings
select coalesce(u.organization_id, t.organization_id) || ' ' || coalesce(u.period, t.period) as subject,
'counted ' || coalesce(u.used, 0) || ', totals ' || coalesce(t.n, 0) as detail
from (
select organization_id, day as period, sum(invoice_count) as n
from "tolem_daily_totals" where mode = 'live' group by 1, 2
union all
select organization_id, substr(day, 1, 7) as period, sum(invoice_count) as n
from "tolem_daily_totals" where mode = 'live' group by 1, 2
) as t
full join (select * from "tolem_usage" where period not like '%/%') as u
on u.organization_id = t.organization_id and u.period = t.period
where coalesce(u.used, 0) <> coalesce(t.n, 0)
order by 1 limit 1000;

-- findings
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
having sum(n) <> 0 or sum(a) <> 0 or sum(r) <> 0
order by 1 limit 1000;

-- findings
select coalesce(i.id, e.invoice_id) as subject,
'sequence ' || coalesce(i.sequence, 0) || ', events ' || coalesce(e.n, 0)
|| ' from ' || coalesce(e.low, 0) || ' to ' || coalesce(e.high, 0) as detail
from (select invoice_id, count(*) as n, min(sequence) as low, max(sequence) as high
from "tolem_events" group by invoice_id) as e
full join "tolem_invoices" i on i.id = e.invoice_id
where i.id is null or e.n is null or e.n <> i.sequence or e.low <> 1 or e.high <> i.sequence
order by 1 limit 1000;

-- findings
select i.id as subject, 'invoice ' || i.status || ', event ' || e.to_status as detail
from "tolem_invoices" i join "tolem_events" e on e.invoice_id = i.id and e.sequence = i.sequence
where e.to_status <> i.status
order by i.id limit 1000;

-- findings
select v.id as subject, v.type || ' has no delivery to endpoint ' || p.id as detail
from "tolem_events" v
join "tolem_invoices" i on i.id = v.invoice_id
join "tolem_endpoints" p on p.organization_id = v.organization_id and p.mode = i.mode
where v.type in ($1,$2,$3,$4,$5,$6,$7)
and p.disabled = 0 and p.removed_at is null
and p.updated_at <= v.created_at - cast($8 as bigint)
and (p.events = '' or strpos(p.events, ',' || v.type || ',') > 0)
and not exists (
select 1 from "tolem_deliveries" d
where d.id = 'dlv_' || substr(v.id, 5) || '_' || substr(p.id, 5) and d.endpoint_id = p.id and d.event_id = v.id
)
order by v.id, p.id limit 1000;

-- findings
select coalesce(d.id, r.subscription_id) as subject,
'runs ' || coalesce(d.runs, 0) || ', rows ' || coalesce(r.n, 0) || ' to ' || coalesce(r.high, 0) as detail
from (select subscription_id, count(*) as n, max(run) as high
from "tolem_subscription_runs" group by subscription_id) as r
full join "tolem_subscriptions" d on d.id = r.subscription_id
where d.id is null or d.runs <> coalesce(r.n, 0) or d.runs <> coalesce(r.high, 0)
order by 1 limit 1000;

-- findings
select subject, detail from (
select r.subscription_id as subject, 'run ' || r.run || ' names ' || r.invoice_id as detail
from "tolem_subscription_runs" r
left join "tolem_invoices" i on i.id = r.invoice_id and i.organization_id = r.organization_id and i.mode = r.mode
where i.id is null
union all
select e.subscription_id, 'run ' || e.run || ' made ' || e.invoice_id from "tolem_subscription_events" e
left join "tolem_invoices" i on i.id = e.invoice_id and i.organization_id = e.organization_id
where e.invoice_id is not null and i.id is null
union all
select i.id, 'no run names it: ' || i.idempotency_key from "tolem_invoices" i
where i.fingerprint is null and i.idempotency_key like 'subscription/%' and not exists (
select 1 from "tolem_subscription_runs" r
where r.subscription_id = substr(i.idempotency_key, 14, 30)
and strpos(r.invoice_ids, '"' || i.id || '"') > 0
)
) as strays
order by 1 limit 1000;

-- findings
select r.subscription_id as subject,
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
)
order by 1 limit 1000;

-- findings
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
or (d.status in ('active', 'paused') and d.runs >= d.max_runs)
order by d.id limit 1000;

-- findings
select coalesce(d.id, e.subscription_id) as subject,
'sequence ' || coalesce(d.sequence, 0) || ', events ' || coalesce(e.n, 0)
|| ' from ' || coalesce(e.low, 0) || ' to ' || coalesce(e.high, 0) as detail
from (select subscription_id, count(*) as n, min(sequence) as low, max(sequence) as high
from "tolem_subscription_events" group by subscription_id) as e
full join "tolem_subscriptions" d on d.id = e.subscription_id
where d.id is null or e.n is null or e.n <> d.sequence or e.low <> 1 or e.high <> d.sequence
order by 1 limit 1000;
