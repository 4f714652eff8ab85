/** The delivery and its attempts as rows. */
import { type Attempt, type Delivery, EventKind } from "@tolem/core/webhook/Webhook"
import { json, oneOf, type RowOf, table } from "../base/Table.ts"

/** The table of deliveries. */
export const deliveryTable = table<Delivery>("deliveries")(
  {
    id: "text",
    endpointId: "text",
    organizationId: "text",
    mode: oneOf(["live", "sandbox"]),
    kind: oneOf(EventKind.literals),
    invoiceId: "text",
    eventId: "text",
    sequence: "bigint",
    status: oneOf(["pending", "delivered", "failed"]),
    attemptCount: "bigint",
    dueAt: "bigint",
    createdAt: "bigint",
    completedAt: "bigint"
  },
  {
    /** When it would be due without the claim. */
    ready_at: { type: "bigint", of: ({ dueAt }: Delivery) => dueAt },
    /** Claims since an attempt of it has ended, without those that were given back; above 0 it is claimed, or lost. */
    starts: { type: "bigint", of: null }
  }
)

/** A row of the table of deliveries. */
export type DeliveryRow = RowOf<typeof deliveryTable>

// A receiver may answer anything. PostgreSQL refuses NUL, and half a surrogate pair fails the whole batch: each
// becomes the replacement character, as it would in any log.
const storable = (text: string | null): string | null => text?.toWellFormed().replaceAll("\u0000", "\ufffd") ?? null

const storableText = { type: "text", encode: storable, decode: (stored: string | null) => stored } as const

/** What is stored in place of a body that is no longer kept: the column has always been without null. */
export const noBody = "null"

const bodyText = {
  type: "text",
  encode: (body: string | null): string => body ?? noBody,
  decode: (stored: string): string | null => (stored === noBody ? null : stored)
} as const

/** An attempt, and of which delivery. */
export type DeliveryAttempt = Attempt & { readonly deliveryId: string }

/** The table of attempts. */
export const attemptTable = table<Attempt, DeliveryAttempt>("attempts")(
  {
    number: "bigint",
    startedAt: "bigint",
    durationMs: { type: "bigint", encode: (ms): number => Math.round(ms) },
    url: "text",
    requestHeaders: json<Attempt["requestHeaders"]>(() => true),
    requestBody: bodyText,
    status: "bigint",
    responseBody: storableText,
    error: storableText
  },
  { delivery_id: { type: "text", of: ({ deliveryId }: DeliveryAttempt) => deliveryId } }
)

/** A row of the table of attempts. */
export type AttemptRow = RowOf<typeof attemptTable>
