-- migration 1
create table "tolem_accounts" (
id text not null primary key,
phone text not null unique,
name text,
status text not null,
created_at bigint not null
);

-- migration 1
create table "tolem_organizations" (
id text not null primary key,
name text not null,
legal_name text,
idn text,
tariff text not null,
status text not null,
owner_id text not null references "tolem_accounts" (id),
created_at bigint not null
);

-- migration 1
create index "tolem_organizations_owner" on "tolem_organizations" (owner_id);

-- migration 1
create table "tolem_api_keys" (
id text not null primary key,
organization_id text not null references "tolem_organizations" (id),
mode text not null,
name text not null,
scopes text not null,
connection_id text,
digest text not null unique,
last_characters text not null,
created_at bigint not null
);

-- migration 1
create index "tolem_api_keys_organization" on "tolem_api_keys" (organization_id, created_at);

-- migration 1
create table "tolem_rate_windows" (
window_at bigint not null,
key_id text not null,
kind text not null,
hits bigint not null,
primary key (window_at, key_id, kind)
) without rowid;

-- migration 1
create table "tolem_invoices" (
id text not null primary key,
organization_id text not null,
mode text not null,
connection_id text,
kind text not null,
status text not null,
amount bigint not null,
refunded bigint not null,
description text,
external_order_id text,
customer_name text,
customer_phone text,
customer_email text,
success_url text,
fail_url text,
metadata text,
idempotency_key text,
fingerprint text,
provider_reference text,
provider_status text,
provider_receipt_url text,
receipt_number text,
qr_url text,
deep_link text,
expires_at bigint,
paid_at bigint,
created_at bigint not null,
updated_at bigint not null,
late bigint not null,
due_at bigint,
sequence bigint not null,
version bigint not null,
day text not null,
search_text text not null
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
invoice_id text not null,
sequence bigint not null,
id text not null,
organization_id text not null,
type text not null,
from_status text,
to_status text not null,
source text not null,
refunded bigint not null,
late bigint not null,
created_at bigint not null,
primary key (invoice_id, sequence)
) without rowid;

-- migration 1
create table "tolem_refunds" (
id text not null primary key,
invoice_id text not null,
organization_id text not null,
amount bigint not null,
status text not null,
reason text,
idempotency_key text,
created_at bigint not null,
completed_at bigint
);

-- migration 1
create index "tolem_refunds_invoice" on "tolem_refunds" (invoice_id, created_at, id);

-- migration 1
create table "tolem_daily_totals" (
organization_id text not null,
mode text not null,
connection_id text not null,
status text not null,
day text not null,
shard bigint not null,
invoice_count bigint not null,
amount bigint not null,
refunded bigint not null,
primary key (organization_id, mode, connection_id, status, day, shard)
) without rowid;

-- migration 1
create table "tolem_receipt_counters" (
organization_id text not null primary key,
value bigint not null
);

-- migration 1
create table "tolem_endpoints" (
id text not null primary key,
organization_id text not null,
mode text not null,
url text not null,
events text not null,
secret text not null,
previous_secret text,
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
id text not null primary key,
endpoint_id text not null,
organization_id text not null,
mode text not null,
kind text not null,
invoice_id text not null,
event_id text not null,
sequence bigint not null,
status text not null,
attempt_count bigint not null,
due_at bigint not null,
ready_at bigint not null,
lease text,
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
delivery_id text not null,
number bigint not null,
started_at bigint not null,
duration_ms bigint not null,
url text not null,
request_headers text not null,
request_body text not null,
status bigint,
response_body text,
error text,
primary key (delivery_id, number)
);

-- migration 3
create table "tolem_secret_checks" (
id text not null primary key,
sealed text not null
);

-- migration 4
create table "tolem_connections" (
id text not null primary key,
organization_id text not null,
name text not null,
status text not null,
phone text,
is_default bigint not null,
session text,
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
id text not null primary key,
connection_id text not null,
organization_id text not null,
provider_process_id text not null,
phone text,
tries bigint not null,
expires_at bigint not null,
used_at bigint
);

-- migration 5
alter table "tolem_refunds" add column provider_reference text;

-- migration 6
alter table "tolem_organizations" add column clock_ahead_ms bigint not null default 0;

-- migration 6
create index "tolem_organizations_ahead"
on "tolem_organizations" (id) where clock_ahead_ms > 0;

-- migration 6
create table "tolem_subscriptions" (
id text not null primary key,
organization_id text not null,
mode text not null,
connection_id text,
status text not null,
amount bigint not null,
kind text not null,
description text,
customer_name text,
customer_phone text,
customer_email text,
metadata text,
step text not null,
every bigint not null,
day_of_month bigint,
anchor_at bigint not null,
retry_hours text not null,
misfire text not null,
next_index bigint not null,
next_run_at bigint not null,
last_run_at bigint,
last_invoice_id text,
runs bigint not null,
max_runs bigint,
faults bigint not null,
fault text,
idempotency_key text,
fingerprint text,
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
subscription_id text not null,
sequence bigint not null,
id text not null,
organization_id text not null,
type text not null,
source text not null,
run bigint,
invoice_id text,
code text,
created_at bigint not null,
primary key (subscription_id, sequence)
);

-- migration 6
create table "tolem_subscription_runs" (
subscription_id text not null,
run bigint not null,
organization_id text not null,
mode text not null,
scheduled_at bigint,
invoice_id text not null,
invoice_ids text not null,
status text not null,
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
id text not null primary key,
kind text not null,
organization_id text not null,
mode text not null,
invoice_id text not null,
recipient text not null,
status text not null,
attempts bigint not null,
reason text,
due_at bigint,
created_at bigint not null,
completed_at bigint
);

-- migration 6
create unique index "tolem_mails_invoice" on "tolem_mails" (invoice_id, kind);

-- migration 6
create index "tolem_mails_due" on "tolem_mails" (due_at) where due_at is not null;

-- migration 7
alter table "tolem_accounts" add column referral_code text not null default '';

-- migration 7
update "tolem_accounts" set referral_code = substr(id, length(id) - 9);

-- migration 7
create unique index "tolem_accounts_referral"
on "tolem_accounts" (referral_code) where referral_code <> '';

-- migration 7
alter table "tolem_organizations" add column mode text not null default 'sandbox';

-- migration 7
alter table "tolem_organizations" add column tariff_until bigint;

-- migration 7
alter table "tolem_organizations" add column referred_by text;

-- migration 7
alter table "tolem_organizations" add column partner_id text;

-- migration 7
alter table "tolem_organizations" add column idempotency_key text;

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
organization_id text not null,
account_id text not null,
role text not null,
created_at bigint not null,
primary key (organization_id, account_id)
) without rowid;

-- migration 7
create index "tolem_memberships_account" on "tolem_memberships" (account_id, created_at);

-- migration 7
insert into "tolem_memberships" (organization_id, account_id, role, created_at)
select id, owner_id, 'owner', created_at from "tolem_organizations";

-- migration 7
create table "tolem_usage" (
organization_id text not null,
period text not null,
used bigint not null,
primary key (organization_id, period)
) without rowid;

-- migration 7
insert into "tolem_usage" (organization_id, period, used)
select organization_id, substr(day, 1, 7), cast(sum(invoice_count) as bigint)
from "tolem_daily_totals" where mode = 'live' group by 1, 2
union all
select organization_id, day, cast(sum(invoice_count) as bigint)
from "tolem_daily_totals" where mode = 'live' group by 1, 2;

-- migration 7
create table "tolem_tariff_orders" (
id text not null primary key,
organization_id text not null,
tariff text not null,
months bigint not null,
amount bigint not null,
seller_id text not null,
seller_mode text not null,
created_at bigint not null,
applied_at bigint
);

-- migration 7
create index "tolem_tariff_orders_open"
on "tolem_tariff_orders" (created_at, id) where applied_at is null;

-- migration 7
create table "tolem_referral_earnings" (
id text not null primary key,
account_id text not null,
organization_id text not null,
order_id text not null unique,
amount bigint not null,
state text not null,
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
id text not null primary key,
action text not null,
organization_id text,
subject text not null,
detail text,
actor_kind text not null,
actor_id text,
origin text,
created_at bigint not null
);

-- migration 7
create index "tolem_audit_organization" on "tolem_audit" (organization_id, id);

-- migration 7
create trigger "tolem_audit_no_update" before update on "tolem_audit"
begin select raise(abort, 'the audit log is append-only'); end;

-- migration 7
create trigger "tolem_audit_no_delete" before delete on "tolem_audit"
begin select raise(abort, 'the audit log is append-only'); end;

-- migration 7
create trigger "tolem_audit_no_replace" before insert on "tolem_audit"
when exists (select 1 from "tolem_audit" where id = new.id)
begin select raise(abort, 'the audit log is append-only'); end;

-- migration 8
create table "tolem_payment_links" (
id text not null primary key,
organization_id text not null,
mode text not null,
connection_id text,
slug text not null,
title text not null,
description text,
amount bigint,
success_url text,
fail_url text,
status text not null,
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
id text not null primary key,
organization_id text not null,
mode text not null,
connection_id text,
name text not null,
success_url text,
fail_url text,
status text not null,
created_at bigint not null,
updated_at bigint not null,
version bigint not null,
removed_at bigint
);

-- migration 8
create index "tolem_form_hooks_oldest"
on "tolem_form_hooks" (organization_id, mode, created_at, id) where removed_at is null;

-- migration 9
create table "tolem_login_challenges" (
id text not null primary key,
phone text not null,
channel text not null,
digest text not null,
digest_key text not null,
address_digest text,
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
id text not null primary key,
account_id text not null references "tolem_accounts" (id),
digest text not null unique,
address text,
user_agent text,
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
values (?, ?, ?, ?, ?, ?, ?,
?, ?, ?) returning id;

-- add of a connection
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?);

-- remove of a connection
select c.id from "tolem_connections" c where id = ? and organization_id = ?;

-- addOrganization
insert into "tolem_accounts" (id, phone, name, status, referral_code, created_at)
values (?, ?, ?, ?, ?, ?)
on conflict (phone) do update set phone = excluded.phone returning *;

-- addOrganization
insert into "tolem_organizations"
(id, name, legal_name, idn, mode, tariff, tariff_until, status, owner_id, referred_by, partner_id,
idempotency_key, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?,
?, ?, ?, ?);

-- addOrganization
insert into "tolem_memberships" (organization_id, account_id, role, created_at)
values (?, ?, ?, ?);

-- organization
select * from "tolem_organizations" where id = ?;

-- owned
select o.*, a.status as owner_status from "tolem_organizations" o
join "tolem_accounts" a on a.id = o.owner_id where o.id = ?;

-- setMode
update "tolem_organizations" set mode = ? where id = ? and mode <> ? returning id;

-- setMode
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?);

-- organizationCount
select count(*) as count from "tolem_organizations";

-- setStatus of an account
update "tolem_accounts" set status = ? where id = ? returning id;

-- setStatus of an account that is blocked
update "tolem_accounts" set status = ? where id = ? returning id;

-- setStatus of an account that is blocked
update "tolem_sessions" set revoked_at = cast(? as bigint)
where account_id = ? and revoked_at is null;

-- setStatus of an organization
update "tolem_organizations" set status = ?
where id = ? returning id;

-- addKey
insert into "tolem_api_keys"
(id, organization_id, mode, name, scopes, connection_id, digest, last_characters, created_at)
select ?, o.id, ?, ?, ?, ?, ?, ?,
cast(? as bigint)
from "tolem_organizations" o where o.id = ?
returning id;

-- findKeys
select k.*, o.status as organization_status, a.status as owner_status
from (select value->>0 as digest from jsonb_each(?)) as s
join "tolem_api_keys" k on k.digest = s.digest
join "tolem_organizations" o on o.id = k.organization_id
join "tolem_accounts" a on a.id = o.owner_id;

-- keys
select * from "tolem_api_keys" where organization_id = ? order by created_at, id;

-- bindKey
select c.id from "tolem_connections" c
where c.id = ? and c.organization_id = ?;

-- bindKey
update "tolem_api_keys" set connection_id = ?
where id = ? and organization_id = ? returning id;

-- removeKey
delete from "tolem_api_keys" where id = ? returning organization_id;

-- accounts
select count(*) as total from "tolem_accounts" a where (instr(coalesce(a.phone, ''), ?) > 0 OR instr(lower(coalesce(a.phone, '')), ?) > 0 OR instr(coalesce(a.name, ''), ?) > 0 OR instr(lower(coalesce(a.name, '')), ?) > 0 OR instr(coalesce(a.id, ''), ?) > 0 OR instr(lower(coalesce(a.id, '')), ?) > 0);

-- accounts
select a.* from "tolem_accounts" a where (instr(coalesce(a.phone, ''), ?) > 0 OR instr(lower(coalesce(a.phone, '')), ?) > 0 OR instr(coalesce(a.name, ''), ?) > 0 OR instr(lower(coalesce(a.name, '')), ?) > 0 OR instr(coalesce(a.id, ''), ?) > 0 OR instr(lower(coalesce(a.id, '')), ?) > 0) order by a.created_at desc, a.id desc limit cast(? as bigint) offset cast(? as bigint);

-- organizations
select count(*) as total from "tolem_organizations" o join "tolem_accounts" a on a.id = o.owner_id where (instr(coalesce(o.name, ''), ?) > 0 OR instr(lower(coalesce(o.name, '')), ?) > 0 OR instr(coalesce(o.legal_name, ''), ?) > 0 OR instr(lower(coalesce(o.legal_name, '')), ?) > 0 OR instr(coalesce(o.idn, ''), ?) > 0 OR instr(lower(coalesce(o.idn, '')), ?) > 0 OR instr(coalesce(o.id, ''), ?) > 0 OR instr(lower(coalesce(o.id, '')), ?) > 0 OR instr(coalesce(a.phone, ''), ?) > 0 OR instr(lower(coalesce(a.phone, '')), ?) > 0);

-- organizations
select o.*, a.status as owner_status from "tolem_organizations" o join "tolem_accounts" a on a.id = o.owner_id where (instr(coalesce(o.name, ''), ?) > 0 OR instr(lower(coalesce(o.name, '')), ?) > 0 OR instr(coalesce(o.legal_name, ''), ?) > 0 OR instr(lower(coalesce(o.legal_name, '')), ?) > 0 OR instr(coalesce(o.idn, ''), ?) > 0 OR instr(lower(coalesce(o.idn, '')), ?) > 0 OR instr(coalesce(o.id, ''), ?) > 0 OR instr(lower(coalesce(o.id, '')), ?) > 0 OR instr(coalesce(a.phone, ''), ?) > 0 OR instr(lower(coalesce(a.phone, '')), ?) > 0) order by o.created_at desc, o.id desc limit cast(? as bigint) offset cast(? as bigint);

-- account by phone
select * from "tolem_accounts" where phone = ?;

-- addAccount
insert into "tolem_accounts" (id, phone, name, status, referral_code, created_at)
values (?, ?, ?, ?, ?, ?)
on conflict (phone) do update set phone = excluded.phone returning *;

-- parts
select o.*, m.role from "tolem_memberships" m join "tolem_organizations" o on o.id = m.organization_id
where m.account_id = ? order by m.created_at, o.id;

-- members
select a.*, m.role from "tolem_memberships" m join "tolem_accounts" a on a.id = m.account_id
where m.organization_id = ? order by m.created_at, a.id;

-- setMember
insert into "tolem_memberships" as m (organization_id, account_id, role, created_at)
values (?, ?, ?, ?)
on conflict (organization_id, account_id) do update set role = excluded.role where m.role <> 'owner'
returning account_id;

-- setMember
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?);

-- removeMember
delete from "tolem_memberships"
where organization_id = ? and account_id = ? and role <> 'owner'
returning account_id;

-- removeMember
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?);

-- usage
select period, used from "tolem_usage"
where organization_id = ? and period in (?, ?);

-- standing
select * from "tolem_organizations" where id = ?;

-- standing
select period, used from "tolem_usage"
where organization_id = ? and period in (?, ?);

-- standing
select * from "tolem_connections" where organization_id = ? order by created_at, id;

-- setTerm
update "tolem_organizations" set tariff = ?, tariff_until = cast(? as bigint)
where id = ? and tariff = ?
and coalesce(tariff_until, -1) = cast(? as bigint)
returning id;

-- setTerm
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?);

-- addOrder
insert into "tolem_tariff_orders"
(id, organization_id, tariff, months, amount, seller_id, seller_mode, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?);

-- paidOrders
select o.* from "tolem_tariff_orders" o
join "tolem_invoices" i on i.organization_id = o.seller_id and i.mode = o.seller_mode
and i.idempotency_key = 'tariff/' || o.id
where o.applied_at is null and o.created_at >= cast(? as bigint)
and i.paid_at is not null and i.amount >= o.amount
order by o.created_at, o.id limit cast(? as bigint);

-- fulfil
update "tolem_tariff_orders" set applied_at = cast(? as bigint)
where id = ? and applied_at is null returning id;

-- fulfil
update "tolem_organizations" set tariff = ?, tariff_until = cast(? as bigint)
where id = ? and tariff = ?
and coalesce(tariff_until, -1) = cast(? as bigint)
returning id;

-- fulfil
insert into "tolem_referral_earnings"
(id, account_id, organization_id, order_id, amount, state, created_at, paid_out_at)
values (?, ?, ?, ?, ?, ?, ?, null);

-- fulfil
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?);

-- earnings
select * from "tolem_referral_earnings" where account_id = ? order by created_at desc, id desc
limit cast(? as bigint);

-- payOut
update "tolem_referral_earnings" set state = 'paid_out', paid_out_at = cast(? as bigint)
where id = ? and state = 'accrued' returning *;

-- payOut
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?);

-- clients
select count(*) as total from "tolem_organizations" o where o.partner_id = ?;

-- clients
select o.* from "tolem_organizations" o where o.partner_id = ? order by o.created_at desc, o.id desc
limit cast(? as bigint) offset cast(? as bigint);

-- clients
select organization_id, mode, status,
cast(sum(case when substr(day, 1, 7) = ? then invoice_count else 0 end) as bigint) as month_count, cast(sum(case when substr(day, 1, 7) = ? then amount else 0 end) as bigint) as month_amount,
cast(sum(case when substr(day, 1, 7) = ? then refunded else 0 end) as bigint) as month_refunded,
cast(sum(invoice_count) as bigint) as count, cast(sum(amount) as bigint) as amount,
cast(sum(refunded) as bigint) as refunded
from "tolem_daily_totals" where organization_id in (select id from (select o.id from "tolem_organizations" o where o.partner_id = ? order by o.created_at desc, o.id desc
limit cast(? as bigint) offset cast(? as bigint)) as chosen)
group by organization_id, mode, status having sum(invoice_count) <> 0
order by organization_id, mode, status;

-- clients
select * from "tolem_connections" where organization_id in (select id from (select o.id from "tolem_organizations" o where o.partner_id = ? order by o.created_at desc, o.id desc
limit cast(? as bigint) offset cast(? as bigint)) as chosen) and status = 'active'
order by created_at, id;

-- client
select o.*, a.status as owner_status from "tolem_organizations" o
join "tolem_accounts" a on a.id = o.owner_id where o.id = ?;

-- client
select organization_id, mode, status,
cast(sum(case when substr(day, 1, 7) = ? then invoice_count else 0 end) as bigint) as month_count, cast(sum(case when substr(day, 1, 7) = ? then amount else 0 end) as bigint) as month_amount,
cast(sum(case when substr(day, 1, 7) = ? then refunded else 0 end) as bigint) as month_refunded,
cast(sum(invoice_count) as bigint) as count, cast(sum(amount) as bigint) as amount,
cast(sum(refunded) as bigint) as refunded
from "tolem_daily_totals" where organization_id in (?)
group by organization_id, mode, status having sum(invoice_count) <> 0
order by organization_id, mode, status;

-- client
select * from "tolem_connections" where organization_id = ? order by created_at, id;

-- earned
select referral_code from "tolem_accounts" where id = ?;

-- earned
select o.id, o.name, o.created_at, coalesce(cast(sum(case when e.state = ? then e.amount else 0 end) as bigint), 0) as accrued, coalesce(cast(sum(case when e.state = ? then e.amount else 0 end) as bigint), 0) as paid_out
from "tolem_organizations" o
left join "tolem_referral_earnings" e on e.organization_id = o.id and e.account_id = o.referred_by
where o.referred_by = ?
group by o.id, o.name, o.created_at order by o.created_at, o.id;

-- list of the audit log
select * from "tolem_audit" where (organization_id = ? AND id < ?) order by id desc limit cast(? as bigint);

-- hitMany
insert into "tolem_rate_windows" as t (window_at, key_id, kind, hits)
select window_at, key_id, kind, hits from (select value->>0 as window_at, value->>1 as key_id, value->>2 as kind, value->>3 as hits from jsonb_each(?)) as s where true
on conflict (window_at, key_id, kind) do update set hits = t.hits + excluded.hits
returning window_at, key_id, kind, hits;

-- forget
delete from "tolem_rate_windows" where window_at < cast(? as bigint);

-- addEndpoint
insert into "tolem_endpoints" (id, organization_id, mode, url, events, secret, previous_secret, previous_secret_until, disabled, failure_count, pause_count, paused_until, created_at, updated_at) select id, organization_id, mode, url, events, secret, previous_secret, previous_secret_until, disabled, failure_count, pause_count, paused_until, created_at, updated_at from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as url, value->>4 as events, value->>5 as secret, value->>6 as previous_secret, value->>7 as previous_secret_until, value->>8 as disabled, value->>9 as failure_count, value->>10 as pause_count, value->>11 as paused_until, value->>12 as created_at, value->>13 as updated_at from jsonb_each(?)) as s
where (select count(*) from "tolem_endpoints" where organization_id = ? and mode = ? and removed_at is null) < cast(? as bigint)
returning id;

-- endpoints
select * from "tolem_endpoints" where organization_id = ? and mode = ? and removed_at is null order by created_at, id;

-- patchEndpoint
update "tolem_endpoints" set
url = coalesce(?, url),
events = coalesce(?, events),
disabled = coalesce(cast(? as bigint), disabled),
secret = coalesce(?, secret),
previous_secret = case cast(? as bigint) when 1 then ? else previous_secret end,
previous_secret_until = case cast(? as bigint)
when 1 then cast(? as bigint) else previous_secret_until end,
updated_at = cast(? as bigint)
where id = ? and organization_id = ? and mode = ? and removed_at is null
returning *;

-- removeEndpoint
update "tolem_endpoints" set removed_at = cast(? as bigint), updated_at = cast(? as bigint),
secret = '', previous_secret = null, previous_secret_until = null
where id = ? and organization_id = ? and mode = ? and removed_at is null
returning id;

-- removeEndpoint
update "tolem_deliveries" set status = 'failed', completed_at = cast(? as bigint), lease = null
where endpoint_id = ? and status = 'pending';

-- insertMany, created
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as connection_id, value->>4 as kind, value->>5 as status, value->>6 as amount, value->>7 as refunded, value->>8 as description, value->>9 as external_order_id, value->>10 as customer_name, value->>11 as customer_phone, value->>12 as customer_email, value->>13 as success_url, value->>14 as fail_url, value->>15 as metadata, value->>16 as idempotency_key, value->>17 as fingerprint, value->>18 as provider_reference, value->>19 as provider_status, value->>20 as provider_receipt_url, value->>21 as receipt_number, value->>22 as qr_url, value->>23 as deep_link, value->>24 as expires_at, value->>25 as paid_at, value->>26 as created_at, value->>27 as updated_at, value->>28 as late, value->>29 as due_at, value->>30 as sequence, value->>31 as version, value->>32 as day, value->>33 as search_text from jsonb_each(?)) as s where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- insertMany, created
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at from jsonb_each(?)) as s where true;

-- insertMany, created
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from (select value->>0 as organization_id, value->>1 as mode, value->>2 as connection_id, value->>3 as status, value->>4 as day, value->>5 as shard, value->>6 as invoice_count, value->>7 as amount, value->>8 as refunded from jsonb_each(?)) as s where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- insertMany, sandbox counted
insert into "tolem_usage" as t (organization_id, period, used)
select organization_id, period, used from (select value->>0 as organization_id, value->>1 as period, value->>2 as used from jsonb_each(?)) as s where true
on conflict (organization_id, period) do update set used = t.used + excluded.used
returning organization_id, period, used;

-- insertMany, sandbox counted
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as connection_id, value->>4 as kind, value->>5 as status, value->>6 as amount, value->>7 as refunded, value->>8 as description, value->>9 as external_order_id, value->>10 as customer_name, value->>11 as customer_phone, value->>12 as customer_email, value->>13 as success_url, value->>14 as fail_url, value->>15 as metadata, value->>16 as idempotency_key, value->>17 as fingerprint, value->>18 as provider_reference, value->>19 as provider_status, value->>20 as provider_receipt_url, value->>21 as receipt_number, value->>22 as qr_url, value->>23 as deep_link, value->>24 as expires_at, value->>25 as paid_at, value->>26 as created_at, value->>27 as updated_at, value->>28 as late, value->>29 as due_at, value->>30 as sequence, value->>31 as version, value->>32 as day, value->>33 as search_text from jsonb_each(?)) as s where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- insertMany, sandbox counted
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at from jsonb_each(?)) as s where true;

-- insertMany, sandbox counted
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from (select value->>0 as organization_id, value->>1 as mode, value->>2 as connection_id, value->>3 as status, value->>4 as day, value->>5 as shard, value->>6 as invoice_count, value->>7 as amount, value->>8 as refunded from jsonb_each(?)) as s where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- insertMany, counted
insert into "tolem_usage" as t (organization_id, period, used)
select organization_id, period, used from (select value->>0 as organization_id, value->>1 as period, value->>2 as used from jsonb_each(?)) as s where true
on conflict (organization_id, period) do update set used = t.used + excluded.used
returning organization_id, period, used;

-- insertMany, counted
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as connection_id, value->>4 as kind, value->>5 as status, value->>6 as amount, value->>7 as refunded, value->>8 as description, value->>9 as external_order_id, value->>10 as customer_name, value->>11 as customer_phone, value->>12 as customer_email, value->>13 as success_url, value->>14 as fail_url, value->>15 as metadata, value->>16 as idempotency_key, value->>17 as fingerprint, value->>18 as provider_reference, value->>19 as provider_status, value->>20 as provider_receipt_url, value->>21 as receipt_number, value->>22 as qr_url, value->>23 as deep_link, value->>24 as expires_at, value->>25 as paid_at, value->>26 as created_at, value->>27 as updated_at, value->>28 as late, value->>29 as due_at, value->>30 as sequence, value->>31 as version, value->>32 as day, value->>33 as search_text from jsonb_each(?)) as s where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- insertMany, counted
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at from jsonb_each(?)) as s where true;

-- insertMany, counted
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from (select value->>0 as organization_id, value->>1 as mode, value->>2 as connection_id, value->>3 as status, value->>4 as day, value->>5 as shard, value->>6 as invoice_count, value->>7 as amount, value->>8 as refunded from jsonb_each(?)) as s where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- insertMany, replayed
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as connection_id, value->>4 as kind, value->>5 as status, value->>6 as amount, value->>7 as refunded, value->>8 as description, value->>9 as external_order_id, value->>10 as customer_name, value->>11 as customer_phone, value->>12 as customer_email, value->>13 as success_url, value->>14 as fail_url, value->>15 as metadata, value->>16 as idempotency_key, value->>17 as fingerprint, value->>18 as provider_reference, value->>19 as provider_status, value->>20 as provider_receipt_url, value->>21 as receipt_number, value->>22 as qr_url, value->>23 as deep_link, value->>24 as expires_at, value->>25 as paid_at, value->>26 as created_at, value->>27 as updated_at, value->>28 as late, value->>29 as due_at, value->>30 as sequence, value->>31 as version, value->>32 as day, value->>33 as search_text from jsonb_each(?)) as s where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- insertMany, replayed
select i.* from (select value->>0 as organization_id, value->>1 as mode, value->>2 as idempotency_key from jsonb_each(?)) as s
join "tolem_invoices" i on i.organization_id = s.organization_id and i.mode = s.mode
and i.idempotency_key = s.idempotency_key;

-- find
select * from "tolem_invoices" where id = ?;

-- findKey
select * from "tolem_invoices"
where organization_id = ? and mode = ? and idempotency_key = ?;

-- list
with counted as (
select cast(coalesce(sum(invoice_count), 0) as bigint) as total from "tolem_daily_totals" i
where (i.organization_id = ? AND i.mode = ?))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND cast(? as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast(? as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast(? as bigint) offset cast(? as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of statuses
with counted as (
select cast(coalesce(sum(invoice_count), 0) as bigint) as total from "tolem_daily_totals" i
where (i.organization_id = ? AND i.mode = ? AND i.status in (?,?)))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND i.status in (?) AND cast(? as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast(? as bigint)
) as newest union all select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND i.status in (?) AND cast(? as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast(? as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast(? as bigint) offset cast(? as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of a cashier
with counted as (
select cast(coalesce(sum(invoice_count), 0) as bigint) as total from "tolem_daily_totals" i
where (i.organization_id = ? AND i.mode = ? AND i.connection_id = ?))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND i.connection_id = ? AND cast(? as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast(? as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast(? as bigint) offset cast(? as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of an order
with counted as (
select count(*) as total from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND i.external_order_id = ?))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND i.external_order_id = ? AND cast(? as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast(? as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast(? as bigint) offset cast(? as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of a time and a status
with counted as (
select count(*) as total from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND i.created_at >= cast(? as bigint) AND i.created_at <= cast(? as bigint) AND i.status in (?)))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND i.created_at >= cast(? as bigint) AND i.created_at <= cast(? as bigint) AND i.status in (?) AND cast(? as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast(? as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast(? as bigint) offset cast(? as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- list of a search
with counted as (
select count(*) as total from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND instr(i.search_text, ?) > 0))
select page.*, counted.total from counted left join (
select i.* from (
select id from (select * from (
select i.id, i.created_at from "tolem_invoices" i
where (i.organization_id = ? AND i.mode = ? AND instr(i.search_text, ?) > 0 AND cast(? as bigint) < (select total from counted))
order by i.created_at desc, i.id desc limit cast(? as bigint)
) as newest) as candidates
order by created_at desc, id desc
limit cast(? as bigint) offset cast(? as bigint)
) as chosen
join "tolem_invoices" i on i.id = chosen.id) as page on true
order by page.created_at desc, page.id desc;

-- claim of invoices
with due as (
select i.id from "tolem_invoices" i where i.due_at <= cast(? as bigint) and true
order by i.due_at limit cast(? as bigint)
)
update "tolem_invoices" set due_at = cast(? as bigint)
where id in (select id from due) and true
returning *;

-- rescheduleMany
update "tolem_invoices" as i set due_at = s.due_at, provider_status = s.provider_status
from (select value->>0 as id, value->>1 as version, value->>2 as due_at, value->>3 as provider_status from jsonb_each(?)) as s where i.id = s.id and i.version = s.version;

-- commitMany, paid
select i.id, i.version from (select value->>0 as id from jsonb_each(?)) as s
join "tolem_invoices" i on i.id = s.id
order by i.id;

-- commitMany, paid
insert into "tolem_receipt_counters" as t (organization_id, value)
select organization_id, value from (select value->>0 as organization_id, value->>1 as value from jsonb_each(?)) as s where true
on conflict (organization_id) do update set value = t.value + excluded.value
returning organization_id, value;

-- commitMany, paid
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, search_text = s.search_text
from (select value->>0 as id, value->>1 as connection_id, value->>2 as status, value->>3 as refunded, value->>4 as provider_reference, value->>5 as provider_status, value->>6 as provider_receipt_url, value->>7 as receipt_number, value->>8 as qr_url, value->>9 as deep_link, value->>10 as expires_at, value->>11 as paid_at, value->>12 as updated_at, value->>13 as late, value->>14 as due_at, value->>15 as sequence, value->>16 as version, value->>17 as search_text from jsonb_each(?)) as s where i.id = s.id;

-- commitMany, paid
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at from jsonb_each(?)) as s where true;

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
from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at, value->>11 as mode, value->>12 as ready_at from jsonb_each(?)) as s
join "tolem_endpoints" e on e.organization_id = s.organization_id and e.mode = s.mode
where e.disabled = 0 and e.removed_at is null
and (e.events = '' or instr(e.events, ',' || s.type || ',') > 0)
order by e.id;

-- commitMany, paid
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from (select value->>0 as organization_id, value->>1 as mode, value->>2 as connection_id, value->>3 as status, value->>4 as day, value->>5 as shard, value->>6 as invoice_count, value->>7 as amount, value->>8 as refunded from jsonb_each(?)) as s where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- commitMany, refunded
select i.id, i.version from (select value->>0 as id from jsonb_each(?)) as s
join "tolem_invoices" i on i.id = s.id
order by i.id;

-- commitMany, refunded
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, search_text = s.search_text
from (select value->>0 as id, value->>1 as connection_id, value->>2 as status, value->>3 as refunded, value->>4 as provider_reference, value->>5 as provider_status, value->>6 as provider_receipt_url, value->>7 as receipt_number, value->>8 as qr_url, value->>9 as deep_link, value->>10 as expires_at, value->>11 as paid_at, value->>12 as updated_at, value->>13 as late, value->>14 as due_at, value->>15 as sequence, value->>16 as version, value->>17 as search_text from jsonb_each(?)) as s where i.id = s.id;

-- commitMany, refunded
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at from jsonb_each(?)) as s where true;

-- commitMany, refunded
insert into "tolem_refunds" (id, invoice_id, organization_id, amount, status, reason, idempotency_key, provider_reference, created_at, completed_at)
select id, invoice_id, organization_id, amount, status, reason, idempotency_key, provider_reference, created_at, completed_at from (select value->>0 as id, value->>1 as invoice_id, value->>2 as organization_id, value->>3 as amount, value->>4 as status, value->>5 as reason, value->>6 as idempotency_key, value->>7 as provider_reference, value->>8 as created_at, value->>9 as completed_at from jsonb_each(?)) as s where true
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
from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at, value->>11 as mode, value->>12 as ready_at from jsonb_each(?)) as s
join "tolem_endpoints" e on e.organization_id = s.organization_id and e.mode = s.mode
where e.disabled = 0 and e.removed_at is null
and (e.events = '' or instr(e.events, ',' || s.type || ',') > 0)
order by e.id;

-- commitMany, refunded
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from (select value->>0 as organization_id, value->>1 as mode, value->>2 as connection_id, value->>3 as status, value->>4 as day, value->>5 as shard, value->>6 as invoice_count, value->>7 as amount, value->>8 as refunded from jsonb_each(?)) as s where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- details
select i.* from (select value->>0 as id from jsonb_each(?)) as s join "tolem_invoices" i on i.id = s.id;

-- details
select e.* from (select value->>0 as id from jsonb_each(?)) as s join "tolem_events" e on e.invoice_id = s.id order by e.invoice_id, e.sequence;

-- details
select r.* from (select value->>0 as id from jsonb_each(?)) as s join "tolem_refunds" r on r.invoice_id = s.id order by r.created_at, r.id;

-- history
select * from "tolem_events"
where invoice_id = ? and organization_id = ? order by sequence;

-- history
select * from "tolem_refunds"
where invoice_id = ? and organization_id = ? order by created_at, id;

-- findSold
select i.*, o.name as seller_name, o.legal_name as seller_legal_name
from "tolem_invoices" i left join "tolem_organizations" o on o.id = i.organization_id
where i.id = ?;

-- addDelivery
insert into "tolem_deliveries" (id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, ready_at, created_at, completed_at) select id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, due_at, ready_at, created_at, completed_at from (select value->>0 as id, value->>1 as endpoint_id, value->>2 as organization_id, value->>3 as mode, value->>4 as kind, value->>5 as invoice_id, value->>6 as event_id, value->>7 as sequence, value->>8 as status, value->>9 as attempt_count, value->>10 as due_at, value->>11 as ready_at, value->>12 as created_at, value->>13 as completed_at from jsonb_each(?)) as s where true;

-- deliveries
select count(*) as total from "tolem_deliveries" where endpoint_id = ?;

-- deliveries
select * from "tolem_deliveries" where endpoint_id = ? order by created_at desc, id desc
limit cast(? as bigint) offset cast(? as bigint);

-- deliveries of a status
select count(*) as total from "tolem_deliveries" where endpoint_id = ? and status = ?;

-- deliveries of a status
select * from "tolem_deliveries" where endpoint_id = ? and status = ? order by created_at desc, id desc
limit cast(? as bigint) offset cast(? as bigint);

-- delivery
select * from "tolem_deliveries" where id = ? and endpoint_id = ?;

-- delivery
select * from "tolem_attempts" where delivery_id = ? order by number;

-- claim of deliveries, and release
with due as (
select d.id from "tolem_deliveries" d
where d.status = 'pending' and d.due_at <= cast(? as bigint)
and d.endpoint_id not in (select id from (select value->>0 as id from jsonb_each(?)) as s)
and d.endpoint_id not in (select e.id from "tolem_endpoints" e where e.disabled = 1)
and (d.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = d.endpoint_id
and earlier.invoice_id = d.invoice_id and earlier.sequence < d.sequence
))
order by d.due_at limit cast(? as bigint)
)
update "tolem_deliveries" set due_at = cast(? as bigint), lease = ?
where id in (select id from due) and true
returning *;

-- claim of deliveries, and release
select e.* from (select value->>0 as id from jsonb_each(?)) as s join "tolem_endpoints" e on e.id = s.id;

-- claim of deliveries, and release
select e.* from (select value->>0 as invoice_id, value->>1 as sequence from jsonb_each(?)) as s
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- claim of deliveries, and release
select i.* from (select value->>0 as id from jsonb_each(?)) as s join "tolem_invoices" i on i.id = s.id;

-- claim of deliveries, and release
update "tolem_deliveries" as d set due_at = cast(? as bigint), lease = null
from (select value->>0 as id, value->>1 as lease from jsonb_each(?)) as s
where d.id = s.id and d.lease = s.lease and d.status = 'pending';

-- settleMany, pausing
with due as (
select d.id from "tolem_deliveries" d
where d.status = 'pending' and d.due_at <= cast(? as bigint)
and d.endpoint_id not in (select id from (select value->>0 as id from jsonb_each(?)) as s)
and d.endpoint_id not in (select e.id from "tolem_endpoints" e where e.disabled = 1)
and (d.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = d.endpoint_id
and earlier.invoice_id = d.invoice_id and earlier.sequence < d.sequence
))
order by d.due_at limit cast(? as bigint)
)
update "tolem_deliveries" set due_at = cast(? as bigint), lease = ?
where id in (select id from due) and true
returning *;

-- settleMany, pausing
select e.* from (select value->>0 as id from jsonb_each(?)) as s join "tolem_endpoints" e on e.id = s.id;

-- settleMany, pausing
select e.* from (select value->>0 as invoice_id, value->>1 as sequence from jsonb_each(?)) as s
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- settleMany, pausing
select i.* from (select value->>0 as id from jsonb_each(?)) as s join "tolem_invoices" i on i.id = s.id;

-- settleMany, pausing
select e.id, e.failure_count, e.pause_count, e.paused_until from (select value->>0 as id from jsonb_each(?)) as s
join "tolem_endpoints" e on e.id = s.id
order by e.id;

-- settleMany, pausing
select d.id, d.lease
from (select value->>0 as id, value->>1 as lease from jsonb_each(?)) as s
join "tolem_deliveries" d on d.id = s.id and d.lease = s.lease and d.status = 'pending'
order by d.id;

-- settleMany, pausing
insert into "tolem_attempts" (delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error)
select delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error from (select value->>0 as delivery_id, value->>1 as number, value->>2 as started_at, value->>3 as duration_ms, value->>4 as url, value->>5 as request_headers, value->>6 as request_body, value->>7 as status, value->>8 as response_body, value->>9 as error from jsonb_each(?)) as s where true;

-- settleMany, pausing
update "tolem_deliveries" as d set
status = s.status, attempt_count = s.attempt_count, lease = null, completed_at = s.completed_at,
due_at = coalesce(s.due_at, d.due_at), ready_at = coalesce(s.ready_at, d.ready_at)
from (select value->>0 as id, value->>1 as status, value->>2 as attempt_count, value->>3 as due_at, value->>4 as ready_at, value->>5 as completed_at from jsonb_each(?)) as s
where d.id = s.id;

-- settleMany, pausing
update "tolem_endpoints" as e set
failure_count = s.failure_count, pause_count = s.pause_count, paused_until = s.paused_until
from (select value->>0 as id, value->>1 as failure_count, value->>2 as pause_count, value->>3 as paused_until from jsonb_each(?)) as s
where e.id = s.id;

-- settleMany, pausing
update "tolem_deliveries" as d set due_at = s.until
from (select value->>0 as id, value->>1 as until from jsonb_each(?)) as s
where d.endpoint_id = s.id and d.status = 'pending' and d.lease is null and d.due_at < s.until;

-- takeProbe
update "tolem_endpoints" set paused_until = cast(? as bigint)
where id = ? and paused_until = cast(? as bigint) and removed_at is null
returning id;

-- takeProbe
update "tolem_deliveries" as d set due_at = s.until
from (select value->>0 as id, value->>1 as until from jsonb_each(?)) as s
where d.endpoint_id = s.id and d.status = 'pending' and d.lease is null and d.due_at < s.until;

-- settleMany, lifting
with due as (
select d.id from "tolem_deliveries" d
where d.status = 'pending' and d.due_at <= cast(? as bigint)
and d.endpoint_id not in (select id from (select value->>0 as id from jsonb_each(?)) as s)
and d.endpoint_id not in (select e.id from "tolem_endpoints" e where e.disabled = 1)
and (d.kind = 'webhook.test' or not exists (
select 1 from "tolem_deliveries" earlier
where earlier.status = 'pending' and earlier.endpoint_id = d.endpoint_id
and earlier.invoice_id = d.invoice_id and earlier.sequence < d.sequence
))
order by d.due_at limit cast(? as bigint)
)
update "tolem_deliveries" set due_at = cast(? as bigint), lease = ?
where id in (select id from due) and true
returning *;

-- settleMany, lifting
select e.* from (select value->>0 as id from jsonb_each(?)) as s join "tolem_endpoints" e on e.id = s.id;

-- settleMany, lifting
select e.* from (select value->>0 as invoice_id, value->>1 as sequence from jsonb_each(?)) as s
join "tolem_events" e on e.invoice_id = s.invoice_id and e.sequence = s.sequence;

-- settleMany, lifting
select i.* from (select value->>0 as id from jsonb_each(?)) as s join "tolem_invoices" i on i.id = s.id;

-- settleMany, lifting
select e.id, e.failure_count, e.pause_count, e.paused_until from (select value->>0 as id from jsonb_each(?)) as s
join "tolem_endpoints" e on e.id = s.id
order by e.id;

-- settleMany, lifting
select d.id, d.lease
from (select value->>0 as id, value->>1 as lease from jsonb_each(?)) as s
join "tolem_deliveries" d on d.id = s.id and d.lease = s.lease and d.status = 'pending'
order by d.id;

-- settleMany, lifting
insert into "tolem_attempts" (delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error)
select delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status, response_body, error from (select value->>0 as delivery_id, value->>1 as number, value->>2 as started_at, value->>3 as duration_ms, value->>4 as url, value->>5 as request_headers, value->>6 as request_body, value->>7 as status, value->>8 as response_body, value->>9 as error from jsonb_each(?)) as s where true;

-- settleMany, lifting
update "tolem_deliveries" as d set
status = s.status, attempt_count = s.attempt_count, lease = null, completed_at = s.completed_at,
due_at = coalesce(s.due_at, d.due_at), ready_at = coalesce(s.ready_at, d.ready_at)
from (select value->>0 as id, value->>1 as status, value->>2 as attempt_count, value->>3 as due_at, value->>4 as ready_at, value->>5 as completed_at from jsonb_each(?)) as s
where d.id = s.id;

-- settleMany, lifting
update "tolem_endpoints" as e set
failure_count = s.failure_count, pause_count = s.pause_count, paused_until = s.paused_until
from (select value->>0 as id, value->>1 as failure_count, value->>2 as pause_count, value->>3 as paused_until from jsonb_each(?)) as s
where e.id = s.id;

-- settleMany, lifting
update "tolem_deliveries" as d set
due_at = case when d.ready_at > cast(? as bigint) then d.ready_at else cast(? as bigint) end
from (select value->>0 as id from jsonb_each(?)) as s
where d.endpoint_id = s.id and d.status = 'pending' and d.lease is null
and d.due_at > d.ready_at and d.due_at > cast(? as bigint);

-- insert of a subscription
insert into "tolem_subscriptions" (id, organization_id, mode, connection_id, status, amount, kind, description, customer_name, customer_phone, customer_email, metadata, step, every, day_of_month, anchor_at, retry_hours, misfire, next_index, next_run_at, last_run_at, last_invoice_id, runs, max_runs, faults, fault, idempotency_key, fingerprint, due_at, created_at, updated_at, sequence, version)
select id, organization_id, mode, connection_id, status, amount, kind, description, customer_name, customer_phone, customer_email, metadata, step, every, day_of_month, anchor_at, retry_hours, misfire, next_index, next_run_at, last_run_at, last_invoice_id, runs, max_runs, faults, fault, idempotency_key, fingerprint, due_at, created_at, updated_at, sequence, version from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as connection_id, value->>4 as status, value->>5 as amount, value->>6 as kind, value->>7 as description, value->>8 as customer_name, value->>9 as customer_phone, value->>10 as customer_email, value->>11 as metadata, value->>12 as step, value->>13 as every, value->>14 as day_of_month, value->>15 as anchor_at, value->>16 as retry_hours, value->>17 as misfire, value->>18 as next_index, value->>19 as next_run_at, value->>20 as last_run_at, value->>21 as last_invoice_id, value->>22 as runs, value->>23 as max_runs, value->>24 as faults, value->>25 as fault, value->>26 as idempotency_key, value->>27 as fingerprint, value->>28 as due_at, value->>29 as created_at, value->>30 as updated_at, value->>31 as sequence, value->>32 as version from jsonb_each(?)) as s where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- insert of a subscription
insert into "tolem_subscription_events" (subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at)
select subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at from (select value->>0 as subscription_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as source, value->>6 as run, value->>7 as invoice_id, value->>8 as code, value->>9 as created_at from jsonb_each(?)) as s where true;

-- commitMany of subscriptions
select d.id, d.version from (select value->>0 as id from jsonb_each(?)) as s
join "tolem_subscriptions" d on d.id = s.id
order by d.id;

-- commitMany of subscriptions
insert into "tolem_invoices" (id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
select id, organization_id, mode, connection_id, kind, status, amount, refunded, description, external_order_id, customer_name, customer_phone, customer_email, success_url, fail_url, metadata, idempotency_key, fingerprint, provider_reference, provider_status, provider_receipt_url, receipt_number, qr_url, deep_link, expires_at, paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as connection_id, value->>4 as kind, value->>5 as status, value->>6 as amount, value->>7 as refunded, value->>8 as description, value->>9 as external_order_id, value->>10 as customer_name, value->>11 as customer_phone, value->>12 as customer_email, value->>13 as success_url, value->>14 as fail_url, value->>15 as metadata, value->>16 as idempotency_key, value->>17 as fingerprint, value->>18 as provider_reference, value->>19 as provider_status, value->>20 as provider_receipt_url, value->>21 as receipt_number, value->>22 as qr_url, value->>23 as deep_link, value->>24 as expires_at, value->>25 as paid_at, value->>26 as created_at, value->>27 as updated_at, value->>28 as late, value->>29 as due_at, value->>30 as sequence, value->>31 as version, value->>32 as day, value->>33 as search_text from jsonb_each(?)) as s where true
on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- commitMany of subscriptions
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at from jsonb_each(?)) as s where true;

-- commitMany of subscriptions
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from (select value->>0 as organization_id, value->>1 as mode, value->>2 as connection_id, value->>3 as status, value->>4 as day, value->>5 as shard, value->>6 as invoice_count, value->>7 as amount, value->>8 as refunded from jsonb_each(?)) as s where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- commitMany of subscriptions
update "tolem_subscriptions" as d set status = s.status, amount = s.amount, kind = s.kind, description = s.description, customer_name = s.customer_name, customer_phone = s.customer_phone, customer_email = s.customer_email, metadata = s.metadata, step = s.step, every = s.every, day_of_month = s.day_of_month, anchor_at = s.anchor_at, retry_hours = s.retry_hours, misfire = s.misfire, next_index = s.next_index, next_run_at = s.next_run_at, last_run_at = s.last_run_at, last_invoice_id = s.last_invoice_id, runs = s.runs, max_runs = s.max_runs, faults = s.faults, fault = s.fault, due_at = s.due_at, updated_at = s.updated_at, sequence = s.sequence, version = s.version
from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as connection_id, value->>4 as status, value->>5 as amount, value->>6 as kind, value->>7 as description, value->>8 as customer_name, value->>9 as customer_phone, value->>10 as customer_email, value->>11 as metadata, value->>12 as step, value->>13 as every, value->>14 as day_of_month, value->>15 as anchor_at, value->>16 as retry_hours, value->>17 as misfire, value->>18 as next_index, value->>19 as next_run_at, value->>20 as last_run_at, value->>21 as last_invoice_id, value->>22 as runs, value->>23 as max_runs, value->>24 as faults, value->>25 as fault, value->>26 as idempotency_key, value->>27 as fingerprint, value->>28 as due_at, value->>29 as created_at, value->>30 as updated_at, value->>31 as sequence, value->>32 as version from jsonb_each(?)) as s where d.id = s.id;

-- commitMany of subscriptions
insert into "tolem_subscription_events" (subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at)
select subscription_id, sequence, id, organization_id, type, source, run, invoice_id, code, created_at from (select value->>0 as subscription_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as source, value->>6 as run, value->>7 as invoice_id, value->>8 as code, value->>9 as created_at from jsonb_each(?)) as s where true;

-- commitMany of subscriptions
insert into "tolem_subscription_runs" (subscription_id, run, organization_id, mode, scheduled_at, invoice_id, invoice_ids, status, faults, due_at, created_at, updated_at)
select subscription_id, run, organization_id, mode, scheduled_at, invoice_id, invoice_ids, status, faults, due_at, created_at, updated_at from (select value->>0 as subscription_id, value->>1 as run, value->>2 as organization_id, value->>3 as mode, value->>4 as scheduled_at, value->>5 as invoice_id, value->>6 as invoice_ids, value->>7 as status, value->>8 as faults, value->>9 as due_at, value->>10 as created_at, value->>11 as updated_at from jsonb_each(?)) as s where true
on conflict (subscription_id, run) do update set
invoice_id = excluded.invoice_id, invoice_ids = excluded.invoice_ids, status = excluded.status,
faults = excluded.faults, due_at = excluded.due_at, updated_at = excluded.updated_at;

-- commitMany of subscriptions
insert into "tolem_mails" (id, kind, organization_id, mode, invoice_id, recipient, status, attempts, reason, due_at, created_at, completed_at)
select id, kind, organization_id, mode, invoice_id, recipient, status, attempts, reason, due_at, created_at, completed_at from (select value->>0 as id, value->>1 as kind, value->>2 as organization_id, value->>3 as mode, value->>4 as invoice_id, value->>5 as recipient, value->>6 as status, value->>7 as attempts, value->>8 as reason, value->>9 as due_at, value->>10 as created_at, value->>11 as completed_at from jsonb_each(?)) as s where true on conflict (invoice_id, kind) do nothing;

-- commitMany, waking a run
select i.id, i.version from (select value->>0 as id from jsonb_each(?)) as s
join "tolem_invoices" i on i.id = s.id
order by i.id;

-- commitMany, waking a run
update "tolem_invoices" as i set connection_id = s.connection_id, status = s.status, refunded = s.refunded, provider_reference = s.provider_reference, provider_status = s.provider_status, provider_receipt_url = s.provider_receipt_url, receipt_number = s.receipt_number, qr_url = s.qr_url, deep_link = s.deep_link, expires_at = s.expires_at, paid_at = s.paid_at, updated_at = s.updated_at, late = s.late, due_at = s.due_at, sequence = s.sequence, version = s.version, search_text = s.search_text
from (select value->>0 as id, value->>1 as connection_id, value->>2 as status, value->>3 as refunded, value->>4 as provider_reference, value->>5 as provider_status, value->>6 as provider_receipt_url, value->>7 as receipt_number, value->>8 as qr_url, value->>9 as deep_link, value->>10 as expires_at, value->>11 as paid_at, value->>12 as updated_at, value->>13 as late, value->>14 as due_at, value->>15 as sequence, value->>16 as version, value->>17 as search_text from jsonb_each(?)) as s where i.id = s.id;

-- commitMany, waking a run
insert into "tolem_events" (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at)
select invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded, late, created_at from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at from jsonb_each(?)) as s where true;

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
from (select value->>0 as invoice_id, value->>1 as sequence, value->>2 as id, value->>3 as organization_id, value->>4 as type, value->>5 as from_status, value->>6 as to_status, value->>7 as source, value->>8 as refunded, value->>9 as late, value->>10 as created_at, value->>11 as mode, value->>12 as ready_at from jsonb_each(?)) as s
join "tolem_endpoints" e on e.organization_id = s.organization_id and e.mode = s.mode
where e.disabled = 0 and e.removed_at is null
and (e.events = '' or instr(e.events, ',' || s.type || ',') > 0)
order by e.id;

-- commitMany, waking a run
select d.id from "tolem_subscriptions" d where d.id in (
select r.subscription_id from (select value->>0 as invoice_id, value->>1 as at from jsonb_each(?)) as s
join "tolem_subscription_runs" r on r.invoice_id = s.invoice_id where r.status <> 'ended'
) order by d.id;

-- commitMany, waking a run
update "tolem_subscriptions" set version = version + 1 where id in (?);

-- commitMany, waking a run
update "tolem_subscription_runs" as d set due_at = s.at from (select value->>0 as invoice_id, value->>1 as at from jsonb_each(?)) as s
where d.invoice_id = s.invoice_id and d.status <> 'ended';

-- commitMany, waking a run
insert into "tolem_daily_totals" as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
select organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded from (select value->>0 as organization_id, value->>1 as mode, value->>2 as connection_id, value->>3 as status, value->>4 as day, value->>5 as shard, value->>6 as invoice_count, value->>7 as amount, value->>8 as refunded from jsonb_each(?)) as s where true on conflict (organization_id, mode, connection_id, status, day, shard) do update set
invoice_count = t.invoice_count + excluded.invoice_count,
amount = t.amount + excluded.amount,
refunded = t.refunded + excluded.refunded;

-- find a subscription
select * from "tolem_subscriptions" where id = ?;

-- list subscriptions
select count(*) as total from "tolem_subscriptions" where (organization_id = ? AND mode = ? AND connection_id = ? AND status in (?));

-- list subscriptions
select * from "tolem_subscriptions" where (organization_id = ? AND mode = ? AND connection_id = ? AND status in (?)) order by created_at desc, id desc
limit cast(? as bigint) offset cast(? as bigint);

-- detail of a subscription
select * from "tolem_subscriptions" where id = ?;

-- detail of a subscription
select * from "tolem_subscription_events" where subscription_id = ? order by sequence;

-- detail of a subscription
select * from "tolem_subscription_runs" where subscription_id = ? order by run;

-- claim of subscriptions
with due as (
select d.id from "tolem_subscriptions" d where d.due_at <= cast(? as bigint) and true
order by d.due_at limit cast(? as bigint)
)
update "tolem_subscriptions" set due_at = cast(? as bigint)
where id in (select id from due) and true
returning *;

-- claim of subscriptions of a sandbox
with due as (
select d.id from "tolem_subscriptions" d where d.due_at <= cast(? as bigint) and d.organization_id = ? and d.mode = 'sandbox'
order by d.due_at limit cast(? as bigint)
)
update "tolem_subscriptions" set due_at = cast(? as bigint)
where id in (select id from due) and true
returning *;

-- claim of runs
with due as (
select d.subscription_id, d.run from "tolem_subscription_runs" d
where d.due_at <= cast(? as bigint) and true
order by d.due_at limit cast(? as bigint)
)
update "tolem_subscription_runs" set due_at = cast(? as bigint)
where (subscription_id, run) in (select subscription_id, run from due) and true
returning *;

-- claim of runs
select * from "tolem_subscriptions" where id in (?);

-- claim of invoices of a sandbox
with due as (
select i.id from "tolem_invoices" i where i.due_at <= cast(? as bigint) and i.organization_id = ? and i.mode = 'sandbox' and i.status in ('new', 'pending')
order by i.due_at limit cast(? as bigint)
)
update "tolem_invoices" set due_at = cast(? as bigint)
where id in (select id from due) and true
returning *;

-- claim of letters
with due as (
select m.id from "tolem_mails" m where m.due_at <= cast(? as bigint)
order by m.due_at limit cast(? as bigint)
)
update "tolem_mails" set due_at = cast(? as bigint)
where id in (select id from due) and true
returning *;

-- begin a letter
update "tolem_mails" set status = 'sending', attempts = attempts + 1
where id = ? and status = 'pending' and due_at = cast(? as bigint)
returning id;

-- begin a letter
insert into "tolem_usage" as t (organization_id, period, used)
values (?, ?, 1)
on conflict (organization_id, period) do update set used = t.used + 1
where t.used < cast(? as bigint)
returning used;

-- settle a letter
update "tolem_mails" set status = ?, reason = ?, due_at = cast(? as bigint),
completed_at = cast(? as bigint)
where id = ? and status in ('pending', 'sending');

-- list letters
select * from "tolem_mails" where invoice_id = ? and organization_id = ?
order by created_at, id;

-- ahead, of clocks
select id, clock_ahead_ms from "tolem_organizations" where clock_ahead_ms > 0;

-- advance a clock
update "tolem_organizations" set clock_ahead_ms = cast(? as bigint)
where id = ? and clock_ahead_ms < cast(? as bigint);

-- advance a clock
select clock_ahead_ms from "tolem_organizations" where id = ?;

-- nextDueAt
select min(due_at) as due_at from (
select min(due_at) as due_at from "tolem_invoices"
where organization_id = ? and mode = 'sandbox' and status in ('new', 'pending')
union all
select min(due_at) from "tolem_subscriptions" where organization_id = ? and mode = 'sandbox'
union all
select min(due_at) from "tolem_subscription_runs"
where organization_id = ? and mode = 'sandbox' and due_at is not null
) as dates;

-- add a link
select count(*) as count from "tolem_payment_links"
where organization_id = ? and mode = ? and removed_at is null;

-- add a link
insert into "tolem_payment_links" (id, organization_id, mode, connection_id, slug, title, description, amount, success_url, fail_url, status, created_at, updated_at, version) select id, organization_id, mode, connection_id, slug, title, description, amount, success_url, fail_url, status, created_at, updated_at, version from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as connection_id, value->>4 as slug, value->>5 as title, value->>6 as description, value->>7 as amount, value->>8 as success_url, value->>9 as fail_url, value->>10 as status, value->>11 as created_at, value->>12 as updated_at, value->>13 as version from jsonb_each(?)) as s where true
on conflict (slug) where removed_at is null do nothing
returning id;

-- find a link
select * from "tolem_payment_links" where id = ? and removed_at is null;

-- find a slug
select * from "tolem_payment_links" where slug = ? and removed_at is null;

-- list links
select * from "tolem_payment_links"
where organization_id = ? and mode = ? and removed_at is null
order by created_at, id;

-- list links of a cashier
select * from "tolem_payment_links"
where organization_id = ? and mode = ? and removed_at is null and connection_id = ?
order by created_at, id;

-- replace a link
select id from "tolem_payment_links" where slug = ? and removed_at is null and id <> ?;

-- replace a link
update "tolem_payment_links" set slug = ?, title = ?, description = ?,
amount = cast(? as bigint), success_url = ?, fail_url = ?, status = ?,
updated_at = cast(? as bigint), version = cast(? as bigint)
where id = ? and organization_id = ? and version = cast(? as bigint)
and removed_at is null
returning id;

-- remove a link
update "tolem_payment_links" set removed_at = cast(? as bigint), updated_at = cast(? as bigint)
where id = ? and organization_id = ? and removed_at is null
returning id;

-- add a hook
insert into "tolem_form_hooks" (id, organization_id, mode, connection_id, name, success_url, fail_url, status, created_at, updated_at, version) select id, organization_id, mode, connection_id, name, success_url, fail_url, status, created_at, updated_at, version from (select value->>0 as id, value->>1 as organization_id, value->>2 as mode, value->>3 as connection_id, value->>4 as name, value->>5 as success_url, value->>6 as fail_url, value->>7 as status, value->>8 as created_at, value->>9 as updated_at, value->>10 as version from jsonb_each(?)) as s
where (select count(*) from "tolem_form_hooks"
where organization_id = ? and mode = ? and removed_at is null
) < cast(? as bigint)
returning id;

-- find a hook
select * from "tolem_form_hooks" where id = ? and removed_at is null;

-- list hooks
select * from "tolem_form_hooks"
where organization_id = ? and mode = ? and removed_at is null
order by created_at, id;

-- list hooks of a cashier
select * from "tolem_form_hooks"
where organization_id = ? and mode = ? and removed_at is null and connection_id = ?
order by created_at, id;

-- replace a hook
update "tolem_form_hooks" set name = ?, success_url = ?, fail_url = ?,
status = ?, updated_at = cast(? as bigint), version = cast(? as bigint)
where id = ? and organization_id = ? and version = cast(? as bigint)
and removed_at is null
returning id;

-- remove a hook
update "tolem_form_hooks" set removed_at = cast(? as bigint), updated_at = cast(? as bigint)
where id = ? and organization_id = ? and removed_at is null
returning id;

-- addChallenge
select created_at from "tolem_login_challenges"
where phone = ? and created_at > cast(? as bigint)
order by created_at desc limit cast(? as bigint);

-- addChallenge
select created_at from "tolem_login_challenges"
where address_digest = ? and created_at > cast(? as bigint)
order by created_at desc limit cast(? as bigint);

-- addChallenge
insert into "tolem_login_challenges"
(id, phone, channel, digest, digest_key, address_digest, tries, created_at, expires_at, used_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?, ?);

-- findChallenge
select * from "tolem_login_challenges" where id = ?;

-- countTry
update "tolem_login_challenges" set tries = tries + 1 where id = ? returning tries;

-- enter
update "tolem_login_challenges" set used_at = cast(? as bigint)
where id = ? and used_at is null returning id;

-- enter
insert into "tolem_accounts" (id, phone, name, status, referral_code, created_at)
values (?, ?, ?, ?, ?,
?)
on conflict (phone) do nothing;

-- enter
select a.* from "tolem_accounts" a where a.phone = ?;

-- enter
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?);

-- findSession
select * from "tolem_sessions" where digest = ?;

-- touchSession
update "tolem_sessions" set seen_at = cast(? as bigint), idle_at = cast(? as bigint)
where id = ? and seen_at = cast(? as bigint) and revoked_at is null;

-- countTry that fails
update "tolem_login_challenges" set tries = tries + 1 where id = ? returning tries;

-- countTry that fails
insert into "tolem_audit"
(id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?,
?);

-- sessions
select * from "tolem_sessions"
where account_id = ? and revoked_at is null and idle_at > cast(? as bigint)
order by created_at desc, id desc;

-- revoke of a token
update "tolem_sessions" set revoked_at = cast(? as bigint)
where digest = ? and idle_at > cast(? as bigint) and revoked_at is null returning id;

-- revoke of one
update "tolem_sessions" set revoked_at = cast(? as bigint)
where (account_id = ? AND id = ?) and idle_at > cast(? as bigint) and revoked_at is null returning id;

-- revoke of the others
update "tolem_sessions" set revoked_at = cast(? as bigint)
where (account_id = ? AND id <> ?) and idle_at > cast(? as bigint) and revoked_at is null returning id;

-- revoke of all
update "tolem_sessions" set revoked_at = cast(? as bigint)
where account_id = ? and idle_at > cast(? as bigint) and revoked_at is null returning id;

-- forget logins
delete from "tolem_login_challenges" where created_at < cast(? as bigint);

-- forget logins
delete from "tolem_sessions" where idle_at < cast(? as bigint);

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
where v.type in (?,?,?,?,?,?,?)
and p.disabled = 0 and p.removed_at is null
and p.updated_at <= v.created_at - cast(? as bigint)
and (p.events = '' or instr(p.events, ',' || v.type || ',') > 0)
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
and instr(r.invoice_ids, '"' || i.id || '"') > 0
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
and not instr(r.invoice_ids, '"' || m.invoice_id || '"') > 0
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
