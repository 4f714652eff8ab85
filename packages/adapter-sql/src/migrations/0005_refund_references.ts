/** The provider's own references of refunds, by which those made outside of us are told from ours. */

import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { tables } from "../base/Tables.ts"

/** Adds the column. */
export const addRefundReferences: Step = (sql, { text }, naming) =>
  Effect.asVoid(sql`alter table ${tables(sql, naming).refunds} add column provider_reference ${text}`)
