/** What is known of the request under way, for the headers that every answer carries. */
import type { RateStanding } from "@tolem/core/access/RateWindow"
import type { ApiKey } from "@tolem/core/merchant/Merchant"
import { Context } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Claimant, Room } from "./Room.ts"

/** What is told of a key. */
export type KnownKey = Pick<ApiKey, "id" | "organizationId" | "mode" | "lastCharacters">

/** What is known of the request. Changes while the request is served. */
export interface RequestState extends Claimant {
  /** Names the request in logs and in the header X-Request-Id. */
  readonly id: string
  /** Where room in memory is had. */
  readonly room: Room["Service"]
  /** Where the caller's key stands, once its request was counted. */
  standing: RateStanding | undefined
  /** The key that it came with, once it is known. */
  key: KnownKey | undefined
  /** How long it has waited because it asked to: that makes no request slow. */
  waitedNanos: bigint
}

/** The request under way; undefined outside of one. */
export const RequestState = Context.Reference<RequestState | undefined>("@tolem/http-server/RequestState", {
  defaultValue: () => undefined
})

/** The answer with the headers of every answer (`guards` if it has none of its own), and those of a key. */
export const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  { id, standing }: Pick<RequestState, "id" | "standing">,
  guards: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(response, {
    ...(isFramed(response) ? withoutDenial(guards) : guards),
    ...response.headers,
    "x-request-id": id,
    ...(standing !== undefined && {
      "x-ratelimit-limit": String(standing.limit),
      "x-ratelimit-remaining": String(standing.remaining),
      "x-ratelimit-reset": String(standing.resetAt / 1000)
    })
  })

/** Whether its policy names who may frame it. The older header could only forbid that to all. */
const isFramed = ({ headers }: HttpServerResponse.HttpServerResponse): boolean =>
  /\bframe-ancestors (?!'none')/.test(headers["content-security-policy"] ?? "")

const withoutDenial = ({ "x-frame-options": _, ...others }: Readonly<Record<string, string>>) => others
