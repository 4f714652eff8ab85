/** What the OpenAPI document says of each operation beyond what the contract's schemas say by themselves. */
import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import type { OpenApi } from "effect/http-api"
import { queryDocumentation } from "./Requests.ts"

const integer = { type: "integer", minimum: 0 }

/** The headers of answers, for all operations. */
export const headers = {
  "X-RateLimit-Limit": { description: "Requests of this kind per window", schema: integer },
  "X-RateLimit-Remaining": { description: "Requests left in the window", schema: integer },
  "X-RateLimit-Reset": { description: "When the window ends, Unix seconds", schema: integer },
  "X-Request-Id": { description: "Names this request in the logs", schema: { type: "string" } },
  "Retry-After": { description: "Whole seconds to wait", schema: integer },
  "Idempotency-Mismatch": {
    description: "`true` if the idempotency key was used before for another request",
    schema: { type: "string", enum: ["true"] }
  }
}
type HeaderName = keyof typeof headers

const rateHeaders: ReadonlyArray<HeaderName> = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]

/** Where an operation is, and the components of its document. */
export interface Around {
  readonly path: string
  readonly schemas: Readonly<Record<string, object>>
  /** Answers that several operations share; they are added here. */
  readonly responses: Record<string, object>
}

/**
 * Finishes the operation: parameters described, headers named, errors told by their codes, bodies that may be absent
 * marked so. Alters what it is given.
 */
export const finishOperation = (operation: OpenApi.OpenAPISpecOperation, around: Around): void => {
  const { operationId, parameters, responses } = operation
  for (const parameter of parameters) {
    // Copied: the document that it goes into has settings of its own.
    const { name } = parameter
    if (parameter.in === "query") Object.assign(parameter, structuredClone(queryDocumentation[operationId]?.[name]))
    if (parameter.in === "path") Object.assign(parameter, pathParameter(around.path, name))
  }
  for (const [status, response] of Object.entries(responses)) {
    const named = headersOf(operationId, status).map((name) => [name, { $ref: `#/components/headers/${name}` }])
    Object.assign(response, { headers: { ...response.headers, ...Object.fromEntries(named) } })
    if (Number(status) >= 400) Object.assign(responses, { [status]: refusal(status, response, around) })
    else response.description = phrases[status] ?? "Done"
  }
  Object.assign(responses, { default: { $ref: "#/components/responses/Refused" } })
  around.responses["Refused"] ??= described(edgeCodes, schemaOf(edgeCodes))
  if (bodyless.test(operationId)) Object.assign(operation.requestBody ?? {}, { required: false })
}

const phrases: Readonly<Record<string, string>> = {
  200: "Done",
  201: "Made",
  202: "Taken: it is sent soon",
  204: "Removed",
  207: "Each element judged by itself",
  302: "Sent on to the pay page",
  303: "Led to the pay page",
  404: "A page that says that there is none",
  410: "A page that says that it is over",
  429: "A page that loads itself anew later",
  503: "A page that loads itself anew later"
}

const bodyless = /^(invoices\.refund|partner\.createConnection|forms\.payLink)$/

/** What the server around all endpoints refuses by itself. */
const edgeCodes = ["method_not_allowed", "request_timeout", "headers_too_large"] as const

const schemaOf = (codes: ReadonlyArray<Code>) => ({
  type: "object",
  properties: { error: { type: "string", enum: codes }, message: { type: "string" } },
  required: ["error", "message"]
})

type Response = OpenApi.OpenAPISpecOperation["responses"][number]

const refusal = (status: string, response: Response, { schemas, responses }: Around): object => {
  const { "text/html": page, "application/json": json } = response.content ?? {}
  const schema = json?.schema
  if (schema === undefined) return { ...response, description: phrases[status] }
  const name = typeof schema?.["$ref"] === "string" ? schema["$ref"].replace(/.*\//, "") : undefined
  const own = name === undefined ? schema : schemas[name]
  const told = described(codesOf(own), schema)
  // To who asks for a page the same is told by one.
  if (page !== undefined) return { ...response, ...told, content: { ...told.content, "text/html": page } }
  const whole = { ...response, ...told }
  if (name === undefined) return whole
  responses[name] ??= whole
  return { $ref: `#/components/responses/${name}` }
}

const codesOf = (schema: unknown): ReadonlyArray<Code> => (schema as ReturnType<typeof schemaOf>).properties.error.enum

const described = (codes: ReadonlyArray<Code>, schema: unknown) => ({
  description: codes.map((code) => `\`${code}\`: ${entry(code).en}`).join("\n"),
  content: {
    "application/json": {
      schema,
      examples: Object.fromEntries(
        codes.slice(0, 3).map((code) => [code, { value: { error: code, message: entry(code).kk } }])
      )
    }
  }
})

const headersOf = (operationId: string, status: string): ReadonlyArray<HeaderName> => {
  const always: ReadonlyArray<HeaderName> = ["X-Request-Id"]
  const open = /^(pages|forms)\./.test(operationId)
  if (status === "429") return open ? [...always, "Retry-After"] : [...always, ...rateHeaders, "Retry-After"]
  if (status === "503") return [...always, "Retry-After"]
  if (/^(invoices|subscriptions)\.create$/.test(operationId) && status === "200")
    return [...always, ...rateHeaders, "Idempotency-Mismatch"]
  return status.startsWith("2") && !open ? [...always, ...rateHeaders] : always
}

const things: Readonly<Record<string, readonly [prefix: string, noun: string]>> = {
  invoices: ["inv", "invoice"],
  subscriptions: ["sub", "subscription"],
  "payment-links": ["lnk", "payment link"],
  "form-hooks": ["hok", "form hook"],
  "webhook-endpoints": ["whe", "webhook endpoint"],
  deliveries: ["dlv", "delivery"],
  organizations: ["org", "client's organization"],
  connections: ["con", "cashier"],
  pay: ["inv", "invoice"],
  receipts: ["inv", "invoice"],
  f: ["hok", "form hook"]
}

// An id stands behind the name of what it names.
const pathParameter = (path: string, name: string): object => {
  const segments = path.split("/")
  const thing = things[segments[segments.indexOf(`{${name}}`) - 1] ?? ""]
  if (thing === undefined) return { description: "The end of the payment link's address", example: "yoga-in-the-park" }
  const [prefix, noun] = thing
  return { description: `The id of the ${noun}`, example: `${prefix}_01k9fq2n3v8d4c7b6a5s9e1r2t` }
}
