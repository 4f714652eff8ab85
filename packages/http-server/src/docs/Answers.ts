/** Answers as they may look, made from their schemas. Pure. */
import type { OpenApiDocument } from "@tolem/api/OpenApiDocument"
import { resolved, type Schema } from "./Samples.ts"

const moment = "2026-03-02T06:30:00.000Z"
const opaque = "01k9fq2n3v8d4c7b6a5s9e1r2t"

/** Values of members by their names, where the schema alone would give dull ones. */
const named: Readonly<Record<string, unknown>> = {
  amount: 1500,
  refundedAmount: 0,
  description: "Order 1001",
  externalOrderId: "1001",
  currency: "KZT",
  status: "pending",
  payUrl: `https://pay.example.kz/pay/inv_${opaque}`,
  qrUrl: `https://pay.example.kz/pay/inv_${opaque}`,
  qrImageUrl: `https://pay.example.kz/pay/inv_${opaque}/qr.svg`,
  url: "https://shop.example.kz/webhooks",
  name: "Aliya",
  phone: null,
  email: "aliya@example.kz",
  metadata: { cart: [17, 4] },
  secret: "whsec_…",
  apiKey: "svc_test_…",
  title: "Yoga in the park",
  slug: "yoga-in-the-park",
  cursor: "…",
  message: "…",
  limit: 50,
  total: 1,
  created: 1,
  sequence: 1,
  durationMs: 84
}

/** A value that the schema allows; `name` is that of the member that it is for. */
export const sampleOf = (given: Schema, document: OpenApiDocument, name = ""): unknown => {
  const schema = resolved(given, document)
  const fits = schema.enum === undefined || schema.enum.includes(named[name])
  if (name in named && fits && schema.properties === undefined) return named[name]
  if (schema.enum !== undefined) return schema.enum[0]
  const [first] = schema.anyOf ?? []
  const types = [schema.type].flat()
  if (first !== undefined) return isAbsent(name) ? null : sampleOf(first, document, name)
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).filter(([member]) => schema.required?.includes(member))
    return Object.fromEntries(members.map(([member, one]) => [member, sampleOf(one, document, member)]))
  }
  if (types.includes("null") && (isAbsent(name) || schema.format === undefined)) return null
  if (schema.format === "date-time") return moment
  if (types.includes("array")) return schema.items === undefined ? [] : [sampleOf(schema.items, document)]
  if (types.includes("object")) return {}
  if (types.includes("boolean")) return false
  if (types.includes("integer") || types.includes("number")) return schema.minimum ?? 0
  const prefix = /^\^([a-z]{3})_$/.exec(schema.pattern ?? "")?.[1]
  return prefix === undefined ? "…" : `${prefix}_${opaque}`
}

/** What is not there at first. */
const isAbsent = (name: string): boolean =>
  /^(paid|last|completed|paused|receiptUrl|providerReceipt|deepLink)/.test(name)
