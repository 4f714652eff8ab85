/**
 * Checks of subscription requests: a body of unknown content becomes a draft or a patch, or the catalogue code of the
 * first rule it breaks (interface specification, Subscription). Pure.
 */
import { Data, Result } from "effect"
import type { Customer, InvoiceKind } from "../invoice/Invoice.ts"
import {
  type AmountCode,
  type CustomerCode,
  type CustomerRequest,
  checkAmount,
  checkCustomer,
  checkMetadata,
  checkTiyn
} from "../invoice/InvoiceDraft.ts"
import {
  instantOf,
  isGiven,
  isObject,
  type JsonObject,
  maxIdempotencyKey,
  optionalNonEmptyText,
  optionalText
} from "../value/Checks.ts"
import type { Tiyn } from "../value/Money.ts"
import { dayOfMonthFrom, type Interval, type Rhythm } from "../value/Rhythm.ts"
import type { Misfire, Subscription, SubscriptionPatch } from "./Subscription.ts"
import type { SubscriptionSettings } from "./SubscriptionSettings.ts"

/** Members of a patch, for those who write one in TypeScript; `checkSubscriptionPatch` says what they may be. */
export type SubscriptionChanges = {
  /** In tenge. */
  readonly amount?: number | undefined
  readonly kind?: InvoiceKind | undefined
  readonly description?: string | null | undefined
  readonly customer?: CustomerRequest | null | undefined
  readonly interval?: Interval | undefined
  readonly every?: number | undefined
  readonly dayOfMonth?: number | null | undefined
  readonly nextRunAt?: string | undefined
  readonly maxRuns?: number | null | undefined
  readonly metadata?: JsonObject | null | undefined
  /** Hours after which a run that came to nothing is tried again. */
  readonly retry?: ReadonlyArray<number> | null | undefined
  readonly misfire?: Misfire | undefined
}

/** The same of a create request; see `checkSubscription`. */
export type SubscriptionCreate = Omit<SubscriptionChanges, "amount" | "nextRunAt"> & {
  /** In tenge. */
  readonly amount: number
  readonly startAt?: string | null | undefined
  readonly idempotencyKey?: string | null | undefined
}

/** What a merchant asked for, checked. */
export interface SubscriptionDraft {
  readonly amount: Tiyn
  readonly kind: InvoiceKind
  readonly description: string | null
  readonly interval: Interval
  readonly every: number
  readonly dayOfMonth: number | null
  /** The first date. */
  readonly anchorAt: number
  readonly maxRuns: number | null
  readonly customer: Customer
  /** JSON text of an object. */
  readonly metadata: string | null
  readonly retryHours: ReadonlyArray<number>
  readonly misfire: Misfire
  readonly idempotencyKey: string | null
}

/** Catalogue codes of broken rules. */
export type SubscriptionCode =
  | AmountCode
  | CustomerCode
  | "invalid_kind"
  | "invalid_description"
  | "invalid_interval"
  | "invalid_every"
  | "invalid_day_of_month"
  | "invalid_start_at"
  | "invalid_next_run_at"
  | "invalid_max_runs"
  | "invalid_metadata"
  | "invalid_retry"
  | "invalid_misfire"
  | "invalid_idempotency_key"

/** A request breaks a rule. Nothing was stored. */
export class SubscriptionRefused<C extends SubscriptionCode = SubscriptionCode> extends Data.TaggedError(
  "SubscriptionRefused"
)<{ readonly code: C }> {}

/** Why a create is refused. */
export type CreateRefused = SubscriptionRefused<Exclude<SubscriptionCode, "invalid_next_run_at">>

/** Why a patch is refused. */
export type PatchRefused = SubscriptionRefused<Exclude<SubscriptionCode, "invalid_idempotency_key">>

/** Why a schedule alone is refused. */
export type ScheduleRefused = SubscriptionRefused<
  "invalid_interval" | "invalid_every" | "invalid_day_of_month" | "invalid_start_at" | "invalid_max_runs"
>

/** The most of each member. */
export const subscriptionBounds = {
  description: 60,
  every: 12,
  dayOfMonth: 28,
  retries: 5,
  /** A year: a later try would meet the same customer's next invoices. */
  retryHours: 8760
} as const

/** What only the text or the headers of a request tell; see `InvoiceDraft`. */
export interface Sent {
  readonly rawMetadata?: string | undefined
  readonly headerKey?: string | undefined
}

/** The draft that `body` is, at the instant `now`. */
export const checkSubscription = (
  body: JsonObject,
  sent: Sent,
  now: number,
  settings: SubscriptionSettings
): Result.Result<SubscriptionDraft, CreateRefused> =>
  Result.gen(function* () {
    const kind = isGiven(body["kind"]) ? yield* checkKind(body["kind"]) : "qr"
    const interval = isGiven(body["interval"]) ? yield* checkInterval(body["interval"]) : "month"
    const amount = yield* checkAmount(body["amount"], kind, settings)
    const customer = yield* checkCustomer(body["customer"], kind)
    const description = yield* optionalText(body["description"], subscriptionBounds.description, "invalid_description")
    const { every, dayOfMonth, anchorAt } = yield* checkRhythm(body, interval, now, settings)
    const maxRuns = yield* checkMaxRuns(body["maxRuns"], 1)
    const metadata = yield* checkMetadata(body["metadata"], sent.rawMetadata, settings)
    const retryHours = isGiven(body["retry"]) ? yield* checkRetry(body["retry"]) : []
    const misfire = isGiven(body["misfire"]) ? yield* checkMisfire(body["misfire"]) : "run_once"
    const key = sent.headerKey ?? body["idempotencyKey"]
    const idempotencyKey = yield* optionalNonEmptyText(key, maxIdempotencyKey, "invalid_idempotency_key")
    const schedule = { interval, every, dayOfMonth, anchorAt, maxRuns, retryHours, misfire } as const
    return { ...schedule, amount, kind, description, customer, metadata, idempotencyKey } satisfies SubscriptionDraft
  }).pipe(Result.mapError((code) => new SubscriptionRefused({ code })))

/** The schedule alone of what would be created, at the instant `now`. */
export const checkSchedule = (
  body: JsonObject,
  now: number,
  settings: SubscriptionSettings
): Result.Result<Pick<SubscriptionDraft, keyof Rhythm | "maxRuns">, ScheduleRefused> =>
  Result.gen(function* () {
    const interval = isGiven(body["interval"]) ? yield* checkInterval(body["interval"]) : "month"
    const rhythm = yield* checkRhythm(body, interval, now, settings)
    return { interval, ...rhythm, maxRuns: yield* checkMaxRuns(body["maxRuns"], 1) }
  }).pipe(Result.mapError((code) => new SubscriptionRefused({ code })))

const checkRhythm = (body: JsonObject, interval: Interval, now: number, settings: SubscriptionSettings) =>
  Result.gen(function* () {
    const every = isGiven(body["every"]) ? yield* checkEvery(body["every"]) : 1
    const dayOfMonth = yield* checkDayOfMonth(body["dayOfMonth"], interval)
    const startAt = isGiven(body["startAt"])
      ? yield* checkInstant(body["startAt"], now, settings, "invalid_start_at")
      : now
    return { every, dayOfMonth, anchorAt: dayOfMonth === null ? startAt : dayOfMonthFrom(dayOfMonth, startAt) }
  })

/** The patch that `body` is for this subscription, at the instant `now`. Only members that were sent are in it. */
export const checkSubscriptionPatch = (
  subscription: Subscription,
  body: JsonObject,
  sent: Sent,
  now: number,
  settings: SubscriptionSettings
): Result.Result<SubscriptionPatch, PatchRefused> =>
  Result.gen(function* () {
    const has = (name: string) => body[name] !== undefined
    const kind = has("kind") ? yield* checkKind(body["kind"]) : subscription.kind
    const interval = has("interval") ? yield* checkInterval(body["interval"]) : subscription.interval
    // What is left as it was must suit what changes.
    const amount = has("amount")
      ? yield* checkAmount(body["amount"], kind, settings)
      : yield* checkTiyn(subscription.amount, kind, settings)
    const customer = yield* checkCustomer(customerAfter(subscription.customer, body["customer"]), kind)
    const day = has("dayOfMonth") || interval === "month" ? body["dayOfMonth"] : null
    const dayOfMonth = yield* checkDayOfMonth(day === undefined ? subscription.dayOfMonth : day, interval)
    const description = yield* optionalText(body["description"], subscriptionBounds.description, "invalid_description")
    const nextRunAt = yield* checkNextRunAt(subscription, body, now, settings)
    return {
      ...(has("kind") && { kind }),
      ...(has("interval") && { interval }),
      ...(has("amount") && { amount }),
      ...(has("customer") && { customer }),
      ...(dayOfMonth !== subscription.dayOfMonth && { dayOfMonth }),
      ...(has("description") && { description }),
      ...(has("every") && { every: yield* checkEvery(body["every"]) }),
      ...(nextRunAt !== null && { nextRunAt }),
      ...(has("maxRuns") && { maxRuns: yield* checkMaxRuns(body["maxRuns"], Math.max(1, subscription.runs)) }),
      ...(has("metadata") && { metadata: yield* checkMetadata(body["metadata"], sent.rawMetadata, settings) }),
      ...(has("retry") && { retryHours: body["retry"] === null ? [] : yield* checkRetry(body["retry"]) }),
      ...(has("misfire") && { misfire: yield* checkMisfire(body["misfire"]) })
    } satisfies SubscriptionPatch
  }).pipe(Result.mapError((code) => new SubscriptionRefused({ code })))

/** The customer with the members that are given; null empties all, or one. */
const customerAfter = (customer: Customer, given: unknown): unknown => {
  if (given === undefined) return customer
  if (!isObject(given)) return given
  return { ...customer, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

// `startAt` names the first date, so it means the next one only while there was none.
const checkNextRunAt = (
  { runs }: Subscription,
  body: JsonObject,
  now: number,
  settings: SubscriptionSettings
): Result.Result<number | null, PatchRefused["code"]> => {
  if (isGiven(body["nextRunAt"])) return checkInstant(body["nextRunAt"], now, settings, "invalid_next_run_at")
  if (!isGiven(body["startAt"])) return Result.succeed(null)
  return runs > 0 ? Result.fail("invalid_start_at") : checkInstant(body["startAt"], now, settings, "invalid_start_at")
}

const checkKind = (value: unknown): Result.Result<InvoiceKind, "invalid_kind"> =>
  value === "qr" || value === "phone" ? Result.succeed(value) : Result.fail("invalid_kind")

const checkInterval = (value: unknown): Result.Result<Interval, "invalid_interval"> =>
  value === "day" || value === "week" || value === "month" ? Result.succeed(value) : Result.fail("invalid_interval")

const checkMisfire = (value: unknown): Result.Result<Misfire, "invalid_misfire"> =>
  value === "run_once" || value === "skip" ? Result.succeed(value) : Result.fail("invalid_misfire")

const checkEvery = (value: unknown): Result.Result<number, "invalid_every"> =>
  isWhole(value, 1, subscriptionBounds.every) ? Result.succeed(value) : Result.fail("invalid_every")

const checkDayOfMonth = (value: unknown, interval: Interval): Result.Result<number | null, "invalid_day_of_month"> => {
  if (!isGiven(value)) return Result.succeed(null)
  const fits = interval === "month" && isWhole(value, 1, subscriptionBounds.dayOfMonth)
  return fits ? Result.succeed(value) : Result.fail("invalid_day_of_month")
}

const checkMaxRuns = (value: unknown, least: number): Result.Result<number | null, "invalid_max_runs"> => {
  if (!isGiven(value)) return Result.succeed(null)
  return isWhole(value, least, Number.MAX_SAFE_INTEGER) ? Result.succeed(value) : Result.fail("invalid_max_runs")
}

const checkRetry = (value: unknown): Result.Result<ReadonlyArray<number>, "invalid_retry"> =>
  Array.isArray(value) &&
  value.length <= subscriptionBounds.retries &&
  value.every((one) => isWhole(one, 1, subscriptionBounds.retryHours))
    ? Result.succeed(value)
    : Result.fail("invalid_retry")

// A little of the past is the time that a request takes, or a clock that is wrong.
const checkInstant = <const Code extends string>(
  value: unknown,
  now: number,
  { subscriptions }: SubscriptionSettings,
  code: Code
): Result.Result<number, Code> => {
  const at = typeof value === "string" ? instantOf(value) : undefined
  if (at === undefined) return Result.fail(code)
  const near = at >= now - subscriptions.missedAfterMs && at <= now + subscriptions.maxAheadMs
  return near ? Result.succeed(at) : Result.fail(code)
}

const isWhole = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
