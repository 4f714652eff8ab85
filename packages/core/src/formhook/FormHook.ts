/** Form hooks: addresses that HTML forms of merchants' own sites post to. Instants are epoch milliseconds. */
import { Schema } from "effect"
import type { ConnectionId, FormHookId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"

/** `paused`: forms are refused for now. */
export const HookStatus = Schema.Literals(["active", "paused"])
/** See the schema of the same name. */
export type HookStatus = typeof HookStatus.Type

/** A form hook of an organization. */
export interface FormHook {
  /** Also the end of its public address. */
  readonly id: FormHookId
  readonly organizationId: OrganizationId
  readonly mode: Mode
  /** The cashier that its live invoices go through; null: the organization's default one. */
  readonly connectionId: ConnectionId | null
  /** For the merchant to know it by. */
  readonly name: string
  readonly successUrl: string | null
  readonly failUrl: string | null
  readonly status: HookStatus
  /** Sites that forms may be on, as `https://shop.kz`; none: any. What browsers do not tell is not looked at. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** A field that people do not see and so leave empty; null: there is none. */
  readonly honeypot: string | null
  /** Forms that had it filled in, and so came to nothing. */
  readonly caughtCount: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
}

/** Identifiers as the `Ids` service makes them. Others never reach the storage. */
const idForm = /^hok_[0-9a-hjkmnp-tv-z]{26}$/

/** Whether the text could be the id of a hook. */
export const isHookId = (text: string): boolean => idForm.test(text)
