/** A difference between what stands here and at the provider, as work for a person. Pure. */
import type { AccountId, ConnectionId, InvoiceId, OrganizationId, RefundId, WorkItemId } from "../value/Ids.ts"
import type { Tiyn } from "../value/Money.ts"
import type { CashierDay } from "./Reconciliation.ts"

/**
 * `missing_here`: the provider has it, we do not. `missing_there`: the other way round. `amount_differs`: both have it,
 * with other amounts. `refunded_elsewhere`: money went back that was not asked for here.
 */
export const WorkItemKind = ["missing_here", "missing_there", "amount_differs", "refunded_elsewhere"] as const
/** See the list of the same name. */
export type WorkItemKind = (typeof WorkItemKind)[number]

/**
 * How it comes. `unknown_invoice`: no invoice of ours is it. `not_noticed`: the invoice is not paid here. `paid_twice`:
 * the invoice is paid here, by another payment. `refund_open`: our refund has no outcome yet. `refund_failed`: it has
 * failed here. `made_elsewhere`: in the provider's own app. `not_listed`: the provider's list does not have it.
 * `amounts`: only the amounts differ.
 */
export const WorkItemCause = [
  "unknown_invoice",
  "not_noticed",
  "paid_twice",
  "refund_open",
  "refund_failed",
  "made_elsewhere",
  "not_listed",
  "amounts"
] as const
/** See the list of the same name. */
export type WorkItemCause = (typeof WorkItemCause)[number]

/**
 * How it ended. `gone`: a later comparison did not find it. `settled`: the provider was asked, and now both sides are
 * alike. `accepted`: a person has looked into it.
 */
export const WorkItemResolution = ["gone", "settled", "accepted"] as const
/** See the list of the same name. */
export type WorkItemResolution = (typeof WorkItemResolution)[number]

/** What was found. */
export interface Difference {
  /** The movement, the same each time that it is found: its kind, and the provider's reference or our id. */
  readonly subject: string
  readonly kind: WorkItemKind
  readonly cause: WorkItemCause
  /** The provider's reference of the payment, if it is known. */
  readonly payment: string | null
  readonly invoiceId: InvoiceId | null
  readonly refundId: RefundId | null
  /** What moved on either side; null: nothing. */
  readonly amountHere: Tiyn | null
  readonly amountThere: Tiyn | null
}

/** A work item as it is kept. Instants are epoch milliseconds. */
export interface WorkItem extends Difference {
  readonly id: WorkItemId
  readonly organizationId: OrganizationId
  readonly connectionId: ConnectionId
  readonly day: string
  readonly status: "open" | "resolved"
  readonly foundAt: number
  readonly resolvedAt: number | null
  readonly resolution: WorkItemResolution | null
  /** The member who has resolved it; null: a comparison, or a person at the command line. */
  readonly resolvedBy: AccountId | null
  readonly note: string | null
  readonly version: number
}

/** How an item is ended, and by whom. */
export interface Ending {
  readonly resolution: WorkItemResolution
  readonly resolvedBy: AccountId | null
  readonly note: string | null
  readonly now: number
}

/** An open item, ended. */
export const resolved = (item: WorkItem, { resolution, resolvedBy, note, now }: Ending): WorkItem => ({
  ...item,
  status: "resolved",
  resolvedAt: Math.max(now, item.foundAt),
  resolution,
  resolvedBy,
  note,
  version: item.version + 1
})

/** What a comparison makes of the items of a day. */
export interface ItemChanges {
  readonly added: ReadonlyArray<Difference>
  readonly changed: ReadonlyArray<WorkItem>
}

const isSame = (item: WorkItem, found: Difference): boolean =>
  item.kind === found.kind &&
  item.cause === found.cause &&
  item.payment === found.payment &&
  item.invoiceId === found.invoiceId &&
  item.refundId === found.refundId &&
  item.amountHere === found.amountHere &&
  item.amountThere === found.amountThere

/**
 * What is to be written after a comparison: what is new is added; what is found again stays as it is, or opens again if
 * it had ended by itself or is another difference now; an open item that was not found has gone. What a person has
 * accepted stays accepted as long as it is the same.
 */
export const changesOf = (
  items: ReadonlyArray<WorkItem>,
  found: ReadonlyArray<Difference>,
  now: number
): ItemChanges => {
  const earlier = new Map(items.map((item) => [item.subject, item] as const))
  const again = new Map(found.map((difference) => [difference.subject, difference] as const))
  const changed = items.flatMap((item): ReadonlyArray<WorkItem> => {
    const difference = again.get(item.subject)
    if (difference === undefined) {
      const gone: Ending = { resolution: "gone", resolvedBy: null, note: null, now }
      return item.status === "open" ? [resolved(item, gone)] : []
    }
    if (isSame(item, difference) && (item.status === "open" || item.resolution === "accepted")) return []
    return [reopened(item, difference, now)]
  })
  return { added: Array.from(again.values()).filter(({ subject }) => !earlier.has(subject)), changed }
}

const reopened = (item: WorkItem, difference: Difference, now: number): WorkItem => ({
  ...item,
  ...difference,
  status: "open",
  foundAt: item.status === "open" ? item.foundAt : now,
  resolvedAt: null,
  resolution: null,
  resolvedBy: null,
  note: null,
  version: item.version + 1
})

/** A new item of a day. */
export const newWorkItem = (
  id: WorkItemId,
  { organizationId, connectionId, day }: CashierDay,
  difference: Difference,
  now: number
): WorkItem => ({
  ...difference,
  id,
  organizationId,
  connectionId,
  day,
  status: "open",
  foundAt: now,
  resolvedAt: null,
  resolution: null,
  resolvedBy: null,
  note: null,
  version: 1
})
