/** Damages to people and organizations, to what they log in and are reached with, and to the log. */
import type { Damages } from "./damage.ts"
import { brief, dayLong, own, time, weekLong } from "./reasons.ts"

export const damagesOfPeople: Damages = {
  accounts: {
    id: [["'x'", "id = 'acc_owner'", "memberships_are_sound"]],
    phone: [["'x'", "id = 'acc_owner'", "accounts_are_sound"]],
    name: [["'x'", "id = 'acc_owner'", "records_are_chained"]],
    email: [
      ["'x@example.com'", "id = 'acc_owner'", "records_are_chained"],
      ["'x'", "id = 'acc_owner'", "accounts_are_sound"]
    ],
    status: [["'x'", "id = 'acc_owner'", "accounts_are_sound"]],
    created_at: [["coalesce(created_at, 0) + 1", "id = 'acc_owner'", "records_are_chained"]],
    referral_code: [["'x'", "id = 'acc_owner'", "records_are_chained"]]
  },
  operators: {
    account_id: [["'x'", "account_id = 'acc_owner'", "operators_are_sound"]],
    granted_at: [["granted_at + 1", "account_id = 'acc_owner'", "records_are_chained"]],
    granted_by: [["'x'", "account_id = 'acc_owner'", "records_are_chained"]]
  },
  organizations: {
    id: [["'x'", "id = 'org_shop'", "earnings_agree_with_orders"]],
    name: [["'x'", "id = 'org_shop'", "records_are_chained"]],
    legal_name: [["'x'", "id = 'org_shop'", "records_are_chained"]],
    idn: [["'x'", "id = 'org_shop'", "records_are_chained"]],
    tariff: [["'scale'", "id = 'org_shop'", "tariffs_agree_with_records"]],
    status: [["'x'", "id = 'org_shop'", "organizations_are_sound"]],
    owner_id: [
      ["'acc_referrer'", "id = 'org_shop'", "organizations_are_sound"],
      ["'acc_none'", "id = 'org_shop'", "organizations_are_sound"]
    ],
    created_at: [["coalesce(created_at, 0) + 1", "id = 'org_shop'", "records_are_chained"]],
    clock_ahead_ms: [["-1", "id = 'org_shop'", "organizations_are_sound"]],
    mode: [["'x'", "id = 'org_shop'", "organizations_are_sound"]],
    tariff_until: [["tariff_until + 1", "id = 'org_shop'", "tariffs_agree_with_records"]],
    referred_by: [["'x'", "id = 'org_shop'", "earnings_agree_with_orders"]],
    partner_id: [["'x'", "id = 'org_shop'", "organizations_are_sound"]],
    idempotency_key: [["'x'", "id = 'org_shop'", "organizations_are_sound"]],
    external_key: [
      ["'x'", "id = 'org_shop'", "records_are_chained"],
      ["'x'", "id = 'org_client'", "organizations_are_sound"]
    ],
    face: [
      ["replace(face, '#d0021b', '#000000')", "id = 'org_shop'", "records_are_chained"],
      ["null", "id = 'org_shop'", "records_are_chained"]
    ],
    logo: [["'x'", "id = 'org_shop'", "organizations_are_sound"]],
    version: [["0", "id = 'org_shop'", "organizations_are_sound"]]
  },
  pictures: {
    id: [["'x'", "id = 'pic_1'", "organizations_are_sound"]],
    organization_id: [["'x'", "id = 'pic_1'", "pictures_are_sound"]],
    content_type: [["'image/svg+xml'", "id = 'pic_1'", "pictures_are_sound"]],
    width: [["0", "id = 'pic_1'", "pictures_are_sound"]],
    height: [["0", "id = 'pic_1'", "pictures_are_sound"]],
    data: [["'AAAA'", "id = 'pic_1'", "records_are_chained"]],
    created_at: [["created_at + 1", "id = 'pic_1'", "records_are_chained"]]
  },
  api_keys: {
    id: [["'x'", "id = 'key_1'", "recorded_keys_are_kept"]],
    organization_id: [["'x'", "id = 'key_1'", "keys_are_sound"]],
    mode: [["'x'", "id = 'key_1'", "keys_are_sound"]],
    name: [["'x'", "id = 'key_1'", "records_are_chained"]],
    scopes: [["'x'", "id = 'key_1'", "keys_agree_with_records"]],
    connection_id: [
      ["'x'", "id = 'key_1'", "keys_are_sound"],
      ["null", "id = 'key_1'", "bound_keys_agree_with_records"]
    ],
    digest: [["'x'", "id = 'key_1'", "keys_are_sound"]],
    last_characters: [["'x'", "id = 'key_1'", "records_are_chained"]],
    created_at: [["coalesce(created_at, 0) + 1", "id = 'key_1'", "records_are_chained"]],
    last_used_at: time,
    made_by: [["'x'", "id = 'key_1'", "records_are_chained"]]
  },
  rate_windows: {
    window_at: brief,
    key_id: brief,
    kind: brief,
    hits: brief
  },
  servers: {
    id: dayLong,
    version: dayLong,
    started_at: dayLong,
    seen_at: dayLong,
    ended_at: dayLong,
    agents: dayLong
  },
  request_hours: {
    organization_id: dayLong,
    mode: dayLong,
    hour_at: dayLong,
    requests: dayLong,
    refused: dayLong,
    failed: dayLong
  },
  form_refusal_counts: {
    organization_id: weekLong,
    hook_id: weekLong,
    reason: weekLong,
    refused: weekLong,
    first_at: weekLong,
    last_at: weekLong,
    day_at: weekLong
  },
  form_refusals: {
    organization_id: weekLong,
    hook_id: weekLong,
    reason: weekLong,
    place: weekLong,
    at: weekLong,
    faults: weekLong,
    names: weekLong,
    site: weekLong,
    day_at: weekLong
  },
  requests: {
    organization_id: dayLong,
    mode: dayLong,
    hour_at: dayLong,
    place: dayLong,
    at: dayLong,
    request_id: dayLong,
    key_ending: dayLong,
    method: dayLong,
    route: dayLong,
    status: dayLong,
    code: dayLong,
    duration_ms: dayLong
  },
  secret_checks: {
    id: [["'x'", "true", "secrets_open"]],
    sealed: [["'x'", "true", "secrets_open"]]
  },
  connections: {
    id: [["'x'", "id = 'con_1'", "keys_are_sound"]],
    organization_id: [["'x'", "id = 'con_1'", "cashiers_are_of_the_organization"]],
    name: [["'x'", "id = 'con_1'", "records_are_chained"]],
    status: [["'x'", "id = 'con_1'", "cashiers_are_sound"]],
    phone: [["'x'", "id = 'con_1'", "records_are_chained"]],
    is_default: [["is_default + 1", "id = 'con_1'", "cashiers_are_sound"]],
    session: [["session || 'x'", "id = 'con_1'", "secrets_open"]],
    created_at: [["coalesce(created_at, 0) + 1", "id = 'con_1'", "records_are_chained"]],
    updated_at: time,
    version: [["-1", "id = 'con_1'", "cashiers_are_sound"]]
  },
  logins: {
    id: own,
    connection_id: [["'con_other'", "true", "cashiers_logins_are_sound"]],
    organization_id: [["'x'", "id = 'prc_1'", "cashiers_logins_are_sound"]],
    provider_process_id: own,
    phone: own,
    tries: [["-1", "id = 'prc_1'", "cashiers_logins_are_sound"]],
    expires_at: brief,
    used_at: brief
  },
  memberships: {
    organization_id: [["'x'", "account_id = 'acc_developer'", "memberships_are_sound"]],
    account_id: [["'x'", "account_id = 'acc_developer'", "memberships_are_sound"]],
    role: [
      ["'developer'", "account_id = 'acc_owner' and organization_id = 'org_shop'", "organizations_are_sound"],
      ["'owner'", "account_id = 'acc_developer'", "memberships_are_sound"],
      ["'manager'", "account_id = 'acc_developer'", "members_agree_with_records"]
    ],
    created_at: [["coalesce(created_at, 0) + 1", "account_id = 'acc_developer'", "records_are_chained"]],
    connection_ids: [["'con_other'", "account_id = 'acc_developer'", "records_are_chained"]],
    refund_limit: [["-1", "account_id = 'acc_developer'", "memberships_are_sound"]]
  },
  invitations: {
    id: [["'x'", "id = 'ivt_1'", "chained_records_are_kept"]],
    organization_id: [["'x'", "id = 'ivt_1'", "invitations_are_sound"]],
    phone: [
      ["'x'", "id = 'ivt_1'", "invitations_are_sound"],
      ["'77009999999'", "id = 'ivt_1'", "records_are_chained"]
    ],
    role: [
      ["'owner'", "id = 'ivt_1'", "invitations_are_sound"],
      ["'manager'", "id = 'ivt_1'", "records_are_chained"]
    ],
    connection_ids: [["'con_2'", "id = 'ivt_1'", "records_are_chained"]],
    refund_limit: [["-1", "id = 'ivt_1'", "invitations_are_sound"]],
    status: [["'x'", "id = 'ivt_1'", "invitations_are_sound"]],
    made_by: [["'x'", "id = 'ivt_1'", "records_are_chained"]],
    created_at: [["created_at + 1", "id = 'ivt_1'", "records_are_chained"]],
    expires_at: [["9999999999999", "id = 'ivt_1'", "invitations_are_sound"]],
    settled_at: [["1", "id = 'ivt_1'", "invitations_are_sound"]]
  },
  audit: {
    id: [["'x'", "id = (select min(id) from tolem_audit)", "chained_records_are_kept"]],
    action: [["'x'", "action = 'key.created'", "records_are_sound"]],
    organization_id: [["'x'", "action = 'key.created'", "keys_agree_with_records"]],
    subject: [["'x'", "action = 'key.created'", "recorded_keys_are_kept"]],
    detail: [["'x'", "action = 'key.created'", "keys_agree_with_records"]],
    actor_kind: [["'x'", "action = 'key.created'", "records_are_sound"]],
    actor_id: [["'x'", "action = 'key.created'", "records_are_chained"]],
    origin: [["'x'", "action = 'key.created'", "records_are_chained"]],
    created_at: [["coalesce(created_at, 0) + 1", "action = 'key.created'", "records_are_chained"]]
  },
  payment_links: {
    id: [["'x'", "id = 'lnk_1'", "chained_records_are_kept"]],
    organization_id: [["'x'", "id = 'lnk_1'", "links_are_sound"]],
    mode: [["'x'", "id = 'lnk_1'", "links_are_sound"]],
    connection_id: [["'con_other'", "true", "links_are_sound"]],
    slug: [["'x'", "id = 'lnk_1'", "records_are_chained"]],
    title: [["'x'", "id = 'lnk_1'", "records_are_chained"]],
    description: [["'x'", "id = 'lnk_1'", "records_are_chained"]],
    picture: [
      ["'x 1 1'", "id = 'lnk_asking'", "links_are_sound"],
      ["null", "id = 'lnk_asking'", "records_are_chained"]
    ],
    amount: [["-1", "id = 'lnk_1'", "links_are_sound"]],
    min_amount: [["-1", "id = 'lnk_asking'", "links_are_sound"]],
    max_amount: [["1", "id = 'lnk_asking'", "links_are_sound"]],
    presets: [["'[1]'", "id = 'lnk_asking'", "records_are_chained"]],
    fields: [["null", "id = 'lnk_asking'", "records_are_chained"]],
    thank_you: [["'x'", "id = 'lnk_asking'", "records_are_chained"]],
    max_payments: [["0", "id = 'lnk_asking'", "links_are_sound"]],
    opens_at: [["opens_at + 1", "id = 'lnk_asking'", "records_are_chained"]],
    closes_at: [["1", "id = 'lnk_asking'", "links_are_sound"]],
    success_url: [["'x'", "id = 'lnk_1'", "links_are_sound"]],
    fail_url: [["'x'", "id = 'lnk_1'", "links_are_sound"]],
    status: [["'x'", "id = 'lnk_1'", "links_are_sound"]],
    created_at: [["coalesce(created_at, 0) + 1", "id = 'lnk_1'", "records_are_chained"]],
    updated_at: [["coalesce(updated_at, 0) + 1", "id = 'lnk_1'", "records_are_chained"]],
    version: [["-1", "id = 'lnk_1'", "links_are_sound"]],
    removed_at: [["coalesce(removed_at, 0) + 1", "id = 'lnk_1'", "records_are_chained"]]
  },
  place_takers: {
    invoice_id: brief,
    link_id: brief,
    visitor: brief,
    asked_at: brief
  },
  link_sweeps: {
    name: own,
    resume_after: own,
    due_at: time,
    whole_until: time
  },
  form_hooks: {
    id: [["'x'", "id = 'hok_1'", "chained_records_are_kept"]],
    organization_id: [["'x'", "id = 'hok_1'", "hooks_are_sound"]],
    mode: [["'x'", "id = 'hok_1'", "hooks_are_sound"]],
    connection_id: [["'con_other'", "true", "hooks_are_sound"]],
    name: [["'x'", "id = 'hok_1'", "records_are_chained"]],
    success_url: [["'x'", "id = 'hok_1'", "hooks_are_sound"]],
    fail_url: [["'x'", "id = 'hok_1'", "hooks_are_sound"]],
    status: [["'x'", "id = 'hok_1'", "hooks_are_sound"]],
    created_at: [["coalesce(created_at, 0) + 1", "id = 'hok_1'", "records_are_chained"]],
    updated_at: [["coalesce(updated_at, 0) + 1", "id = 'hok_1'", "records_are_chained"]],
    version: [["-1", "id = 'hok_1'", "hooks_are_sound"]],
    removed_at: [["coalesce(removed_at, 0) + 1", "id = 'hok_1'", "records_are_chained"]],
    allowed_origins: [["'https://x.kz'", "id = 'hok_1'", "records_are_chained"]],
    honeypot: [["'x'", "id = 'hok_1'", "records_are_chained"]],
    caught: [["-1", "id = 'hok_1'", "hooks_are_sound"]]
  },
  login_challenges: {
    id: brief,
    phone: [["'x'", "id = 'chl_1'", "login_challenges_are_sound"]],
    channel: brief,
    digest: brief,
    digest_key: brief,
    address_digest: brief,
    tries: [["-1", "id = 'chl_1'", "login_challenges_are_sound"]],
    created_at: [["-1", "id = 'chl_1'", "login_challenges_are_sound"]],
    expires_at: [["9999999999999", "id = 'chl_1'", "login_challenges_are_sound"]],
    used_at: brief
  },
  sessions: {
    id: brief,
    account_id: [["'x'", "id = 'ses_1'", "sessions_are_sound"]],
    digest: [["'x'", "id = 'ses_1'", "sessions_are_sound"]],
    address: brief,
    user_agent: brief,
    created_at: [["-1", "id = 'ses_1'", "sessions_are_sound"]],
    seen_at: [["9999999999999", "id = 'ses_1'", "sessions_are_sound"]],
    idle_at: [["9999999999999", "id = 'ses_1'", "sessions_are_sound"]],
    expires_at: [["-1", "id = 'ses_1'", "sessions_are_sound"]],
    revoked_at: brief,
    fresh_until: brief
  }
}
