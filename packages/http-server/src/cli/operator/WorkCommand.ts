/** `tolem operator work` */
import { Engine } from "@tolem/core/engine/Engine"
import { workCountsJson, workJson } from "@tolem/core/platform/WorkJson"
import { workKinds } from "@tolem/core/platform/WorkStore"
import { Option } from "effect"
import { Flag } from "effect/cli"
import { readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import * as Lists from "../kit/Lists.ts"
import { type Columns, localTime, parts, table } from "../kit/Tables.ts"

const counts: Columns<ReturnType<typeof workCountsJson>["kinds"][number]> = {
  KIND: ({ kind }) => kind,
  COUNT: ({ count, more }) => (more ? `${count}+` : `${count}`),
  SINCE: ({ since }) => localTime(since)
}

const items: Columns<ReturnType<typeof workJson>["items"][number]> = {
  SINCE: ({ since }) => localTime(since),
  ORGANIZATION: ({ organization }) => organization.id,
  NAME: ({ organization }) => organization.name,
  AMOUNT: ({ amount }) => amount,
  CODE: ({ code }) => code,
  ABOUT: (item) =>
    item.refundId ??
    item.workItemId ??
    item.orderId ??
    item.letterId ??
    item.deliveryId ??
    item.endpointId ??
    item.subscriptionId ??
    item.connectionId,
  INVOICE: ({ invoiceId }) => invoiceId
}

/** What needs a person, over all organizations. */
export const work = readingCommand(
  "work",
  "Show what needs a person, over all organizations: how much of each kind, or one kind, oldest first",
  {
    kind: Flag.Literals("kind", workKinds).pipe(Flag.withDescription("Of this kind, one by one"), Flag.optional),
    after: Flags.text("after", "PLACE", "Go on there, as the page before says").pipe(Flag.optional),
    limit: Lists.pageFlags.limit
  },
  function* ({ kind, after, limit: given }) {
    const { platformWork } = yield* Engine
    const { limit } = yield* Lists.pageOf({ limit: given, offset: 0 })
    if (Option.isNone(kind)) {
      const shown = workCountsJson(yield* platformWork.counts())
      return { json: shown, text: table(shown.kinds, counts) }
    }
    const shown = workJson(yield* platformWork.list(kind.value, { after: Option.getOrNull(after), limit }))
    const more = shown.next === null ? "" : `Go on with --after ${shown.next}.`
    return { json: shown, text: parts(table(shown.items, items), more) }
  }
)
