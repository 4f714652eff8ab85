/** Port: where invoices, their events and refunds are kept. Each verb is one atomic step. */

import { type Cause, Context, Data, Effect, Exit, type Option, type Result } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import { refusal } from "../error/Refusal.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { Seller } from "../face/MerchantFace.ts"
import type { Mail } from "../mail/Mail.ts"
import type { OverQuota, Quota, QuotaCode } from "../tariff/Tariff.ts"
import type { InvoiceId, OrganizationId, RefundId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Among, LookAtWaiting, Viewer } from "../value/Tenant.ts"
import type { LinkSoldOut } from "./changes/LinkShare.ts"
import type { Invoice, InvoiceChange, InvoiceEvent, InvoiceStatus } from "./Invoice.ts"
import type { Refund } from "./Refund.ts"

/** What is written as one: a change, or only a refund record and what the row itself knows, without an event. */
export interface Write extends Omit<InvoiceChange, "event"> {
  readonly event: InvoiceEvent | null
  /** What tells the customer of it. */
  readonly mail?: Mail | null
  /** How far the clock of the invoice's sandbox is ahead of the real one, in which its deliveries are due. */
  readonly aheadMs?: number
  /** What the audit log says of it. */
  readonly audit?: AuditRecord
}

/** A new invoice and its first event, written together. */
export interface Creation {
  readonly invoice: Invoice
  readonly event: InvoiceEvent
  /** How many live invoices its organization may make; without one any number. */
  readonly quota?: Quota | null
}

/**
 * What became of a creation: written; or an earlier invoice has its idempotency key and nothing was written; or the
 * organization has used up its quota, or the link has no place left, and nothing was written. Or others of its batch
 * were written, and looking for the invoice that has its key failed.
 */
export type Insertion = Data.TaggedEnum<{
  Created: { readonly invoice: Invoice }
  Replayed: { readonly invoice: Invoice }
  OverQuota: { readonly code: QuotaCode }
  SoldOut: object
  Unanswered: { readonly cause: Cause.Cause<StorageError> }
}>
/** Constructors of insertions. */
export const Insertion = Data.taggedEnum<Insertion>()

/** What became of a creation, where that is known. */
export type KnownInsertion = Exclude<Insertion, { readonly _tag: "Unanswered" }>

/** The same as an exit, each creation's own. */
export const knownExit = (insertion: Insertion): Exit.Exit<KnownInsertion, StorageError> =>
  insertion._tag === "Unanswered" ? Exit.failCause(insertion.cause) : Exit.succeed(insertion)

/** Writes one creation; see `insertMany`. */
export const insertOne = (
  store: InvoiceStore["Service"],
  creation: Creation
): Effect.Effect<KnownInsertion, StorageError> =>
  Effect.flatMap(store.insertMany([creation]), ([insertion]) => knownExit(insertion!))

/** Another writer changed the invoice since it was read. Nothing was written. */
export class InvoiceChanged extends refusal("InvoiceChanged", "invoice_changed") {}

/** Which invoices to list. Empty `statuses` means all; bounds on `createdAt` are inclusive milliseconds. */
export interface InvoiceQuery extends Viewer {
  readonly statuses: ReadonlyArray<InvoiceStatus>
  readonly externalOrderId: string | null
  readonly search: string | null
  readonly from: number | null
  readonly to: number | null
  readonly limit: number
  readonly offset: number
}

/** A page, newest first, and the exact number of all that match. */
export interface InvoicePage {
  readonly total: number
  readonly invoices: ReadonlyArray<Invoice>
}

/** An invoice with everything that is kept about it, events by sequence, refunds by age. */
export interface InvoiceDetail {
  readonly invoice: Invoice
  readonly events: ReadonlyArray<InvoiceEvent>
  readonly refunds: ReadonlyArray<Refund>
}

/** An invoice with the names of who is paid; null if nothing is known of its organization. */
export interface SoldInvoice {
  readonly invoice: Invoice
  readonly seller: Seller
}

/** When an unchanged invoice is to be looked at next; null: never. */
export interface NextCheck {
  readonly id: InvoiceId
  readonly version: number
  readonly dueAt: number | null
  readonly providerStatus: string | null
}

/** Port: invoices with their events, refunds and deliveries. */
export class InvoiceStore extends Context.Service<
  InvoiceStore,
  {
    /**
     * Writes each invoice with its event and the daily totals, unless (organization, mode, idempotency key) is taken;
     * then it answers the invoice that has it. Of two creations of one batch with the same key the second replays the
     * first. Those with a `countedOn` are counted by that day and its month, and refused if their quota is used up;
     * a replay is neither counted nor refused. Those of payment links move the link's totals, and are refused if the
     * link takes so many payments and all its places are held: exact under concurrency for those that hold one at
     * once, see `holdsPlace`. Answers in the order of `creations`. If it fails, nothing was written: what fails after
     * that is the answer of those that it leaves open. In a transaction of the application, see `OpenTransaction`, it
     * locks nothing that other creates want but the counters
     * of a quota and the idempotency key.
     */
    readonly insertMany: (creations: ReadonlyArray<Creation>) => Effect.Effect<ReadonlyArray<Insertion>, StorageError>
    /**
     * Writes each change if the row still has the version of `change.previous`: the row, the event, the refund
     * record, the mail, the audit record, and the seal of the invoice, which changes with them; and its
     * `consequences`: one delivery per endpoint that wants the event, with their number on it; the organization's next
     * receipt number (8 digits); the daily totals and those of its link; and for a run that wakes its due time and the
     * version of its subscription, so that what was decided without knowing of this fails. None may move the
     * invoice in its quota: see
     * `recount`. Answers the row as written, in the order of `changes`.
     */
    readonly commitMany: (
      changes: ReadonlyArray<Write>
    ) => Effect.Effect<ReadonlyArray<Result.Result<Invoice, InvoiceChanged>>, StorageError>
    /**
     * The same for one change that moves the invoice into its organization's quota, out of it, or to another day of it.
     * With a `quota` it is not written where that is used up. One that makes an open invoice hold a place of a link
     * that takes so many payments only is not written where others hold all of them; exact under concurrency.
     */
    readonly recount: (
      change: Write,
      quota: Quota | null
    ) => Effect.Effect<Invoice, InvoiceChanged | OverQuota | LinkSoldOut | StorageError>
    /** The invoice with this id, of any organization: the caller decides what may be seen. */
    readonly find: (id: InvoiceId) => Effect.Effect<Option.Option<Invoice>, StorageError>
    /** The same with its seller. */
    readonly findSold: (id: InvoiceId) => Effect.Effect<Option.Option<SoldInvoice>, StorageError>
    /** The versions of those of these invoices that exist, of any organization. */
    readonly versions: (ids: ReadonlyArray<InvoiceId>) => Effect.Effect<ReadonlyMap<InvoiceId, number>, StorageError>
    /** The refund record with this id, of any organization. */
    readonly findRefund: (id: RefundId) => Effect.Effect<Option.Option<Refund>, StorageError>
    /** The invoice that has this idempotency key. */
    readonly findKey: (
      owner: { readonly organizationId: OrganizationId; readonly mode: Mode },
      idempotencyKey: string
    ) => Effect.Effect<Option.Option<Invoice>, StorageError>
    /**
     * The invoices with these ids and all that is kept about them, no matter whose, in the order of `ids`: all as
     * they were at one moment.
     */
    readonly details: (
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Option.Option<InvoiceDetail>>, StorageError>
    /** Events and refunds of an invoice of this organization, as they were at one moment. */
    readonly history: (
      organizationId: OrganizationId,
      invoiceId: InvoiceId
    ) => Effect.Effect<Omit<InvoiceDetail, "invoice">, StorageError>
    /** A page of what `query` matches. `total` is exact. */
    readonly list: (query: InvoiceQuery) => Effect.Effect<InvoicePage, StorageError>
    /**
     * Leases invoices that are due at `now`, oldest first, until `until`. Before that no one else gets them, unless
     * their `dueAt` is moved meanwhile. With `among` only those tenants' oldest, so many of each at most. With
     * `unasked` only those about which no provider has to be asked: of the sandbox, and those that wait, but for those
     * whose turn has come.
     */
    readonly claim: (
      now: number,
      until: number,
      limit: number,
      among?: Among,
      only?: "unasked"
    ) => Effect.Effect<ReadonlyArray<Invoice>, StorageError>
    /** Who has invoices that are due. */
    readonly waiting: LookAtWaiting<StorageError>
    /**
     * Notes what a look at the provider has shown if nothing else has changed: when to look again, and the
     * provider's own text. An invoice that has another version by now is left as it is.
     */
    readonly rescheduleMany: (looks: ReadonlyArray<NextCheck>) => Effect.Effect<void, StorageError>
  }
>()("@tolem/core/InvoiceStore") {}
