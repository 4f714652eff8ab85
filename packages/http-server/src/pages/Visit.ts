/** A visitor's request, as far as the pages care. */

import type { Standing } from "@tolem/core/ratelimit/RateWindow"
import type { Settings } from "@tolem/core/Settings"
import { Clock, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { choose, type Language } from "./Language.ts"
import type { VisitorLimit } from "./VisitorLimit.ts"

/** See the file's head. */
export interface Visit {
  /** The invoice that is asked for; null where the address names none that could exist. */
  readonly id: string | null
  readonly language: Language
  readonly now: number
  /** Where the visitor stands; null where nobody knows his address, as within another framework, which limits then. */
  readonly standing: Standing | null
}

/** Identifiers as the `Ids` service makes them. Others never reach the storage. */
const idForm = /^inv_[0-9a-hjkmnp-tv-z]{26}$/

/** The request under way, counted. */
export const visit = (
  limit: VisitorLimit,
  settings: Settings
): Effect.Effect<
  Visit,
  never,
  HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams | HttpRouter.RouteContext
> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { lang } = yield* HttpServerRequest.ParsedSearchParams
    const { id } = yield* HttpRouter.params
    const now = yield* Clock.currentTimeMillis
    return {
      id: id !== undefined && idForm.test(id) ? id : null,
      language: choose(typeof lang === "string" ? lang : lang?.[0], request.headers["accept-language"]),
      now,
      standing: standingOf(request, limit, settings, now)
    }
  })

/** Counts the request, and answers where its visitor stands; null where nobody knows his address. */
export const standingOf = (
  { remoteAddress }: HttpServerRequest.HttpServerRequest,
  limit: VisitorLimit,
  { pagesPerMinute }: Settings,
  now: number
): Standing | null =>
  Option.match(remoteAddress, { onNone: () => null, onSome: (address) => limit(address, pagesPerMinute, now) })
