/** What members are shown of subscriptions beside what answers of the API have. Pure. */
import { toIso } from "../../value/Calendar.ts"
import { sumToTenge, toTenge } from "../../value/Money.ts"
import type { Subscription } from "../Subscription.ts"
import { runJson, subscriptionObject } from "../SubscriptionJson.ts"
import type { DayPage, DueSum, MonthCalendar, RunPage, SubscriptionSums } from "./SubscriptionReports.ts"

/** The members that only members of an organization are shown: its cashier, what keeps it, and its next runs. */
export const deskExtras = (subscription: Subscription, upcoming: ReadonlyArray<number>) => ({
  connectionId: subscription.connectionId,
  stuck:
    subscription.status === "active" && subscription.fault !== null
      ? {
          code: subscription.fault,
          tries: subscription.faults,
          since: toIso(subscription.nextRunAt),
          nextTryAt: subscription.dueAt === null ? null : toIso(subscription.dueAt)
        }
      : null,
  upcoming: upcoming.map(toIso)
})

/** What all subscriptions come to: how many of each status, and sums in tenge. */
export const subscriptionSumsJson = ({ rhythms, monthly, soon }: SubscriptionSums) => {
  const countOf = (status: Subscription["status"]) =>
    rhythms.reduce((sum, each) => sum + (each.status === status ? each.count : 0), 0)
  return {
    active: countOf("active"),
    paused: countOf("paused"),
    cancelled: countOf("cancelled"),
    finished: countOf("finished"),
    stuck: rhythms.reduce((sum, { stuck }) => sum + stuck, 0),
    monthlyAmount: sumToTenge(monthly),
    next30Days: dueJson(soon)
  }
}

/** A month with the days that have runs. */
export const calendarJson = ({ from, to, today, days }: MonthCalendar) => ({
  from,
  to,
  today,
  runs: days.reduce((sum, { runs }) => sum + runs, 0),
  amount: sumToTenge(days.reduce((sum, { amount }) => sum + amount, 0n)),
  days: days.map(({ day, ...sum }) => ({ day, ...dueJson(sum) }))
})

/** The subscriptions of a day with their runs on it. */
export const dayJson = ({ day, due, next }: DayPage) => ({
  day,
  next,
  due: due.map(({ subscription, at }) => ({ runsAt: at.map(toIso), subscription: subscriptionObject(subscription) }))
})

const dueJson = ({ runs, amount }: DueSum) => ({ runs, amount: sumToTenge(amount) })

/** Runs, newest first, each with its invoices, oldest first, and how many tries it may have. */
export const runPageJson = ({ subscription, runs, next }: RunPage) => ({
  next,
  runs: runs.map(({ run, invoices }) => {
    const { invoiceIds: _, ...shown } = runJson(run)
    return {
      ...shown,
      tries: 1 + subscription.retryHours.length,
      invoices: invoices.map(({ id, status, amount, createdAt, paidAt }) => ({
        id,
        status,
        amount: toTenge(amount),
        createdAt: toIso(createdAt),
        paidAt: paidAt === null ? null : toIso(paidAt)
      }))
    }
  })
})
