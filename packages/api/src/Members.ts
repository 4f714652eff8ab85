/**
 * Members that resources of the contract have in common, with what the OpenAPI document says of them. Bounds are
 * annotations, not checks: core checks requests, with its own codes, and answers may grow.
 */
import { invoiceBounds } from "@tolem/core/invoice/InvoiceDraft"
import { emailForm, maxEmailLength, maxIdempotencyKey, maxUrlLength, phoneForm } from "@tolem/core/value/Checks"
import type { Prefix } from "@tolem/core/value/Ids"
import { Schema } from "effect"

/** An instant in ISO 8601, UTC, with milliseconds. */
export const DateTime = Schema.String.annotate({ format: "date-time" })

/** A text, or null. */
export const text = Schema.NullOr(Schema.String)

/** An address, or null. */
export const url = Schema.NullOr(Schema.String.annotate({ format: "uri" }))

/** Where browsers are sent to, or null. It may name `{INVOICE_ID}` and `{STATUS}`. */
export const returnUrl = Schema.NullOr(Schema.String.annotate({ format: "uri-template" }))

/** An identifier. What follows its prefix is opaque. */
export const id = (prefix: Prefix) =>
  Schema.String.annotate({ pattern: `^${prefix}_`, description: `\`${prefix}_\` and an opaque identifier` })

const tenge = "Tenge (KZT), at most two decimals"

/** An amount of money in answers. */
export const money = Schema.Finite.annotate({ description: tenge, minimum: 0 })

/** An amount in a request. No multiple of 0.01 is named: validators that count in binary would refuse 19.99. */
export const amount = Schema.Finite.annotate({ description: tenge, "x-setting": "amount", examples: [1500] })

/** A whole number from `minimum` on. */
export const whole = (minimum: number, maximum?: number) =>
  Schema.Int.annotate(maximum === undefined ? { minimum } : { minimum, maximum })

// Not `Unknown`: its JSON codec takes finite numbers only, and merchants may send 1e400.
const anything: Schema.Codec<unknown> = Schema.Any

/** What the merchant keeps with a resource. */
export const metadata = Schema.NullOr(
  Schema.Record(Schema.String, anything).annotate({ additionalProperties: true })
).annotate({ "x-setting": "metadata", examples: [{ cart: [17, 4], note: "call first" }] })

/** A customer in answers. */
export const customer = Schema.Struct({ name: text, phone: text, email: text }).annotate({ identifier: "Customer" })

/** A member of a request that may be left out; null counts as absent. */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The same with what it is then. */
export const withDefault = <S extends Schema.Top>(schema: S, value: S["Type"]) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ default: value }))

/** A text of at most so many characters. */
export const upTo = (maxLength: number) => Schema.String.annotate({ maxLength })

/** A text that is not empty. */
export const line = (maxLength: number) => Schema.String.annotate({ minLength: 1, maxLength })

/** A phone in Kazakhstan. */
export const phone = Schema.String.annotate({
  pattern: phoneForm.source,
  description: "11 digits: 7XXXXXXXXXX",
  examples: ["77011234567"]
})

/** Where a page of a list stands in the whole. */
export const pageFields = { total: whole(0), limit: whole(1), offset: whole(0) }

/** A page that browsers are sent to. */
export const page = Schema.String.annotate({
  format: "uri-template",
  maxLength: maxUrlLength,
  description: "http or https; may name `{INVOICE_ID}` and `{STATUS}`"
})

/** What makes a repeated request harmless. */
export const idempotencyKey = Schema.String.annotate({
  minLength: 1,
  maxLength: maxIdempotencyKey,
  description: "What makes a repeated request harmless: the same text for the same intent",
  examples: ["order-1001"]
})

/** A customer in a request. */
export const customerInput = optional(
  Schema.Struct({
    name: optional(upTo(invoiceBounds.customerName)),
    phone: optional(phone),
    email: optional(Schema.String.annotate({ maxLength: maxEmailLength, pattern: emailForm.source }))
  }).annotate({ identifier: "CustomerInput" })
)
