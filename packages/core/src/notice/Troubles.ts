/** The troubles of an organization, as one member sees them. */
import { Clock, Effect } from "effect"
import { Attention, type AttentionItem } from "../attention/Attention.ts"
import type { Outlook } from "../cabinet/Desks.ts"
import { reachOf } from "../merchant/Permission.ts"
import { ReconciliationStore } from "../reconciliation/ReconciliationStore.ts"
import { dayOf } from "../value/Calendar.ts"
import type { Trouble, TroubleKind, TroublesNow } from "./Gathered.ts"

const dayMs = 24 * 3_600_000
/** Differences of older days are looked at on the screen of reconciliation. */
const daysBack = 31

// What a thing is named by does not change for as long as its trouble goes on; a quota begins anew with its period.
const keyOf = (kind: TroubleKind, item: AttentionItem): string =>
  [
    kind,
    item.refundId ??
      item.deliveryId ??
      item.subscriptionId ??
      item.invoiceId ??
      item.endpointId ??
      item.connectionId ??
      item.quota?.period ??
      "all",
    ...(item.quota === null ? [] : [String(item.since)])
  ].join(" ")

/** A look at them. Late money is told of as payments are. */
export const make = Effect.gen(function* () {
  const attention = yield* Attention
  const reconciliations = yield* ReconciliationStore

  const differences = Effect.fnUntraced(function* ({ organization, role, mode }: Outlook, now: number) {
    if (mode !== "live" || reachOf(role, "reconciliation:read", mode) === null) return []
    const span = { from: dayOf(now - daysBack * dayMs), to: dayOf(now) }
    const open = yield* reconciliations.openCounts(organization.id, span)
    return open.map(({ connectionId, day }): Trouble => {
      const kind = "reconciliation_difference"
      return { key: `${kind} ${connectionId} ${day}`, kind, name: day }
    })
  })

  return Effect.fnUntraced(function* (outlook: Outlook) {
    const found = yield* attention.list(outlook)
    const troubles = found.flatMap(({ kind, items }) =>
      kind === "late_money" ? [] : items.map((item): Trouble => ({ key: keyOf(kind, item), kind, name: item.name }))
    )
    const crowded = found.flatMap(({ kind, count, items }) =>
      kind !== "late_money" && count > items.length ? [kind] : []
    )
    const days = yield* differences(outlook, yield* Clock.currentTimeMillis)
    return { troubles: [...troubles, ...days], crowded } satisfies TroublesNow
  })
})
