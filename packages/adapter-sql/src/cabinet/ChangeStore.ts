/** The core's `ChangeStore` in SQL: one statement each, for all who are asked about. */
import { ChangeStore, standingOf, type WatchedThing } from "@tolem/core/attention/ChangeStore"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { joinLookedUp } from "../base/Lookups.ts"
import { type MembershipRow, membershipTable } from "../merchant/MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<ChangeStore, never, Database> = Layer.effect(ChangeStore, Effect.map(Database, make))

function make({ sql, dialect, tables, statement }: Database["Service"]): ChangeStore["Service"] {
  const presenceSource = dialect.source("s", { n: "bigint", session_id: "text", organization_id: "text" })
  const organizationSource = dialect.source("s", { organization_id: "text" })
  const connections = joinLookedUp(sql, {
    table: tables.connections,
    alias: "c",
    condition: sql`c.organization_id = s.organization_id`
  })
  const endpoints = joinLookedUp(sql, {
    table: tables.endpoints,
    alias: "e",
    condition: sql`
      e.organization_id = s.organization_id and e.mode in ('live', 'sandbox') and e.removed_at is null`
  })

  const standing: ChangeStore["Service"]["standing"] = Effect.fnUntraced(function* (presences, now) {
    if (presences.length === 0) return []
    const rows = presences.map(({ sessionId, organizationId }, n) => ({
      n,
      session_id: sessionId,
      organization_id: organizationId
    }))
    const select = sql<MembershipRow & { readonly n: number }>`
      select s.n, m.*
      from ${presenceSource(rows)}
      join ${tables.sessions} e on e.id = s.session_id
      join ${tables.memberships} m on m.account_id = e.account_id and m.organization_id = s.organization_id
      join ${tables.organizations} o on o.id = m.organization_id
      where e.revoked_at is null and e.idle_at > cast(${now} as bigint) and o.status <> 'archived'`
    const found = yield* statement("ChangeStore.standing", select, { writes: false })
    const byNumber = new Map(found.map((row) => [row.n, standingOf(membershipTable.decode(row))]))
    return presences.map((_, n) => byNumber.get(n) ?? null)
  })

  const things: ChangeStore["Service"]["things"] = Effect.fnUntraced(function* (organizationIds) {
    if (organizationIds.length === 0) return []
    const rows = organizationIds.map((organization_id) => ({ organization_id }))
    const select = sql<{
      readonly type: WatchedThing["type"]
      readonly id: string
      readonly organization_id: string
      readonly mode: "" | "live" | "sandbox"
      readonly state: string
    }>`
      select 'connection' as type, c.id, c.organization_id, '' as mode, cast(c.version as text) as state
      from ${organizationSource(rows)} ${connections}
      union all
      select 'endpoint' as type, e.id, e.organization_id, e.mode, cast(e.updated_at as text) || ' '
        || cast(coalesce(e.paused_until, 0) as text) || ' ' || cast(e.disabled as text) as state
      from ${organizationSource(rows)} ${endpoints}`
    const found = yield* statement("ChangeStore.things", select, { writes: false })
    return found.map(({ type, id, organization_id, mode, state }) => ({
      type,
      id,
      organizationId: organization_id,
      mode: mode === "" ? null : mode,
      state
    }))
  })

  return { standing, things }
}
