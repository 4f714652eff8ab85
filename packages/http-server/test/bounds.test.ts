/** What the OpenAPI document says of the members of requests is what the service takes and refuses. */
import { openApiDocument } from "@tolem/api/OpenApiDocument"
import { defaults } from "@tolem/core/engine/Settings"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

/** Some settings that differ from the defaults: the document is that of the service. */
const settings = {
  ...defaults,
  maxPageSize: 120,
  maxBulk: 7,
  readsPerMinute: 1e9,
  writesPerMinute: 1e9,
  visitors: {
    ...defaults.visitors,
    invoicesPerMinute: 1e6,
    invoicesOfOnePerMinute: 1e9,
    invoicesOfOrganizationPerMinute: 1e9
  }
}
const document = openApiDocument(settings)

let service: Service
beforeAll(async () => {
  service = await start({ settings })
})
afterAll(() => service.stop())

interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly examples?: ReadonlyArray<Record<string, unknown>>
}

const resolved = (schema: Schema): Schema => {
  const first = schema.anyOf?.[0]
  if (first !== undefined) return resolved(first)
  const name = schema.$ref?.replace(/.*\//, "")
  return name === undefined ? schema : (document.components.schemas[name] as Schema)
}

/** A value at a bound, and whether the service is to take it. */
interface Case {
  readonly member: string
  readonly said: string
  readonly value: unknown
  readonly taken: boolean
}

const textOf = (schema: Schema, length: number): string => {
  if (schema.format?.startsWith("uri")) return `https://shop.example.kz/${"a".repeat(length - 24)}`
  return schema.pattern?.includes("@") ? `a@${"b".repeat(length - 5)}.kz` : "a".repeat(length)
}

const casesOf = (member: string, given: Schema): ReadonlyArray<Case> => {
  const schema = resolved(given)
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems, pattern, type } = schema
  const step = [type].flat().includes("integer") ? 1 : 0.01
  const bound = (said: string, within: unknown, beyond: unknown): ReadonlyArray<Case> => [
    { member, said, value: within, taken: true },
    { member, said, value: beyond, taken: false }
  ]
  const item = resolved(schema.items ?? {})
  const one = item.examples?.[0] ?? item.minimum
  // No two alike: some lists refuse that.
  const nth = (at: number) => {
    if (item.format === "uri") return `https://shop${at}.example.kz`
    return typeof one === "number" ? one + at : one
  }
  const many = (count: number) => Array.from({ length: count }, (_, at) => nth(at))
  const rounded = (value: number) => Math.round(value * 100) / 100
  return [
    ...(maxLength === undefined ? [] : bound("maxLength", textOf(schema, maxLength), textOf(schema, maxLength + 1))),
    ...(minLength === undefined ? [] : bound("minLength", "a".repeat(minLength), "a".repeat(minLength - 1))),
    ...(minimum === undefined ? [] : bound("minimum", minimum, rounded(minimum - step))),
    ...(maximum === undefined ? [] : bound("maximum", maximum, rounded(maximum + step))),
    ...(exclusiveMinimum === undefined ? [] : bound("exclusiveMinimum", exclusiveMinimum + step, exclusiveMinimum)),
    ...(maxItems === undefined ? [] : bound("maxItems", many(maxItems), many(maxItems + 1))),
    ...(minItems === undefined || one === undefined ? [] : bound("minItems", many(minItems), many(minItems - 1))),
    ...(pattern === undefined ? [] : [{ member, said: "pattern", value: "no such thing!", taken: false }]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => casesOf(`${member}.${name}`, inner)),
    ...(item.maximum === undefined ? [] : [{ member, said: "items", value: [item.maximum + 1], taken: false }])
  ]
}

const bodyOf = (operationId: string): Schema => {
  for (const item of Object.values(document.paths)) {
    if (item.post?.operationId !== operationId) continue
    const schema = item.post.requestBody?.content["application/json"]?.schema
    return resolved((schema ?? {}) as Schema)
  }
  throw new Error(`no ${operationId}`)
}

const withMember = (body: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> => {
  const [name = "", ...rest] = path.split(".")
  const inner = (body[name] ?? {}) as Record<string, unknown>
  return { ...body, [name]: rest.length === 0 ? value : withMember(inner, rest.join("."), value) }
}

/** Where a body goes; some addresses need something to be there first. */
const places: Readonly<Record<string, (key: Key) => Promise<string>>> = {
  "invoices.create": async () => "/api/v1/invoices",
  "invoices.bulk": async () => "/api/v1/invoices/bulk",
  "invoices.refund": async (key) => {
    const { body } = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 1000 } })
    const at = `/api/v1/invoices/${String(body["id"])}`
    await call(service, "POST", `${at}/simulate`, { key, body: { status: "paid" } })
    return `${at}/refund`
  },
  "subscriptions.create": async () => "/api/v1/subscriptions",
  "paymentLinks.create": async () => "/api/v1/payment-links",
  "formHooks.create": async () => "/api/v1/form-hooks",
  "webhookEndpoints.create": async () => "/api/v1/webhook-endpoints",
  "partner.open": async () => "/api/v1/partner/organizations",
  "forms.payLink": async (key) => {
    const { body } = await call(service, "POST", "/api/v1/payment-links", { key, body: { title: "Any" } })
    return `/l/${String(body["slug"])}`
  }
}

const table = Object.keys(places).flatMap((operationId) => {
  const { properties = {} } = bodyOf(operationId)
  return Object.entries(properties).flatMap(([name, schema]) =>
    casesOf(name, schema).map((each) => ({ operationId, ...each, verb: each.taken ? "takes" : "refuses" }))
  )
})

describe("a documented bound", () => {
  it("is there for every kind of member", () => {
    expect(table.length).toBeGreaterThan(80)
    expect(new Set(table.map(({ said }) => said))).toEqual(
      new Set([
        "maxLength",
        "minLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "maxItems",
        "minItems",
        "pattern",
        "items"
      ])
    )
  })

  it.each(Object.keys(places))("is what %s enforces", async (operationId) => {
    const { id } = await service.organization({ tariff: "partner" })
    const [example = {}] = bodyOf(operationId).examples ?? []
    // Each needs an address of its own.
    const { slug: _, ...base } = example
    const amount = operationId === "forms.payLink" ? { amount: 1500 } : {}
    for (const { member, said, value, taken } of table.filter((one) => one.operationId === operationId)) {
      const key = await service.key(operationId === "partner.open" ? { organizationId: id } : {})
      const at = await (places[operationId] as (key: Key) => Promise<string>)(key)
      const { amount: fixed, ...free } = { ...amount, ...base }
      const isOfFreeAmount = ["presets", "minAmount", "maxAmount"].includes(member)
      const body = withMember(isOfFreeAmount || fixed === undefined ? free : { ...free, amount: fixed }, member, value)
      const { status } = await call(service, "POST", at, { key, body })
      const label = `${operationId} ${member} ${said} ${JSON.stringify(value).slice(0, 60)}`
      expect([label, status < 300 ? "taken" : status]).toEqual([label, taken ? "taken" : 422])
    }
  })

  it("is that of the settings in force, of pages too", async () => {
    const key = await service.key()
    const { body } = await call(service, "GET", "/api/v1/openapi.json")
    const parameters = [...Object(body["paths"])["/api/v1/invoices"].get.parameters]
    const limit = parameters.find(({ name }) => name === "limit")
    expect(limit.schema).toMatchObject({ maximum: 120, default: 50 })
    expect((await call(service, "GET", "/api/v1/invoices?limit=121", { key })).body["limit"]).toBe(120)
    expect(Object(body["components"])["schemas"]["BulkCreate"].properties.invoices.maxItems).toBe(7)
  })
})
