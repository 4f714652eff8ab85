/**
 * Port: where endpoints, deliveries and attempts are kept. Deliveries of invoice events are not made here: they are
 * written by `InvoiceStore.commitMany`, with the change that causes them.
 */

import { Context, Data, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import { refusal } from "../error/Refusal.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { ConnectionId, DeliveryId, EndpointId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Tenant } from "../value/Tenant.ts"
import type { Attempt, Delivery, DeliveryStatus, Endpoint, EventKind, Job } from "./Webhook.ts"

/** The organization has as many endpoints in this mode as it may. */
export class TooManyEndpoints extends refusal("TooManyEndpoints", "too_many_endpoints") {}

/** No such endpoint that the caller may know of: in its mode, and of its cashier where it is bound to one. */
export class EndpointNotFound extends refusal("EndpointNotFound", "endpoint_not_found") {}

/** No such delivery of this endpoint. */
export class DeliveryNotFound extends refusal("DeliveryNotFound", "delivery_not_found") {}

/** Whose endpoints. */
export interface EndpointOwner {
  readonly organizationId: OrganizationId
  readonly mode: Mode
}

/** Who asks for endpoints. Bound to a cashier, live, they know of those of the cashier only. */
export interface EndpointViewer extends EndpointOwner {
  readonly connectionId?: ConnectionId | null
}

/** What a merchant may change of an endpoint; an absent member stays. */
export interface EndpointPatch {
  readonly url?: string
  readonly events?: ReadonlyArray<EventKind>
  readonly disabled?: boolean
  readonly secret?: Endpoint["secret"]
  readonly previousSecret?: Endpoint["previousSecret"]
}

/** What an attempt makes of its delivery and of its endpoint. */
export interface Settlement {
  readonly job: Job
  readonly attempt: Attempt
  readonly outcome: AttemptOutcome
}

/** `Retry`: the next attempt is due at `dueAt`. `Failed`: it was the last one. `pauseUntil`: the endpoint pauses. */
export type AttemptOutcome = Data.TaggedEnum<{
  Delivered: object
  Retry: { readonly dueAt: number; readonly pauseUntil: number | null }
  Failed: { readonly pauseUntil: number | null }
}>
/** Constructors of outcomes. */
export const AttemptOutcome = Data.taggedEnum<AttemptOutcome>()

/** Which deliveries of an endpoint to show, newest first. */
export interface DeliveryQuery {
  readonly endpointId: EndpointId
  readonly status: DeliveryStatus | null
  readonly limit: number
  readonly offset: number
}

/** An endpoint that something is due at. `dueAt`: since when. */
export interface DueEndpoint {
  readonly id: EndpointId
  readonly organizationId: OrganizationId
  readonly mode: Mode
  readonly dueAt: number
}

/** What every claim has: its instant, its end, its proof, and how long what cannot be read stays out. */
export interface DeliveryClaim {
  readonly now: number
  readonly until: number
  readonly lease: string
  readonly asideMs: number
}

/** What parts of a month are kept since: instants, null each: all are kept. */
export interface KeptSince {
  readonly attempts: number | null
  readonly deliveries: number | null
}

/** Where a sweep of deliveries stands: at this endpoint, behind the delivery with this age and id. */
export interface ForgettingPlace {
  readonly endpointId: EndpointId
  readonly createdAt: number
  readonly id: DeliveryId
}

/** Where a sweep of bodies stands: behind this attempt. */
export interface AttemptPlace {
  readonly startedAt: number
  readonly deliveryId: DeliveryId
  readonly number: number
}

/** A delivery with its log, attempts by number: those that are still kept. */
export interface LoggedDelivery {
  readonly delivery: Delivery
  readonly attempts: ReadonlyArray<Attempt>
}

/** Port: endpoints, deliveries and their attempts. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /**
     * Adds an endpoint if its owner has fewer than `limit` in its mode; exact under concurrency. `unlessKnown`: only if
     * they have none with its address and cashier; else false, and nothing is written.
     */
    readonly addEndpoint: (
      endpoint: Endpoint,
      limit: number,
      audit?: AuditRecord,
      options?: { readonly unlessKnown: boolean }
    ) => Effect.Effect<boolean, TooManyEndpoints | StorageError>
    /** The organization of an endpoint that was not removed. */
    readonly organizationOf: (id: EndpointId) => Effect.Effect<Option.Option<string>, StorageError>
    /** The owner's endpoints, oldest first. */
    readonly endpoints: (owner: EndpointOwner) => Effect.Effect<ReadonlyArray<Endpoint>, StorageError>
    /** Writes the present members of `patch`. Answers the endpoint as written. */
    readonly patchEndpoint: (
      owner: EndpointOwner,
      id: EndpointId,
      patch: EndpointPatch,
      now: number,
      audit?: AuditRecord
    ) => Effect.Effect<Endpoint, EndpointNotFound | StorageError>
    /** Removes an endpoint; its pending deliveries become `failed`, its log stays. */
    readonly removeEndpoint: (
      owner: EndpointOwner,
      id: EndpointId,
      now: number,
      audit?: AuditRecord
    ) => Effect.Effect<void, EndpointNotFound | StorageError>
    /**
     * Adds a delivery that no change of an invoice causes: a test, or a manual resend. False, and nothing is written,
     * if its endpoint is removed, or the event to be sent again is no more, with its invoice; a test is of none.
     */
    readonly addDelivery: (delivery: Delivery) => Effect.Effect<boolean, StorageError>
    /** Deliveries of an endpoint, newest first, with their number in all. */
    readonly deliveries: (
      query: DeliveryQuery
    ) => Effect.Effect<{ readonly total: number; readonly deliveries: ReadonlyArray<Delivery> }, StorageError>
    /** One delivery of an endpoint with its attempts. */
    readonly delivery: (
      endpointId: EndpointId,
      id: DeliveryId
    ) => Effect.Effect<Option.Option<LoggedDelivery>, StorageError>
    /**
     * Endpoints with deliveries that wait and are due at `now`, in the order of their ids, from the first one after
     * `after` (null: from the beginning). None that is disabled, pauses or is gone. Looks at `limit` of those that have
     * anything waiting at most, however much that is; `next` is where to go on, null if that were all.
     */
    readonly due: (request: {
      readonly now: number
      readonly after: string | null
      readonly limit: number
    }) => Effect.Effect<{ readonly endpoints: ReadonlyArray<DueEndpoint>; readonly next: string | null }, StorageError>
    /** The same of some tenants only, in no order. An owner has a handful of endpoints, so these are all of them. */
    readonly dueOf: (
      tenants: ReadonlyArray<Tenant>,
      now: number
    ) => Effect.Effect<ReadonlyArray<DueEndpoint>, StorageError>
    /**
     * Leases `each` of the deliveries of each endpoint that are due at `now`, oldest first, by moving their `dueAt` to
     * `until`, and counts a start of each; never one that an earlier pending delivery of the same (endpoint, invoice)
     * precedes. One that cannot be read stays out for `asideMs`, and is logged.
     */
    readonly claim: (
      request: DeliveryClaim & { readonly endpoints: ReadonlyArray<string>; readonly each: number }
    ) => Effect.Effect<ReadonlyArray<Job>, StorageError>
    /**
     * The same for deliveries whose lease has ended without a settlement: those that were started once, twice and so
     * on, at most as many as `limits` says for each; all that were started more often.
     */
    readonly reclaim: (
      request: DeliveryClaim & { readonly limits: ReadonlyArray<number> }
    ) => Effect.Effect<ReadonlyArray<Job>, StorageError>
    /**
     * Writes each settlement whose lease still holds: the attempt, the delivery, the endpoint's counters. `pauseUntil`
     * pauses the endpoint, once however many attempts of jobs claimed before that ask for it; a success resets the
     * counters and lifts the pause. Starts are counted anew. Answers per settlement whether the lease held.
     */
    readonly settleMany: (
      settlements: ReadonlyArray<Settlement>,
      now: number
    ) => Effect.Effect<ReadonlyArray<boolean>, StorageError>
    /** Gives claimed deliveries back: due at `dueAt` again, neither an attempt nor a start counted. */
    readonly release: (jobs: ReadonlyArray<Job>, dueAt: number) => Effect.Effect<void, StorageError>
    /**
     * Where attempts and deliveries are kept in parts of a month: makes those of `now` and soon after, and drops those
     * in which all attempts began, or all deliveries ended, before an instant; of deliveries never those of which there
     * still are attempts. What others have locked for longer than a moment is left to the next call.
     */
    readonly tendMonths: (now: number, before: KeptSince) => Effect.Effect<void, StorageError>
    /**
     * Where deliveries are kept in parts of a month: moves those that are still on their way out of months that have
     * passed, `limit` at most, so that agents need not look there. Answers how many.
     */
    readonly gatherDeliveries: (limit: number) => Effect.Effect<number, StorageError>
    /** Forgets attempts outside of such parts, the oldest before an instant, `limit` at most. Answers how many. */
    readonly forgetAttempts: (before: number, limit: number) => Effect.Effect<number, StorageError>
    /**
     * Empties the bodies of attempts that began before an instant, oldest first. Looks at `limit` behind `after` at
     * most, and at nothing that was emptied before; null: from there on, and as `next`: that was all. Answers how many
     * had any. An attempt that is stored after that with an earlier beginning keeps its bodies.
     */
    readonly forgetBodies: (request: {
      readonly before: number
      readonly limit: number
      readonly after: AttemptPlace | null
    }) => Effect.Effect<{ readonly removed: number; readonly next: AttemptPlace | null }, StorageError>
    /**
     * Forgets deliveries that were delivered or given up before an instant, with their attempts. Looks at `limit`
     * behind `after` at most; null: from the beginning, and as `next`: that was all.
     */
    readonly forgetDeliveries: (request: {
      readonly before: number
      readonly limit: number
      readonly after: ForgettingPlace | null
    }) => Effect.Effect<{ readonly removed: number; readonly next: ForgettingPlace | null }, StorageError>
    /**
     * Takes the right to probe an endpoint whose pause ended at `pausedUntil`, by moving the pause to `until`. False
     * where another has it.
     */
    readonly takeProbe: (
      endpointId: EndpointId,
      pausedUntil: number,
      until: number
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/WebhookStore") {}
