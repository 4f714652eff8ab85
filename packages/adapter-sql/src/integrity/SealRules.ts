/** Rules about seals: every invoice has one since the beginning, and it is of what the invoice holds. */
import type { RowSealer } from "@tolem/core/RowSeals"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Database } from "../Database.ts"
import { textOf } from "../rows/InvoiceSeal.ts"
import * as Sealing from "../Sealing.ts"
import { type Breach, maxBreaches, type Rule } from "./Rule.ts"
import { breachIn } from "./Sweep.ts"

/** Invoices of a page. One has some kilobytes, 16 of them metadata. */
const pageSize = 200

/** The rules, and how many invoices are still to be sealed; read that after the rules. */
export const sealRules = (
  database: Database["Service"]
): { readonly rules: ReadonlyArray<Rule>; readonly notices: () => ReadonlyArray<string> } => {
  const { sql, tables, sealer } = database
  const sealing = Sealing.make(database)
  let unsealed = 0
  const record = Effect.map(
    sql<Sealing.SealingRow>`select * from ${tables.sealing} where id = ${Sealing.recordId}`,
    ([row]) => row
  )
  // Without a record and without a seal no server of this version was here yet: the first one makes the record.
  const isSealed = Effect.map(
    sql`select id from ${tables.invoices} where seal is not null limit 1`,
    (rows) => rows.length > 0
  )

  const breaches = Effect.gen(function* () {
    unsealed = 0
    const state = (yield* record)?.state
    const hasBegun = state === undefined ? yield* isSealed : state === "begun"
    const found: Array<Breach> = []
    for (let after = ""; found.length < maxBreaches; ) {
      const ids = yield* sealing.page(after, pageSize)
      const last = ids.at(-1)
      if (last === undefined) break
      for (const whole of yield* sealing.wholes(ids)) {
        const detail = breachIn(whole, () => flawOf(sealer, textOf(whole), whole.invoice.seal))
        if (detail === undefined) continue
        if (hasBegun) found.push({ subject: whole.invoice.id, detail })
        else unsealed += 1
      }
      after = last
    }
    return found.slice(0, maxBreaches)
  })

  const recordBreaches = Effect.gen(function* () {
    const row = yield* record
    return row === undefined && !(yield* isSealed) ? [] : recordFlaws(sealer, row)
  })

  return {
    rules: [
      { name: "sealing_is_recorded", breaches: recordBreaches },
      { name: "invoices_are_sealed", breaches: breaches as Effect.Effect<ReadonlyArray<Breach>, SqlError.SqlError> }
    ],
    notices: () =>
      unsealed === 0 ? [] : [`${unsealed} invoices are not sealed yet: run tolem seal when all servers are new`]
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

const recordFlaws = (sealer: RowSealer, row: Sealing.SealingRow | undefined): ReadonlyArray<Breach> => {
  const subject = Sealing.recordId
  if (row === undefined) return [{ subject, detail: "the record of the beginning is gone" }]
  const isRight = sealer.judge(Sealing.textOfRecord(row), row.seal) === "right"
  return isRight ? [] : [{ subject, detail: "the record of the beginning was changed" }]
}
