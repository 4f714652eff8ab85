/** When keys were used last, and the cashiers that endpoints belong to. */

import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { tables } from "../base/Tables.ts"

/** Adds the columns. There are no views of these tables. */
export const addKeyUses: Step = (sql, { text }, naming) => {
  const names = tables(sql, naming)
  return Effect.gen(function* () {
    yield* sql`alter table ${names.api_keys} add column last_used_at bigint`
    yield* sql`alter table ${names.endpoints} add column connection_id ${text}`
  })
}
