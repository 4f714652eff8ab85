/** Invitations of phones to organizations. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Adds the table. Servers of the version before do not know it: they end memberships and leave invitations open. */
export const createInvitations: Step = (sql, { text }, naming) => {
  const { invitations } = tables(sql, naming)
  const statements = [
    sql`create table ${invitations} (
      id ${text} primary key,
      organization_id ${text} not null,
      phone ${text} not null,
      role ${text} not null,
      connection_ids ${text},
      refund_limit bigint,
      status ${text} not null,
      made_by ${text},
      created_at bigint not null,
      expires_at bigint not null,
      settled_at bigint
    )`,
    sql`create index ${index(sql, naming, "invitations_organization")} on ${invitations}
      (organization_id, created_at, id)`,
    sql`create index ${index(sql, naming, "invitations_phone")} on ${invitations} (phone, status)`,
    sql`create index ${index(sql, naming, "invitations_age")} on ${invitations} (expires_at, id)`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
