/** What Node and Undici say of a failed request, as one of the few reasons that the log of deliveries knows. */
import type { SendFailureReason } from "@tolem/core/webhook/sending/WebhookSender"

/** The reason, by the names and codes along the error's chain of causes. */
export const reasonOf = (error: unknown): SendFailureReason => {
  const codes = codesOf(error, 0).join(" ")
  const found = reasons.find(([pattern]) => pattern.test(codes))
  return found === undefined ? "connection" : found[1]
}

const reasons: ReadonlyArray<readonly [pattern: RegExp, reason: SendFailureReason]> = [
  [/ENOTFOUND|EAI_/, "name"],
  [/ERR_TLS|ERR_SSL|EPROTO|CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/, "tls"],
  [/HTTPParserError|HPE_|UND_ERR_(HEADERS_OVERFLOW|INVALID)|ERR_ASSERTION/, "protocol"],
  [/UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT/, "timeout"]
]

const maxDepth = 8

const codesOf = (error: unknown, depth: number): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null || depth > maxDepth) return []
  const own = [Reflect.get(error, "name"), Reflect.get(error, "code")].filter((each) => typeof each === "string")
  const causes = "cause" in error ? [error.cause] : []
  const several = "errors" in error && Array.isArray(error.errors) ? error.errors : []
  return [...own, ...[...causes, ...several].flatMap((inner) => codesOf(inner, depth + 1))]
}
