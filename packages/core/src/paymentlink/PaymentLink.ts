/** Payment links: public addresses at which any visitor may have an invoice made. Instants are epoch milliseconds. */
import { Schema } from "effect"
import type { ConnectionId, OrganizationId, PaymentLinkId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Tiyn } from "../value/Money.ts"

/** `paused`: the merchant takes no payments there for now. */
export const LinkStatus = Schema.Literals(["active", "paused"])
/** See the schema of the same name. */
export type LinkStatus = typeof LinkStatus.Type

/** A payment link of an organization. */
export interface PaymentLink {
  readonly id: PaymentLinkId
  readonly organizationId: OrganizationId
  readonly mode: Mode
  /** The cashier that its live invoices go through; null: the organization's default one. */
  readonly connectionId: ConnectionId | null
  /** The end of its address, which no other link of the service has. */
  readonly slug: string
  readonly title: string
  readonly description: string | null
  /** Null: the customer types it. */
  readonly amount: Tiyn | null
  readonly successUrl: string | null
  readonly failUrl: string | null
  readonly status: LinkStatus
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
}

/** The end of an address of a link. */
export const slugForm = /^[a-z0-9-]{3,64}$/

/** Whether the text could be the slug of a link. */
export const isSlug = (text: string): boolean => slugForm.test(text)

/** Random bytes that a made-up slug takes: 80 random bits, as many as an identifier has. */
export const slugBytes = 16

/** A slug of one character, of 32 without look-alikes, for each of the random bytes. */
export const slugOf = (random: Uint8Array): string =>
  Array.from(random, (byte) => slugAlphabet.charAt(byte & 31)).join("")

const slugAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"
