/** A subscription as it is typed: what of it is wrong, and what is sent of it. Pure. */
import { isoDay, minute } from "@tolem/http-server/pages/Formats"
import type { Request } from "../../api/Contract.ts"
import { phoneDigits, phoneText } from "../../login/PhoneText.ts"
import { amountOf, amountText } from "../../parts/AmountText.ts"
import type { SubscriptionField } from "../../texts/SubscriptionsTexts.ts"
import type { ShownSubscription } from "./Subscription.ts"
import { faultOfPairs, metadataOfPairs, type PairFault, type TypedPair, typedPairs } from "./TypedMetadata.ts"

/** What the server takes of a new one. */
export type SubscriptionBody = Request<"POST /panel/orgs/:organizationId/subscriptions">["body"]

/** What it takes of a change. */
export type SubscriptionChange = Request<"PATCH /panel/orgs/:organizationId/subscriptions/:id">["body"]

/** Every field as it is shown. */
export interface TypedSubscription extends Readonly<Record<SubscriptionField, string>> {
  readonly kind: "qr" | "phone"
  readonly interval: "day" | "week" | "month"
  readonly misfire: ShownSubscription["misfire"]
  readonly metadata: ReadonlyArray<TypedPair>
  /** The id of a cashier; empty: the default one. */
  readonly connectionId: string
}

/** What is wrong with a field before anything is sent. */
export interface TypedFault {
  readonly field: SubscriptionField
  readonly kind: "amount" | "phone" | "whole"
}

/** A subscription as its form begins; null: a new one. */
export const typedSubscription = (subscription: ShownSubscription | null): TypedSubscription => ({
  amount: subscription === null ? "" : amountText(String(subscription.amount)),
  description: subscription?.description ?? "",
  kind: subscription?.kind ?? "qr",
  name: subscription?.customer?.name ?? "",
  phone: phoneText(phoneDigits(subscription?.customer?.phone ?? "")),
  email: subscription?.customer?.email ?? "",
  interval: subscription?.interval ?? "month",
  every: String(subscription?.every ?? 1),
  dayOfMonth: numberText(subscription?.dayOfMonth),
  startAt: "",
  nextRunAt: subscription === null ? "" : clockText(Date.parse(subscription.nextRunAt)),
  maxRuns: numberText(subscription?.maxRuns),
  retry: subscription?.retry.join(", ") ?? "",
  misfire: subscription?.misfire ?? "run_once",
  metadata: typedPairs(subscription?.metadata ?? null),
  connectionId: subscription?.connectionId ?? ""
})

const numberText = (number: number | null | undefined): string => (typeof number === "number" ? String(number) : "")

// A field of the browser has no zone: it shows the clock of Almaty.
const clockText = (at: number): string => `${isoDay(at)}T${minute(at)}`

const instantIn = (clock: string): string | null => (clock === "" ? null : `${clock}:00+05:00`)

const textOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

const wholeForm = /^\d{1,9}$/

const hoursIn = (typed: string): ReadonlyArray<string> => typed.split(/[\s,;]+/).filter((part) => part !== "")

const wholeFields = ["every", "dayOfMonth", "maxRuns"] as const

/** The first thing that is wrong. */
export const faultOfTyped = (typed: TypedSubscription): TypedFault | PairFault | null => {
  if (amountOf(typed.amount) === null) return { field: "amount", kind: "amount" }
  const digits = phoneDigits(typed.phone).length
  if (digits < 10 && (digits > 0 || typed.kind === "phone")) return { field: "phone", kind: "phone" }
  return scheduleFault(typed) ?? faultOfPairs(typed.metadata)
}

/** The first number that is none, of those that dates and tries come from. */
export const scheduleFault = (typed: TypedSubscription): TypedFault | null => {
  const wrong = wholeFields.find((field) => !isWholeOrEmpty(typed, field))
  if (wrong !== undefined) return { field: wrong, kind: "whole" }
  return hoursIn(typed.retry).every((part) => wholeForm.test(part)) ? null : { field: "retry", kind: "whole" }
}

const isWholeOrEmpty = ({ interval, ...typed }: TypedSubscription, field: (typeof wholeFields)[number]): boolean => {
  if (field === "dayOfMonth" && interval !== "month") return true
  return wholeForm.test(typed[field].trim()) || (field !== "every" && typed[field].trim() === "")
}

const wholeOrNull = (text: string): number | null => (text.trim() === "" ? null : Number(text))

const scheduleIn = ({ interval, every, dayOfMonth, maxRuns }: TypedSubscription) => ({
  interval,
  every: Number(every),
  dayOfMonth: interval === "month" ? wholeOrNull(dayOfMonth) : null,
  maxRuns: wholeOrNull(maxRuns)
})

const bodyIn = (typed: TypedSubscription) => {
  const digits = phoneDigits(typed.phone)
  return {
    amount: amountOf(typed.amount) ?? 0,
    description: textOrNull(typed.description),
    kind: typed.kind,
    customer: {
      name: textOrNull(typed.name),
      phone: digits === "" ? null : `7${digits}`,
      email: textOrNull(typed.email)
    },
    ...scheduleIn(typed),
    retry: hoursIn(typed.retry).map(Number),
    misfire: typed.misfire,
    metadata: metadataOfPairs(typed.metadata)
  }
}

/** The schedule of a new one, whose dates are shown before it is made. */
export const scheduleOfTyped = (typed: TypedSubscription) => ({
  ...scheduleIn(typed),
  startAt: instantIn(typed.startAt)
})

/** A new subscription. */
export const creationOfTyped = (typed: TypedSubscription): SubscriptionBody => ({
  ...bodyIn(typed),
  startAt: instantIn(typed.startAt),
  ...(typed.connectionId !== "" && { connectionId: typed.connectionId })
})

/** What differs from what was read, so that two people at once do not undo each other's work. */
export const changesOfTyped = (before: TypedSubscription, after: TypedSubscription): SubscriptionChange => {
  const [old, now] = [before, after].map((typed) => ({ ...bodyIn(typed), nextRunAt: instantIn(typed.nextRunAt) }))
  return differing(old ?? {}, now ?? {})
}

/** The same of its dates alone. */
export const scheduleChanges = (before: TypedSubscription, after: TypedSubscription): SubscriptionChange => {
  const [old, now] = [before, after].map((typed) => ({ ...scheduleIn(typed), nextRunAt: instantIn(typed.nextRunAt) }))
  return differing(old ?? {}, now ?? {})
}

const differing = (old: SubscriptionChange, now: SubscriptionChange): SubscriptionChange =>
  Object.fromEntries(
    (Object.keys(now) as ReadonlyArray<keyof SubscriptionChange>)
      .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
      .map((name) => [name, now[name]])
  )

/** Which field a refusal is about; undefined: none, or the form as a whole. */
export const fieldRefused = (code: string): SubscriptionField | "metadata" | undefined => refusedFields[code]

const refusedFields: Readonly<Record<string, SubscriptionField | "metadata">> = {
  invalid_amount: "amount",
  amount_too_small: "amount",
  amount_too_large: "amount",
  amount_must_be_whole_tenge: "amount",
  invalid_description: "description",
  invalid_customer: "name",
  phone_required: "phone",
  invalid_phone: "phone",
  invalid_email: "email",
  invalid_every: "every",
  invalid_day_of_month: "dayOfMonth",
  invalid_start_at: "startAt",
  invalid_next_run_at: "nextRunAt",
  invalid_max_runs: "maxRuns",
  invalid_retry: "retry",
  invalid_metadata: "metadata"
}
