/** `tolem subscription …` */
import { Engine } from "@tolem/core/engine/Engine"
import { subscriptionDetailJson } from "@tolem/core/subscription/SubscriptionJson"
import type { SubscriptionDetail } from "@tolem/core/subscription/SubscriptionStore"
import { toIso } from "@tolem/core/value/Calendar"
import { group, readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"

const show = readingCommand(
  "show",
  "Show a subscription with its runs, its events, and what keeps a run from being made",
  {
    organization: Flags.organization,
    mode: Flags.mode,
    id: Flags.text("id", "ID", "Id of the subscription")
  },
  function* ({ organization, mode, id }) {
    const { subscriptions } = yield* Engine
    const caller = { organizationId: organization, mode, connectionId: null, source: "system" } as const
    const detail = yield* subscriptions.detail(caller, id)
    return { json: subscriptionDetailJson(detail), text: textOf(detail) }
  }
)

/** Subscriptions. */
export const subscription = group("subscription", "Subscriptions", [show])

const textOf = ({ subscription, runs, events }: SubscriptionDetail): string => {
  const { id, status, runs: made, nextRunAt, faults, fault } = subscription
  return [
    `${id}: ${status}, ${made} runs, next ${toIso(nextRunAt)}`,
    ...(fault === null ? [] : [`The next run could not be made ${faults} times: ${fault}.`]),
    ...runs.map(({ run, status: state, invoiceIds }) => `run ${run}: ${state}, ${invoiceIds.join(", ")}`),
    ...events.map(({ type, code, createdAt }) => [toIso(createdAt), type, code ?? ""].join(" ").trim())
  ].join("\n")
}
