/** Things that an organization may have a limited number of, in each mode. */
import type { Tenant } from "@tolem/core/value/Tenant"
import { Effect } from "effect"
import type { Database } from "./Database.ts"

/**
 * Whether the tenant has fewer than `limit` rows in the table that were not removed. Holds until the transaction ends:
 * otherwise two servers could each count the same rows, and each add the last one.
 */
export const hasRoom = (
  { sql, dialect, tables }: Database["Service"],
  table: "endpoints" | "form_hooks" | "payment_links",
  { organizationId, mode }: Tenant,
  limit: number
) =>
  Effect.gen(function* () {
    yield* dialect.lockName(`${table.replace("_", " ")} ${organizationId} ${mode}`)
    const [counted] = yield* sql<{ readonly count: number }>`
      select count(*) as count from ${tables[table]}
      where organization_id = ${organizationId} and mode = ${mode} and removed_at is null`
    return counted === undefined || counted.count < limit
  })
