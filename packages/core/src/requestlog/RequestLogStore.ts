/** Port: the request log. It holds a bounded number of requests of each hour, organization and mode. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { Tenant } from "../value/Tenant.ts"
import type { KeptRequest, LoggedRequest, RequestHour, RequestPlace } from "./LoggedRequest.ts"

/** The count of an hour, with requests of it, oldest first. */
export interface LoggedHour extends RequestHour {
  readonly kept: ReadonlyArray<LoggedRequest>
}

/** Which requests to answer. */
export interface RequestLogQuery {
  /** Those that began before are left out. */
  readonly since: number
  /** Only what stands behind it, going back; null: from the newest on. */
  readonly before: RequestPlace | null
  /** Only those that were refused or failed. */
  readonly errorsOnly: boolean
  /** Only the one with this name; null: all. */
  readonly requestId: string | null
  readonly limit: number
}

/** Port: requests of the last day. */
export class RequestLogStore extends Context.Service<
  RequestLogStore,
  {
    /**
     * Adds to the counts of hours, each of which is named once, and keeps the requests. Of an hour the newest `perHour`
     * that were answered are kept, and as many that were refused or failed: others take the place of the oldest, over
     * all servers. What is lost with the power is lost.
     */
    readonly add: (hours: ReadonlyArray<LoggedHour>, perHour: number) => Effect.Effect<void, StorageError>
    /** Requests that are kept, the newest first. */
    readonly list: (tenant: Tenant, query: RequestLogQuery) => Effect.Effect<ReadonlyArray<KeptRequest>, StorageError>
    /** The counts of the hours that began at `since` or later, in their order. Hours without requests are left out. */
    readonly hours: (tenant: Tenant, since: number) => Effect.Effect<ReadonlyArray<RequestHour>, StorageError>
    /** Forgets hours that began before `before`, `limit` requests and as many counts at most. Answers how many. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StorageError>
  }
>()("@tolem/core/RequestLogStore") {}
