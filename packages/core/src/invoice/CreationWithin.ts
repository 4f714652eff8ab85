/** How invoices come to be in a transaction of the application: checked and stored; no provider is asked. */
import { Effect, Option, Result } from "effect"
import type { UsableConnection } from "../connection/Connection.ts"
import { Forbidden } from "../error/Refusals.ts"
import { StorageError, type StoredBefore } from "../error/StorageError.ts"
import { MerchantStore, OrganizationNotFound } from "../merchant/MerchantStore.ts"
import { OverQuota } from "../tariff/Tariff.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { isWithin, type Viewer } from "../value/Tenant.ts"
import { OpenTransaction } from "../work/OpenTransaction.ts"
import type { Invoice } from "./Invoice.ts"
import { InvoiceSettings } from "./InvoiceSettings.ts"
import { type Creation, InvoiceStore, insertOne, type KnownInsertion } from "./InvoiceStore.ts"
import { ofTransaction } from "./NewInvoice.ts"

/** What a create answers. `replayed`: an earlier request with its key has made it; `mismatch`: that asked otherwise. */
export interface CreateResult {
  readonly invoice: Invoice
  readonly replayed: boolean
  readonly mismatch: boolean
}

/** What every create does first, and what it answers where nothing new can be made by now. */
interface Parts<Caller extends Viewer, Request, E> {
  readonly prepare: (
    caller: Caller,
    request: Request
  ) => Effect.Effect<{ readonly creation: Creation; readonly cashier: UsableConnection | null }, E>
  readonly known: (caller: Caller, request: Request, refusal: E) => Effect.Effect<CreateResult, E>
}

/** What an insertion has made of a creation. */
export const creating = (creation: Creation, insertion: KnownInsertion): Result.Result<CreateResult, OverQuota> => {
  if (insertion._tag === "SoldOut") throw new Error("Only invoices of links need a place")
  if (insertion._tag === "OverQuota") return Result.fail(new OverQuota({ code: insertion.code }))
  const { _tag, invoice } = insertion
  const replayed = _tag === "Replayed"
  const mismatch = replayed && invoice.fingerprint !== creation.invoice.fingerprint
  return Result.succeed({ invoice, replayed, mismatch })
}

/** In a transaction that may be undone the provider is not asked: what is there is answered as it is. */
const asStored = (caller: Viewer, made: CreateResult): Effect.Effect<CreateResult, Forbidden> =>
  made.invoice.mode === "sandbox" || isWithin(caller, made.invoice)
    ? Effect.succeed(made)
    : Effect.suspend(() => new Forbidden())

/** Creates in a transaction of the application: the one that is `given`, or that the fiber is in. */
export const makeWithin = Effect.fnUntraced(function* <Caller extends Viewer, Request, E>({
  prepare,
  known
}: Parts<Caller, Request, E>) {
  const store = yield* InvoiceStore
  const merchants = yield* MerchantStore
  const settings = yield* InvoiceSettings
  const transactions = yield* OpenTransaction
  const { entering } = yield* SandboxClocks
  const create = Effect.fnUntraced(function* (caller: Caller, request: Request) {
    if (Option.isNone(yield* merchants.organization(caller.organizationId))) return yield* new OrganizationNotFound()
    const prepared = yield* Effect.result(prepare(caller, request))
    if (Result.isFailure(prepared)) return yield* asStored(caller, yield* known(caller, request, prepared.failure))
    const { creation: asked, cashier } = prepared.success
    const creation = cashier === null ? asked : { ...asked, invoice: ofTransaction(asked.invoice, settings) }
    const made = yield* Effect.fromResult(creating(creation, yield* insertOne(store, creation)))
    return made.replayed ? yield* asStored(caller, made) : made
  })
  return (caller: Caller, request: Request, given?: unknown) =>
    Effect.suspend(() => {
      let stored: StoredBefore | undefined
      const noted = Effect.tap(entering(create)(caller, request), ({ invoice }) =>
        Effect.sync(() => {
          stored = { invoiceId: invoice.id }
        })
      )
      return Effect.mapError(transactions.within(given, noted), (error) =>
        error instanceof StorageError && stored !== undefined ? error.about(stored) : error
      )
    })
})
