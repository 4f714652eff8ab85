/** Use-cases of invoices: check, load, decide, commit. Callers are already authorised; see `Access`. */

import { Clock, Context, Effect, Exit, Layer, Option, Result } from "effect"
import { type Forbidden, InvoiceNotFound, NotSandbox } from "../error/Refusals.ts"
import { isOneItemsFault, overfull, type StorageError } from "../error/StorageError.ts"
import { visibleTo } from "../error/Visibility.ts"
import { fingerprintOf } from "../secret/Fingerprint.ts"
import { TextDigest } from "../secret/Sha256.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import type { JsonObject } from "../value/Checks.ts"
import { Ids, type InvoiceId } from "../value/Ids.ts"
import type { PageBounds } from "../value/QueryChecks.ts"
import { tenantKey } from "../value/Tenant.ts"
import * as Batcher from "../work/Batcher.ts"
import * as KeyedLock from "../work/KeyedLock.ts"
import { OpenTransaction } from "../work/OpenTransaction.ts"
import { traced } from "../work/Spans.ts"
import { Commits } from "./Commits.ts"
import {
  decideInvoice,
  type InvalidRefundAmount,
  type Invoice,
  InvoiceCommand,
  type InvoiceNotOpen,
  type InvoiceNotRefundable,
  isRefundable,
  InvoiceNotRefundable as NotRefundable,
  type Refusal,
  remainder
} from "./Invoice.ts"
import type { Caller, CreateRequest } from "./InvoiceCreation.ts"
import * as InvoiceCreation from "./InvoiceCreation.ts"
import { checkList, checkRefund, checkSimulate, type ListRequest, type SimulatedStatus } from "./InvoiceRequests.ts"
import { InvoiceSettings } from "./InvoiceSettings.ts"
import { type InvoiceChanged, type InvoiceDetail, type InvoicePage, InvoiceStore } from "./InvoiceStore.ts"
import { LivePayments, type RefundError } from "./live/LivePayments.ts"
import type { RefundDraft, RefundNotAllowed, RefundRun } from "./live/LiveRefund.ts"
import { OfferOnOpen } from "./live/OfferOnOpen.ts"
import { scanOf } from "./live/ProviderState.ts"
import { askedFor, holderOf, type Refund } from "./Refund.ts"

/** What a refund is asked for with. */
export interface RefundCall {
  readonly body: JsonObject
  readonly headerKey?: string | undefined
}

interface BoundedRefund extends RefundCall {
  /** What may be given back of a live invoice in all. */
  readonly most: number
}

/** What a refund answers. */
export interface RefundResult {
  readonly invoice: Invoice
  /** An earlier request with the same idempotency key has made the refund. */
  readonly replayed: boolean
  /** That request asked for something else. */
  readonly mismatch: boolean
}

/** Why an invoice cannot be shown. */
export type InvoiceFindError = InvoiceNotFound | Forbidden | StorageError

interface Asked {
  readonly caller: Caller
  readonly id: InvoiceId
}

/** The record of a refund that is made at once, as the sandbox has no provider to ask. */
const refundInSandbox = (invoice: Invoice, asked: RefundDraft, now: number): Refund => ({
  id: asked.id,
  invoiceId: invoice.id,
  organizationId: invoice.organizationId,
  amount: asked.amount ?? remainder(invoice),
  status: "succeeded",
  reason: asked.reason,
  idempotencyKey: asked.idempotencyKey,
  fingerprint: asked.fingerprint,
  providerReference: null,
  createdAt: now,
  completedAt: now
})

/** A refund that all may be given back with is refused for no sum. */
const ofAll = <A, E extends { readonly _tag: string }, R>(self: Effect.Effect<A, E | RefundNotAllowed, R>) =>
  Effect.catchTag(self, "RefundNotAllowed", Effect.die)

const readingDetails = (store: InvoiceStore["Service"]) => (asked: ReadonlyArray<Asked>) =>
  Effect.map(store.details(asked.map(({ id }) => id)), (found) => found.map((one) => Exit.succeed(one)))

const make = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const ids = yield* Ids
  const digest = yield* TextDigest
  const { commit } = yield* Commits
  const payments = yield* LivePayments
  const opening = yield* OfferOnOpen
  const { entering } = yield* SandboxClocks
  const settings = yield* InvoiceSettings
  const [turns, { beside }] = [yield* KeyedLock.make, yield* OpenTransaction]
  const { create, createWithin, createWaiting, bulk } = yield* InvoiceCreation.make

  const detail = yield* Batcher.make({
    name: "invoice details",
    ...settings.batch,
    runAll: readingDetails(store),
    lineOf: ({ caller }) => tenantKey(caller),
    full: () => overfull("InvoiceStore.details"),
    isolate: isOneItemsFault
  })

  const find = Effect.fnUntraced(function* (caller: Caller, id: InvoiceId) {
    const found = yield* store.find(id)
    return yield* shown(caller, Option.getOrUndefined(found))
  })

  const shown = (caller: Caller, invoice: Invoice | undefined) =>
    Effect.fromResult(visibleTo(caller, invoice, () => new InvoiceNotFound()))

  const apply = Effect.fnUntraced(function* <R extends Refusal>(
    caller: Caller,
    invoice: Invoice,
    command: InvoiceCommand,
    narrow: (refusal: Refusal) => refusal is R
  ) {
    const [now, eventId] = [yield* Clock.currentTimeMillis, yield* ids.next("evt")]
    const decided = decideInvoice(invoice, command, { now, eventId, source: caller.source })
    if (Result.isSuccess(decided)) {
      const { refund } = decided.success
      return yield* commit(
        refund === null ? decided.success : { ...decided.success, audit: yield* askedFor(ids, refund) }
      )
    }
    return narrow(decided.failure) ? yield* Effect.fail(decided.failure) : yield* Effect.die(decided.failure)
  })

  const within = Effect.fn("Invoices.refund")(function* (caller: Caller, id: InvoiceId, request: BoundedRefund) {
    const checked = yield* Effect.fromResult(checkRefund(request.body, request.headerKey))
    const fingerprint = checked.idempotencyKey === null ? null : fingerprintOf(checked, digest)
    const asked = { ...checked, fingerprint, most: request.most }
    const attempt: Effect.Effect<RefundRun, InvoiceFindError | RefundError> = Effect.gen(function* () {
      const invoice = yield* find(caller, id)
      if (invoice.mode === "live") {
        return yield* payments.refund(invoice, { ...asked, id: yield* ids.next("ref") }, caller.source)
      }
      if (asked.idempotencyKey !== null) {
        const { refunds } = yield* store.history(caller.organizationId, id)
        const known = holderOf(asked.idempotencyKey, refunds)
        if (known !== undefined) return { invoice, record: known, replayed: true }
      }
      if (!isRefundable(invoice.status)) return yield* new NotRefundable({ status: invoice.status })
      const now = yield* Clock.currentTimeMillis
      const record = refundInSandbox(invoice, { ...asked, id: yield* ids.next("ref") }, now)
      const refunded = yield* apply(caller, invoice, InvoiceCommand.Refund({ refund: record }), isRefundRefusal)
      return { invoice: refunded, record, replayed: false }
    })
    const { idempotencyKey } = asked
    // The winner of a race may have been this very request, sent to another server: then its record answers this one.
    const again = (changed: InvoiceChanged) => (idempotencyKey === null ? Effect.fail(changed) : attempt)
    const outcome = Effect.catchTag(attempt, "InvoiceChanged", again)
    // What is sent twice at once waits for what becomes of the first.
    const turn = `${caller.organizationId} ${id} ${idempotencyKey}`
    const { invoice, record, replayed } = yield* idempotencyKey === null ? outcome : turns(turn)(outcome)
    // Records of earlier versions do not tell.
    const mismatch = replayed && record.fingerprint !== null && record.fingerprint !== asked.fingerprint
    const result: RefundResult = { invoice, replayed, mismatch }
    return result
  })

  const refundUpTo = entering(within)
  return {
    /**
     * Creates an invoice, or answers the one that the same idempotency key has made before. May be repeated. Refused
     * at once within a transaction that it would wait for; beside those of others it waits for its turn.
     */
    create: (caller: Caller, request: CreateRequest) =>
      traced("Invoices.create")(Effect.andThen(beside({ writes: true }), entering(create)(caller, request))),
    /** The same in the application's transaction, see `OpenTransaction`: a live one is made after its commit. */
    createWithin: (caller: Caller, request: CreateRequest, given?: unknown) =>
      traced("Invoices.create")(createWithin(caller, request, given)),
    /**
     * Creates an invoice whose code is made when its page is opened; until then it is `new`, and no provider has been
     * asked. With `once` only one of the same content.
     */
    createWaiting: entering(createWaiting),
    /**
     * Creates each of 1 to 100 elements by itself; answers in their order. Two with one key: the second replays the
     * first. Another number of elements is `invalid_invoices`, and nothing is created.
     */
    bulk: (caller: Caller, requests: ReadonlyArray<CreateRequest>) =>
      Effect.andThen(beside({ writes: true }), entering(bulk)(caller, requests)),
    /** The invoice with its events and refunds. `live`: the provider is asked first, if it can be. */
    get: Effect.fnUntraced(function* (
      caller: Caller,
      id: InvoiceId,
      options: { readonly live: boolean } = { live: false }
    ) {
      if (options.live) {
        const stored = yield* find(caller, id)
        if (stored.mode === "live") yield* payments.look(stored)
      }
      const found = Option.getOrUndefined(yield* detail({ caller, id }))
      const invoice = yield* shown(caller, found?.invoice)
      const whole: InvoiceDetail = { invoice, events: found?.events ?? [], refunds: found?.refunds ?? [] }
      return whole
    }),
    /** A page of the caller's invoices, and the bounds that were used. */
    list: Effect.fnUntraced(function* (caller: Caller, request: ListRequest) {
      const { query, otherMode } = yield* Effect.fromResult(checkList(caller, request, settings))
      const page = otherMode ? { total: 0, invoices: [] } : yield* store.list(query)
      return { ...page, limit: query.limit, offset: query.offset } satisfies InvoicePage & PageBounds
    }),
    /** Closes an open invoice. */
    cancel: entering(
      Effect.fn("Invoices.cancel")(function* (caller: Caller, id: InvoiceId) {
        const invoice = yield* find(caller, id)
        return yield* invoice.mode === "live"
          ? payments.withdraw(invoice, caller.source)
          : apply(caller, invoice, InvoiceCommand.Cancel(), isNotOpen)
      })
    ),
    /** Gives back `amount`, or all that is left. The same idempotency key on the same invoice refunds once. */
    refund: (caller: Caller, id: InvoiceId, request: RefundCall) =>
      ofAll(refundUpTo(caller, id, { ...request, most: Number.POSITIVE_INFINITY })),
    /** The same, of a live invoice up to the sum `most` in all: more is `RefundNotAllowed`. */
    refundUpTo,
    /** Sandbox only: pretends that the provider has seen the customer open it. Once it is noted, nothing happens. */
    scan: entering((caller: Caller, id: InvoiceId) => Effect.flatMap(find(caller, id), noteScan(commit))),
    /** Sandbox only: pretends that the provider reported `body.status`. */
    simulate: entering(
      Effect.fn("Invoices.simulate")(function* (caller: Caller, id: InvoiceId, body: JsonObject) {
        if (caller.mode !== "sandbox") return yield* new NotSandbox()
        const status = yield* Effect.fromResult(checkSimulate(body))
        // A customer who pays has opened the page.
        const invoice = yield* opening.openSandbox(yield* find(caller, id))
        return yield* apply(caller, invoice, simulated(status, yield* Clock.currentTimeMillis), isNotOpen)
      })
    )
  }
})

/** The use-cases of invoices. */
export class Invoices extends Context.Service<Invoices, Effect.Success<typeof make>>()("@tolem/core/Invoices") {
  /** Closing the layer writes what waits. */
  static readonly layer = Layer.effect(Invoices, make)
}

const simulated = (status: SimulatedStatus, paidAt: number): InvoiceCommand => {
  switch (status) {
    case "paid":
      return InvoiceCommand.Pay({ paidAt })
    case "failed":
      return InvoiceCommand.Fail()
    case "expired":
      return InvoiceCommand.Expire()
  }
}

const noteScan = (commit: Commits["Service"]["commit"]) =>
  Effect.fnUntraced(function* (invoice: Invoice) {
    if (invoice.mode !== "sandbox") return yield* new NotSandbox()
    const write = scanOf(invoice, yield* Clock.currentTimeMillis)
    if (write !== null) yield* commit(write)
  })

const isNotOpen = (refusal: Refusal): refusal is InvoiceNotOpen => refusal._tag === "InvoiceNotOpen"

const isRefundRefusal = (refusal: Refusal): refusal is InvoiceNotRefundable | InvalidRefundAmount =>
  refusal._tag === "InvoiceNotRefundable" || refusal._tag === "InvalidRefundAmount"
