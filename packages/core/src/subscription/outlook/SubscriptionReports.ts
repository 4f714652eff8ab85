/** Use-cases of what merchants are shown of their subscriptions: sums, calendars, dates to come, runs. */
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import type { Code } from "../../error/ErrorCatalog.ts"
import { FieldRefused } from "../../error/Refusals.ts"
import type { Invoice } from "../../invoice/Invoice.ts"
import type { Caller } from "../../invoice/InvoiceCreation.ts"
import { InvoiceStore } from "../../invoice/InvoiceStore.ts"
import { SandboxClocks } from "../../time/SandboxClocks.ts"
import { dayOf } from "../../value/Calendar.ts"
import type { JsonObject } from "../../value/Checks.ts"
import { hours } from "../../value/CommonSettings.ts"
import type { SubscriptionId } from "../../value/Ids.ts"
import type { TiynSum } from "../../value/Money.ts"
import { queryInteger, queryPage, queryText } from "../../value/QueryChecks.ts"
import { scopeOf } from "../../value/Tenant.ts"
import type { Run } from "../Run.ts"
import { decideSubscription, type Subscription, SubscriptionCommand } from "../Subscription.ts"
import { checkSchedule, checkSubscriptionPatch } from "../SubscriptionDraft.ts"
import { SubscriptionSettings } from "../SubscriptionSettings.ts"
import {
  type RhythmSum,
  type ScheduleGroup,
  type SchedulePart,
  type SchedulePlace,
  type ScheduleQuery,
  SubscriptionStore
} from "../SubscriptionStore.ts"
import { checkStatuses, type SubscriptionListRequest, Subscriptions } from "../Subscriptions.ts"
import { checkDay, checkMonth, checkSchedulePlace, schedulePlaceText } from "./CalendarRequests.ts"
import { monthlyAmount } from "./MonthlyAmount.ts"
import { leftOf, nextRuns, type Prospect, runsWithin, type TimeSpan } from "./Prospect.ts"

/** Rows that one statement of a calendar looks at. Between two others have their turn. */
const portion = 10_000

/** Rows that a request for the subscriptions of a day looks at. */
const dayRows = 2_000

/** The most subscriptions of a day, and runs of a subscription, that are answered at once. */
const pageSize = 50

/** Dates to come that are shown. */
const shownDates = 5

const soonMs = 30 * 24 * hours

/** Members of a list request that searches. */
export interface SearchRequest extends SubscriptionListRequest {
  /** Part of the id, the description, or the customer's name, phone or e-mail, in any case. */
  readonly search?: unknown
  /** `1` or true: only those whose next run could not be made. */
  readonly stuck?: unknown
}

/** Runs with the sum of their amounts. */
export interface DueSum {
  readonly runs: number
  readonly amount: TiynSum
}

/** The runs that are expected on a day of Almaty. */
export interface DueDay extends DueSum {
  readonly day: string
}

/** What all subscriptions of a viewer come to. */
export interface SubscriptionSums {
  readonly rhythms: ReadonlyArray<RhythmSum>
  /** What the active ones bring in a month. */
  readonly monthly: TiynSum
  /** Runs of the next 30 days. */
  readonly soon: DueSum
}

/** The days of a month, both included, and those of them that have runs, in their order. */
export interface MonthCalendar {
  readonly from: string
  readonly to: string
  readonly today: string
  readonly days: ReadonlyArray<DueDay>
}

/** A subscription with its runs on one day. */
export interface DueSubscription {
  readonly subscription: Subscription
  readonly at: ReadonlyArray<number>
}

/** A part of the subscriptions of a day; `next`: the `after` that goes on, null: there are no more. */
export interface DayPage {
  readonly day: string
  readonly due: ReadonlyArray<DueSubscription>
  readonly next: string | null
}

/** A run with its invoices, oldest first. */
export interface RunWithInvoices {
  readonly run: Run
  readonly invoices: ReadonlyArray<Invoice>
}

/** Runs, newest first; `next`: the `after` that goes on. */
export interface RunPage {
  readonly subscription: Subscription
  readonly runs: ReadonlyArray<RunWithInvoices>
  readonly next: number | null
}

const make = Effect.gen(function* () {
  const store = yield* SubscriptionStore
  const subscriptions = yield* Subscriptions
  const invoices = yield* InvoiceStore
  const settings = yield* SubscriptionSettings
  const { entering } = yield* SandboxClocks

  /** Adds up all runs of a span, portion by portion, so that neither memory nor a turn grows with the merchant. */
  const addUp = Effect.fnUntraced(function* (caller: Caller, now: number, span: TimeSpan) {
    const days = new Map<string, { runs: number; amount: TiynSum }>()
    let after: SchedulePlace | null = null
    do {
      const query: ScheduleQuery = { ...scopeOf(caller), before: span.to, after, rows: portion }
      const { groups, end }: SchedulePart = yield* store.schedule(query)
      for (const group of groups) {
        for (const at of runsWithin(activeOf(group), now, span, settings)) {
          const day = dayOf(at)
          const { runs, amount } = days.get(day) ?? { runs: 0, amount: 0n }
          days.set(day, { runs: runs + group.count, amount: amount + group.amount })
        }
      }
      after = end
      yield* Effect.yieldNow
    } while (after !== null)
    return days
  })

  const page = Effect.fnUntraced(function* (caller: Caller, request: SearchRequest) {
    const statuses = yield* checkStatuses(request.status)
    const bounds = yield* checked(queryPage(request, settings))
    const search = yield* checked(queryText(request.search, "invalid_search"))
    const isStuck = request.stuck === true || request.stuck === "1"
    return { ...(yield* store.list({ ...scopeOf(caller), statuses, search, isStuck, ...bounds })), ...bounds }
  })

  const sums = Effect.fn("SubscriptionReports.sums")(function* (caller: Caller) {
    const now = yield* Clock.currentTimeMillis
    const rhythms = yield* store.sums(scopeOf(caller))
    const days = yield* addUp(caller, now, { from: now, to: now + soonMs })
    const soon = { runs: 0, amount: 0n }
    for (const { runs, amount } of days.values()) {
      soon.runs += runs
      soon.amount += amount
    }
    const monthly = monthlyAmount(rhythms.filter(({ status }) => status === "active"))
    return { rhythms, monthly, soon } satisfies SubscriptionSums
  })

  const calendar = Effect.fn("SubscriptionReports.calendar")(function* (
    caller: Caller,
    request: { readonly from?: unknown } = {}
  ) {
    const now = yield* Clock.currentTimeMillis
    const { from, to, span } = yield* checked(checkMonth(request.from, now))
    const days = yield* addUp(caller, now, span)
    const found = [...days].map(([day, sum]) => ({ day, ...sum })).sort((a, b) => (a.day < b.day ? -1 : 1))
    return { from, to, today: dayOf(now), days: found } satisfies MonthCalendar
  })

  const day = Effect.fn("SubscriptionReports.day")(function* (
    caller: Caller,
    request: { readonly from?: unknown; readonly after?: unknown } = {}
  ) {
    const now = yield* Clock.currentTimeMillis
    const asked = yield* checked(checkDay(request.from, now))
    const after = yield* checked(checkSchedulePlace(request.after))
    const query = { ...scopeOf(caller), before: asked.span.to, after, rows: dayRows }
    const rows = yield* store.scheduled(query)
    const due: Array<DueSubscription> = []
    let end: SchedulePlace | null = null
    for (const subscription of rows) {
      end = { nextRunAt: subscription.nextRunAt, id: subscription.id }
      const at = runsWithin(outlookOf(subscription), now, asked.span, settings)
      if (at.length > 0) due.push({ subscription, at })
      if (due.length === pageSize) break
    }
    const isLast = rows.length < dayRows && end?.id === rows.at(-1)?.id
    return { day: asked.day, due, next: isLast || end === null ? null : schedulePlaceText(end) } satisfies DayPage
  })

  const upcoming = Effect.fnUntraced(function* (_caller: Caller, all: ReadonlyArray<Subscription>) {
    const now = yield* Clock.currentTimeMillis
    return all.map((one) => ({ subscription: one, upcoming: nextRuns(outlookOf(one), now, settings, shownDates) }))
  })

  const preview = Effect.fn("SubscriptionReports.preview")(function* (_caller: Caller, body: JsonObject) {
    const now = yield* Clock.currentTimeMillis
    const schedule = yield* Effect.fromResult(checkSchedule(body, now, settings))
    const active = { status: "active", misfire: "run_once", faults: 0, nextRunAt: schedule.anchorAt } as const
    return nextRuns({ ...schedule, ...active, left: schedule.maxRuns }, now, settings, shownDates)
  })

  const previewChange = Effect.fn("SubscriptionReports.previewChange")(function* (
    caller: Caller,
    id: SubscriptionId,
    body: JsonObject
  ) {
    const subscription = yield* subscriptions.get(caller, id)
    const now = yield* Clock.currentTimeMillis
    const patch = yield* Effect.fromResult(checkSubscriptionPatch(subscription, body, {}, now, settings))
    const given = { now, eventIds: ["", ""], source: "cabinet" } as const
    const change = yield* Effect.fromResult(
      decideSubscription(subscription, SubscriptionCommand.Patch({ patch }), given)
    )
    const next = change?.next ?? subscription
    // Of a paused one: as if it were resumed now.
    const status = next.status === "paused" ? "active" : next.status
    return nextRuns(outlookOf({ ...next, status }), now, settings, shownDates)
  })

  const runs = Effect.fn("SubscriptionReports.runs")(function* (
    caller: Caller,
    id: SubscriptionId,
    request: { readonly after?: unknown } = {}
  ) {
    const before = yield* checked(queryInteger(request.after, Number.MAX_SAFE_INTEGER, "invalid_after"))
    const subscription = yield* subscriptions.get(caller, id)
    const bound = Math.min(Math.max(before, 0), Number.MAX_SAFE_INTEGER)
    const found = yield* store.runs(id, bound, pageSize + 1)
    const shown = found.slice(0, pageSize)
    const details = yield* invoices.details(shown.flatMap(({ invoiceIds }) => invoiceIds))
    const byId = new Map(
      details.flatMap((one) => (Option.isSome(one) ? [[one.value.invoice.id, one.value.invoice]] : []))
    )
    const withInvoices = shown.map((run) => ({
      run,
      invoices: run.invoiceIds.flatMap((invoiceId) => byId.get(invoiceId) ?? [])
    }))
    const next = found.length > pageSize ? (shown.at(-1)?.run ?? null) : null
    return { subscription, runs: withInvoices, next } satisfies RunPage
  })

  return {
    /** A page of those that match, newest first, and the bounds that were used. */
    page,
    /** Equal to the rows, if none changes while they are read. Runs to come are those of the clock of the mode. */
    sums: entering(sums),
    /** The month of the day `from`, else the current one. Runs that were made are not in it. */
    calendar: entering(calendar),
    /** The subscriptions of the day `from`, else of today, in the order of their next dates, in parts. */
    day: entering(day),
    /** Subscriptions with the next five runs of each. */
    upcoming: entering(upcoming),
    /** The first five runs of what would be created. */
    preview: entering(preview),
    /** The next five runs that a subscription would have after a change. It changes nothing. */
    previewChange: entering(previewChange),
    /** The newest 50 runs, behind the run `after`, with their invoices. */
    runs
  }
})

const checked = <A, C extends Code>(result: Result.Result<A, C>): Effect.Effect<A, FieldRefused<C>> =>
  Effect.fromResult(Result.mapError(result, (code) => new FieldRefused({ code })))

const outlookOf = (subscription: Subscription): Prospect => ({ ...subscription, left: leftOf(subscription) })

const activeOf = (group: ScheduleGroup): Prospect => ({ ...group, status: "active", dayOfMonth: null })

/** What merchants are shown of their subscriptions. It only reads. */
export class SubscriptionReports extends Context.Service<SubscriptionReports, Effect.Success<typeof make>>()(
  "@tolem/core/SubscriptionReports"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(SubscriptionReports, make)
}
