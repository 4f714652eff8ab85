/** The OpenAPI document as tools of others see it: linters, validators, and a generator of clients. */
import SwaggerParser from "@apidevtools/swagger-parser"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { defaults } from "@tolem/core/engine/Settings"
import { complaints, generated } from "@tolem/openapi-testing/Generated"
import { describe, expect, it } from "vitest"
import { openApiDocument } from "../src/OpenApiDocument.ts"

const document = openApiDocument({ ...defaults, baseUrl: "https://pay.tolem.kz" })

describe("the OpenAPI document", () => {
  it("is clean to redocly lint, with the rules that it recommends", async () => {
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: "openapi.json",
      config: await createConfig({ extends: ["recommended"] })
    })
    const told = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    expect(told.slice(0, 10)).toEqual([])
  })

  it("has the bounds of the settings that it is made for, whatever others were made before", () => {
    const limitOf = (made: typeof document) =>
      made.paths["/api/v1/invoices"]?.get?.parameters.find(({ name }) => name === "limit")?.schema
    expect(limitOf(document)).toMatchObject({ maximum: 200, default: 50 })
    const other = openApiDocument({ ...defaults, maxPageSize: 7, defaultPageSize: 5 })
    expect(limitOf(other)).toMatchObject({ maximum: 7, default: 5 })
    expect(JSON.stringify(openApiDocument())).not.toContain("x-setting")
  })

  it("is valid to swagger-parser", async () => {
    const { paths } = await SwaggerParser.validate(structuredClone(document) as never)
    expect(Object.keys(paths ?? {})).toHaveLength(Object.keys(document.paths).length)
  })

  it("makes types whose client sends metadata and meets nothing that is unknown", async () => {
    const types = await generated(document)
    expect(types).not.toContain("Record<string, never>;\n        };\n        metadata")
    const program = `
      import type { components, paths, webhooks } from "./api.ts"
      type Create = paths["/api/v1/invoices"]["post"]
      const body: Create["requestBody"]["content"]["application/json"] = {
        amount: 19.99,
        kind: "qr",
        description: null,
        metadata: { order: 1001, items: [{ sku: "a", count: 2 }], gift: true },
        customer: { name: "Aliya", phone: "77011234567" }
      }
      export const paid = (invoice: Create["responses"][201]["content"]["application/json"]): boolean =>
        invoice.status === "paid" && invoice.metadata?.["order"] === 1001
      export const closed = (error: paths["/api/v1/invoices/{id}/cancel"]["post"]["responses"][409]): boolean =>
        error.content["application/json"].error === "invoice_not_open"
      export const amountOf = (
        message: webhooks["invoice.paid"]["post"]["requestBody"]["content"]["application/json"]
      ): number => message.invoice.amount
      export type Status = components["schemas"]["Invoice"]["status"]
      export const sent = [body]
    `
    const wrong = `
      import type { components } from "./api.ts"
      export const sent: Array<components["schemas"]["InvoiceCreate"]> = [
        { amount: "19.99" },
        { amount: 1, kind: "cash" }
      ]
    `
    expect(complaints(types, program)).toEqual([])
    expect(complaints(types, wrong)).toHaveLength(2)
  })
})
