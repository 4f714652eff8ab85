/** What needs attention, as members are shown it. Pure. */
import { toIso } from "../value/Calendar.ts"
import { toTenge } from "../value/Money.ts"
import { type AttentionItem, type AttentionOfKind, attentionKinds } from "./Attention.ts"

const itemJson = ({ kind, quota, ...about }: AttentionItem) => ({
  kind,
  severity: attentionKinds[kind].severity,
  since: toIso(about.since),
  until: about.until === null ? null : toIso(about.until),
  name: about.name,
  connectionId: about.connectionId,
  endpointId: about.endpointId,
  invoiceId: about.invoiceId,
  refundId: about.refundId,
  subscriptionId: about.subscriptionId,
  deliveryId: about.deliveryId,
  amount: about.amount === null ? null : toTenge(about.amount),
  code: about.code,
  quota
})

/** Kinds with their counts, the worst first, and the items of all. */
export const attentionJson = (kinds: ReadonlyArray<AttentionOfKind>) => ({
  kinds: kinds.map(({ kind, count, more }) => ({ kind, severity: attentionKinds[kind].severity, count, more })),
  items: kinds.flatMap(({ items }) => items.map(itemJson))
})
