/** What the OpenAPI document says beyond what the contract's schemas say by themselves. */
import type { OpenApi } from "effect/http-api"
import { queryDocumentation } from "./Requests.ts"

const integer = { type: "integer" }
const text = { type: "string" }

const headers = {
  "X-RateLimit-Limit": { description: "Requests of this kind per window", schema: integer },
  "X-RateLimit-Remaining": { description: "Requests left in the window", schema: integer },
  "X-RateLimit-Reset": { description: "When the window ends, Unix seconds", schema: integer },
  "X-Request-Id": { description: "Names this request in the logs", schema: text },
  "Retry-After": { description: "Whole seconds to wait", schema: integer },
  "Idempotency-Mismatch": {
    description: "`true` if the idempotency key was used before for another request",
    schema: { type: "string", enum: ["true"] }
  }
}
type HeaderName = keyof typeof headers

const rateHeaders: ReadonlyArray<HeaderName> = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]

/**
 * The finished document: query parameters described, response headers named, bodies that may be absent marked so,
 * objects left open. Alters and answers the document it is given.
 */
export const finish = (document: Record<string, unknown>): Record<string, unknown> => {
  const { paths, components } = document as { paths: OpenApi.OpenAPISpecPaths; components: Record<string, unknown> }
  components["headers"] = headers
  open(document)
  for (const item of Object.values(paths)) {
    for (const method of methods) {
      const operation = item[method]
      if (operation !== undefined) finishOperation(operation)
    }
  }
  return document
}

/** Members may be added to answers, and unknown ones in requests are ignored: no object is closed. */
const open = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  if ("additionalProperties" in value && value.additionalProperties === false) delete value.additionalProperties
  for (const member of Object.values(value)) open(member)
}

const methods = ["get", "post", "patch", "delete"] as const

const finishOperation = (operation: OpenApi.OpenAPISpecOperation): void => {
  const documented = queryDocumentation[operation.operationId] ?? {}
  for (const parameter of operation.parameters) {
    const described = parameter.in === "query" ? documented[parameter.name] : undefined
    if (described !== undefined) Object.assign(parameter, described)
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    const named = headersOf(operation.operationId, status).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` }
    ])
    Object.assign(response, { headers: { ...response.headers, ...Object.fromEntries(named) } })
  }
  if (operation.operationId === "invoices.refund") Object.assign(operation.requestBody ?? {}, { required: false })
}

const headersOf = (operationId: string, status: string): ReadonlyArray<HeaderName> => {
  const always: ReadonlyArray<HeaderName> = ["X-Request-Id"]
  if (status === "429") return [...always, ...rateHeaders, "Retry-After"]
  if (status === "503") return [...always, "Retry-After"]
  if (/^(invoices|subscriptions)\.create$/.test(operationId) && status === "200")
    return [...always, ...rateHeaders, "Idempotency-Mismatch"]
  return status.startsWith("2") ? [...always, ...rateHeaders] : always
}
