/** A subscription as the cabinet has it, and what is read of all. */
import { keepPreviousData } from "@tanstack/react-query"
import { isoDay, minute } from "@tolem/http-server/pages/Formats"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import { useForget, useForgetInvoices, useGiven } from "../../app/Places.ts"
import type { SubscriptionFilter } from "../../app/SubscriptionFilter.ts"
import type { ScheduleParts } from "../../texts/SubscriptionsTexts.ts"

/** A subscription. */
export type ShownSubscription = Answer<"GET /panel/orgs/:organizationId/subscriptions/:id">

const subscriptionCalls = "GET /panel/orgs/:organizationId/subscriptions"

const dayMs = 86_400_000
const perPage = 50
const everyMs = 30_000

/** Those that a filter lets through, newest first; null: not yet read. */
export const useSubscriptions = (filter: SubscriptionFilter) => {
  const { view: _view, from: _from, day: _day, ...narrowed } = filter
  const { params, query } = useGiven()
  const wanted = { ...query, ...narrowed, limit: perPage }
  const pages = usePages({
    queryKey: [subscriptionCalls, { params, query: wanted }],
    queryFn: ({ pageParam: offset, signal }) =>
      ask(subscriptionCalls, { params, query: { ...wanted, offset } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total, offset, subscriptions }) =>
      subscriptions.length > 0 && offset + subscriptions.length < total ? offset + subscriptions.length : null,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs
  })
  // One that was made meanwhile moves the others: a part may begin with what the part before ended with.
  const found = new Map(pages.data?.pages.flatMap(({ subscriptions }) => subscriptions).map((each) => [each.id, each]))
  return { ...pages, subscriptions: pages.data === undefined ? null : [...found.values()] }
}

/** Has everything read anew that tells of subscriptions and of what they make. */
export const useForgetSubscriptions = (): (() => Promise<void>) => {
  const forget = useForget()
  const forgetInvoices = useForgetInvoices()
  return async () => {
    const own = "GET /panel/orgs/:organizationId/subscription"
    await Promise.all([forget(own, "GET /panel/orgs/:organizationId/attention"), forgetInvoices()])
  }
}

/** The colour of a status. */
export const tones = { active: "good", paused: "calm", cancelled: "calm", finished: "back" } as const

/** The time of the day of the month that a subscription names. */
const timeOfDay = "10:00"

/** When it falls due, in parts: the day and time are those of its next date unless it names a day. Pure. */
export const scheduleOf = ({ interval, every, dayOfMonth, nextRunAt }: ShownSubscription): ScheduleParts => {
  const at = Date.parse(nextRunAt)
  const date = isoDay(at)
  // The first day of the epoch was a Thursday.
  const weekday = (Date.parse(`${date}T00:00:00Z`) / dayMs + 4) % 7
  return {
    interval,
    every,
    day: dayOfMonth ?? Number(date.slice(-2)),
    weekday,
    time: dayOfMonth === null ? minute(at) : timeOfDay
  }
}
