/** Members that resources of the contract have in common. */
import { Schema } from "effect"

/** An instant in ISO 8601, UTC, with milliseconds. */
export const DateTime = Schema.String.annotate({ format: "date-time" })

/** A text, or null. */
export const text = Schema.NullOr(Schema.String)

/** An amount of money. */
export const amount = Schema.Finite.annotate({ description: "Tenge (KZT), at most two decimals" })

// Not `Unknown`: its JSON codec takes finite numbers only, and merchants may send 1e400.
const anything: Schema.Codec<unknown> = Schema.Any

/** What the merchant keeps with a resource. */
export const metadata = Schema.NullOr(Schema.Record(Schema.String, anything)).annotate({
  description: "Any JSON object of at most 16 KiB, returned as it was sent"
})

/** A customer in answers. */
export const customer = Schema.Struct({ name: text, phone: text, email: text }).annotate({ identifier: "Customer" })

/** A text in a request: null counts as absent. */
export const optionalText = Schema.optionalKey(text)

/** A customer in a request. */
export const customerInput = Schema.optionalKey(
  Schema.NullOr(Schema.Struct({ name: optionalText, phone: optionalText, email: optionalText }))
)
