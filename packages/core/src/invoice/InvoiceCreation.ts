/** How invoices come to be: checked, stored, and, where money is to move, made at the provider. */

import { Clock, Duration, Effect, Option, Result } from "effect"
import type { ConnectionNotActive, ProviderSessionExpired } from "../connection/ConnectionErrors.ts"
import { Connections } from "../connection/Connections.ts"
import { FieldRefused, Forbidden, type NotLive, type ProviderSessionNotConfigured } from "../error/Refusals.ts"
import { StorageError } from "../error/StorageError.ts"
import { SandboxLinks } from "../provider/SandboxLinks.ts"
import { fingerprintOf } from "../secret/Fingerprint.ts"
import { TextDigest } from "../secret/Sha256.ts"
import type { OverQuota } from "../tariff/Tariff.ts"
import { type QuotaError, Tariffs } from "../tariff/Tariffs.ts"
import type { JsonObject } from "../value/Checks.ts"
import { Ids } from "../value/Ids.ts"
import { isWithin, type Viewer } from "../value/Tenant.ts"
import * as Pauses from "../work/Pauses.ts"
import { Commits } from "./Commits.ts"
import { type CreateResult, creating, makeWithin } from "./CreationWithin.ts"
import { LinkSoldOut } from "./changes/LinkShare.ts"
import { type Invoice, invoiceCreated, type Source } from "./Invoice.ts"
import { checkInvoice, type DraftRefused, type InvoiceDraft } from "./InvoiceDraft.ts"
import { payUrl } from "./InvoiceJson.ts"
import { InvoiceSettings } from "./InvoiceSettings.ts"
import { type Creation, InvoiceStore, type KnownInsertion } from "./InvoiceStore.ts"
import * as CreationStages from "./live/CreationStages.ts"
import { type InvoiceCreateFailed, ProviderError } from "./live/LiveOffers.ts"
import { LivePayments } from "./live/LivePayments.ts"
import { liveInvoice, sandboxInvoice, waitingInvoice } from "./NewInvoice.ts"
import * as Origin from "./Origin.ts"

/** Who asks: whose invoices, and through which door. */
export interface Caller extends Viewer {
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

/** Why a create can be refused. The last three: the invoice is kept, and what became of it shows when it is read. */
export type CreateError =
  | DraftRefused
  | QuotaError
  | OverQuota
  | Forbidden
  | NotLive
  | ProviderSessionNotConfigured
  | ConnectionNotActive
  | StorageError
  | ProviderSessionExpired
  | InvoiceCreateFailed
  | ProviderError

/** How an invoice that waits is made. */
export interface WaitingOptions {
  /** What is sent again with one of these texts and the same content finds what it has made with the first of them. */
  readonly once?: ReadonlyArray<string>
  /** How long it waits, if not as long as its origin says. */
  readonly waitingMs?: number
}

/** Makes an invoice that waits for its page to be opened. */
type CreateWaiting = (
  caller: Caller,
  request: CreateRequest,
  origin: Origin.Origin,
  options?: WaitingOptions
) => Effect.Effect<Invoice, CreateError | LinkSoldOut>

/** The verbs. */
export const make = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const ids = yield* Ids
  const digest = yield* TextDigest
  const sandboxLinks = yield* SandboxLinks
  const connections = yield* Connections
  const payments = yield* LivePayments
  const tariffs = yield* Tariffs
  const settings = yield* InvoiceSettings
  const { insert, insertAll } = yield* Commits

  const fingerprint = (draft: InvoiceDraft): string | null =>
    draft.idempotencyKey === null ? null : fingerprintOf(draft, digest)

  const prepare = Effect.fnUntraced(function* (caller: Caller, request: CreateRequest) {
    const draft = yield* Effect.fromResult(checkInvoice(request.body, request, settings))
    const isLive = caller.mode === "live"
    const quota = yield* tariffs.quota(caller)
    const cashier = isLive ? yield* connections.forCreate(caller.organizationId, caller.connectionId) : null
    const now = yield* Clock.currentTimeMillis
    const id = yield* ids.next("inv")
    const eventId = yield* ids.next("evt")
    const { organizationId } = caller
    const facts = { id, organizationId, now, fingerprint: fingerprint(draft) }
    const links = () => sandboxLinks({ id, payUrl: payUrl(id, settings) })
    const invoice =
      cashier === null
        ? sandboxInvoice(draft, { ...facts, links: links() }, settings)
        : liveInvoice(draft, { ...facts, connectionId: cashier.id })
    const event = invoiceCreated(invoice, { now, eventId, source: caller.source })
    return { caller, creation: { invoice, event, quota } satisfies Creation, cashier }
  })

  type Prepared = Effect.Success<ReturnType<typeof prepare>>

  /** What the insertion leaves to do: a live invoice that was stored here is made at the provider from here. */
  const finish = Effect.fnUntraced(function* (
    { caller, creation, cashier }: Prepared,
    insertion: KnownInsertion,
    anew: Effect.Effect<CreateResult, CreateError>
  ) {
    const made = yield* Effect.fromResult(creating(creation, insertion))
    if (cashier === null) return made
    if (made.replayed) return yield* replay(caller, made, anew)
    return yield* naming(made.invoice, payments.offer(made.invoice, cashier)).pipe(
      Effect.map((invoice): CreateResult => ({ ...made, invoice })),
      Effect.catchTag("InvoiceChanged", () =>
        Effect.flatMap(reload(made.invoice), (invoice) => replay(caller, { ...made, invoice }, anew))
      )
    )
  })

  /**
   * What has been made for this request before, once that is known. What came to nothing has given back its place and
   * its key: then this request is the first one, and is done `anew`. Keys are the organization's: one may have made
   * what this caller must not see.
   */
  const replay = Effect.fnUntraced(function* (
    caller: Caller,
    made: CreateResult,
    anew: Effect.Effect<CreateResult, CreateError>
  ) {
    if (!isWithin(caller, made.invoice)) return yield* new Forbidden()
    const invoice = made.invoice.status === "new" ? yield* naming(made.invoice, resumed(made.invoice)) : made.invoice
    return invoice.mode === "live" && invoice.countedOn === null ? yield* anew : { ...made, invoice }
  })

  const reload = Effect.fnUntraced(function* (invoice: Invoice) {
    return Option.getOrElse(yield* store.find(invoice.id), () => invoice)
  })

  /** Asks again for an invoice whose request was not answered. It is not new any more if this succeeds. */
  const resumed = Effect.fnUntraced(function* (invoice: Invoice) {
    let current = invoice
    for (let count = 0; count < maxRivals; count++) {
      current = yield* settled(current)
      if (current.status !== "new") return current
      const asked = yield* Effect.result(payments.resume(current))
      if (Result.isFailure(asked) && asked.failure._tag !== "InvoiceChanged") return yield* Effect.fail(asked.failure)
      // Another request asks at the moment: its answer is this one's as well.
      current = Result.isSuccess(asked) ? asked.success : yield* reload(current)
    }
    return current.status === "new" ? yield* new ProviderError({ invoiceId: invoice.id }) : current
  })

  // A repeated request waits for the first one, for as long as it may be under way.
  const settled = Effect.fnUntraced(function* (invoice: Invoice) {
    const now = yield* Clock.currentTimeMillis
    if (!CreationStages.isUnderWay(invoice, now)) return invoice
    const leftMs = invoice.updatedAt + CreationStages.firstLookMs - now
    const again = reload(invoice).pipe(
      Effect.delay(Duration.millis(replayPollMs)),
      Effect.repeat({
        while: (found) => CreationStages.isUnderWay(found, now),
        times: Math.ceil(leftMs / replayPollMs)
      })
    )
    return yield* again
  })

  /** What an earlier request with this key has made is answered also where nothing new could be made by now. */
  const known = Effect.fnUntraced(function* (caller: Caller, request: CreateRequest, refusal: CreateError) {
    if (!lacksMeans(refusal)) return yield* Effect.fail(refusal)
    const draft = yield* Effect.fromResult(checkInvoice(request.body, request, settings))
    const { idempotencyKey } = draft
    const found = idempotencyKey === null ? Option.none() : yield* store.findKey(caller, idempotencyKey)
    if (Option.isNone(found)) return yield* Effect.fail(refusal)
    const mismatch = found.value.fingerprint !== fingerprint(draft)
    return { invoice: found.value, replayed: true, mismatch }
  })
  const earlier = (caller: Caller, request: CreateRequest, refusal: CreateError) =>
    Effect.flatMap(known(caller, request, refusal), (made) => replay(caller, made, Effect.fail(refusal)))

  const attempt = (caller: Caller, request: CreateRequest, left: number): Effect.Effect<CreateResult, CreateError> =>
    Effect.gen(function* () {
      const prepared = yield* Effect.result(prepare(caller, request))
      if (Result.isFailure(prepared)) return yield* earlier(caller, request, prepared.failure)
      const { success } = prepared
      // An error takes a picture of the stack: it is made only if it is needed, which is hardly ever.
      const unmade = Effect.suspend(() => new ProviderError({ invoiceId: success.creation.invoice.id }))
      const anew = left > 0 ? attempt(caller, request, left - 1) : unmade
      return yield* finish(success, yield* insert(success.creation), anew)
    })
  const create = (caller: Caller, request: CreateRequest) => attempt(caller, request, maxRivals)

  const createWaiting: CreateWaiting = Effect.fnUntraced(function* (caller, request, origin, options = {}) {
    const { once = [], waitingMs = settings.waitingMs[origin.kind] } = options
    const draft = yield* Effect.fromResult(checkInvoice(request.body, request, settings))
    const { organizationId, connectionId, source } = caller
    const isLive = caller.mode === "live"
    // A live one counts in the quota when its code is made; without a tariff in force none is made at all.
    const quota = yield* tariffs.quota(caller)
    const cashier = isLive ? yield* connections.forCreate(organizationId, connectionId) : null
    const now = yield* Clock.currentTimeMillis
    const facts = { id: yield* ids.next("inv"), organizationId, now, connectionId: cashier?.id ?? null, origin }
    const waiting = waitingInvoice(draft, facts, {
      ...settings,
      waitingMs: { ...settings.waitingMs, [origin.kind]: waitingMs }
    })
    const content = once.length === 0 ? "" : fingerprintOf(draft, digest)
    const [idempotencyKey = null, ...earlier] = once.map((each) => `sent/${Origin.toText(origin)}/${each}/${content}`)
    // A merchant's own request may have that key, and what it has made is none of this customer's.
    const isOwn = (made: Invoice) => made.origin !== null && Origin.toText(made.origin) === Origin.toText(origin)
    for (const key of earlier) {
      const found = Option.filter(yield* store.findKey(caller, key), isOwn)
      if (Option.isSome(found)) return found.value
    }
    const invoice = { ...waiting, idempotencyKey }
    const event = invoiceCreated(invoice, { now, eventId: yield* ids.next("evt"), source })
    const creation = { invoice, event, quota: isLive ? null : quota }
    const insertion = yield* insert(creation)
    if (insertion._tag === "SoldOut") return yield* new LinkSoldOut()
    const { invoice: stored } = yield* Effect.fromResult(creating(creation, insertion))
    return isOwn(stored) ? stored : yield* createWaiting(caller, request, origin, { waitingMs })
  })

  const bulk = Effect.fn("Invoices.bulk")(function* (caller: Caller, requests: ReadonlyArray<CreateRequest>) {
    if (requests.length < 1 || requests.length > settings.maxBulk) {
      return yield* new FieldRefused({ code: "invalid_invoices" })
    }
    const pause = Pauses.make(settings.batch.maxBytes)
    const prepared = yield* Effect.forEach(requests, (request) =>
      Effect.andThen(pause(request.rawMetadata?.length ?? 0), Effect.result(prepare(caller, request)))
    )
    const accepted = prepared.flatMap((one, index) =>
      Result.isSuccess(one) ? [{ ...one.success, anew: create(caller, requests[index]!) }] : []
    )
    // What repeats a key of the same request is written after the first with that key, which it replays.
    const firsts = firstOfEachKey(accepted)
    const written = yield* insertAll([...firsts].map(({ creation }) => creation))
    const others = accepted.filter((one) => !firsts.has(one))
    const repeated = yield* insertAll(others.map(({ creation }) => creation))
    const insertions = [written.values(), repeated.values()] as const
    const inserted = accepted.map((one) => insertions[firsts.has(one) ? 0 : 1].next().value!)
    const made = yield* Effect.forEach(
      accepted,
      (one, index) =>
        Effect.result(
          Effect.flatMap(Effect.fromResult(inserted[index]!), (insertion) => finish(one, insertion, one.anew))
        ),
      { concurrency: bulkAtOnce }
    )
    const outcomes = made.values()
    return yield* Effect.forEach(
      prepared,
      (one, index): Effect.Effect<Result.Result<CreateResult, CreateError>> =>
        Result.isSuccess(one)
          ? Effect.succeed(outcomes.next().value!)
          : Effect.result(earlier(caller, requests[index]!, one.failure))
    )
  })

  return { create, createWithin: yield* makeWithin({ prepare, known }), createWaiting, bulk }
})

/** Calls of the provider that one bulk request makes at once. */
const bulkAtOnce = 8

const replayPollMs = 200

/** Those whose idempotency key no earlier one has, in their order. */
const firstOfEachKey = <A extends { readonly creation: Creation }>(all: ReadonlyArray<A>): ReadonlySet<A> => {
  const groups = Map.groupBy(all, (one): unknown => one.creation.invoice.idempotencyKey ?? one)
  return new Set(Array.from(groups.values(), ([first]) => first!))
}

/** How often a repeated request looks anew at what others do with the same key. */
const maxRivals = 5

/** A storage that is away names the invoice that it is away from. */
const naming = <E>({ id }: Invoice, effect: Effect.Effect<Invoice, E | StorageError>) =>
  Effect.mapError(effect, (error) => (error instanceof StorageError ? error.about({ invoiceId: id }) : error))

/** There is no live mode, no tariff or no cashier for a new invoice. */
const lacksMeans = ({ _tag }: CreateError): boolean =>
  _tag === "NotLive" ||
  _tag === "TariffInactive" ||
  _tag === "ProviderSessionNotConfigured" ||
  _tag === "ConnectionNotActive" ||
  _tag === "ProviderSessionExpired"
