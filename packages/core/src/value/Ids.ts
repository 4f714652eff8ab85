/**
 * Identifiers that sort by time: 48 bits of milliseconds, then 80 random bits, in Crockford's base 32, lower case.
 * Rows are appended to their index, pages by (created, id) are ranges, and a neighbour's identifier cannot be guessed.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** What an identifier names, as its prefix. */
export type Prefix =
  | "aud"
  | "trf"
  | "ern"
  | "chl"
  | "ses"
  | "con"
  | "prc"
  | "sub"
  | "mai"
  | "inv"
  | "evt"
  | "ref"
  | "org"
  | "acc"
  | "key"
  | "whe"
  | "dlv"
  | "att"
  | "lnk"
  | "hok"
  | "rct"
  | "ivt"
  | "wki"
  | "srv"
  | "pay"

declare const kind: unique symbol

/**
 * An identifier of one kind, by its prefix. Two kinds are not assignable to one another. Any text is assignable to
 * each: what an identifier names is found out by looking it up, and a wrong one is simply not found.
 */
export type Id<Kind extends Prefix> = string & { readonly [kind]?: Kind }

/** Of a person who logs in. */
export type AccountId = Id<"acc">
/** Of a key, which is not its secret. */
export type ApiKeyId = Id<"key">
/** Of a line of the audit log. */
export type AuditId = Id<"aud">
/** Of one login by code. */
export type ChallengeId = Id<"chl">
/** Of a cashier. */
export type ConnectionId = Id<"con">
/** Of one event on its way to one address. */
export type DeliveryId = Id<"dlv">
/** Of a referrer's share of a payment. */
export type EarningId = Id<"ern">
/** Of an address that events are sent to. */
export type EndpointId = Id<"whe">
/** Of an event; the same in every delivery of it. */
export type EventId = Id<"evt">
/** Of a form hook. */
export type FormHookId = Id<"hok">
/** Of an invoice. */
export type InvoiceId = Id<"inv">
/** Of an invitation of a phone to an organization. */
export type InvitationId = Id<"ivt">
/** Of one login of a cashier at the provider. */
export type LoginProcessId = Id<"prc">
/** Of a letter. */
export type MailId = Id<"mai">
/** Of a merchant, and of a partner. */
export type OrganizationId = Id<"org">
/** Of what a referrer was paid at once. */
export type PayoutId = Id<"pay">
/** Of a payment link. */
export type PaymentLinkId = Id<"lnk">
/** Of a refund. */
export type RefundId = Id<"ref">
/** Of a session, which is not its token. */
export type SessionId = Id<"ses">
/** Of a subscription. */
export type SubscriptionId = Id<"sub">
/** Of a difference that a person has to look at. */
export type WorkItemId = Id<"wki">
/** Of a server, from its start to its end. */
export type ServerId = Id<"srv">
/** Of an order of a tariff. */
export type TariffOrderId = Id<"trf">

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Identifier of 26 characters from an instant (milliseconds) and ten random bytes. Pure. */
export const encode = <Kind extends Prefix>(prefix: Kind, atMs: number, random: Uint8Array): Id<Kind> => {
  let time = ""
  for (let rest = atMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet.charAt(rest % 32) + time
  let tail = ""
  for (let i = 0, bits = 0, buffer = 0; i < 10; i++) {
    buffer = ((buffer << 8) | (random[i] ?? 0)) & 0x1fff
    for (bits += 8; bits >= 5; bits -= 5) tail += alphabet.charAt((buffer >>> (bits - 5)) & 31)
  }
  return `${prefix}_${time}${tail}`
}

/** When an identifier was made, milliseconds; undefined if the text is none of ours. Pure. */
export const timeOf = (id: string): number | undefined => {
  const [, time] = /^[a-z]{3}_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/.exec(id) ?? []
  return time === undefined ? undefined : [...time].reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit), 0)
}

/** The 128 bits of an identifier as 32 hexadecimal digits; undefined if the text is none of ours. Pure. */
export const hexOf = (id: string): string | undefined => {
  const [, digits] = /^[a-z]{3}_([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(id) ?? []
  if (digits === undefined) return undefined
  let bits = 0n
  for (const digit of digits) bits = bits * 32n + BigInt(alphabet.indexOf(digit))
  return bits.toString(16).padStart(32, "0")
}

const bytesPerId = 10
const idsPerDraw = 256

/** Makes identifiers from the clock and the random-bytes port. Never repeats one. */
export class Ids extends Context.Service<
  Ids,
  {
    readonly next: <Kind extends Prefix>(prefix: Kind) => Effect.Effect<Id<Kind>>
  }
>()("@tolem/core/Ids") {
  /** Draws random bytes in blocks; every identifier has 80 fresh bits of them. */
  static readonly layer: Layer.Layer<Ids, never, SecureRandom.SecureRandom> = Layer.effect(
    Ids,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      let block = new Uint8Array(0)
      let used = 0
      const next = Effect.fnUntraced(function* <Kind extends Prefix>(prefix: Kind) {
        while (used + bytesPerId > block.length) {
          const drawn = yield* random.randomBytes(bytesPerId * idsPerDraw)
          block = new Uint8Array(drawn)
          used = 0
        }
        const bytes = block.subarray(used, used + bytesPerId)
        used += bytesPerId
        const now = yield* Clock.currentTimeMillis
        return encode(prefix, now, bytes)
      })
      return { next }
    })
  )
}
