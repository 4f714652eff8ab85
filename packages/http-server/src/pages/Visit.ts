/** A visitor's request, as far as the pages care. */
import type { RateStanding } from "@tolem/core/access/RateWindow"
import { type Visitors, visitorOf } from "@tolem/core/access/Visitors"
import type { Settings } from "@tolem/core/engine/Settings"
import type { Tenant } from "@tolem/core/value/Tenant"
import { Clock, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { choose, type Language } from "./Language.ts"

/** A visit to a public page. */
export interface Visit {
  /** The invoice that is asked for; null if the address names none that could exist. */
  readonly id: string | null
  readonly language: Language
  /** Its path and query as this server knows them. */
  readonly url: string
  /** The parameters of the address, the first of each. */
  readonly parameters: (name: string) => string | undefined
  readonly now: number
}

/** Identifiers as the `Ids` service makes them. Others never reach the storage. */
const idForm = /^inv_[0-9a-hjkmnp-tv-z]{26}$/

/** The request under way. */
export const visit: Effect.Effect<
  Visit,
  never,
  HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams | HttpRouter.RouteContext
> = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const search = yield* HttpServerRequest.ParsedSearchParams
  const { id } = yield* HttpRouter.params
  const parameters = (name: string) => {
    const value = search[name]
    return typeof value === "string" ? value : value?.[0]
  }
  return {
    id: id !== undefined && idForm.test(id) ? id : null,
    language: choose(parameters("lang"), request.headers["accept-language"]),
    url: request.url,
    parameters,
    now: yield* Clock.currentTimeMillis
  }
})

/** Counts a request, and answers where its visitor stands. */
export type Count<E = never> = Effect.Effect<RateStanding, E, HttpServerRequest.HttpServerRequest>

/** Counts a view: all public pages share one counter, over all servers of the database. */
export const countView = (visitors: Visitors["Service"], settings: Settings): Count =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
    visitors.count({ kind: "page", ...visitorOf(remoteAddress, settings.pagesPerMinute, settings) })
  )

/** The bucket of all that visitors have made at one link or hook, or of an organization in one mode. */
interface Bucket {
  readonly subject: string
  readonly limit: number
}

/** The bucket of what visitors make of an organization in one mode. Its keys have others. */
const bucketOf = ({ organizationId, mode }: Tenant, { visitors }: Settings): Bucket => ({
  subject: `visitors/${mode}/${organizationId}`,
  limit: visitors.invoicesOfOrganizationPerMinute
})

/**
 * Counts an invoice that a visitor has made, then one of all that are made at this link or hook, then one of all of its
 * organization. What one refuses is not counted by those behind it. Without a `maker` it is the successor of one. What
 * belongs to no organization, or cannot be paid, has no `owner`: the use-case refuses it.
 */
export const countInvoice = <E>(
  visitors: Visitors["Service"],
  settings: Settings,
  maker: string | null,
  owner: Effect.Effect<Tenant | null, E>
): Count<E> =>
  Effect.gen(function* () {
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const { invoicesPerMinute, invoicesOfOnePerMinute: limit, freePerInvoice: freePerPlace } = settings.visitors
    const visitor = visitorOf(remoteAddress, invoicesPerMinute, settings)
    const own = yield* visitors.count({ kind: "invoice", ...visitor })
    if (!own.allowed) return own
    // Visitors of unknown address are not kept apart.
    const nth = Option.isNone(remoteAddress) ? 1 : own.limit - own.remaining
    const take = (bucket: Bucket) => visitors.take({ kind: "invoice", ...bucket, nth, freePerPlace })
    const made = maker === null ? own : yield* take({ subject: maker, limit })
    const tenant = made.allowed ? yield* owner : null
    return tenant === null ? made : yield* take(bucketOf(tenant, settings))
  })

/** Counts a visitor who wants a code, and all who want one of the same invoice. */
export const countCode = (visitors: Visitors["Service"], settings: Settings, id: string | null): Count =>
  Effect.gen(function* () {
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const { codesPerMinute, codesOfOnePerMinute: limit } = settings.visitors
    const own = yield* visitors.count({ kind: "code", ...visitorOf(remoteAddress, codesPerMinute, settings) })
    return own.allowed && id !== null ? yield* visitors.count({ kind: "code", subject: id, limit }) : own
  })

/** Counts a page that asks for its status. That is no view, and is bounded by each server for itself. */
export const countStatus = (visitors: Visitors["Service"], settings: Settings): Count =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
    visitors.countHere({
      kind: "status",
      ...visitorOf(remoteAddress, settings.visitors.statusesPerMinute, settings)
    })
  )
