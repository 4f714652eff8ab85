/** Use-cases of invoices: check, load, decide, commit. Whoever may call what is settled before, see `Access`. */
import { Clock, Context, Effect, Exit, Layer, Option, Result } from "effect"
import { Digest } from "effect/crypto"
import * as Batcher from "../Batcher.ts"
import type { JsonObject } from "../Checks.ts"
import { Hints } from "../Hints.ts"
import { Ids } from "../Ids.ts"
import { Provider } from "../provider/Provider.ts"
import { FieldRefused, Forbidden, InvoiceNotFound, NotSandbox, ProviderSessionNotConfigured } from "../Refusals.ts"
import { Settings } from "../Settings.ts"
import { isOneItemsFault, type StorageError } from "../StorageError.ts"
import {
  type Change,
  Command,
  created,
  decide,
  type InvalidRefundAmount,
  type Invoice,
  type InvoiceNotOpen,
  type InvoiceNotRefundable,
  isRefundable,
  InvoiceNotRefundable as NotRefundable,
  type Refusal,
  remainder,
  type Source
} from "./Invoice.ts"
import { check, type Draft, type DraftRefused } from "./InvoiceDraft.ts"
import { payUrl } from "./InvoiceJson.ts"
import { checkList, checkRefund, checkSimulate, type ListRequest, type SimulatedStatus } from "./InvoiceRequests.ts"
import {
  type Creation,
  type Detail,
  type Insertion,
  type InvoiceChanged,
  InvoiceStore,
  type Page,
  type Scope
} from "./InvoiceStore.ts"
import type { Refund } from "./Refund.ts"
import { make as makeSandboxInvoice } from "./SandboxInvoice.ts"

/** Who asks: whose invoices, and through which door. */
export interface Caller extends Scope {
  readonly source: Source
}

/** A create request as it came: the parsed body, and what only the text or the headers tell. */
export interface CreateRequest {
  readonly body: JsonObject
  /** Source text of the member `metadata`, kept as it is; without it the member is serialised anew. */
  readonly rawMetadata?: string | undefined
  /** The Idempotency-Key header. */
  readonly headerKey?: string | undefined
}

/** What a create answers. */
export interface Creating {
  readonly invoice: Invoice
  /** An earlier request with the same idempotency key has made it. */
  readonly replayed: boolean
  /** That request asked for something else. */
  readonly mismatch: boolean
}

/** Why a create can be refused. */
export type CreateError = DraftRefused | ProviderSessionNotConfigured | StorageError

/** Why an invoice cannot be shown. */
export type FindError = InvoiceNotFound | Forbidden | StorageError

/** See the file's head. */
export class Invoices extends Context.Service<
  Invoices,
  {
    /** Creates an invoice, or answers the one that the same idempotency key has made before. May be repeated. */
    readonly create: (caller: Caller, request: CreateRequest) => Effect.Effect<Creating, CreateError>
    /**
     * Creates each of 1 to 100 elements by itself; answers in their order. Two with one key: the second replays the
     * first. Another number of elements is `invalid_invoices`, and nothing is created.
     */
    readonly bulk: (
      caller: Caller,
      requests: ReadonlyArray<CreateRequest>
    ) => Effect.Effect<ReadonlyArray<Result.Result<Creating, CreateError>>, FieldRefused | StorageError>
    /** The invoice with its events and refunds. */
    readonly get: (caller: Caller, id: string) => Effect.Effect<Detail, FindError>
    /** A page of the caller's invoices, and the bounds that were used. */
    readonly list: (
      caller: Caller,
      request: ListRequest
    ) => Effect.Effect<Page & { readonly limit: number; readonly offset: number }, FieldRefused | StorageError>
    /** Closes an open invoice. */
    readonly cancel: (caller: Caller, id: string) => Effect.Effect<Invoice, FindError | InvoiceNotOpen | InvoiceChanged>
    /** Gives back `amount`, or all that is left. The same idempotency key on the same invoice refunds once. */
    readonly refund: (
      caller: Caller,
      id: string,
      request: { readonly body: JsonObject; readonly headerKey?: string | undefined }
    ) => Effect.Effect<Invoice, FindError | FieldRefused | InvoiceNotRefundable | InvalidRefundAmount | InvoiceChanged>
    /** Sandbox only: pretends that the provider reported `body.status`. */
    readonly simulate: (
      caller: Caller,
      id: string,
      body: JsonObject
    ) => Effect.Effect<Invoice, FindError | FieldRefused | NotSandbox | InvoiceNotOpen | InvoiceChanged>
    /** Writes a change together with whatever other fibers commit at the moment. */
    readonly commit: (change: Change) => Effect.Effect<Invoice, InvoiceChanged | StorageError>
  }
>()("@tolem/core/Invoices") {
  /** Closing the layer writes what waits. */
  static readonly layer: Layer.Layer<Invoices, never, InvoiceStore | Ids | Provider | Hints | Digest.Digest> =
    Layer.effect(
      Invoices,
      Effect.suspend(() => make)
    )
}

const make = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const ids = yield* Ids
  const digest = yield* Digest.Digest
  const provider = yield* Provider
  const hints = yield* Hints
  const settings = yield* Settings

  const insert = yield* Batcher.make({
    ...settings.batch,
    runAll: (creations: ReadonlyArray<Creation>) =>
      Effect.map(store.insertMany(creations), (insertions) => insertions.map((insertion) => Exit.succeed(insertion))),
    isolate: isOneItemsFault
  })
  const commitBatched = yield* Batcher.make({
    ...settings.batch,
    runAll: (changes: ReadonlyArray<Change>) => Effect.map(store.commitMany(changes), (results) => results.map(exitOf)),
    isolate: (error: InvoiceChanged | StorageError) => error._tag === "StorageError" && isOneItemsFault(error)
  })

  const commit = (change: Change) => Effect.tap(commitBatched(change), hints.deliveriesDue)

  const fingerprint = (draft: Draft): Effect.Effect<string | null> =>
    draft.idempotencyKey === null
      ? Effect.succeed(null)
      : digest.digestHex(Digest.sha256, new TextEncoder().encode(JSON.stringify(draft)))

  const prepare = Effect.fnUntraced(function* (caller: Caller, request: CreateRequest) {
    const draft = yield* Effect.fromResult(check(request.body, request, settings))
    // Live invoices need a cashier, and there is none to be had yet.
    if (caller.mode === "live") return yield* new ProviderSessionNotConfigured()
    const now = yield* Clock.currentTimeMillis
    const id = yield* ids.next("inv")
    const eventId = yield* ids.next("evt")
    const { organizationId } = caller
    const links = provider.sandboxLinks({ id, payUrl: payUrl(id, settings) })
    const facts = { id, organizationId, now, fingerprint: yield* fingerprint(draft), links }
    const invoice = makeSandboxInvoice(draft, facts, settings)
    return { invoice, event: created(invoice, { now, eventId, source: caller.source }) } satisfies Creation
  })

  const create = Effect.fnUntraced(function* (caller: Caller, request: CreateRequest) {
    const creation = yield* prepare(caller, request)
    return creating(creation, yield* insert(creation))
  })

  const bulk = Effect.fn("Invoices.bulk")(function* (caller: Caller, requests: ReadonlyArray<CreateRequest>) {
    if (requests.length < 1 || requests.length > settings.maxBulk) {
      return yield* new FieldRefused({ code: "invalid_invoices" })
    }
    const prepared = yield* Effect.forEach(requests, (request) => Effect.result(prepare(caller, request)))
    // One write of their own keeps their order, on which replays within the request depend.
    const creations = prepared.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
    const insertions = creations.length === 0 ? [] : yield* store.insertMany(creations)
    const made = creations.map((creation, index) => creating(creation, insertions[index]!)).values()
    return prepared.map((one) => Result.map(one, () => made.next().value!))
  })

  const detail = yield* Batcher.make({
    ...settings.batch,
    runAll: (ids: ReadonlyArray<string>) =>
      Effect.map(store.details(ids), (found) => found.map((one) => Exit.succeed(one))),
    isolate: isOneItemsFault
  })

  const find = Effect.fnUntraced(function* (caller: Caller, id: string) {
    const found = yield* store.find(id)
    return yield* shown(caller, Option.getOrUndefined(found))
  })

  const shown = Effect.fnUntraced(function* (caller: Caller, invoice: Invoice | undefined) {
    if (invoice === undefined) return yield* new InvoiceNotFound()
    if (invoice.organizationId !== caller.organizationId) return yield* new Forbidden()
    const visible =
      invoice.mode === caller.mode &&
      (caller.connectionId === null || invoice.mode === "sandbox" || invoice.connectionId === caller.connectionId)
    return visible ? invoice : yield* new InvoiceNotFound()
  })

  const get = Effect.fnUntraced(function* (caller: Caller, id: string) {
    const found = Option.getOrUndefined(yield* detail(id))
    const invoice = yield* shown(caller, found?.invoice)
    return { invoice, events: found?.events ?? [], refunds: found?.refunds ?? [] }
  })

  const list = Effect.fnUntraced(function* (caller: Caller, request: ListRequest) {
    const { query, otherMode } = yield* Effect.fromResult(checkList(caller, request, settings))
    const page = otherMode ? { total: 0, invoices: [] } : yield* store.list(query)
    return { ...page, limit: query.limit, offset: query.offset }
  })

  const apply = Effect.fnUntraced(function* <R extends Refusal>(
    caller: Caller,
    invoice: Invoice,
    command: Command,
    narrow: (refusal: Refusal) => refusal is R
  ) {
    const now = yield* Clock.currentTimeMillis
    const eventId = yield* ids.next("evt")
    const decided = decide(invoice, command, { now, eventId, source: caller.source })
    if (Result.isSuccess(decided)) return yield* commit(decided.success)
    return narrow(decided.failure) ? yield* Effect.fail(decided.failure) : yield* Effect.die(decided.failure)
  })

  const cancel = Effect.fn("Invoices.cancel")(function* (caller: Caller, id: string) {
    return yield* apply(caller, yield* find(caller, id), Command.Cancel(), isNotOpen)
  })

  const simulate = Effect.fn("Invoices.simulate")(function* (caller: Caller, id: string, body: JsonObject) {
    if (caller.mode !== "sandbox") return yield* new NotSandbox()
    const status = yield* Effect.fromResult(checkSimulate(body))
    const invoice = yield* find(caller, id)
    const paidAt = yield* Clock.currentTimeMillis
    return yield* apply(caller, invoice, simulated(status, paidAt), isNotOpen)
  })

  const refund = Effect.fn("Invoices.refund")(function* (
    caller: Caller,
    id: string,
    request: { readonly body: JsonObject; readonly headerKey?: string | undefined }
  ) {
    const asked = yield* Effect.fromResult(checkRefund(request.body, request.headerKey))
    const attempt = Effect.gen(function* () {
      const invoice = yield* find(caller, id)
      if (asked.idempotencyKey !== null) {
        const { refunds } = yield* store.history(caller.organizationId, id)
        if (refunds.some((refund) => refund.idempotencyKey === asked.idempotencyKey)) return invoice
      }
      if (!isRefundable(invoice.status)) return yield* new NotRefundable({ status: invoice.status })
      const now = yield* Clock.currentTimeMillis
      const record: Refund = {
        id: yield* ids.next("ref"),
        invoiceId: invoice.id,
        organizationId: invoice.organizationId,
        amount: asked.amount ?? remainder(invoice),
        status: "succeeded",
        reason: asked.reason,
        idempotencyKey: asked.idempotencyKey,
        createdAt: now,
        completedAt: now
      }
      return yield* apply(caller, invoice, Command.Refund({ refund: record }), isRefundRefusal)
    })
    // The winner of a race may have been this very request, sent twice: then its record answers the second one.
    const again = (changed: InvoiceChanged) => (asked.idempotencyKey === null ? Effect.fail(changed) : attempt)
    return yield* Effect.catchTag(attempt, "InvoiceChanged", again)
  })

  return { create, bulk, get, list, cancel, refund, simulate, commit }
})

const creating = (creation: Creation, insertion: Insertion): Creating => ({
  invoice: insertion.invoice,
  replayed: insertion._tag === "Replayed",
  mismatch: insertion._tag === "Replayed" && insertion.invoice.fingerprint !== creation.invoice.fingerprint
})

const exitOf = <A, E>(result: Result.Result<A, E>): Exit.Exit<A, E> =>
  Result.isSuccess(result) ? Exit.succeed(result.success) : Exit.fail(result.failure)

const simulated = (status: SimulatedStatus, paidAt: number): Command => {
  switch (status) {
    case "paid":
      return Command.Pay({ paidAt })
    case "failed":
      return Command.Fail()
    case "expired":
      return Command.Expire()
  }
}

const isNotOpen = (refusal: Refusal): refusal is InvoiceNotOpen => refusal._tag === "InvoiceNotOpen"

const isRefundRefusal = (refusal: Refusal): refusal is InvoiceNotRefundable | InvalidRefundAmount =>
  refusal._tag === "InvoiceNotRefundable" || refusal._tag === "InvalidRefundAmount"
