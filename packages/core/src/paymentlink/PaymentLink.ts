/** Payment links: public addresses at which any visitor may have an invoice made. Instants are epoch milliseconds. */
import { Schema } from "effect"
import type { LinkTotals } from "../invoice/changes/LinkShare.ts"
import type { NamedPicture } from "../picture/Picture.ts"
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
  /** Of what is paid for, shown on its page. */
  readonly picture: NamedPicture | null
  /** Null: the customer types it. */
  readonly amount: Tiyn | null
  /** What customers may type at least and at most; null: what an invoice may be of. */
  readonly minAmount: Tiyn | null
  readonly maxAmount: Tiyn | null
  /** Amounts that are offered where the customer types one. */
  readonly presets: ReadonlyArray<Tiyn>
  readonly fields: AskedFields
  /** Shown to who has paid. */
  readonly thankYou: string | null
  /** How many payments it takes in all; null: any number. */
  readonly maxPayments: number | null
  /** It makes invoices from then on, and until then; null: without a bound. */
  readonly opensAt: number | null
  readonly closesAt: number | null
  readonly successUrl: string | null
  readonly failUrl: string | null
  readonly status: LinkStatus
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
  /** Kept by the storage with each change of its invoices. */
  readonly totals: LinkTotals
}

/** Whether customers are asked for something. */
export const Ask = Schema.Literals(["off", "optional", "required"])
/** See the schema of the same name. */
export type Ask = typeof Ask.Type

/** The fields that a merchant may ask for. */
export const askable = ["name", "phone", "email", "comment"] as const

/** Of each whether customers are asked for it. */
export type AskedFields = Readonly<Record<(typeof askable)[number], Ask>>

/** Nothing. */
export const asksNothing: AskedFields = { name: "off", phone: "off", email: "off", comment: "off" }

/** What a link may have. Places are counted under its lock for each code: ten thousand take some milliseconds. */
export const linkBounds = { presets: 6, thankYou: 500, comment: 300, maxPayments: 10_000 } as const

/** Why a link cannot be paid at an instant, as the code says; null: it can. Pure. */
export const obstacleOf = (
  { status, opensAt, closesAt, maxPayments, totals }: PaymentLink,
  now: number
): "link_paused" | "link_not_open" | "link_closed" | "link_sold_out" | null => {
  if (closesAt !== null && now >= closesAt) return "link_closed"
  if (status === "paused") return "link_paused"
  if (opensAt !== null && now < opensAt) return "link_not_open"
  return maxPayments !== null && totals.held >= maxPayments ? "link_sold_out" : null
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
