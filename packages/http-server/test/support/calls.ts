/** Calls of the service, each answer held against what every answer must be. */
import { Api } from "@tolem/api/Api"
import { PanelApi } from "@tolem/api/PanelApi"
import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import { OpenApi } from "effect/http-api"
import { expect } from "vitest"
import type { Key, Service } from "./service.ts"

/** JSON of an answer, to be looked into freely. */
export type Json = { readonly [member: string]: Json } & ReadonlyArray<Json> & (string | number | boolean | null)

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Json
}

/** What is sent. A `body` that is no text is sent as JSON. */
export interface Sent {
  readonly key?: Key | string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request and checks what holds of every answer; see `expectSane`. */
export const call = async (service: Service, method: string, path: string, sent: Sent = {}): Promise<Answer> => {
  const { key, body, headers } = sent
  const apiKey = typeof key === "object" ? key.apiKey : key
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      ...(apiKey !== undefined && { "x-api-key": apiKey }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers
    },
    body:
      body === undefined
        ? null
        : typeof body === "string" || body instanceof Uint8Array
          ? toBody(body)
          : JSON.stringify(body)
  })
  const text = await response.text()
  const json = response.headers.get("content-type")?.startsWith("application/json") === true && text !== ""
  const answer = { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : null }
  expectSane(answer, method, path)
  return answer
}

/** Has the code of a waiting invoice made, as the button of its page does; answers the page then. */
export const askForCode = ({ url }: Pick<Service, "url">, id: unknown, query = ""): Promise<Response> =>
  fetch(`${url}/pay/${id}/code${query}`, { method: "POST" })

const toBody = (body: string | Uint8Array) => (typeof body === "string" ? body : new Uint8Array(body))

/**
 * Every answer names its request. Every refusal has exactly `error` and `message` (that of a login code also how long
 * to wait), a code of the catalogue with the catalogue's status and Kazakh text, and is one that the contract announces
 * for this endpoint.
 */
export const expectSane = (answer: Answer, method: string, path: string): void => {
  expect(answer.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._:-]{1,128}$/)
  if (answer.status < 400 || method === "HEAD") return
  expectRefusal(answer.status, answer.text)
  const code = String(answer.body["error"])
  const announced = announcedCodes(method, path)
  if (announced !== undefined) expect(announced, `${method} ${path}`).toContain(code)
}

/** The text is a refusal of the catalogue, and the status is its status. */
export const expectRefusal = (status: number, text: string): void => {
  const body = JSON.parse(text)
  const { status: expected, kk } = entry(body.error as Code)
  const wait = body.error === "rate_limited" ? { retryAfterSeconds: expect.toSatisfy(isWait) } : {}
  expect(body).toEqual({ error: body.error, message: kk, ...wait })
  expect(status).toBe(expected)
}

const isWait = (seconds: unknown) => Number.isInteger(seconds) && Number(seconds) >= 1

/** What any request may be answered, so the contract does not repeat it. */
export const everywhere = [
  "route_not_found",
  "method_not_allowed",
  "invalid_request",
  "headers_too_large",
  "request_timeout"
]

const documents = [OpenApi.fromApi(Api), OpenApi.fromApi(PanelApi)]
const paths = Object.assign({}, ...documents.map((document) => document.paths)) as OpenApi.OpenAPISpecPaths
const schemas = Object.assign({}, ...documents.map(({ components }) => components.schemas)) as Record<string, object>

/** Every endpoint of the contract, those of the cabinet among them. */
export const operations = Object.entries(paths).flatMap(([path, item]) =>
  (["get", "post", "patch", "delete"] as const).flatMap((method) => {
    const operation = item[method]
    const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`, "i")
    return operation === undefined ? [] : [{ method, path, pattern, operation, literal: !path.includes("{") }]
  })
)

/** The codes that the contract announces for an address; undefined if it has no such endpoint. */
const announcedCodes = (method: string, path: string): ReadonlyArray<string> | undefined => {
  const plain = path.replace(/[?#].*$/s, "").replace(/^\/api\/v1\/orders(?=\/|$)/i, "/api/v1/invoices")
  const found = operations
    .filter((one) => one.method === method.toLowerCase() && one.pattern.test(plain))
    .toSorted((a, b) => Number(b.literal) - Number(a.literal))[0]
  if (found === undefined) return undefined
  const codes = Object.values(found.operation.responses).flatMap((response) => enumOf(response))
  return [...codes, ...everywhere]
}

/** The codes that a response of the contract announces. */
export const enumOf = (response: object): ReadonlyArray<string> => {
  const named = /\{"\$ref":"#\/components\/schemas\/(\w+)"\}/g
  const text = JSON.stringify(response).replaceAll(named, (_, name: string) => JSON.stringify(schemas[name]))
  return [...text.matchAll(/"error":\{[^}]*?"enum":\[([^\]]*)\]/g)].flatMap((match) => JSON.parse(`[${match[1]}]`))
}
