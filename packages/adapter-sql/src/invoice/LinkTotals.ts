/** The sums of payment links, and the places that those have which take so many payments only. */
import type { TotalMove } from "@tolem/core/invoice/Consequences"
import {
  holdsPlace,
  type LinkShare,
  type LinkTotals,
  linkShareOf,
  noTotals,
  placeStatuses,
  unknownWindowMs
} from "@tolem/core/invoice/changes/LinkShare"
import { type Invoice, isOpen } from "@tolem/core/invoice/Invoice"
import type { Creation } from "@tolem/core/invoice/InvoiceStore"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
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
   * `replaysOf` is asked after the lock: what repeats an earlier request needs none. Places are counted in the rows,
   * as servers of an earlier version do not move the sums as we do. For invoices that only wait the sum is enough:
   * they take no place, and their code is counted for when it is asked for.
   */
  readonly soldOut: <E>(
    creations: ReadonlyArray<Creation>,
    replaysOf: (invoices: ReadonlyArray<Invoice>) => Effect.Effect<ReadonlySet<string>, E>
  ) => Effect.Effect<ReadonlySet<string>, E | SqlError.SqlError>
  /**
   * Locks the link of this invoice if that takes so many payments only; answers whether more places are held then
   * than it has, asked again after the invoice was written. For a change that takes one; see `takesPlace`.
   */
  readonly lock: (invoice: Invoice) => Effect.Effect<Effect.Effect<boolean, SqlError.SqlError>, SqlError.SqlError>
  /**
   * Sets right the sums of these links by as much as they are off. Counted in one statement, so that what others write
   * meanwhile is in both sides or in neither; two that mend the same link at once must take turns.
   */
  readonly mend: (ids: ReadonlyArray<string>) => Effect.Effect<void, SqlError.SqlError>
  /** The sums of links, by their ids; of those without invoices there are none. */
  readonly of: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, LinkTotals>, SqlError.SqlError>
}

/** See `Links`. */
export const make = ({ sql, dialect, tables }: Database["Service"]): Links => {
  const source = dialect.source("s", columns)
  const idSource = dialect.source("s", { id: "text" })
  const { link_totals: totals, payment_links: links, invoices } = tables
  const held = holding(sql)
  const ofLinks = sql.literal(isOfLinkText)

  const move: Links["move"] = (moves, shard) => {
    const rows = sums(moves, shard)
    if (rows.length === 0) return Effect.void
    return Effect.asVoid(sql`
      insert into ${totals} as t (${sql.literal(names)})
      select ${sql.literal(names)} from ${source(rows)} where true
      on conflict (link_id, shard) do update set ${sql.literal(addedUp)}`)
  }

  const idsOf = (ids: ReadonlyArray<string>) => idSource([...new Set(ids)].sort().map((id) => ({ id })))

  const lockBounded = (ids: ReadonlyArray<string>) =>
    sql<Bounded>`
      select l.id, l.max_payments from ${idsOf(ids)} join ${links} l on l.id = s.id
      where l.max_payments is not null order by l.id ${dialect.lockRows("l")}`

  /** Invoices that hold a place at `now`; no more are counted than tell that there are too many. */
  const countHolders = ({ id, max_payments }: Bounded, now: number) => {
    const at = sql`cast(${now} as bigint)`
    const counted = sql<{ readonly held: number }>`
      select count(*) as held from (
        select 1 as one from ${invoices} where origin = ${originOf(id)} and ${ofLinks}
          and (${held} or ${outliving(sql, at)}) limit ${max_payments + 1}
      ) as holders`
    return Effect.map(counted, ([row]) => Number(row?.held ?? 0))
  }

  const soldOut: Links["soldOut"] = Effect.fnUntraced(function* (creations, replaysOf) {
    const ofLinks = creations.flatMap(({ invoice }) => (isOfLink(invoice) ? [invoice] : []))
    const none: ReadonlySet<string> = new Set()
    if (ofLinks.length === 0) return none
    const locked = yield* lockBounded(ofLinks.map(linkIdOf))
    if (locked.length === 0) return none
    // Read after the lock: what a rival has committed before is seen, and none can commit until we are done.
    const bounds = new Map(locked.map(({ id, max_payments }) => [id, max_payments]))
    const bounded = ofLinks.filter((invoice) => bounds.has(linkIdOf(invoice)))
    const replays = yield* replaysOf(bounded)
    const now = Math.max(...bounded.map(({ createdAt }) => createdAt))
    const taking = new Set(bounded.filter(holdsPlace).map(linkIdOf))
    const sums = yield* of(locked.flatMap(({ id }) => (taking.has(id) ? [] : [id])))
    const counts = yield* Effect.forEach(locked, (one) =>
      taking.has(one.id)
        ? Effect.map(countHolders(one, now), (n) => [one.id, n] as const)
        : Effect.succeed([one.id, totalsIn(sums, one.id).held] as const)
    )
    const held = new Map(counts)
    const refused = new Set<string>()
    for (const invoice of bounded) {
      const id = linkIdOf(invoice)
      const holding = held.get(id) ?? 0
      if (replays.has(invoice.id)) continue
      if (holding >= bounds.get(id)!) refused.add(invoice.id)
      else if (holdsPlace(invoice)) held.set(id, holding + 1)
    }
    return refused
  })

  const lock: Links["lock"] = Effect.fnUntraced(function* (invoice) {
    const [bounded] = yield* lockBounded([linkIdOf(invoice)])
    if (bounded === undefined) return Effect.succeed(false)
    return Effect.map(countHolders(bounded, invoice.updatedAt), (count) => count > bounded.max_payments)
  })

  const mend: Links["mend"] = (ids) =>
    ids.length === 0
      ? Effect.void
      : Effect.asVoid(mending({ sql, totals, invoices }, { links: ids, origins: ids.map(originOf) }))

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

  return { move, soldOut, lock, mend, of }
}

/** The same of one link. */
export const totalsIn = (all: ReadonlyMap<string, LinkTotals>, id: string): LinkTotals => all.get(id) ?? noTotals

const originOf = (linkId: string): string => `payment-link/${linkId}`

/** A link that takes so many payments only. */
interface Bounded {
  readonly id: string
  readonly max_payments: number
}

/** Whether the row of an invoice is one of a link, as the index of these has it. */
const isOfLinkText = "substr(origin, 1, 13) = 'payment-link/'"

/** `holdsPlace` of the row of an invoice. */
export const holding = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(
    `(status in (${placeStatuses.map((status) => `'${status}'`).join(", ")})
      and (status <> 'new' or coalesce(making, 'asked') <> 'waits'))`
  )

/** Whether the row of a cancelled invoice holds a place still: its code can be paid, or might be. */
export const outliving = (sql: SqlClient.SqlClient, at: Statement.Fragment): Statement.Fragment =>
  sql`(status = 'cancelled' and kind = 'qr' and coalesce(making, 'made') <> 'waits'
    and coalesce(expires_at, updated_at + ${sql.literal(String(unknownWindowMs))}) > ${at})`

/** Moves the sums by as much as they differ from the invoices: of all links, or of these. */
export const mending = (
  {
    sql,
    totals,
    invoices
  }: { readonly sql: SqlClient.SqlClient } & Record<"totals" | "invoices", Statement.Identifier>,
  only: { readonly links: ReadonlyArray<string>; readonly origins: ReadonlyArray<string> } | null
) => {
  const among = (column: string, values: ReadonlyArray<string> | undefined) =>
    values === undefined ? sql.literal("true") : sql`${sql.literal(column)} in ${sql.in(values)}`
  const off = counted.map((name) => `cast(sum(${name}) as bigint) as ${name}`).join(", ")
  return sql`
    insert into ${totals} as t (${sql.literal(names)})
    select link_id, 0, ${sql.literal(off)} from (
      select substr(origin, 14) as link_id, 1 as made, case when ${holding(sql)} then 1 else 0 end as held,
        case when paid_at is null then 0 else 1 end as paid,
        case when paid_at is null then 0 else amount end as paid_amount, refunded
      from ${invoices} where ${sql.literal(isOfLinkText)} and ${among("origin", only?.origins)}
      union all
      select link_id, -made, -held, -paid, -paid_amount, -refunded
      from ${totals} where ${among("link_id", only?.links)}
    ) as balance
    group by link_id having ${sql.literal(counted.map((name) => `sum(${name}) <> 0`).join(" or "))}
    order by link_id
    on conflict (link_id, shard) do update set ${sql.literal(addedUp)}`
}

/** Whether by this change an open invoice comes to hold a place. Money takes one whether there is one or not. */
export const takesPlace = ({ previous, next }: Record<"previous" | "next", Invoice>): boolean =>
  isOfLink(next) && isOpen(next.status) && !holdsPlace(previous) && holdsPlace(next)

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
