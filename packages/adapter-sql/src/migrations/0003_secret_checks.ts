/** Where a database keeps the text that tells whether a server has its keys. */

import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { tables } from "../base/Tables.ts"

/** Creates the table. */
export const createSecretChecks: Step = (sql, { text }, naming) =>
  Effect.asVoid(sql`create table ${tables(sql, naming).secret_checks} (
    id ${text} not null primary key,
    sealed ${text} not null
  )`)
