/** Rules about seals: every invoice has one since the beginning, and every record is in its chain. */
import type { RowSealer } from "@tolem/core/secret/RowSeals"
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { textOfInvoice } from "../seal/InvoiceSeal.ts"
import * as Sealer from "../seal/Sealer.ts"
import { chainRules } from "./ChainRules.ts"
import { type Breach, type Breaches, maxBreaches, type Parts, type Rules } from "./Rule.ts"
import { breachIn } from "./Sweep.ts"

/** Invoices of a page. One has some kilobytes, 16 of them metadata. */
const pageSize = 200

const remedy = "run tolem seal when all servers are new"

/** The rules, and how much is still to be sealed; read that after the rules. */
export const sealRules = (
  database: Database["Service"],
  parts: Parts
): { readonly rules: Rules; readonly notices: () => ReadonlyArray<string> } => {
  const { sql, tables, sealer } = database
  const sealing = Sealer.make(database)
  let unsealed = 0
  let unchained = 0
  const records = sql<Sealer.SealingRow>`select * from ${tables.sealing}`
  const has = (select: Statement.Fragment) => Effect.map(sql`${select} limit 1`, (rows) => rows.length > 0)
  // Without a record and without a seal no server of this version was here yet: the first one makes the record.
  const isSealed: Record<Sealer.Subject, Effect.Effect<boolean, SqlError.SqlError>> = {
    invoices: has(sql`select id from ${tables.invoices} where seal is not null`),
    chains: has(sql`select chain from ${tables.chain_heads}`)
  }
  const isBegun = Effect.fnUntraced(function* (subject: Sealer.Subject) {
    const state = (yield* records).find(({ id }) => id === subject)?.state
    return state === undefined ? yield* isSealed[subject] : state === "begun"
  })

  const breaches = Effect.gen(function* () {
    unsealed = 0
    const hasBegun = yield* isBegun("invoices")
    const found: Array<Breach> = []
    for (let after = ""; found.length < maxBreaches; ) {
      const ids = yield* sealing.page(after, pageSize)
      const last = ids.at(-1)
      if (last === undefined) break
      for (const whole of yield* sealing.wholes(ids)) {
        const detail = breachIn(whole, () => flawOf(sealer, textOfInvoice(whole), whole.invoice.seal))
        if (detail === undefined) continue
        if (hasBegun) found.push({ subject: whole.invoice.id, detail })
        else unsealed += 1
      }
      after = last
    }
    return found.slice(0, maxBreaches)
  })

  const recordBreaches = Effect.gen(function* () {
    const rows = yield* records
    const found: Array<Breach> = []
    for (const subject of Sealer.subjects) {
      const row = rows.find(({ id }) => id === subject)
      if (row !== undefined || (yield* isSealed[subject])) found.push(...recordFlaws(sealer, subject, row))
    }
    return found
  })

  return {
    rules: {
      sealing_is_recorded: recordBreaches,
      invoices_are_sealed: breaches as Breaches,
      ...chainRules(database, parts, {
        isBegun: isBegun("chains"),
        told: () => {
          unchained += 1
        }
      })
    },
    notices: () => {
      const more = unchained < maxBreaches ? "" : " or more"
      return [
        ...(unsealed === 0 ? [] : [`${unsealed} invoices are not sealed yet: ${remedy}`]),
        ...(unchained === 0 ? [] : [`${unchained}${more} records are not chained yet: ${remedy}`])
      ]
    }
  }
}

const flawOf = (sealer: RowSealer, text: string, seal: string | null): string | undefined => {
  if (seal === null) return "it has no seal"
  switch (sealer.judge(text, seal)) {
    case "right":
      return undefined
    case "wrong":
      return "its seal is not of what it, its events and its refunds hold"
    case "unknown_key":
      return "it was sealed with a key that is not here"
  }
}

const recordFlaws = (
  sealer: RowSealer,
  subject: Sealer.Subject,
  row: Sealer.SealingRow | undefined
): ReadonlyArray<Breach> => {
  if (row === undefined) return [{ subject, detail: "the record of the beginning is gone" }]
  const isRight = sealer.judge(Sealer.textOfRecord(row), row.seal) === "right"
  return isRight ? [] : [{ subject, detail: "the record of the beginning was changed" }]
}
