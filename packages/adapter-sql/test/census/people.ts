/** What an attacker who can write to the database may do to people, to organizations, to the log and to evidence. */
import type { Planted } from "./Planted.ts"

const session =
  "sessions are written with every visit and end within 30 days; only their digest is stored, and logins are audited"
const newest = "(select max(id) from tolem_audit where organization_id = 'org_shop')"
const dayLong = "it is shown to developers for a day; no money hangs on it"
const weekLong = "it is shown to developers for a week; no money hangs on it"
const minutes = "it lives for minutes and is read by its own use-case only; afterwards nothing hangs on it"

export const people: Readonly<Record<string, ReadonlyArray<Planted>>> = {
  "People and their parts": [
    [
      "an account's phone, by which it logs in",
      "update tolem_accounts set phone = '77009999999' where id = 'acc_owner'"
    ],
    [
      "phones of two accounts exchanged",
      `update tolem_accounts set phone = '77009999999' where id = 'acc_owner';
      update tolem_accounts set phone = '77000000003' where id = 'acc_developer';
      update tolem_accounts set phone = '77000000004' where id = 'acc_owner'`
    ],
    ["an account's name", "update tolem_accounts set name = 'x' where id = 'acc_owner'"],
    ["an account's address", "update tolem_accounts set email = 'x@example.com' where id = 'acc_owner'"],
    ["an account blocked", "update tolem_accounts set status = 'blocked' where id = 'acc_owner'"],
    ["an account's referral code", "update tolem_accounts set referral_code = 'x' where id = 'acc_referrer'"],
    ["an account gone", "delete from tolem_accounts where id = 'acc_developer'"],
    [
      "an account that was never opened",
      `insert into tolem_accounts (id, phone, status, created_at, referral_code)
      values ('acc_x', '77009999999', 'active', 1, 'x')`
    ],
    ["a role", "update tolem_memberships set role = 'operator' where account_id = 'acc_developer'"],
    [
      "a stranger as a member",
      `insert into tolem_memberships (organization_id, account_id, role, created_at)
      values ('org_shop', 'acc_referrer', 'developer', 1)`
    ],
    [
      "a stranger as owner",
      `insert into tolem_memberships (organization_id, account_id, role, created_at)
      values ('org_shop', 'acc_referrer', 'owner', 1)`
    ],
    [
      "the owner and the membership of a stranger",
      `update tolem_organizations set owner_id = 'acc_referrer'
      where id = 'org_operator'; update tolem_memberships set account_id = 'acc_referrer'
      where organization_id = 'org_operator'`
    ],
    [
      "an invitation of a stranger",
      `insert into tolem_invitations (id, organization_id, phone, role, status, created_at, expires_at)
      values ('ivt_x', 'org_shop', '77009999999', 'manager', 'pending', 1, 2)`
    ],
    ["the phone of an invitation", "update tolem_invitations set phone = '77009999999' where id = 'ivt_1'"],
    ["what an invitation offers", "update tolem_invitations set role = 'manager' where id = 'ivt_1'"],
    ["an invitation that waits for longer", "update tolem_invitations set expires_at = expires_at + 1"],
    [
      "an operator without a record of who made them one",
      "insert into tolem_operators (account_id, granted_at) values ('acc_developer', 1)"
    ],
    ["an operator gone", "delete from tolem_operators where account_id = 'acc_owner'"],
    ["an invitation gone", "delete from tolem_invitations where id = 'ivt_1'"],
    ["a membership gone", "delete from tolem_memberships where account_id = 'acc_developer'"],
    ["the owner's membership gone", "delete from tolem_memberships where account_id = 'acc_operator'"],
    [
      "a removed member put back",
      `insert into tolem_memberships (organization_id, account_id, role, created_at)
      values ('org_client', 'acc_developer', 'developer', 1)`
    ],
    [
      "a session for another account",
      "update tolem_sessions set account_id = 'acc_operator' where id = 'ses_1'",
      session
    ],
    ["a session that lasts for ever", "update tolem_sessions set expires_at = 9999999999999 where id = 'ses_1'"],
    [
      "a session that was never begun",
      `insert into tolem_sessions (id, account_id, digest, address, created_at, seen_at,
      idle_at, expires_at) values ('ses_x', 'acc_owner', 'xx', 'x', 1767225600000, 1767225600000, 1767225605000,
      1767225609000)`,
      session
    ],
    ["an ended session open again", "update tolem_sessions set revoked_at = null where id = 'ses_1'", minutes],
    ["tries of a login code", "update tolem_login_challenges set tries = 0 where id = 'chl_1'", minutes],
    [
      "the phone of a login code",
      "update tolem_login_challenges set phone = '77000000001' where id = 'chl_1'",
      minutes
    ],
    ["a used login code, unused", "update tolem_login_challenges set used_at = null where id = 'chl_1'", minutes],
    ["what a key has used of its rate", "update tolem_rate_windows set hits = 0", minutes],
    ["a request that is shown", "update tolem_requests set status = 200", dayLong],
    ["why a form was refused", "update tolem_form_refusals set names = null", weekLong],
    ["how many forms were refused", "update tolem_form_refusal_counts set refused = 1", weekLong],
    ["how a server fares", "update tolem_servers set agents = '[]'", dayLong],
    ["how many requests there were", "update tolem_request_hours set requests = 0", dayLong]
  ],
  "Organizations and cashiers": [
    ["the owner", "update tolem_organizations set owner_id = 'acc_referrer' where id = 'org_shop'"],
    ["the name", "update tolem_organizations set name = 'x' where id = 'org_shop'"],
    ["the tax number", "update tolem_organizations set idn = '123' where id = 'org_shop'"],
    ["the mode", "update tolem_organizations set mode = 'live' where id = 'org_client'"],
    ["the mode, against its record", "update tolem_organizations set mode = 'sandbox' where id = 'org_shop'"],
    ["archived", "update tolem_organizations set status = 'archived' where id = 'org_client'"],
    ["archived, against its record", "update tolem_organizations set status = 'archived' where id = 'org_shop'"],
    ["the referrer", "update tolem_organizations set referred_by = 'acc_developer' where id = 'org_client'"],
    ["no referrer", "update tolem_organizations set referred_by = null where id = 'org_shop'"],
    ["the partner", "update tolem_organizations set partner_id = 'org_shop' where id = 'org_client'"],
    ["no partner", "update tolem_organizations set partner_id = null, idempotency_key = null where id = 'org_client'"],
    [
      "the key that the partner opened it with",
      "update tolem_organizations set idempotency_key = 'x' where id = 'org_client'"
    ],
    [
      "the name that the application has for it",
      "update tolem_organizations set external_key = 'x' where id = 'org_client'"
    ],
    [
      "an organization gone",
      `delete from tolem_memberships where organization_id = 'org_client';
      delete from tolem_connections where organization_id = 'org_client';
      delete from tolem_organizations where id = 'org_client'`
    ],
    [
      "the sandbox's clock",
      "update tolem_organizations set clock_ahead_ms = 86400000 where id = 'org_client'",
      "a clock of the sandbox, which no live invoice and no delivery follows"
    ],
    ["the sandbox's clock behind", "update tolem_organizations set clock_ahead_ms = -1 where id = 'org_client'"],
    ["a cashier's organization", "update tolem_connections set organization_id = 'org_client' where id = 'con_2'"],
    ["a cashier's session with the provider", "update tolem_connections set session = 'v1.x.y.z' where id = 'con_1'"],
    [
      "sessions of two cashiers exchanged",
      `update tolem_connections set session = (select b.session
      from tolem_connections b where b.id = case tolem_connections.id when 'con_1' then 'con_2' else 'con_1' end)
      where id in ('con_1', 'con_2')`
    ],
    [
      "another cashier as the default",
      `update tolem_connections set is_default = case id when 'con_2' then 1 else 0 end
      where organization_id = 'org_shop'`
    ],
    ["a cashier's phone", "update tolem_connections set phone = '77009999999' where id = 'con_1'"],
    ["a cashier's name", "update tolem_connections set name = 'x' where id = 'con_1'"],
    ["a cashier disabled", "update tolem_connections set status = 'disabled' where id = 'con_2'"],
    ["a cashier gone", "delete from tolem_connections where id = 'con_2'"],
    ["a cashier's login at the provider", "update tolem_logins set connection_id = 'con_other'"]
  ],
  Letters: [
    ["to another address", "update tolem_mails set recipient = 'x@x.kz' where id = 'mai_2'"],
    ["pending to sent", "update tolem_mails set status = 'sent', due_at = null, completed_at = 1 where id = 'mai_2'"],
    [
      "sent to pending",
      "update tolem_mails set status = 'pending', completed_at = null, due_at = 1 where id = 'mai_1'",
      "it is sent once more, to the customer it is for"
    ],
    ["never due again", "update tolem_mails set due_at = null where id = 'mai_2'"],
    ["of another invoice", "update tolem_mails set invoice_id = 'inv_other' where id = 'mai_1'"],
    [
      "a letter gone",
      "delete from tolem_mails where id = 'mai_2'",
      "not every invoice has letters, whether it has depends on settings of that time, and no money hangs on one"
    ]
  ],
  "The audit log and its chains": [
    ["who did it", "update tolem_audit set actor_id = 'acc_x' where action = 'key.created'"],
    ["from where", "update tolem_audit set origin = '10.0.0.1' where action = 'key.created'"],
    ["when", "update tolem_audit set created_at = created_at - 86400000 where action = 'member.added'"],
    ["what", "update tolem_audit set action = 'key.deleted' where action = 'key.bound'"],
    ["to what", "update tolem_audit set subject = 'x' where action = 'login.succeeded'"],
    ["the detail", "update tolem_audit set detail = '{}' where action = 'refund.requested'"],
    ["another organization", "update tolem_audit set organization_id = 'org_client' where action = 'key.bound'"],
    ["the newest record", `delete from tolem_audit where id = ${newest}`],
    [
      "the newest record with its link",
      `delete from tolem_chain_links where record_id = ${newest};
      delete from tolem_audit where id = ${newest}`
    ],
    [
      "the newest record with its link, the end set back",
      `update tolem_chain_heads set length = length - 1,
      digest = (select l.digest from tolem_chain_links l where l.chain = 'audit/org_shop'
        and l.position = tolem_chain_heads.length - 1) where chain = 'audit/org_shop';
      delete from tolem_chain_links where record_id = ${newest};
      delete from tolem_audit where id = ${newest}`
    ],
    ["a record in the middle", "delete from tolem_audit where action = 'key.bound'"],
    ["all records of an organization", "delete from tolem_audit where organization_id = 'org_shop'"],
    [
      "all records with their chain",
      `delete from tolem_audit where organization_id = 'org_shop';
      delete from tolem_chain_links where chain = 'audit/org_shop';
      delete from tolem_chain_heads where chain = 'audit/org_shop'`
    ],
    [
      "a record that was never written",
      `insert into tolem_audit (id, action, organization_id, subject, actor_kind, created_at)
      values ('aud_x', 'member.added', 'org_shop', 'acc_x', 'operator', 1)`
    ],
    ["all chains", "delete from tolem_chain_links; delete from tolem_chain_heads"],
    ["the beginning of seals", "delete from tolem_sealing"],
    ["the beginning of seals, set back", "update tolem_sealing set state = 'upgraded'"],
    [
      "the text that shows whether the keys are right",
      "delete from tolem_secret_checks",
      "the next start seals it anew, and what the keys have sealed still opens with them only"
    ]
  ]
}
