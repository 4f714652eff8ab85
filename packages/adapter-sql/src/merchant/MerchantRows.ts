/** Accounts, organizations, memberships and keys as rows. */
import type {
  Account,
  ApiKey,
  KeyScope,
  Membership,
  MemberTerms,
  Organization,
  Role
} from "@tolem/core/merchant/Merchant"
import type { ConnectionId } from "@tolem/core/value/Ids"
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
    external_key: { type: "text", of: ({ externalKey }: OpenedOrganization) => externalKey },
    // Those of the profile, which `ProfileStore` reads and writes.
    face: { type: "text", of: null },
    logo: { type: "text", of: null },
    version: { type: "bigint", of: null }
  }
)

/** A row of the table of organizations. */
export type OrganizationRow = RowOf<typeof organizationTable>

/** Cashiers, separated by spaces. Null is none: so rows of before are as they were. */
export const connectionIdsColumn = {
  type: "text",
  encode: (connectionIds: ReadonlyArray<ConnectionId>): string | null =>
    connectionIds.length === 0 ? null : connectionIds.join(" "),
  decode: (stored: string | null): ReadonlyArray<ConnectionId> => (stored === null ? [] : stored.split(" "))
} as const

/** The table of memberships. */
export const membershipTable = table<Membership & MemberTerms>("memberships")({
  organizationId: "text",
  accountId: "text",
  // What earlier versions called an operator was let in as a developer is.
  role: { type: "text", encode: (role): string => role, decode: (stored: string) => roleOf(stored) },
  createdAt: "bigint",
  connectionIds: connectionIdsColumn,
  refundLimit: "bigint"
})

/** A row of the table of memberships. */
export type MembershipRow = RowOf<typeof membershipTable>

const roleOf = (stored: string): Role => (stored === "operator" ? "developer" : (stored as Role))

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
  lastUsedAt: "bigint",
  madeBy: "text"
})

/** A row of the table of keys. */
export type ApiKeyRow = RowOf<typeof apiKeyTable>
