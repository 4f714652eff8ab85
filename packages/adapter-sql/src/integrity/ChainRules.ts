/** Rules about chains. All but that of the heads' seals need no key. */
import type { RowSealer } from "@tolem/core/secret/RowSeals"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Database } from "../base/Database.ts"
import * as Chains from "../seal/Chains.ts"
import { type Breach, maxBreaches, type Parts, type Rule, type Rules } from "./Rule.ts"

/** Rows of a page. One has some hundred bytes. */
const pageSize = 500

/** The rules. Where it has not begun that every record has to be in a chain, `told` is called for each that is not. */
export const chainRules = (
  database: Database["Service"],
  parts: Parts,
  { isBegun, told }: { readonly isBegun: Effect.Effect<boolean, SqlError.SqlError>; readonly told: () => void }
): Rules => ({
  chains_are_whole: wholeChains(parts),
  chained_records_are_kept: keptRecords(parts),
  links_follow: brokenLinks(database),
  records_are_chained: Effect.gen(function* () {
    const hasBegun = yield* isBegun
    const found = yield* unchained(database)
    if (hasBegun) return found
    found.forEach(told)
    return []
  }),
  heads_are_sealed: wrongHeads(database)
})

const wholeChains = ({ sql, tables }: Parts): Rule => {
  const { chain_heads: heads, chain_links: links } = tables
  const root = sql`${Chains.root}`
  return sql`
    select h.chain as subject, 'its end is not its newest link' as detail from ${heads} h
      left join (select chain, count(*) as n, max(position) as newest from ${links} group by chain) c
        on c.chain = h.chain
      where h.length <> coalesce(c.n, 0) or h.length <> coalesce(c.newest, 0)
        or h.digest <> coalesce(
          (select min(l.digest) from ${links} l where l.chain = h.chain and l.position = h.length), '')
    union all
    select distinct l.chain, 'its end is gone' from ${links} l
      where not exists (select 1 from ${heads} h where h.chain = l.chain)
    union all
    select l.record_id, 'the chain is gone' from ${links} l
      where l.chain = ${root} and not exists (select 1 from ${heads} h where h.chain = l.record_id)
    union all
    select h.chain, 'it is not in the chain of chains' from ${heads} h
      where h.chain <> ${root}
        and not exists (select 1 from ${links} l where l.record_id = h.chain and l.chain = ${root})
    union all
    select 'chains', 'the chain of chains is gone' from (select 1 as one) as once
      where not exists (select 1 from ${heads} h where h.chain = ${root})
        and exists (select 1 from ${tables.sealing} where id = ${root})`
}

// Its newest link is no end, and yet there is no such record.
const keptRecords = ({ sql, tables }: Parts): Rule => {
  const links = tables.chain_links
  const missing = Chains.kinds.map(
    (kind) => sql`select record_id as subject, ${sql.literal(`'gone from ${kind}'`)} as detail from (
        select l.record_id from ${links} l
        where ${sql.literal(Chains.isOfKind(kind, "l.chain"))} and l.content <> ${Chains.gone} and not exists (
          select 1 from ${links} n
          where n.record_id = l.record_id and n.chain = l.chain and n.position > l.position)
        except select ${sql.literal(Chains.idColumns(kind))} from ${tables[kind]} t
      ) as ${sql.literal(`missing_${kind}`)}`
  )
  return sql.join(" union all ", false)(missing)
}

const brokenLinks = Effect.fnUntraced(function* ({ sql, tables, sealer }: Database["Service"]) {
  const links = tables.chain_links
  const found: Array<Breach> = []
  let after = { chain: "", position: 0, digest: "" }
  while (found.length < maxBreaches) {
    const page = yield* sql<Chains.Link & { readonly previous: string | null }>`
      select l.*, (select min(p.digest) from ${links} p where p.chain = l.chain and p.position = l.position - 1)
        as previous
      from ${links} l
      where (l.chain, l.position, l.digest) > (${after.chain}, cast(${after.position} as bigint), ${after.digest})
      order by l.chain, l.position, l.digest limit ${sql.literal(String(pageSize))}`
    for (const { previous, ...link } of page) {
      if (sealer.digest(Chains.textOfLink(previous ?? "", link)) === link.digest) continue
      found.push({ subject: link.record_id, detail: `link ${link.position} of ${link.chain} does not follow` })
    }
    const last = page.at(-1)
    if (last === undefined) break
    after = last
  }
  return found.slice(0, maxBreaches)
})

const unchained = Effect.fnUntraced(function* (database: Database["Service"]) {
  const { contentOf, page } = Chains.make(database)
  const found: Array<Breach> = []
  for (const kind of Chains.kinds) {
    for (let after = ""; found.length < maxBreaches; ) {
      const rows = yield* page(kind, { after, size: pageSize })
      for (const { id, row, linked } of rows) {
        if (linked === contentOf(kind, row)) continue
        const detail = linked === null ? "it is in no chain" : "unlike its newest link"
        found.push({ subject: id, detail: `${kind}: ${detail}` })
      }
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.id
    }
  }
  return found.slice(0, maxBreaches)
})

const wrongHeads = ({ sql, tables, sealer }: Database["Service"]) =>
  Effect.map(sql<Chains.Head>`select * from ${tables.chain_heads} order by chain`, (heads) =>
    heads
      .flatMap((head): ReadonlyArray<Breach> => {
        const detail = flawOf(sealer, head)
        return detail === undefined ? [] : [{ subject: head.chain, detail }]
      })
      .slice(0, maxBreaches)
  )

const flawOf = (sealer: RowSealer, head: Chains.Head): string | undefined => {
  if (head.seal === "") return "its end was made again"
  const verdict = sealer.judge(Chains.textOfHead(head), head.seal)
  if (verdict === "right") return undefined
  return verdict === "wrong" ? "the seal is not of this end" : "it was sealed with a key that is not here"
}
