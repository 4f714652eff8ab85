/** People who log in by code: challenges on their way, and sessions. */

import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Creates the tables. There are no views of them: they are of no use to people who query by hand. */
export const createLogins: Step = (sql, { text }, naming) => {
  const names = tables(sql, naming)
  const statements = [
    sql`create table ${names.login_challenges} (
      id ${text} not null primary key,
      phone ${text} not null,
      channel ${text} not null,
      digest ${text} not null,
      digest_key ${text} not null,
      address_digest ${text},
      tries bigint not null,
      created_at bigint not null,
      expires_at bigint not null,
      used_at bigint
    )`,
    sql`create index ${index(sql, naming, "login_challenges_phone")}
      on ${names.login_challenges} (phone, created_at)`,
    sql`create index ${index(sql, naming, "login_challenges_address")}
      on ${names.login_challenges} (address_digest, created_at) where address_digest is not null`,
    sql`create index ${index(sql, naming, "login_challenges_age")} on ${names.login_challenges} (created_at)`,
    sql`create table ${names.sessions} (
      id ${text} not null primary key,
      account_id ${text} not null references ${names.accounts} (id),
      digest ${text} not null unique,
      address ${text},
      user_agent ${text},
      created_at bigint not null,
      seen_at bigint not null,
      idle_at bigint not null,
      expires_at bigint not null,
      revoked_at bigint
    )`,
    sql`create index ${index(sql, naming, "sessions_account")} on ${names.sessions} (account_id)`,
    sql`create index ${index(sql, naming, "sessions_idle")} on ${names.sessions} (idle_at)`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
