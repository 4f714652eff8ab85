import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { Api } from "../src/Api.ts"
import { openApiDocument } from "../src/OpenApiDocument.ts"
import { PublicApi } from "../src/PublicApi.ts"
import { RequiredScopes } from "../src/Security.ts"

const document = openApiDocument()
const methods = ["get", "post", "patch", "delete"] as const
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => (item[method] === undefined ? [] : [{ path, method, operation: item[method] }]))
)

const endpoints: Array<{ method: string; path: string; scopes: ReadonlyArray<string> }> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const scopes = Context.getOrElse(endpoint.annotations, RequiredScopes, () => [])
    endpoints.push({ method: endpoint.method, path: endpoint.path, scopes })
  }
})

/** What a reference of the document is to; what is none stays. */
const resolved = <T extends object>(value: T): T => {
  const { $ref } = value as { $ref?: string }
  if ($ref === undefined) return value
  const steps = $ref.slice(2).split("/")
  return steps.reduce<unknown>((part, step) => Object(part)[step], document) as T
}

const ofKeys = operations.filter(({ path }) => path.startsWith("/api/v1/"))

/** Every object anywhere in the document. */
const objects = function* (value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) yield value as Readonly<Record<string, unknown>>
  for (const member of Object.values(value)) yield* objects(member)
}

describe("the contract", () => {
  it("has every endpoint of the specification, the webhook endpoints and the feed", () => {
    expect(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      "DELETE /api/v1/form-hooks/:id",
      "DELETE /api/v1/payment-links/:id",
      "DELETE /api/v1/webhook-endpoints/:id",
      "GET /api/v1/account",
      "GET /api/v1/events",
      "GET /api/v1/form-hooks",
      "GET /api/v1/form-hooks/:id",
      "GET /api/v1/invoices",
      "GET /api/v1/invoices/:id",
      "GET /api/v1/partner/earnings",
      "GET /api/v1/partner/organizations",
      "GET /api/v1/partner/organizations/:id",
      "GET /api/v1/payment-links",
      "GET /api/v1/payment-links/:id",
      "GET /api/v1/subscriptions",
      "GET /api/v1/subscriptions/:id",
      "GET /api/v1/webhook-endpoints",
      "GET /api/v1/webhook-endpoints/:id",
      "GET /api/v1/webhook-endpoints/:id/deliveries",
      "GET /api/v1/webhook-endpoints/:id/deliveries/:deliveryId",
      "PATCH /api/v1/form-hooks/:id",
      "PATCH /api/v1/payment-links/:id",
      "PATCH /api/v1/subscriptions/:id",
      "PATCH /api/v1/webhook-endpoints/:id",
      "POST /api/v1/form-hooks",
      "POST /api/v1/invoices",
      "POST /api/v1/invoices/:id/cancel",
      "POST /api/v1/invoices/:id/refund",
      "POST /api/v1/invoices/:id/simulate",
      "POST /api/v1/invoices/bulk",
      "POST /api/v1/partner/organizations",
      "POST /api/v1/partner/organizations/:id/api-keys",
      "POST /api/v1/partner/organizations/:id/connections",
      "POST /api/v1/partner/organizations/:id/connections/:connectionId/provider/init",
      "POST /api/v1/partner/organizations/:id/connections/:connectionId/provider/send-phone",
      "POST /api/v1/partner/organizations/:id/connections/:connectionId/provider/verify-otp",
      "POST /api/v1/partner/organizations/:id/mode",
      "POST /api/v1/payment-links",
      "POST /api/v1/subscriptions",
      "POST /api/v1/subscriptions/:id/cancel",
      "POST /api/v1/subscriptions/:id/pause",
      "POST /api/v1/subscriptions/:id/resume",
      "POST /api/v1/subscriptions/:id/run",
      "POST /api/v1/webhook-endpoints",
      "POST /api/v1/webhook-endpoints/:id/deliveries/:deliveryId/resend",
      "POST /api/v1/webhook-endpoints/:id/rotate-secret",
      "POST /api/v1/webhook-endpoints/:id/test"
    ])
  })

  it("asks for a scope at every endpoint but the account", () => {
    const open = endpoints.filter(({ scopes }) => scopes.length === 0).map(({ method, path }) => `${method} ${path}`)
    expect(open).toEqual(["GET /api/v1/account"])
  })
})

describe("the OpenAPI document", () => {
  it("is version 3.1 and names every endpoint once", () => {
    expect(document.openapi).toBe("3.1.0")
    const named = operations.map(
      ({ path, method }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`
    )
    const open: Array<string> = []
    HttpApi.reflect(PublicApi, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => void open.push(`${endpoint.method} ${endpoint.path}`)
    })
    expect(open).toContain("POST /f/:id")
    expect(named.toSorted()).toEqual([...endpoints.map(({ method, path }) => `${method} ${path}`), ...open].toSorted())
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operation } of operations) {
      expect(operation.summary).toBeTruthy()
    }
    for (const { operation } of ofKeys) {
      if (operation.operationId === "account.get") continue
      expect(operation).toHaveProperty("x-required-scopes", expect.arrayContaining([expect.stringContaining(":")]))
    }
  })

  it("resolves every reference within itself", () => {
    for (const { $ref } of objects(document)) {
      if (typeof $ref !== "string") continue
      const steps = $ref.slice(2).split("/")
      const target = steps.reduce<unknown>((value, step) => Object(value)[step.replaceAll("~1", "/")], document)
      expect(target, $ref).toBeTypeOf("object")
    }
  })

  it("declares each path parameter, describes each query parameter, and lets an optional body be absent", () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
      for (const parameter of operation.parameters) {
        if (parameter.in !== "query") continue
        expect(parameter.description, `${operation.operationId} ${parameter.name}`).toBeTruthy()
        expect(Object.keys(parameter.schema)).toContain("type")
        expect(parameter.required).toBe(false)
      }
    }
    const refund = operations.find(({ operation }) => operation.operationId === "invoices.refund")
    expect(refund?.operation.requestBody?.required).toBe(false)
  })

  it("offers both ways to send a key, at every endpoint", () => {
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      bearer: { type: "http", scheme: "Bearer" }
    })
    for (const { path, operation } of operations) {
      expect(operation.security).toEqual(path.startsWith("/api/v1/") ? [{ apiKey: [] }, { bearer: [] }] : [])
    }
  })

  it("answers errors with the statuses of the catalogue, one schema per status, each with its codes", () => {
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!(Number(status) >= 400)) continue
        const { content } = resolved(response)
        if (content?.["text/html"] !== undefined) continue
        const schema = resolved(content?.["application/json"]?.schema ?? {}) as {
          properties: { error: { enum: ReadonlyArray<Code> } }
          required: ReadonlyArray<string>
        }
        expect(schema.required).toEqual(["error", "message"])
        for (const code of schema.properties.error.enum) expect(entry(code).status, code).toBe(Number(status))
      }
    }
  })

  it("names the headers of the answers", () => {
    const { responses } = operations.find(({ operation }) => operation.operationId === "invoices.create")!.operation
    expect(Object.keys(responses[201]!.headers!)).toContain("X-RateLimit-Remaining")
    expect(Object.keys(resolved(responses[429]!).headers!)).toContain("Retry-After")
    expect(Object.keys(responses[200]!.headers!)).toContain("Idempotency-Mismatch")
  })
})
