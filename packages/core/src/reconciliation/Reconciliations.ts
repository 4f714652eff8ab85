/**
 * Reconciliation for members: which days were compared with the provider's own list, what differs, and what becomes of
 * it. Nothing here moves money or changes an invoice, but for what asking the provider about one brings to light.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { recordOf } from "../audit/Audit.ts"
import { type Desk, Desks } from "../cabinet/Desks.ts"
import type { Period } from "../cabinet/Periods.ts"
import { Connections } from "../connection/Connections.ts"
import { refusal } from "../error/Refusal.ts"
import { ConnectionNotFound } from "../error/Refusals.ts"
import type { InvoiceDetail } from "../invoice/InvoiceStore.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { isStorable, type JsonObject } from "../value/Checks.ts"
import { Ids, type OrganizationId, type WorkItemId } from "../value/Ids.ts"
import type { Reconciliation } from "./Reconciliation.ts"
import {
  checkComparison,
  checkDays,
  checkItems,
  checkNote,
  type DaysRequest,
  type ItemsRequest
} from "./ReconciliationRequests.ts"
import { ReconciliationRuns } from "./ReconciliationRuns.ts"
import { ReconciliationSettings } from "./ReconciliationSettings.ts"
import { ReconciliationStore, type WorkItemPage } from "./ReconciliationStore.ts"
import { resolved, type WorkItem, type WorkItemResolution } from "./WorkItem.ts"

/** The organization has no such work item. */
export class WorkItemNotFound extends refusal("WorkItemNotFound", "work_item_not_found") {}

/** It has ended, or was changed by another at the same moment. */
export class WorkItemClosed extends refusal("WorkItemClosed", "work_item_closed") {}

/** A day of a cashier, and how many differences of it are open. */
export interface DayFound {
  readonly row: Reconciliation
  readonly open: number
}

/** The days of some time, newest first. */
export interface ReconciledDays extends Period {
  /** Whether there is a provider that lists its operations. */
  readonly isAble: boolean
  readonly days: ReadonlyArray<DayFound>
}

/** Days of all cashiers in one answer: 62 days of 50 cashiers. */
const maxRows = 3_100

const make = Effect.gen(function* () {
  const store = yield* ReconciliationStore
  const runs = yield* ReconciliationRuns
  const desks = yield* Desks
  const invoices = yield* Invoices
  const connections = yield* Connections
  const ids = yield* Ids
  const settings = yield* ReconciliationSettings
  const { maxAgeDays } = settings.reconciliation

  const days = Effect.fn("Reconciliations.days")(function* ({ organization, mode }: Desk, request: DaysRequest) {
    const period = yield* Effect.fromResult(checkDays(request, yield* Clock.currentTimeMillis))
    const isAble = yield* runs.isAble
    if (mode !== "live") return { ...period, isAble, days: [] } satisfies ReconciledDays
    const rows = yield* store.days(organization.id, period, maxRows)
    const counts = yield* store.openCounts(organization.id, period)
    const open = new Map(counts.map(({ connectionId, day, count }) => [`${connectionId} ${day}`, count]))
    const found = rows.map((row) => ({ row, open: open.get(`${row.connectionId} ${row.day}`) ?? 0 }))
    return { ...period, isAble, days: found } satisfies ReconciledDays
  })

  const items = Effect.fn("Reconciliations.items")(function* ({ organization, mode }: Desk, request: ItemsRequest) {
    const query = yield* Effect.fromResult(checkItems(request, yield* Clock.currentTimeMillis, settings))
    const { limit, offset } = query
    const none: WorkItemPage = { total: 0, items: [] }
    const page = mode === "live" ? yield* store.items({ ...query, organizationId: organization.id }) : none
    return { ...page, limit, offset }
  })

  const compare = Effect.fn("Reconciliations.compare")(function* ({ organization, mode }: Desk, body: JsonObject) {
    // The sandbox has no cashiers.
    if (mode !== "live") return yield* new ConnectionNotFound()
    const now = yield* Clock.currentTimeMillis
    const { day, connectionId } = yield* Effect.fromResult(checkComparison(body, now, maxAgeDays))
    yield* connections.get(organization.id, connectionId)
    const fact = { action: "reconciliation.asked", organizationId: organization.id, subject: connectionId } as const
    const audit = yield* recordOf(ids, { ...fact, detail: day })
    return yield* store.ask({ organizationId: organization.id, connectionId, day }, now, audit)
  })

  const compareNow = Effect.fn("Reconciliations.compareNow")(function* (organizationId: OrganizationId, asked: string) {
    const now = yield* Clock.currentTimeMillis
    const found: Array<DayFound & { readonly cashier: string }> = []
    for (const { id: connectionId, name, status } of yield* connections.list(organizationId)) {
      if (status === "pending") continue
      const { day } = yield* Effect.fromResult(checkComparison({ day: asked, connectionId }, now, maxAgeDays))
      const of = { organizationId, connectionId, day }
      const audit = yield* recordOf(ids, {
        action: "reconciliation.asked",
        organizationId,
        subject: connectionId,
        detail: day
      })
      const row = yield* runs.run(yield* store.ask(of, now, audit))
      const open = (yield* store.itemsOf(of)).filter((item) => item.status === "open").length
      found.push({ row, open, cashier: name })
    }
    return found as ReadonlyArray<DayFound & { readonly cashier: string }>
  })

  const openItem = Effect.fnUntraced(function* ({ organization, mode }: Desk, id: WorkItemId) {
    const found = mode === "live" && isStorable(id) ? yield* store.item(organization.id, id) : Option.none<WorkItem>()
    if (Option.isNone(found)) return yield* new WorkItemNotFound()
    return found.value.status === "open" ? found.value : yield* new WorkItemClosed()
  })

  const end = Effect.fnUntraced(function* (
    { accountId }: Desk,
    item: WorkItem,
    resolution: Exclude<WorkItemResolution, "gone">,
    note: string | null
  ) {
    const next = resolved(item, { resolution, resolvedBy: accountId, note, now: yield* Clock.currentTimeMillis })
    const detail = JSON.stringify({ kind: item.kind, cause: item.cause, day: item.day, note })
    const { organizationId, id: subject } = item
    const audit = yield* recordOf(ids, { action: `work_item.${resolution}`, organizationId, subject, detail })
    return (yield* store.replaceItem(next, audit)) ? next : yield* new WorkItemClosed()
  })

  const accept = Effect.fn("Reconciliations.accept")(function* (desk: Desk, id: WorkItemId, body: JsonObject) {
    const note = yield* Effect.fromResult(checkNote(body))
    return yield* end(desk, yield* openItem(desk, id), "accepted", note)
  })

  const check = Effect.fn("Reconciliations.check")(function* (desk: Desk, id: WorkItemId) {
    const item = yield* openItem(desk, id)
    if (item.invoiceId === null) return item
    const caller = yield* desks.callerFor(desk, item.invoiceId)
    const detail = yield* invoices.get(caller, item.invoiceId, { live: true })
    return isAlike(item, detail) ? yield* end(desk, item, "settled", null) : item
  })

  return {
    /** The days of a time, this month's without one, with what both sides had of each. */
    days,
    /** What differs in some days, open ones first. */
    items,
    /** Has a day that has ended compared, as soon as an agent comes to it. May be asked again and again. */
    compare,
    /** Compares a day of each cashier who has logged in once, here and now. */
    compareNow,
    /** Ends an item with what a person has found out. It stays ended for as long as the same difference is found. */
    accept,
    /** Asks the provider about the invoice of an item, which ends if both sides are alike then. Answers the item. */
    check
  }
})

/** Reconciliation for members. */
export class Reconciliations extends Context.Service<Reconciliations, Effect.Success<typeof make>>()(
  "@tolem/core/Reconciliations"
) {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Reconciliations, make)
}

/** Whether what the provider had, and we did not, stands here now. */
const isAlike = (item: WorkItem, { invoice, refunds }: InvoiceDetail): boolean => {
  if (item.cause === "not_noticed") return invoice.paidAt !== null && invoice.amount === item.amountThere
  if (item.cause !== "refund_open" && item.cause !== "refund_failed") return false
  return refunds.some(
    ({ id, status, amount }) => id === item.refundId && status === "succeeded" && amount === item.amountThere
  )
}
