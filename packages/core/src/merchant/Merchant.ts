/** Merchants: accounts of people, their organizations, and the keys that act for an organization. */
import { Schema } from "effect"
import type { Mode } from "../Mode.ts"

/** A person, known by phone (`7XXXXXXXXXX`). */
export interface Account {
  readonly id: string
  readonly phone: string
  readonly name: string | null
  readonly status: "active" | "blocked"
  readonly createdAt: number
}

/** A merchant's business. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly legalName: string | null
  /** Business or individual identification number. */
  readonly idn: string | null
  /** Code of the tariff in force. */
  readonly tariff: string
  readonly status: "active" | "archived"
  readonly ownerId: string
  readonly createdAt: number
}

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
  readonly id: string
  readonly organizationId: string
  readonly mode: Mode
  readonly name: string
  readonly scopes: ReadonlyArray<KeyScope>
  /** The cashier it is bound to; null: not bound. */
  readonly connectionId: string | null
  /** SHA-256 of the key's text, hexadecimal. */
  readonly digest: string
  /** The last characters of the key's text, to recognise it by. */
  readonly lastCharacters: string
  readonly createdAt: number
}

/** A key with what decides whether it may act at all. */
export interface KeyHolder {
  readonly key: ApiKey
  readonly organizationStatus: Organization["status"]
  readonly ownerStatus: Account["status"]
}
