/** Invoices and subscriptions of an embedded engine, as promises; see `createEngine`. */
import { Effect } from "effect"
import type { Engine } from "../engine/Engine.ts"
import type { CreateResult } from "../invoice/CreationWithin.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { Caller } from "../invoice/InvoiceCreation.ts"
import type { InvoiceRequest } from "../invoice/InvoiceDraft.ts"
import {
  type BulkResult,
  bulkJson,
  cancelExtras,
  detailExtras,
  type InvoiceObject,
  invoiceObject,
  refundJson,
  replayExtras
} from "../invoice/InvoiceJson.ts"
import type { RefundResolution, SimulatedStatus } from "../invoice/InvoiceRequests.ts"
import type { InvoiceDetail, InvoicePage } from "../invoice/InvoiceStore.ts"
import type { RefundResult } from "../invoice/Invoices.ts"
import { letterJson, lettersJson } from "../letters/InvoiceLetters.ts"
import { calendarJson, dayJson, runPageJson, subscriptionSumsJson } from "../subscription/outlook/OutlookJson.ts"
import type { SubscriptionChanges, SubscriptionCreate } from "../subscription/SubscriptionDraft.ts"
import {
  type SubscriptionObject,
  subscriptionDetailJson,
  subscriptionObject
} from "../subscription/SubscriptionJson.ts"
import type { SubscriptionPage } from "../subscription/SubscriptionStore.ts"
import type { SubscribeResult } from "../subscription/Subscriptions.ts"
import { toIso } from "../value/Calendar.ts"
import type { InvoiceId, MailId, RefundId, SubscriptionId } from "../value/Ids.ts"
import type { PageBounds } from "../value/QueryChecks.ts"
import { impatiently } from "../work/OpenTransaction.ts"
import { faceOf, type RunPromise } from "./Faces.ts"
import { type InvoiceFilter, type ListPage, queried, type SubscriptionFilter } from "./Filters.ts"

/** What is said of a thing that an earlier request with the same idempotency key has made. */
export interface Replay {
  /** An earlier request has made it. */
  readonly idempotentReplay?: true
  /** That request asked for something else. */
  readonly idempotencyMismatch?: true
}

/** An invoice that was asked for by `create`, or that a refund was asked of. */
export type CreatedInvoice = InvoiceObject & Replay

/** What a refund is asked for with. */
export type RefundDetails = {
  /** In tenge; absent: all that is left. */
  readonly amount?: number | null | undefined
  readonly reason?: string | null | undefined
  /** The same one on the same invoice refunds once. */
  readonly idempotencyKey?: string | null | undefined
}

const replayOf = (made: { readonly replayed: boolean; readonly mismatch: boolean }): Replay => ({
  ...replayExtras(made),
  ...(made.mismatch && { idempotencyMismatch: true })
})

/** How an invoice is created. */
export interface CreateOptions {
  /**
   * A transaction of the application, in which the invoice is written: it is committed with what the application
   * writes itself, or not at all. On PostgreSQL a client of `pg` on which BEGIN was said; on SQLite a `DatabaseSync` on
   * the engine's file on which it was; or what a handler of events was given as `tx`. A live invoice is made at the
   * provider after the commit, and is `new` until then. Await the create before the next statement of the transaction:
   * if that ends meanwhile, the create is refused, or fails without telling what became of the invoice.
   */
  readonly tx: object
}

/** How verbs are run: if there is such an organization, or without looking for it, in a transaction that is noted. */
export interface Runs {
  readonly run: RunPromise
  readonly runBare: RunPromise
  readonly note: (given: unknown) => void
}

/** What a merchant does with invoices. */
export interface EmbeddedInvoices {
  /**
   * Creates an invoice; with an `idempotencyKey` that was used before, answers the earlier one. With `tx` it is part
   * of the application's transaction. What is refused leaves that as it was. Options without a `tx` are refused:
   * nothing is created outside of a transaction by mistake.
   */
  readonly create: (request: InvoiceRequest, options?: CreateOptions) => Promise<CreatedInvoice>
  /** Creates 1 to 100 invoices, each by itself, and answers in their order. */
  readonly bulk: (requests: ReadonlyArray<InvoiceRequest>) => Promise<{
    readonly total: number
    readonly created: number
    readonly results: ReadonlyArray<BulkResult<CreatedInvoice>>
  }>
  /** The invoice with its events and refunds. `live`: the provider is asked first, if it can be. */
  readonly get: (
    id: InvoiceId,
    options?: { readonly live: boolean }
  ) => Promise<InvoiceObject & ReturnType<typeof detailExtras>>
  /** A page of invoices, newest first. */
  readonly list: (filter?: InvoiceFilter) => Promise<ListPage & { readonly invoices: ReadonlyArray<InvoiceObject> }>
  /** Closes an open invoice. */
  readonly cancel: (id: InvoiceId) => Promise<InvoiceObject & ReturnType<typeof cancelExtras>>
  /** Gives back `amount` tenge, or all that is left. The same idempotency key on the same invoice refunds once. */
  readonly refund: (id: InvoiceId, request?: RefundDetails) => Promise<CreatedInvoice>
  /** Has the code of an invoice made that waits for a person to ask for it, as its page does. May be repeated. */
  readonly open: (id: InvoiceId) => Promise<InvoiceObject>
  /**
   * The invoice that a customer goes on with whose invoice of a link, hook or subscription ended without money: one
   * that is paid, or open, or a new one; where there can be no other, the newest. May be repeated.
   */
  readonly successor: (id: InvoiceId) => Promise<InvoiceObject>
  /** Sandbox only: pretends that the provider reported this status. */
  readonly simulate: (id: InvoiceId, status: SimulatedStatus) => Promise<InvoiceObject>
  /** The letters to the customer about an invoice, oldest first, also those that a sandbox has kept. */
  readonly letters: (id: InvoiceId) => Promise<ReturnType<typeof lettersJson>>
  /**
   * Has a letter sent again, to the address that it was for: 5 times at most. One that is on its way, or was sent
   * within the last minute, stands for it.
   */
  readonly sendLetterAgain: (id: InvoiceId, letterId: MailId) => Promise<ReturnType<typeof letterJson>>
}

/** What a merchant does with refunds whose outcome is `unknown`. */
export interface EmbeddedRefunds {
  /**
   * Says what became of a live refund whose outcome is `unknown`: made, under the provider's reference, or not made. If
   * something else is known already, it is refused with `refund_state_conflict`; so it may be repeated. A provider that
   * shows later that it was made after all is believed.
   */
  readonly resolve: (
    id: RefundId,
    resolution: RefundResolution
  ) => Promise<InvoiceObject & { readonly refunds: ReadonlyArray<ReturnType<typeof refundJson>> }>
}

/** What a merchant does with subscriptions. */
export interface EmbeddedSubscriptions {
  /** Creates a subscription; with an `idempotencyKey` that was used before, answers the earlier one. */
  readonly create: (request: SubscriptionCreate) => Promise<SubscriptionObject & Replay>
  /** One subscription. */
  readonly get: (id: SubscriptionId) => Promise<SubscriptionObject>
  /** The same with its events and runs, oldest first, all as they were at one moment. */
  readonly detail: (id: SubscriptionId) => Promise<ReturnType<typeof subscriptionDetailJson>>
  /** A page of subscriptions, newest first. */
  readonly list: (
    filter?: SubscriptionFilter
  ) => Promise<ListPage & { readonly subscriptions: ReadonlyArray<SubscriptionObject> }>
  /** Changes what is given; the rest stays. */
  readonly patch: (id: SubscriptionId, changes: SubscriptionChanges) => Promise<SubscriptionObject>
  /** No runs until it is resumed. */
  readonly pause: (id: SubscriptionId) => Promise<SubscriptionObject>
  /** Runs again, from its next date on. */
  readonly resume: (id: SubscriptionId) => Promise<SubscriptionObject>
  /** No runs any more. Its invoices stay payable. */
  readonly cancel: (id: SubscriptionId) => Promise<SubscriptionObject>
  /** A run out of schedule. If the provider does not take the invoice, it is kept, and so is the run. */
  readonly run: (id: SubscriptionId) => Promise<InvoiceObject>
  /** How many there are, and what the active ones are expected to bring: in a month, and in the next 30 days. */
  readonly sums: () => Promise<ReturnType<typeof subscriptionSumsJson>>
  /** The runs that are expected in the month of the day `from`, by day of Almaty; default: the current month. */
  readonly calendar: (request?: { readonly from?: string }) => Promise<ReturnType<typeof calendarJson>>
  /** The subscriptions whose runs are expected on the day `from`, in parts: `next` is the `after` that goes on. */
  readonly day: (request?: { readonly from?: string; readonly after?: string }) => Promise<ReturnType<typeof dayJson>>
  /** The newest runs with their invoices, behind the run `after`. */
  readonly runs: (id: SubscriptionId, request?: { readonly after?: number }) => Promise<ReturnType<typeof runPageJson>>
  /** The first five runs of what would be created. It changes nothing. */
  readonly preview: (
    schedule: Pick<SubscriptionCreate, "interval" | "every" | "dayOfMonth" | "startAt" | "maxRuns">
  ) => Promise<{ readonly dates: ReadonlyArray<string> }>
}

/** What a merchant does with invoices, as promises. */
export const invoicesOf = (
  { invoices, opening, successors, letters, settings }: Engine["Service"],
  caller: Caller,
  { run, runBare, note }: Runs
): EmbeddedInvoices => {
  const show = (invoice: Invoice) => invoiceObject(invoice, settings)
  const made = (one: CreateResult | RefundResult): CreatedInvoice => ({ ...show(one.invoice), ...replayOf(one) })
  const verbs = {
    ...invoices,
    create: (by: Caller, request: InvoiceRequest) => impatiently(invoices.create(by, { body: request })),
    bulk: (by: Caller, requests: ReadonlyArray<InvoiceRequest>) =>
      impatiently(
        invoices.bulk(
          by,
          requests.map((body) => ({ body }))
        )
      ),
    list: (by: Caller, filter: InvoiceFilter = {}) => invoices.list(by, queried(filter)),
    refund: (by: Caller, id: InvoiceId, request: RefundDetails = {}) => invoices.refund(by, id, { body: request }),
    simulate: (by: Caller, id: InvoiceId, status: SimulatedStatus) => invoices.simulate(by, id, { status }),
    open: (by: Caller, id: InvoiceId) => Effect.andThen(invoices.get(by, id), ({ invoice }) => opening.open(invoice)),
    successor: (by: Caller, id: InvoiceId) =>
      Effect.andThen(invoices.get(by, id), ({ invoice }) => successors.next(invoice)),
    letters: (by: Caller, id: InvoiceId) =>
      Effect.andThen(invoices.get(by, id), ({ invoice }) => letters.list(invoice.organizationId, invoice.id)),
    sendLetterAgain: (by: Caller, id: InvoiceId, letterId: MailId) =>
      Effect.andThen(invoices.get(by, id), ({ invoice }) =>
        letters.sendAgain(invoice.organizationId, invoice.id, letterId)
      )
  }
  const face = faceOf<EmbeddedInvoices>()(run, caller)(verbs, {
    create: made,
    createWithin: null,
    createWaiting: null,
    refundUpTo: null,
    scan: null,
    bulk: (outcomes) => bulkJson(outcomes, made),
    get: (detail: InvoiceDetail) => ({ ...show(detail.invoice), ...detailExtras(detail) }),
    list: (page: InvoicePage & PageBounds) => ({ ...page, invoices: page.invoices.map(show) }),
    cancel: (invoice: Invoice) => ({ ...show(invoice), ...cancelExtras(invoice) }),
    refund: made,
    open: show,
    successor: show,
    simulate: show,
    letters: lettersJson,
    sendLetterAgain: letterJson
  })
  return {
    ...face,
    create: (request, options) => {
      if (options === undefined) return face.create(request)
      const tx = options?.tx ?? null
      note(tx)
      return runBare(Effect.map(invoices.createWithin(caller, { body: request }, tx), made))
    }
  }
}

/** What a merchant does with refunds, as promises. */
export const refundsOf = ({ refunds, settings }: Engine["Service"], caller: Caller, run: RunPromise): EmbeddedRefunds =>
  faceOf<EmbeddedRefunds>()(run, caller)(refunds, {
    resolve: ({ invoice, refunds: all }) => ({ ...invoiceObject(invoice, settings), refunds: all.map(refundJson) })
  })

/** What a merchant does with subscriptions, as promises. */
export const subscriptionsOf = (
  { subscriptions, subscriptionReports: { page, ...reports }, settings }: Engine["Service"],
  caller: Caller,
  run: RunPromise
): EmbeddedSubscriptions => {
  const verbs = {
    ...subscriptions,
    ...reports,
    create: (by: Caller, request: SubscriptionCreate) => subscriptions.create(by, { body: request }),
    list: (by: Caller, filter: SubscriptionFilter = {}) => page(by, queried(filter)),
    patch: (by: Caller, id: SubscriptionId, changes: SubscriptionChanges) =>
      subscriptions.patch(by, id, { body: changes }),
    run: (by: Caller, id: SubscriptionId) => Effect.map(subscriptions.run(by, id), ({ invoice }) => invoice)
  }
  return faceOf<EmbeddedSubscriptions>()(run, caller)(verbs, {
    create: (made: SubscribeResult) => ({ ...subscriptionObject(made.subscription), ...replayOf(made) }),
    get: subscriptionObject,
    list: (page: SubscriptionPage & PageBounds) => ({
      ...page,
      subscriptions: page.subscriptions.map(subscriptionObject)
    }),
    detail: subscriptionDetailJson,
    patch: subscriptionObject,
    pause: subscriptionObject,
    resume: subscriptionObject,
    cancel: subscriptionObject,
    run: (invoice: Invoice) => invoiceObject(invoice, settings),
    sums: subscriptionSumsJson,
    calendar: calendarJson,
    day: dayJson,
    runs: runPageJson,
    preview: (dates: ReadonlyArray<number>) => ({ dates: dates.map(toIso) }),
    previewChange: null,
    upcoming: null
  })
}
