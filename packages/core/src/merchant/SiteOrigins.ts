/** Origins of sites, as browsers name them: scheme, host, and a port where it is not the usual one. Pure. */
import { Result } from "effect"
import { isGiven } from "../value/Checks.ts"

/** The most origins of one list. */
export const maxOrigins = 10

/** The most characters of one. */
export const maxOriginLength = 300

/** The origin that a text names, in its normal form; undefined if it is none of a web site, or says more than that. */
const originOf = (text: unknown): string | undefined => {
  if (typeof text !== "string" || text.length > maxOriginLength) return undefined
  const url = URL.parse(text)
  if (url === null || !isTrusted(url) || url.hostname === "") return undefined
  // A policy of a page would read these in another way.
  if (/[\s;,*']/.test(url.host)) return undefined
  const says = url.href.replace(/\/$/, "")
  return says === url.origin && !/[?#]/.test(text) ? url.origin : undefined
}

/** Without encryption a network could speak as the site: only this machine itself may do without, as developers do. */
const isTrusted = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))

/** A list of different origins, each in its normal form; none if absent. */
export const optionalOrigins = (value: unknown): Result.Result<ReadonlyArray<string>, "invalid_allowed_origins"> => {
  if (!isGiven(value)) return Result.succeed([])
  if (!Array.isArray(value) || value.length > maxOrigins) return Result.fail("invalid_allowed_origins")
  const origins = value.map(originOf)
  return origins.every((origin) => origin !== undefined)
    ? Result.succeed([...new Set(origins)])
    : Result.fail("invalid_allowed_origins")
}
