/** What must hold of an application: each order is there with one invoice, or neither is; a payment is heard once. */
import { ReactionStore } from "@tolem/core/feed/ReactionStore"
import type { InvoiceDetail } from "@tolem/core/invoice/InvoiceStore"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Application, consumer, followerOf } from "./Application.ts"

interface OrderRow {
  readonly id: string
  readonly invoice_id: string | null
  readonly marks: number
}

/** What the application has stored, and what its consumer has still to hear. */
export interface FoundOrders {
  readonly orders: ReadonlyArray<OrderRow>
  readonly heard: ReadonlyArray<string>
  readonly waiting: ReadonlyArray<string>
  readonly failed: ReadonlyArray<string>
}

const never = 9_000_000_000_000

/** Reads it. */
export const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* ReactionStore
  const heard = yield* sql<{ readonly event_id: string }>`select event_id from shop_heard`
  const failures = yield* store.failures(consumer.name, { limit: 1000, offset: 0 })
  const asked = { consumers: [consumer.name], now: never, until: never + 1, limit: 1000, lease: "reader" }
  const found: FoundOrders = {
    orders: yield* sql<OrderRow>`select id, invoice_id, marks from shop_orders`,
    heard: heard.map(({ event_id }) => event_id),
    failed: failures.map(({ eventId }) => eventId),
    waiting: (yield* store.claim(asked)).map(({ event }) => event.id)
  }
  return found
})

/** The promises that were broken. */
export const broken = (
  application: Application,
  details: ReadonlyArray<InvoiceDetail>,
  found: FoundOrders
): ReadonlyArray<string> => {
  const { orders, failed, waiting } = found
  const stored = new Set(orders.map(({ id }) => id))
  return [
    ...Array.from(application.placed)
      .filter((id) => !stored.has(id))
      .map((id) => `the order ${id} was acknowledged and is lost`),
    ...Array.from(application.withdrawn)
      .filter((id) => stored.has(id))
      .map((id) => `the order ${id} was undone and is there`),
    ...details.flatMap(({ invoice }) =>
      invoice.externalOrderId === null || stored.has(invoice.externalOrderId)
        ? []
        : [`${invoice.id} is there without its order ${invoice.externalOrderId}`]
    ),
    ...orders.flatMap((order) => brokenOrder(order, details, stored)),
    ...brokenHearing(details, found),
    ...failed.map((id) => `the reaction to ${id} stays in the log of failures`),
    ...waiting.map((id) => `never comes to rest: the reaction to ${id}`)
  ]
}

const isPaid = ({ events }: InvoiceDetail): boolean => events.some(({ type }) => type === "invoice.paid")

const brokenOrder = (
  { id, invoice_id, marks }: OrderRow,
  details: ReadonlyArray<InvoiceDetail>,
  stored: ReadonlySet<string>
): ReadonlyArray<string> => {
  const own = details.filter(({ invoice }) => invoice.externalOrderId === id)
  const wanted = own.some(isPaid) ? 1 : 0
  const isFollowed = stored.has(followerOf(id))
  const isFirst = !id.includes("/")
  return [
    ...(own.length === 1 ? [] : [`the order ${id} has ${own.length} invoices`]),
    ...(own.every(({ invoice }) => invoice.id === invoice_id) ? [] : [`the order ${id} knows ${invoice_id} only`]),
    ...(marks === wanted ? [] : [`the order ${id} was paid ${wanted} times, and marked ${marks} times`]),
    ...(isFirst && isFollowed !== wanted > 0 ? [`the order ${id} is not followed as it is paid for`] : [])
  ]
}

const brokenHearing = (
  details: ReadonlyArray<InvoiceDetail>,
  { heard, waiting, failed }: FoundOrders
): ReadonlyArray<string> => {
  const paid = details.flatMap(({ events }) => events.flatMap(({ id, type }) => (type === "invoice.paid" ? [id] : [])))
  const known = new Set<string>(paid)
  const kept = new Set([...heard, ...waiting, ...failed])
  return [
    ...paid.filter((id) => !kept.has(id)).map((id) => `the reaction to ${id} is neither done nor waiting nor given up`),
    ...heard.filter((id) => !known.has(id)).map((id) => `${id} was heard, and was never committed`),
    ...heard.filter((id, index) => heard.indexOf(id) !== index).map((id) => `${id} was heard twice`),
    ...heard.filter((id) => waiting.includes(id) || failed.includes(id)).map((id) => `${id} was heard, and is kept`)
  ]
}
