/** The sums of payment links, and the places that those have which take so many payments only. */
import type { TotalMove } from "@tolem/core/invoice/Consequences"
import { type LinkShare, type LinkTotals, linkShareOf, noTotals } from "@tolem/core/invoice/changes/LinkShare"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import type { Creation } from "@tolem/core/invoice/InvoiceStore"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Database } from "../base/Database.ts"

const columns = {
  link_id: "text",
  shard: "bigint",
  made: "bigint",
  held: "bigint",
  paid: "bigint",
  paid_amount: "bigint",
  refunded: "bigint"
} as const

const names = Object.keys(columns).join(", ")
const counted = ["made", "held", "paid", "paid_amount", "refunded"] as const
const addedUp = counted.map((name) => `${name} = t.${name} + excluded.${name}`).join(", ")

/** Whether an invoice was made at a link. */
export const isOfLink = ({ origin }: Pick<Invoice, "origin">): boolean => origin?.kind === "payment-link"

/** The statements over this database, for use in a transaction. */
export interface Links {
  /** Moves the sums of the links that the invoices were made at; see `Shards`. */
  readonly move: (moves: ReadonlyArray<TotalMove>, shard: number) => Effect.Effect<void, SqlError.SqlError>
  /**
   * Locks the links that take so many payments only, and answers which of these new invoices find no place.
   * `replaysOf` is asked after the lock: what repeats an earlier request needs none.
   */
  readonly soldOut: <E>(
    creations: ReadonlyArray<Creation>,
    replaysOf: (invoices: ReadonlyArray<Invoice>) => Effect.Effect<ReadonlySet<string>, E>
  ) => Effect.Effect<ReadonlySet<string>, E | SqlError.SqlError>
  /** The sums of links, by their ids; of those without invoices there are none. */
  readonly of: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, LinkTotals>, SqlError.SqlError>
}

/** See `Links`. */
export const make = ({ sql, dialect, tables }: Database["Service"]): Links => {
  const source = dialect.source("s", columns)
  const idSource = dialect.source("s", { id: "text" })
  const { link_totals: totals, payment_links: links } = tables

  const move: Links["move"] = (moves, shard) => {
    const rows = sums(moves, shard)
    if (rows.length === 0) return Effect.void
    return Effect.asVoid(sql`
      insert into ${totals} as t (${sql.literal(names)})
      select ${sql.literal(names)} from ${source(rows)} where true
      on conflict (link_id, shard) do update set ${sql.literal(addedUp)}`)
  }

  const idsOf = (ids: ReadonlyArray<string>) => idSource([...new Set(ids)].sort().map((id) => ({ id })))

  const soldOut: Links["soldOut"] = Effect.fnUntraced(function* (creations, replaysOf) {
    const ofLinks = creations.flatMap(({ invoice }) => (isOfLink(invoice) ? [invoice] : []))
    const none: ReadonlySet<string> = new Set()
    if (ofLinks.length === 0) return none
    const locked = yield* sql<{ readonly id: string; readonly max_payments: number }>`
      select l.id, l.max_payments from ${idsOf(ofLinks.map(linkIdOf))} join ${links} l on l.id = s.id
      where l.max_payments is not null order by l.id ${dialect.lockRows("l")}`
    if (locked.length === 0) return none
    // Read after the lock: what a rival has committed before is seen, and none can commit until we are done.
    const bounds = new Map(locked.map(({ id, max_payments }) => [id, max_payments]))
    const bounded = ofLinks.filter((invoice) => bounds.has(linkIdOf(invoice)))
    const replays = yield* replaysOf(bounded)
    const held = new Map(Array.from(yield* of([...bounds.keys()]), ([id, one]) => [id, one.held]))
    const refused = new Set<string>()
    for (const invoice of bounded) {
      const id = linkIdOf(invoice)
      const holding = held.get(id) ?? 0
      if (replays.has(invoice.id)) continue
      if (holding >= bounds.get(id)!) refused.add(invoice.id)
      else held.set(id, holding + 1)
    }
    return refused
  })

  const of: Links["of"] = (ids) => {
    if (ids.length === 0) return Effect.succeed(new Map())
    const sum = (name: string) => sql.literal(`cast(sum(t.${name}) as text) as ${name}`)
    return Effect.map(
      sql<{ readonly [Name in keyof typeof columns]: string }>`
        select t.link_id, ${sum("made")}, ${sum("held")}, ${sum("paid")}, ${sum("paid_amount")}, ${sum("refunded")}
        from ${idsOf(ids)} join ${totals} t on t.link_id = s.id group by t.link_id`,
      (rows) =>
        new Map(
          rows.map((row) => [
            row.link_id,
            {
              made: Number(row.made),
              held: Number(row.held),
              paid: Number(row.paid),
              paidAmount: BigInt(row.paid_amount),
              refunded: BigInt(row.refunded)
            }
          ])
        )
    )
  }

  return { move, soldOut, of }
}

/** The same of one link. */
export const totalsIn = (all: ReadonlyMap<string, LinkTotals>, id: string): LinkTotals => all.get(id) ?? noTotals

const linkIdOf = (invoice: Invoice): string => linkShareOf(invoice)?.linkId ?? ""

// Sorted by key: two servers take the locks of the rows in one order, so that they cannot wait for each other.
const sums = (moves: ReadonlyArray<TotalMove>, shard: number) => {
  const byLink = new Map<string, ReturnType<typeof rowOf>>()
  for (const { invoice, by } of moves) {
    const share = linkShareOf(invoice)
    if (share === null) continue
    const row =
      byLink.get(share.linkId) ?? rowOf({ ...share, made: 0, held: 0, paid: 0, paidAmount: 0, refunded: 0 }, shard)
    const more = rowOf(share, shard)
    for (const name of counted) row[name] += by * more[name]
    byLink.set(share.linkId, row)
  }
  const moved = [...byLink.values()].filter((row) => counted.some((name) => row[name] !== 0))
  return moved.sort((a, b) => (a.link_id < b.link_id ? -1 : 1))
}

const rowOf = ({ linkId, made, held, paid, paidAmount, refunded }: LinkShare, shard: number) => ({
  link_id: linkId,
  shard,
  made,
  held,
  paid,
  paid_amount: paidAmount,
  refunded
})
