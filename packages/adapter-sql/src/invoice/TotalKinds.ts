/**
 * How the daily totals tell kinds and sources of invoices apart. The key of their rows cannot get columns while servers
 * of an earlier version write by it: so each kind and source has shards of its own, of which those know nothing and
 * which all readers add up. Rows below these shards are of all kinds.
 */
import type { InvoiceSource } from "@tolem/core/cabinet/ReportStore"
import type { Invoice, InvoiceKind } from "@tolem/core/invoice/Invoice"

/** More than there are shards of writers; see `Shards`. */
const span = 10_000_000

const kinds: Readonly<Record<InvoiceKind, number>> = { qr: 0, phone: 4 }

const sources: Readonly<Record<InvoiceSource, number>> = {
  request: 1,
  subscription: 2,
  "payment-link": 3,
  "form-hook": 4
}

/** Where an invoice comes from. */
export const sourceOfInvoice = ({ origin }: Pick<Invoice, "origin">): InvoiceSource =>
  origin === null || origin.kind === "transaction" ? "request" : origin.kind

/** The shard in which a writer counts an invoice. */
export const shardOfInvoice = (invoice: Pick<Invoice, "kind" | "origin">, shard: number): number =>
  shard + span * (kinds[invoice.kind] + sources[sourceOfInvoice(invoice)])

const prefixes = (answer: (source: InvoiceSource) => string): string =>
  `case substr(coalesce(origin, ''), 1, 8)
    when 'subscrip' then ${answer("subscription")} when 'payment-' then ${answer("payment-link")}
    when 'form-hoo' then ${answer("form-hook")} else ${answer("request")} end`

/** In SQL, where an invoice comes from, by what its origin begins with. */
export const sourceOf: string = prefixes((source) => `'${source}'`)

/** In SQL, the shard in which the writer with `shard` counts an invoice. */
export const shardOf = (shard: string): string =>
  `cast(${shard} as bigint) + cast(${span} as bigint) *
    (case kind when 'phone' then ${kinds.phone} else 0 end + ${prefixes((source) => String(sources[source]))})`

/** In SQL, the first shard of a kind. */
export const shardsOfKinds: string = String(span)

/** In SQL, the shard of the writer in that of a kind. */
export const withinKind = (shard: string): string => `${shard} % ${span}`
