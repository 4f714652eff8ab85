/** `tolem subscription …` */
import { Engine } from "@tolem/core/engine/Engine"
import {
  type SubscriptionObject,
  subscriptionDetailJson,
  subscriptionObject
} from "@tolem/core/subscription/SubscriptionJson"
import { toIso } from "@tolem/core/value/Calendar"
import { Option } from "effect"
import { Flag } from "effect/cli"
import { group, readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import * as Lists from "../kit/Lists.ts"
import * as Merchant from "../kit/Merchant.ts"
import { type Columns, localTime, members, parts, section } from "../kit/Tables.ts"

const rhythmOf = ({ every, interval }: SubscriptionObject): string => `${every} ${interval}`

const columns: Columns<SubscriptionObject> = {
  ID: ({ id }) => id,
  STATUS: ({ status }) => status,
  KZT: ({ amount }) => amount,
  EVERY: rhythmOf,
  RUNS: ({ runs }) => runs,
  NEXT: ({ nextRunAt }) => localTime(nextRunAt),
  DESCRIPTION: ({ description }) => description
}

const list = readingCommand(
  "list",
  "List subscriptions, newest first",
  {
    ...Merchant.flags,
    status: Flags.text("status", "a,b", "Only those of these statuses, of active, paused, cancelled, finished").pipe(
      Flag.optional
    ),
    search: Flags.text("search", "TEXT", "Part of the id, the description or the customer").pipe(Flag.optional),
    stuck: Flag.Boolean("stuck").pipe(
      Flag.withDescription("Only those whose next run could not be made"),
      Flag.withDefault(false)
    ),
    ...Lists.pageFlags
  },
  function* ({ status, search, stuck, limit, offset, ...of }) {
    const { subscriptionReports } = yield* Engine
    const caller = yield* Merchant.callerOf(of)
    const bounds = yield* Lists.pageOf({ limit, offset })
    const request = { ...bounds, stuck, status: Option.getOrUndefined(status), search: Option.getOrUndefined(search) }
    const { subscriptions: found, ...page } = yield* subscriptionReports.page(caller, request)
    const shown = found.map(subscriptionObject)
    return { json: { ...page, subscriptions: shown }, text: Lists.paged(page, shown, columns) }
  }
)

const show = readingCommand(
  "show",
  "Show a subscription with its runs, its events, and what keeps a run from being made",
  { ...Merchant.flags, id: Flags.text("id", "ID", "Id of the subscription") },
  function* ({ id, ...of }) {
    const { subscriptions, subscriptionReports } = yield* Engine
    const caller = yield* Merchant.callerOf(of)
    const detail = yield* subscriptions.detail(caller, id)
    const [dated] = yield* subscriptionReports.upcoming(caller, [detail.subscription])
    const json = { ...subscriptionDetailJson(detail), upcoming: dated!.upcoming.map(toIso) }
    return { json, text: textOf(json) }
  }
)

type Shown = ReturnType<typeof subscriptionDetailJson> & { readonly upcoming: ReadonlyArray<string> }

const textOf = ({ subscription, faults, fault, upcoming, runs, events }: Shown): string =>
  parts(
    members({
      id: subscription.id,
      description: subscription.description,
      status: subscription.status,
      amount: `${subscription.amount} KZT`,
      every: rhythmOf(subscription),
      runs: subscription.runs,
      next: localTime(subscription.nextRunAt),
      last: localTime(subscription.lastRunAt)
    }),
    fault === null ? "" : `The next run could not be made ${faults} times: ${fault}.`,
    upcoming.length === 0 ? "" : `Next runs: ${upcoming.map(localTime).join(", ")}`,
    section("Runs", runs, {
      RUN: ({ run }) => run,
      STATUS: ({ status }) => status,
      SCHEDULED: ({ scheduledAt }) => localTime(scheduledAt),
      INVOICES: ({ invoiceIds }) => invoiceIds.join(", ")
    }),
    section("Events", events, {
      TIME: ({ createdAt }) => localTime(createdAt),
      TYPE: ({ type }) => type,
      RUN: ({ run }) => run,
      CODE: ({ code }) => code
    })
  )

/** Subscriptions. */
export const subscription = group("subscription", "Subscriptions", [list, show])
