/** Chains of the audit log, of orders and of earnings. */

import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Adds the tables. Nothing is chained by it: it has no key to seal a head with. */
export const createChains: Step = (sql, { text, clustered }, naming) => {
  const { chain_links, chain_heads } = tables(sql, naming)
  const statements = [
    // With the digest in the key no row that was put in can make a write fail.
    sql`create table ${chain_links} (
      chain ${text} not null,
      position bigint not null,
      digest ${text} not null,
      record_id ${text} not null,
      content ${text} not null,
      primary key (chain, position, digest)
    ) ${clustered}`,
    sql`create index ${index(sql, naming, "chain_links_record")} on ${chain_links} (record_id, chain, position)`,
    sql`create table ${chain_heads} (
      chain ${text} not null primary key,
      length bigint not null,
      digest ${text} not null,
      seal ${text} not null
    ) ${clustered}`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
