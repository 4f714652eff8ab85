/** Port: the feed, which is every event of an organization and mode, each at its place, in the order of commits. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { Invoice, InvoiceEvent } from "../invoice/Invoice.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { Viewer } from "../value/Tenant.ts"
import type { Cursor } from "./Cursor.ts"

/** Where to begin: behind a place; or before the first event that is not older than an instant. */
export type FeedStart = { readonly after: Cursor } | { readonly since: number }

/** What to read. Empty `types` means all. */
export interface FeedQuery extends Viewer {
  readonly start: FeedStart
  readonly types: ReadonlyArray<InvoiceEvent["type"]>
  readonly limit: number
  /** Places that are looked at. */
  readonly lookAt: number
}

/** An event at its place, with the invoice as it is now. */
export interface FeedEntry {
  readonly cursor: Cursor
  readonly event: InvoiceEvent
  readonly invoice: Invoice
}

/** What was read, in order; the place behind all that was looked at, and whether there is more behind it. */
export interface FeedPart {
  readonly entries: ReadonlyArray<FeedEntry>
  readonly cursor: Cursor
  readonly more: boolean
}

/** What a reader waits for, and behind which place. Empty `types` means all. */
export interface FeedWait extends Viewer {
  readonly types: ReadonlyArray<InvoiceEvent["type"]>
  readonly position: number
}

/** Port: the feed. */
export class FeedStore extends Context.Service<
  FeedStore,
  {
    /**
     * Gives places to events of the organization that have none, at most `limit`, behind all that have one: what was
     * committed before another was begun comes before it, and of an invoice each in its turn. However many servers do
     * so at once, and whatever is written meanwhile, each event gets one place, each place one event, and none comes
     * before one that was seen. Answers whether more may wait.
     */
    readonly place: (organizationId: OrganizationId, limit: number) => Effect.Effect<boolean, StorageError>
    /**
     * Reads events that have places. A cursor whose event is not at its place is one of data that were lost: then
     * it begins an hour before that event.
     */
    readonly read: (query: FeedQuery) => Effect.Effect<FeedPart, StorageError>
    /** Which of these organizations have events without a place. */
    readonly arrived: (
      organizationIds: ReadonlyArray<OrganizationId>
    ) => Effect.Effect<ReadonlyArray<OrganizationId>, StorageError>
    /** Those who have an event behind their place that they wait for. */
    readonly ready: <Wait extends FeedWait>(
      waits: ReadonlyArray<Wait>
    ) => Effect.Effect<ReadonlyArray<Wait>, StorageError>
  }
>()("@tolem/core/FeedStore") {}
