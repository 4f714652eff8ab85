/** Accounts, organizations and keys as rows. */
import type { Account, ApiKey, KeyScope, Organization } from "@tolem/core/merchant/Merchant"
import type { Mode } from "@tolem/core/value/Mode"

/** A row of the table of accounts. */
export interface AccountRow {
  readonly id: string
  readonly phone: string
  readonly name: string | null
  readonly email: string | null
  readonly status: Account["status"]
  readonly referral_code: string
  readonly created_at: number
}

/** The account of a row. */
export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  phone: row.phone,
  name: row.name,
  email: row.email,
  status: row.status,
  referralCode: row.referral_code,
  createdAt: row.created_at
})

/** A row of the table of organizations. */
export interface OrganizationRow {
  readonly id: string
  readonly name: string
  readonly legal_name: string | null
  readonly idn: string | null
  readonly mode: Mode
  readonly tariff: string
  readonly tariff_until: number | null
  readonly status: Organization["status"]
  readonly owner_id: string
  readonly referred_by: string | null
  readonly partner_id: string | null
  readonly created_at: number
}

/** The organization of a row. */
export const toOrganization = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  legalName: row.legal_name,
  idn: row.idn,
  mode: row.mode,
  tariff: row.tariff,
  tariffUntil: row.tariff_until,
  status: row.status,
  ownerId: row.owner_id,
  referredBy: row.referred_by,
  partnerId: row.partner_id,
  createdAt: row.created_at
})

/** A row of the table of keys. */
export interface ApiKeyRow {
  readonly id: string
  readonly organization_id: string
  readonly mode: Mode
  readonly name: string
  /** Separated by spaces, as in OAuth. */
  readonly scopes: string
  readonly connection_id: string | null
  readonly digest: string
  readonly last_characters: string
  readonly created_at: number
  readonly last_used_at: number | null
}

/** The key of a row. */
export const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  organizationId: row.organization_id,
  mode: row.mode,
  name: row.name,
  scopes: row.scopes === "" ? [] : (row.scopes.split(" ") as Array<KeyScope>),
  connectionId: row.connection_id,
  digest: row.digest,
  lastCharacters: row.last_characters,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at
})
