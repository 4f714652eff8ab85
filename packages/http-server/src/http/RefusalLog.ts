/**
 * Tells of those who are refused because of who they are or how often they come: failed logins, bad keys, what is
 * forbidden, limits. Each is counted; each kind gets some lines a second in the log, and then one that says how many
 * more there were. Keys, codes and cookies are never named.
 */
import type { Code } from "@tolem/core/error/ErrorCatalog"
import { Effect, Metric, Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { RequestState } from "./RequestState.ts"
import { codeOf } from "./Responses.ts"

/** What is known of a request that was answered. `route` is the pattern, never the address. */
export interface RefusedAnswer {
  readonly method: string
  readonly route: string
  readonly response: HttpServerResponse.HttpServerResponse
  readonly state: RequestState
}

/** Codes of other statuses than 401, 403 and 429 that tell of a caller who was not let in. */
const told: ReadonlySet<Code> = new Set<Code>([
  "invalid_api_key",
  "organization_inactive",
  "invalid_code",
  "challenge_expired",
  "challenge_used"
])

const statuses: ReadonlySet<number> = new Set([401, 403, 429])

/** Which kind of refusal an answer is; undefined: none that is told of. Pages have no code, but a status. */
const kindOf = (response: HttpServerResponse.HttpServerResponse): string | undefined => {
  if (response.status < 400) return undefined
  const code = codeOf(response)
  if (statuses.has(response.status)) return code ?? String(response.status)
  return code !== undefined && told.has(code) ? code : undefined
}

const count = (code: string, route: string) =>
  Metric.counter("tolem_http_refusals_total", {
    description: "Requests refused because of who sent them, or how often",
    incremental: true,
    attributes: { code, route }
  })

/** Makes what looks at each answer, with so many lines a second for each kind. There are as many kinds as codes. */
export const make = (linesPerSecond: number) => {
  const windows = new Map<string, { lines: number; leftOut: number }>()

  /** Ends the second of a kind. */
  const close = (kind: string) =>
    Effect.suspend(() => {
      const leftOut = windows.get(kind)?.leftOut ?? 0
      windows.delete(kind)
      const line = Effect.annotateLogs(Effect.logWarning("Refused more"), { code: kind, leftOut })
      return leftOut === 0 ? Effect.void : line
    })

  const tell = (kind: string, { method, route, state }: RefusedAnswer) =>
    Effect.suspend(() => {
      const window = windows.get(kind)
      if (window !== undefined && window.lines >= linesPerSecond) {
        window.leftOut++
        return Effect.void
      }
      const address = Option.getOrUndefined(state.request.remoteAddress)
      const { organizationId, key } = state
      const known = {
        ...(address !== undefined && { address }),
        ...(organizationId !== undefined && { organizationId }),
        ...(key !== undefined && { keyId: key.id })
      }
      const facts = { requestId: state.id, method, route, code: kind, ...known }
      const line = Effect.annotateLogs(Effect.logWarning("Refused"), facts)
      if (window !== undefined) {
        window.lines++
        return line
      }
      windows.set(kind, { lines: 1, leftOut: 0 })
      return Effect.andThen(line, Effect.forkDetach(Effect.delay(close(kind), "1 second")))
    })

  return (answered: RefusedAnswer): Effect.Effect<void> => {
    const kind = kindOf(answered.response)
    if (kind === undefined) return Effect.void
    return Effect.andThen(Metric.update(count(kind, answered.route), 1), tell(kind, answered))
  }
}
