/**
 * Chains: each state of a record is a link, with a digest of the link before it and of what the record holds. The head
 * of a chain is sealed with its length, so that also the newest link cannot go unseen. Of each kind of records every
 * organization has a chain of its own, and the chains themselves are the records of one more, the root.
 */
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { RowOfColumns } from "../base/Columns.ts"
import type { Database } from "../base/Database.ts"
import { chainColumns, chainOf, idColumns, idOf, type Kind, textOf } from "./ChainKinds.ts"

export { idColumns, isOfKind, type Kind, kinds } from "./ChainKinds.ts"

/** The chain of the chains. */
export const root = "chains"

/** What the seal of a head is made of. */
export const textOfHead = ({ chain, length, digest }: Omit<Head, "seal">): string =>
  JSON.stringify(["chain", chain, length, digest])

/** What the digest of a link is made of. */
export const textOfLink = (previous: string, { chain, position, record_id, content }: Omit<Link, "digest">): string =>
  JSON.stringify(["link", previous, chain, position, record_id, content])

/** The content of the link of a record that has gone. */
export const gone = ""

const headColumns = { chain: "text", length: "bigint", digest: "text", seal: "text" } as const
const linkColumns = {
  chain: "text",
  position: "bigint",
  digest: "text",
  record_id: "text",
  content: "text"
} as const

/** The row of a chain's end. */
export interface Head extends Readonly<RowOfColumns<typeof headColumns>> {}

/** A row of the links. */
export interface Link extends Readonly<RowOfColumns<typeof linkColumns>> {}

/** A record whose state becomes a link. */
export interface Entry {
  readonly kind: Kind
  readonly row: object
  /** Whether it has gone with this. */
  readonly isGone?: boolean
}

/** What a statement has written, and what of it becomes links. */
export interface Followed<A> {
  readonly rows: ReadonlyArray<A>
  readonly entries: ReadonlyArray<Entry>
}

interface PageRequest {
  readonly after: string
  readonly size: number
  readonly locked?: boolean
}

interface Addition {
  readonly chain: string
  readonly recordId: string
  readonly content: string
}

/** A record and the content of its last link; null if it has none. */
export interface ChainLink {
  readonly id: string
  readonly row: object
  readonly linked: string | null
}

/** What is done with chains, for use in a transaction. */
export const make = (database: Database["Service"]) => {
  const { sql, dialect, tables, sealer } = database
  const { chain_heads: heads, chain_links: links } = tables
  const { open, lock, update, insertLinks, plant } = makeStatements(database)

  /** The digest of what a row holds, without what is null: columns that come then change no digest. */
  const contentOf = (kind: Kind, row: object) => sealer.digest(textOf(kind, row))

  const sealed = (head: Omit<Head, "seal">): Head => withSeal(sealer, head)
  // Whose seal is wrong keeps it.
  const isRight = (head: Head) => sealer.judge(textOfHead(head), head.seal) === "right"

  const extend = Effect.fnUntraced(function* (chains: ReadonlyArray<string>, additions: ReadonlyArray<Addition>) {
    const of = Map.groupBy(additions, ({ chain }) => chain)
    const added: Array<Link> = []
    const moved = (yield* lock(chains)).map((head) => {
      let { length, digest } = head
      for (const { recordId, content } of of.get(head.chain) ?? []) {
        length += 1
        const link = { chain: head.chain, position: length, record_id: recordId, content }
        digest = sealer.digest(textOfLink(digest, link))
        added.push({ ...link, digest })
      }
      const next = { chain: head.chain, length, digest }
      return isRight(head) ? sealed(next) : { ...next, seal: head.seal }
    })
    if (added.length === 0) return
    yield* insertLinks(added)
    yield* update(moved)
  })

  /**
   * Adds links. The last that a transaction does, and once in it: it locks the heads, always in one order, so that
   * what waits for one holds nothing that its holder still needs.
   */
  const append = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
    if (entries.length === 0) return
    const additions = entries.map(({ kind, row, isGone = false }) => ({
      chain: chainOf(kind, row),
      recordId: idOf(kind, row),
      content: isGone ? gone : contentOf(kind, row)
    }))
    const chains = [...new Set(additions.map(({ chain }) => chain))].sort()
    const opened = yield* open(chains)
    yield* extend(chains, additions)
    if (opened.length === 0) return
    const known = opened.map(({ chain }) => ({ chain: root, recordId: chain, content: sealer.digest(chain) }))
    yield* extend([root], known)
  })

  const lastOf = (kind: Kind): Statement.Fragment =>
    sql`(select l.content from ${links} l
      where l.record_id = ${sql.literal(idColumns(kind))} and l.chain = ${sql.literal(chainColumns(kind))}
      order by l.position desc limit 1)`

  const select = (kind: Kind, which: Statement.Fragment, locked: boolean, tail = sql.literal("")) =>
    Effect.map(
      dialect.exact(
        sql<{ readonly linked_content: string | null }>`
          select t.*, ${lastOf(kind)} as linked_content from ${tables[kind]} t where ${which}
          ${tail} ${locked ? dialect.lockRows("t") : sql.literal("")}`
      ),
      (rows) => rows.map(({ linked_content: linked, ...row }): ChainLink => ({ id: idOf(kind, row), row, linked }))
    )

  /** Whether the last link of a locked row is of what the row holds. Otherwise no change of it may become a link. */
  const isTrusted = (kind: Kind, row: object) =>
    Effect.map(
      select(kind, sql`${sql.literal(idColumns(kind))} = ${idOf(kind, row)}`, false),
      ([found]) => found?.linked === contentOf(kind, row)
    )

  const followed =
    (isGone: boolean) =>
    <A extends object>(
      kind: Kind,
      which: Statement.Fragment | null,
      write: Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>
    ): Effect.Effect<Followed<A>, SqlError.SqlError> =>
      Effect.gen(function* () {
        const before = new Map(which === null ? [] : (yield* select(kind, which, true)).map((one) => [one.id, one]))
        const rows = yield* write
        const chained = rows.filter((row) => {
          const earlier = before.get(idOf(kind, row))
          if (earlier === undefined) return true
          if (earlier.linked !== contentOf(kind, earlier.row)) return false
          return isGone || earlier.linked !== contentOf(kind, row)
        })
        return { rows, entries: chained.map((row): Entry => ({ kind, row, isGone })) }
      })

  /** Records in the order of their ids, from behind one on, with the content of the last link of each. */
  const page = (kind: Kind, { after, size, locked = false }: PageRequest) => {
    const id = sql.literal(idColumns(kind))
    return select(kind, sql`${id} > ${after}`, locked, sql`order by ${id} limit ${sql.literal(String(size))}`)
  }

  /** Seals those heads anew whose seals are right and not of the newest key; answers their number. */
  const sealHeadsAnew = Effect.gen(function* () {
    const old = yield* sql<Head>`
      select h.* from ${heads} h where h.seal not like ${`${sealer.keyId}.%`} order by h.chain ${dialect.lockRows("h")}`
    const right = old.filter(isRight)
    if (right.length > 0) yield* update(right.map(sealed))
    return right.length
  })

  return {
    contentOf,
    append,
    isTrusted,
    /**
     * Runs a statement that answers the whole rows that it writes. Those that `which` finds before it become links only
     * where they are trusted, and where what is chained of them changes. Null: it only inserts.
     */
    following: followed(false),
    /** The same of a statement that deletes them. */
    removing: followed(true),
    page,
    /** Makes the root, before anything is chained. */
    plant,
    sealHeadsAnew
  }
}

const withSeal = (sealer: Database["Service"]["sealer"], head: Omit<Head, "seal">): Head => ({
  ...head,
  seal: sealer.seal(textOfHead(head))
})

const makeStatements = ({ sql, dialect, tables, sealer }: Database["Service"]) => {
  const { chain_heads: heads, chain_links: links } = tables
  const headSource = dialect.source("s", headColumns)
  const linkSource = dialect.source("s", linkColumns)
  const chainSource = dialect.source("s", { chain: "text" })
  const linkNames = sql.literal(Object.keys(linkColumns).join(", "))
  const empty = (chain: string) => withSeal(sealer, { chain, length: 0, digest: "" })

  return {
    // A chain that the root knows was there before: its new head has no seal, and stays found.
    open: (chains: ReadonlyArray<string>) => sql<{ readonly chain: string }>`
      insert into ${heads} (chain, length, digest, seal)
      select s.chain, s.length, s.digest, case when exists (
          select 1 from ${links} l where l.record_id = s.chain and l.chain = ${root}) then '' else s.seal end
      from ${headSource(chains.map(empty))}
      where not exists (select 1 from ${heads} h where h.chain = s.chain)
      order by s.chain
      on conflict (chain) do nothing returning chain`,

    lock: (chains: ReadonlyArray<string>) => sql<Head>`
      select h.* from ${chainSource(chains.map((chain) => ({ chain })))} join ${heads} h on h.chain = s.chain
      order by h.chain ${dialect.lockRows("h")}`,

    update: (rows: ReadonlyArray<Head>) => sql`
      update ${heads} as h set length = s.length, digest = s.digest, seal = s.seal
      from ${headSource(rows.map((row) => ({ ...row })))} where h.chain = s.chain`,

    insertLinks: (added: ReadonlyArray<Link>) => sql`
      insert into ${links} (${linkNames})
      select ${linkNames} from ${linkSource(added.map((link) => ({ ...link })))} where true`,

    plant: Effect.suspend(() => {
      const { chain, length, digest, seal } = empty(root)
      return sql`insert into ${heads} (chain, length, digest, seal) values (${chain}, ${length}, ${digest}, ${seal})
        on conflict (chain) do nothing`
    })
  }
}
