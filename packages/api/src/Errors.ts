/**
 * Errors as the wire carries them: `{ error, message }` with the status of the catalogue. `error` is the stable code
 * that clients branch on; `message` is Kazakh text for people and may change at any time.
 */
import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/**
 * Schemas of the errors that an endpoint can answer, one per status, each with the codes of that status. Statuses come
 * from the catalogue alone.
 */
export const errors = <const Codes extends ReadonlyArray<Code>>(...codes: Codes) => {
  // Lists that are put together may name one twice.
  const byStatus = Map.groupBy(new Set<Codes[number]>(codes), (code) => entry(code).status)
  return [...byStatus].toSorted(([a], [b]) => a - b).map(([status, alike]) => ofStatus(status, alike))
}

/** Codes that every endpoint behind a key can answer. */
export const accessCodes = [
  "invalid_request",
  "unauthorized",
  "invalid_api_key",
  "account_blocked",
  "organization_inactive",
  "request_rate_limited",
  "insufficient_scope",
  "internal_error",
  "service_unavailable"
] as const

/** Codes that any endpoint can answer. */
export const always = ["internal_error", "service_unavailable"] as const

/** Codes that every endpoint with a request body can answer besides. */
export const bodyCodes = ["invalid_json", "payload_too_large", "unsupported_media_type"] as const

/** Codes that every endpoint behind a session of the cabinet can answer. */
export const sessionCodes = ["unauthorized", "account_blocked", ...always] as const

/** Codes that every endpoint of an organization in the cabinet can answer. */
export const deskCodes = [
  ...sessionCodes,
  "forbidden",
  "insufficient_role",
  "organization_inactive",
  "invalid_mode"
] as const

/** The same of one that changes something, with a request body. */
export const changingCodes = [...deskCodes, ...bodyCodes, "cross_site_request"] as const

/** Codes of one that changes something, and needs a fresh code. */
export const confirmedCodes = [...deskCodes, "fresh_code_required", "cross_site_request"] as const

/** Codes that every endpoint of the operators' console can answer. */
export const consoleCodes = [...sessionCodes, "forbidden"] as const

/** The same of one that changes something: it needs a fresh code. */
export const consoleChangeCodes = [...consoleCodes, "fresh_code_required", "cross_site_request"] as const

const schemaOf = <C extends Code>(status: number, codes: ReadonlyArray<C>) =>
  Schema.Struct({
    error: oneOf(codes),
    message: Schema.String.annotate({ description: "Kazakh text for people; may change" })
  })
    .annotate(codes.length > mostNamed ? {} : { identifier: codes.map(pascal).join("Or") })
    .pipe(HttpApiSchema.status(status))

type ErrorOf<C extends Code> = ReturnType<typeof schemaOf<C>>

// What many endpoints answer alike is one schema of the OpenAPI document, named by its codes; long lists stay where
// they are.
const mostNamed = 3
const known = new Map<string, unknown>()

const ofStatus = <C extends Code>(status: number, codes: ReadonlyArray<C>): ErrorOf<C> => {
  const name = codes.join()
  const schema = known.get(name) ?? schemaOf(status, codes)
  known.set(name, schema)
  return schema as ErrorOf<C>
}

const pascal = (code: string): string => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

// A union of one would be an `anyOf` in the OpenAPI document.
const oneOf = <C extends Code>(codes: ReadonlyArray<C>) =>
  codes.length === 1 && codes[0] !== undefined ? Schema.Literal(codes[0]) : Schema.Literals(codes)
