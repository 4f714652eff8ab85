/** Keys, people and memberships as answers show them. Pure. */
import { Redacted } from "effect"
import { toIso } from "../value/Calendar.ts"
import type { Member, MembershipView } from "./DirectoryStore.ts"
import type { Account, ApiKey } from "./Merchant.ts"
import type { NewKey } from "./Organizations.ts"

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

/** A key as its maker gets it, once with its text. */
export const newKeyJson = ({ key, text }: NewKey) => {
  const { connectionId: _, ...shown } = keyJson(key)
  return { ...shown, apiKey: Redacted.value(text) }
}

/** The keys of an organization. */
export const keysJson = (keys: ReadonlyArray<ApiKey>) => ({ keys: keys.map(keyJson) })

/** A person's account, for those who run the platform. */
export const accountEntryJson = ({ createdAt, ...account }: Account) => ({ ...account, createdAt: toIso(createdAt) })

/** A member of an organization, for the organization and for those who run the platform. */
export const memberJson = ({ account: { id, phone, name, email }, role }: Member) => ({
  accountId: id,
  phone,
  name,
  email,
  role
})
