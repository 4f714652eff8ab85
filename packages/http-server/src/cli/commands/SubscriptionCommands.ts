/** `tolem subscription …` */
import { Engine } from "@tolem/core/engine/Engine"
import type { Run } from "@tolem/core/subscription/Run"
import type { Subscription, SubscriptionEvent } from "@tolem/core/subscription/Subscription"
import { subscriptionObject } from "@tolem/core/subscription/SubscriptionJson"
import { toIso } from "@tolem/core/value/Calendar"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"

const show = Command.make(
  "show",
  {
    database: Flags.database,
    organization: Flags.organization,
    mode: Flags.mode,
    id: Flag.String("id").pipe(Flag.withMetavar("ID"), Flag.withDescription("Id of the subscription"))
  },
  ({ database, organization, mode, id }) =>
    Effect.gen(function* () {
      const { subscriptions } = yield* Engine
      const caller = { organizationId: organization, mode, connectionId: null, source: "system" } as const
      const { subscription, events, runs } = yield* subscriptions.detail(caller, id)
      const { faults, fault } = subscription
      yield* (yield* Output).print({
        json: {
          subscription: subscriptionObject(subscription),
          faults,
          fault,
          runs: runs.map(runJson),
          events: events.map(eventJson)
        },
        text: textOf(subscription, runs, events)
      })
    }).pipe(Effect.provide(Assembly.reading(database)))
).pipe(Command.withDescription("Show a subscription with its runs, its events, and what keeps a run from being made"))

/** Subscriptions. */
export const subscription = Command.make("subscription").pipe(
  Command.withDescription("Subscriptions"),
  Command.withSubcommands([show])
)

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))

const runJson = ({ run, scheduledAt, invoiceIds, status, faults, dueAt }: Run) => ({
  run,
  scheduledAt: isoOrNull(scheduledAt),
  invoiceIds,
  status,
  faults,
  dueAt: isoOrNull(dueAt)
})

const eventJson = ({ id, sequence, type, source, run, invoiceId, code, createdAt }: SubscriptionEvent) => ({
  id,
  sequence,
  type,
  source,
  run,
  invoiceId,
  code,
  createdAt: toIso(createdAt)
})

const textOf = (
  { id, status, runs: made, nextRunAt, faults, fault }: Subscription,
  runs: ReadonlyArray<Run>,
  events: ReadonlyArray<SubscriptionEvent>
): string =>
  [
    `${id}: ${status}, ${made} runs, next ${toIso(nextRunAt)}`,
    ...(fault === null ? [] : [`The next run could not be made ${faults} times: ${fault}.`]),
    ...runs.map(({ run, status: state, invoiceIds }) => `run ${run}: ${state}, ${invoiceIds.join(", ")}`),
    ...events.map(({ type, code, createdAt }) => [toIso(createdAt), type, code ?? ""].join(" ").trim())
  ].join("\n")
