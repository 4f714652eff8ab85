/** Accounts, organizations, memberships and keys as rows. */
import type { Account, ApiKey, KeyScope, Membership, Organization } from "@tolem/core/merchant/Merchant"
import { type RowOf, table } from "../base/Table.ts"

/** The table of accounts. */
export const accountTable = table<Account>("accounts")({
  id: "text",
  phone: "text",
  name: "text",
  email: "text",
  status: "text",
  referralCode: "text",
  createdAt: "bigint"
})

/** A row of the table of accounts. */
export type AccountRow = RowOf<typeof accountTable>

/** An organization, and the key under which a partner has opened it, or the application's own name of it. */
export type OpenedOrganization = Organization & {
  readonly idempotencyKey: string | null
  readonly externalKey: string | null
}

/** The table of organizations. */
export const organizationTable = table<Organization, OpenedOrganization>("organizations")(
  {
    id: "text",
    name: "text",
    legalName: "text",
    idn: "text",
    mode: "text",
    tariff: "text",
    tariffUntil: "bigint",
    status: "text",
    ownerId: "text",
    referredBy: "text",
    partnerId: "text",
    createdAt: "bigint"
  },
  {
    idempotency_key: { type: "text", of: ({ idempotencyKey }: OpenedOrganization) => idempotencyKey },
    external_key: { type: "text", of: ({ externalKey }: OpenedOrganization) => externalKey }
  }
)

/** A row of the table of organizations. */
export type OrganizationRow = RowOf<typeof organizationTable>

/** The table of memberships. */
export const membershipTable = table<Membership>("memberships")({
  organizationId: "text",
  accountId: "text",
  role: "text",
  createdAt: "bigint"
})

/** The table of keys. */
export const apiKeyTable = table<ApiKey>("api_keys")({
  id: "text",
  organizationId: "text",
  mode: "text",
  name: "text",
  // Separated by spaces, as in OAuth.
  scopes: {
    type: "text",
    encode: (scopes): string => scopes.join(" "),
    decode: (stored: string) => (stored === "" ? [] : (stored.split(" ") as Array<KeyScope>))
  },
  connectionId: "text",
  digest: "text",
  lastCharacters: "text",
  createdAt: "bigint",
  lastUsedAt: "bigint"
})

/** A row of the table of keys. */
export type ApiKeyRow = RowOf<typeof apiKeyTable>
