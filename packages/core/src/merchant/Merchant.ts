/** Merchants: accounts of people, their organizations, and the keys that act for an organization. */
import { Schema } from "effect"
import type { AccountId, ApiKeyId, ConnectionId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Tiyn } from "../value/Money.ts"

/** A person, known by phone (`7XXXXXXXXXX`). */
export interface Account {
  readonly id: AccountId
  readonly phone: string
  readonly name: string | null
  /** As the operator has noted it: letters of the person's sandboxes may go there. */
  readonly email: string | null
  readonly status: "active" | "blocked"
  /** The code by which merchants name the person who has brought them. Unique. */
  readonly referralCode: string
  readonly createdAt: number
}

/** The referral code of an account: the last characters of its id, which are random. */
export const referralCodeOf = (accountId: AccountId): string => accountId.slice(-referralCodeLength)

const referralCodeLength = 10

/** What a person is for an organization; `Permission` says what each may do. Those who run the platform have none. */
export const Role = Schema.Literals(["owner", "manager", "accountant", "cashier", "developer"])
/** See the schema of the same name. */
export type Role = typeof Role.Type

/** What a member can be made besides the owner. */
export type GivenRole = Exclude<Role, "owner">

/** A person's part in an organization. */
export interface Membership {
  readonly organizationId: OrganizationId
  readonly accountId: AccountId
  readonly role: Role
  readonly createdAt: number
}

/** What a member is given; it counts for those whose role reaches no further. */
export interface MemberTerms {
  /** Cashiers whose invoices they make and see. */
  readonly connectionIds: ReadonlyArray<ConnectionId>
  /** The most that one refund of theirs may give back; null: they may refund nothing. */
  readonly refundLimit: Tiyn | null
}

/** Nothing is given. */
export const noTerms: MemberTerms = { connectionIds: [], refundLimit: null }

/** A merchant's business. */
export interface Organization {
  readonly id: OrganizationId
  readonly name: string
  readonly legalName: string | null
  /** Business or individual identification number. */
  readonly idn: string | null
  /** In which of the two worlds it works now; its keys are of one mode each, whatever this is. */
  readonly mode: Mode
  /** Code of the tariff, of the settings' catalogue. */
  readonly tariff: string
  /** When the tariff ends; null: not by itself. */
  readonly tariffUntil: number | null
  readonly status: "active" | "archived"
  readonly ownerId: AccountId
  /** The referrer's account, which earns a share of its tariff payments; null without a referrer. */
  readonly referredBy: string | null
  /** The organization that opened it as its client; null: none. */
  readonly partnerId: OrganizationId | null
  readonly createdAt: number
}

/** An organization, and whether its owner may act. */
export interface OwnedOrganization {
  readonly organization: Organization
  readonly ownerStatus: Account["status"]
}

/** Whether an organization may act and be paid. */
export const isInForce = ({ organization, ownerStatus }: OwnedOrganization): boolean =>
  organization.status === "active" && ownerStatus === "active"

/** What a key may do. */
export const KeyScope = Schema.Literals([
  "invoices:read",
  "invoices:write",
  "refunds:write",
  "subscriptions:manage",
  "webhooks:manage",
  "partner:manage"
])
/** See the schema of the same name. */
export type KeyScope = typeof KeyScope.Type

/** A key as it is stored: its digest, never its text. */
export interface ApiKey {
  readonly id: ApiKeyId
  readonly organizationId: OrganizationId
  readonly mode: Mode
  readonly name: string
  readonly scopes: ReadonlyArray<KeyScope>
  /** The cashier it is bound to; null: not bound. */
  readonly connectionId: ConnectionId | null
  /** SHA-256 of the key's text, hexadecimal. */
  readonly digest: string
  /** The last characters of the key's text, to recognise it by. */
  readonly lastCharacters: string
  readonly createdAt: number
  /** When it was last used, to the minute; null: never. */
  readonly lastUsedAt: number | null
  /** The person who has made it in the cabinet; null: another way, or before that was noted. */
  readonly madeBy: AccountId | null
}

/** A use of a key. */
export interface KeyUse {
  readonly keyId: ApiKeyId
  /** A whole minute, as an instant. */
  readonly usedAt: number
}

/** A key with what decides whether it may act at all. */
export interface KeyHolder {
  readonly key: ApiKey
  readonly organizationStatus: Organization["status"]
  readonly ownerStatus: Account["status"]
}
