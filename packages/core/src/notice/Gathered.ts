/** What has gathered for a member since the last message: sums and counts, and the first things by name. Pure. */
import type { AttentionKind } from "../attention/Attention.ts"
import type { Cursor } from "../feed/Cursor.ts"
import type { FeedEntry } from "../feed/FeedStore.ts"
import { add, Tiyn, zero } from "../value/Money.ts"
import type { NoticeKind } from "./NoticeKinds.ts"

/** How many payments, and how much they are. */
export interface Tally {
  readonly count: number
  readonly sum: Tiyn
}

/** A payment that is told by itself. `name`: the merchant's own number of the order. */
export interface ToldPayment {
  readonly isLate: boolean
  readonly amount: Tiyn
  readonly name: string | null
}

/** What troubles there are beside those that need attention. */
export type TroubleKind = Exclude<AttentionKind, "late_money"> | "reconciliation_difference"

/** A trouble that is told. `key` is the same for as long as it goes on. */
export interface Trouble {
  readonly key: string
  readonly kind: TroubleKind
  /** What it is about, as the merchant calls it; of days, the day. */
  readonly name: string | null
}

/** What may have been told, and is not told again but by its numbers. */
export interface Doubt extends Tally {
  readonly troubles: number
}

/** What waits to be told. */
export interface Gathered {
  /** Where the feed stood before the first of it; null: nothing of the feed has gathered. */
  readonly from: Cursor | null
  /** As what the member saw it. */
  readonly standing: string | null
  readonly paid: Tally
  readonly late: Tally
  /** The first of both. */
  readonly payments: ReadonlyArray<ToldPayment>
  readonly troubles: ReadonlyArray<Trouble>
  readonly doubt: Doubt | null
  /** The member has asked for a message to see whether it arrives. */
  readonly isTest: boolean
}

const none: Tally = { count: 0, sum: zero }

/** Nothing waits. */
export const nothingGathered: Gathered = {
  from: null,
  standing: null,
  paid: none,
  late: none,
  payments: [],
  troubles: [],
  doubt: null,
  isTest: false
}

/** Payments that are told by themselves; of more there are counts and sums. */
const maxPayments = 5
/** Troubles that are told at once. Attention shows as many of a kind. */
const maxTroubles = 40

const kindOfTrouble: Readonly<Record<TroubleKind, NoticeKind>> = {
  cashier_session_lost: "cashiers",
  endpoint_paused: "webhooks",
  delivery_given_up: "webhooks",
  refund_unknown: "refunds",
  subscription_stuck: "subscriptions",
  tariff_ended: "tariff",
  quota_low: "tariff",
  quota_used_up: "tariff",
  reconciliation_difference: "reconciliation"
}

/** Whether nothing but the tariff is told of: its screen then says more than the overview. */
export const isOfTariff = ({ paid, late, troubles, doubt, isTest }: Gathered): boolean =>
  troubles.length > 0 &&
  troubles.every(({ kind }) => kindOfTrouble[kind] === "tariff") &&
  paid.count + late.count === 0 &&
  doubt === null &&
  !isTest

const maxSum = Number.MAX_SAFE_INTEGER

const more = ({ count, sum }: Tally, amount: Tiyn): Tally => ({
  count: count + 1,
  sum: Tiyn(Math.min(maxSum, add(sum, amount)))
})

/** Which payments a member wishes to be told of. */
export interface PaymentWish {
  readonly kinds: ReadonlyArray<NoticeKind>
  readonly minimum: Tiyn | null
}

/** With a payment that the member sees, if they wish to be told of it; other events leave it as it is. */
export const withEntry = (gathered: Gathered, wish: PaymentWish, { event, invoice }: FeedEntry): Gathered => {
  if (event.type !== "invoice.paid") return gathered
  const { kinds, minimum } = wish
  const isLate = event.late && kinds.includes("late")
  if (!isLate && !(kinds.includes("paid") && invoice.amount >= (minimum ?? 0))) return gathered
  const payment: ToldPayment = { isLate, amount: invoice.amount, name: invoice.externalOrderId }
  const payments = gathered.payments.length < maxPayments ? [...gathered.payments, payment] : gathered.payments
  return isLate
    ? { ...gathered, payments, late: more(gathered.late, invoice.amount) }
    : { ...gathered, payments, paid: more(gathered.paid, invoice.amount) }
}

/** The troubles of now, and the kinds of which more go on than are named. */
export interface TroublesNow {
  readonly troubles: ReadonlyArray<Trouble>
  readonly crowded: ReadonlyArray<TroubleKind>
}

/** What has gathered, and which troubles go on. */
export interface Troubled {
  readonly gathered: Gathered
  readonly going: ReadonlyArray<string>
}

/** Keys that are remembered: all that attention can name, and as many that it does not name for now. */
const maxGoing = 400

/**
 * With the troubles that have begun since the last look, each once; those that ended before they were told are no news
 * any more. `going` null: what goes on at the first look is known to the member, who sees it in the cabinet.
 */
export const withTroubles = (
  gathered: Gathered,
  going: ReadonlyArray<string> | null,
  kinds: ReadonlyArray<NoticeKind>,
  now: TroublesNow
): Troubled => {
  const keys = new Set(now.troubles.map(({ key }) => key))
  // Of a kind of which more go on than are named, one that is not named may go on as well.
  const isCrowded = (key: string) => now.crowded.some((kind) => key.startsWith(`${kind} `))
  const lasting = (going ?? []).filter((key) => keys.has(key) || isCrowded(key))
  const known = new Set(lasting)
  const begun = going === null ? [] : now.troubles.filter(({ key }) => !known.has(key))
  const told = begun.filter(({ kind }) => kinds.includes(kindOfTrouble[kind]))
  const waiting = gathered.troubles.filter(({ key }) => keys.has(key) || isCrowded(key))
  const next = [...new Set([...now.troubles.map(({ key }) => key), ...lasting])].slice(0, maxGoing)
  return { gathered: { ...gathered, troubles: [...waiting, ...told].slice(0, maxTroubles) }, going: next }
}

/** What is left of a message that may have arrived: its numbers, to be told with the next one. */
export const doubted = ({ paid, late, troubles, doubt }: Gathered): Gathered => ({
  ...nothingGathered,
  doubt:
    paid.count + late.count + troubles.length === 0 && doubt === null
      ? null
      : {
          count: paid.count + late.count + (doubt?.count ?? 0),
          sum: Tiyn(Math.min(maxSum, paid.sum + late.sum + (doubt?.sum ?? 0))),
          troubles: troubles.length + (doubt?.troubles ?? 0)
        }
})
