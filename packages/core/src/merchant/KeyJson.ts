/** Keys and memberships as answers show them. Pure. */
import { toIso } from "../value/Calendar.ts"
import type { MembershipView } from "./DirectoryStore.ts"
import type { ApiKey } from "./Merchant.ts"

/** A key, without what it could be used with. */
export const keyJson = ({ id, name, mode, scopes, lastCharacters, connectionId, createdAt, lastUsedAt }: ApiKey) => ({
  id,
  name,
  mode,
  scopes,
  lastCharacters,
  connectionId,
  createdAt: toIso(createdAt),
  lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt)
})

/** An organization that a person is a member of, and their role. */
export const membershipJson = ({ organization, role }: MembershipView) => ({
  organizationId: organization.id,
  name: organization.name,
  mode: organization.mode,
  status: organization.status,
  role
})
