/** Ids of any form: what is named by none of ours is told to be not there, of whatever kind it was meant to be. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

let service: Service
let key: Key
let endpointId: string
beforeAll(async () => {
  service = await start()
  const { id } = await service.organization({ tariff: "partner" })
  key = await service.key({ organizationId: id })
  const made = await call(service, "POST", "/api/v1/webhook-endpoints", { key, body: { url: "http://localhost:9/" } })
  endpointId = String(made.body["id"])
})
afterAll(() => service.stop())

const ids = [
  "x",
  "inv_",
  "x".repeat(101),
  "x".repeat(2_000),
  "%00",
  "%20",
  "%zz",
  "%",
  "%ff",
  "%ed%a0%80",
  "%d3%a9%d0%bb%d0%b5%d0%bc",
  "a%2Fb",
  "..%2F..",
  "a;b",
  "a%3Bb",
  "a%23b",
  "a:b",
  "*",
  "a%252Fb",
  "__proto__",
  "undefined",
  "'--"
]

const paths = (id: string): ReadonlyArray<readonly [method: string, path: string, code: string]> => [
  ["GET", `/invoices/${id}`, "invoice_not_found"],
  ["GET", `/orders/${id}`, "invoice_not_found"],
  ["POST", `/invoices/${id}/cancel`, "invoice_not_found"],
  ["POST", `/orders/${id}/cancel`, "invoice_not_found"],
  ["POST", `/invoices/${id}/refund`, "invoice_not_found"],
  ["GET", `/subscriptions/${id}`, "subscription_not_found"],
  ["POST", `/subscriptions/${id}/pause`, "subscription_not_found"],
  ["GET", `/payment-links/${id}`, "link_not_found"],
  ["DELETE", `/payment-links/${id}`, "link_not_found"],
  ["GET", `/form-hooks/${id}`, "hook_not_found"],
  ["GET", `/webhook-endpoints/${id}`, "endpoint_not_found"],
  ["POST", `/webhook-endpoints/${id}/test`, "endpoint_not_found"],
  ["GET", `/webhook-endpoints/${id}/deliveries`, "endpoint_not_found"],
  ["GET", `/webhook-endpoints/${endpointId}/deliveries/${id}`, "delivery_not_found"],
  ["GET", `/partner/organizations/${id}`, "forbidden"]
]

it("are not found, as what they were meant to be", async () => {
  for (const id of ids) {
    for (const [method, path, code] of paths(id)) {
      const { body } = await call(service, method, `/api/v1${path}`, { key })
      expect(body["error"], `${method} ${path.slice(0, 80)}`).toBe(code)
    }
  }
})

it("keep the wrong method a wrong method", async () => {
  for (const id of ids) {
    const { headers, body } = await call(service, "PUT", `/api/v1/invoices/${id}`, { key, body: {} })
    expect([body["error"], headers.get("allow")], id.slice(0, 80)).toEqual(["method_not_allowed", "GET, HEAD"])
  }
})
