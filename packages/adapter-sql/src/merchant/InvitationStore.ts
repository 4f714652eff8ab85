/** The core's `InvitationStore` in SQL. */
import type { Invitation } from "@tolem/core/invitation/Invitation"
import {
  AlreadyMember,
  InvitationLimit,
  type InvitationOwner,
  InvitationStore,
  TooManyInvitations
} from "@tolem/core/invitation/InvitationStore"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as AuditLog from "../audit/AuditLog.ts"
import { rowOf } from "../base/Columns.ts"
import { Database } from "../base/Database.ts"
import { once, oneOf, type RowOf, table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"
import * as Chains from "../seal/Chains.ts"
import { connectionIdsColumn, membershipTable, type OrganizationRow, organizationTable } from "./MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<InvitationStore, never, Database> = Layer.effect(
  InvitationStore,
  Effect.map(Database, (database) => ({ ...reads(database), ...writes(database) }))
)

type Store = InvitationStore["Service"]

const invitationTable = table<Invitation>("invitations")({
  id: once("text"),
  organizationId: once("text"),
  phone: once("text"),
  role: once(oneOf(["manager", "accountant", "cashier", "developer"])),
  connectionIds: { ...connectionIdsColumn, once: true },
  refundLimit: once("bigint"),
  status: oneOf(["pending", "accepted", "declined", "withdrawn"]),
  madeBy: once("text"),
  createdAt: once("bigint"),
  expiresAt: once("bigint"),
  settledAt: "bigint"
})

type InvitationRow = RowOf<typeof invitationTable>

const reads = ({ sql, tables, one, all }: Database["Service"]): Pick<Store, "find" | "list" | "offered"> => {
  const { invitations, accounts, organizations, memberships } = tables
  const of = (whose: InvitationOwner): Statement.Fragment =>
    "organizationId" in whose
      ? sql`i.organization_id = ${whose.organizationId}`
      : sql`i.phone = (select phone from ${accounts} where id = ${whose.accountId})`

  return {
    find: (whose, id) => {
      const select = sql<InvitationRow>`select i.* from ${invitations} i where i.id = ${id} and ${of(whose)}`
      return one("InvitationStore.find", select, invitationTable.decode)
    },
    list: (organizationId, now, limit) => {
      const select = sql<InvitationRow>`
        select i.* from ${invitations} i where i.organization_id = ${organizationId}
        order by case when i.status = 'pending' and i.expires_at > cast(${now} as bigint) then 0 else 1 end,
          i.created_at desc, i.id desc limit cast(${limit} as bigint)`
      return all("InvitationStore.list", select, invitationTable.decode)
    },
    offered: (accountId, now, limit) => {
      const select = sql<OrganizationRow & Prefixed<InvitationRow>>`
        select o.*, ${sql.literal(prefixed)}
        from ${invitations} i join ${organizations} o on o.id = i.organization_id
          join ${accounts} w on w.id = o.owner_id
        where ${of({ accountId })} and i.status = 'pending' and i.expires_at > cast(${now} as bigint)
          and o.status = 'active' and w.status = 'active'
          and not exists (
            select 1 from ${memberships} m where m.organization_id = o.id and m.account_id = ${accountId})
        order by i.created_at desc, i.id desc limit cast(${limit} as bigint)`
      return all("InvitationStore.offered", select, (row) => ({
        invitation: invitationTable.decode(unprefixed(row)),
        organization: organizationTable.decode(row)
      }))
    }
  }
}

// An invitation beside its organization: both have an id.
const columns = Object.keys(invitationTable.columns) as ReadonlyArray<keyof InvitationRow & string>
const prefixed = columns.map((name) => `i.${name} as invitation_${name}`).join(", ")

type Prefixed<Row> = { readonly [Name in keyof Row & string as `invitation_${Name}`]: Row[Name] }

const rowOfColumns = rowOf(invitationTable.columns)
const unprefixed = (row: Prefixed<InvitationRow>): InvitationRow =>
  rowOfColumns(columns.map((name) => row[`invitation_${name}`])) as InvitationRow

type Writes = Pick<Store, "add" | "settle" | "accept" | "forget">

const writes = (database: Database["Service"]): Writes => {
  const { sql, dialect, tables, transaction } = database
  const { invitations, accounts, memberships } = tables
  const rows = TableStatements.make(database, invitationTable)
  const memberRows = TableStatements.make(database, membershipTable)
  const audits = AuditLog.make(database)
  const { following, removing } = Chains.make(database)

  const isMember = ({ organizationId, phone }: Invitation) =>
    Effect.map(
      sql`select 1 as found from ${memberships} m join ${accounts} a on a.id = m.account_id
        where m.organization_id = ${organizationId} and a.phone = ${phone}`,
      (found) => found.length > 0
    )

  const add: Writes["add"] = (invitation, bounds, audit) => {
    const { organizationId, phone, createdAt } = invitation
    const since = createdAt - bounds.periodMs
    const open = sql`organization_id = ${organizationId} and status = 'pending'
      and expires_at > cast(${createdAt} as bigint)`
    const write = Effect.gen(function* () {
      // Otherwise many at once would each find room.
      yield* dialect.lockName(`invitations of ${organizationId}`)
      if (yield* isMember(invitation)) return yield* new AlreadyMember()
      const [counted] = yield* sql<{ readonly pending: number; readonly made: number; readonly asked: number }>`
        select (select count(*) from ${invitations} where ${open} and phone <> ${phone}) as pending,
          count(*) as made, coalesce(sum(case when phone = ${phone} then 1 else 0 end), 0) as asked
        from ${invitations}
        where organization_id = ${organizationId} and created_at > cast(${since} as bigint)`
      const { pending = 0, made = 0, asked = 0 } = counted ?? {}
      if (made >= bounds.perPeriod || asked >= bounds.perPhone) return yield* new InvitationLimit()
      if (pending >= bounds.maxPending) return yield* new TooManyInvitations()
      const replaced = sql<InvitationRow>`
        update ${invitations} set status = 'withdrawn', settled_at = cast(${createdAt} as bigint)
        where ${open} and phone = ${phone} returning *`
      const { entries } = yield* following("invitations", sql`${open} and phone = ${phone}`, replaced)
      const added = yield* rows.insert(invitation, "returning *")
      yield* audits.insert(audit, [...entries, ...added.map((row): Chains.Entry => ({ kind: "invitations", row }))])
    })
    return transaction("InvitationStore.add", write)
  }

  const settled = (invitation: Invitation) => {
    const isOpen = sql`id = ${invitation.id} and organization_id = ${invitation.organizationId} and status = 'pending'`
    const update = sql<InvitationRow>`update ${invitations} set ${rows.set(invitation)} where ${isOpen} returning *`
    return following("invitations", isOpen, update)
  }

  const settle: Writes["settle"] = (invitation, audit) =>
    Effect.map(audits.chaining("InvitationStore.settle", settled(invitation), audit), (found) => found.length > 0)

  const accept: Writes["accept"] = (invitation, membership, records) => {
    const write = Effect.gen(function* () {
      const { rows: found, entries } = yield* settled(invitation)
      if (found.length === 0) return false
      const joined = yield* memberRows.insert(
        membership,
        "on conflict (organization_id, account_id) do nothing returning *"
      )
      if (joined.length === 0) return yield* new AlreadyMember()
      // What was offered by a row that is not as it was written makes a member who stays found, see `Chains`.
      const chained = entries.length === 0 ? [] : joined.map((row): Chains.Entry => ({ kind: "memberships", row }))
      yield* audits.insert(records, [...entries, ...chained])
      return true
    })
    return transaction("InvitationStore.accept", write)
  }

  const forget: Writes["forget"] = (before, limit) => {
    const old = sql`id in (
      select id from ${invitations} where expires_at < cast(${before} as bigint)
      order by expires_at, id limit cast(${limit} as bigint))`
    const remove = sql<InvitationRow>`delete from ${invitations} where ${old} returning *`
    const removed = audits.chaining("InvitationStore.forget", removing("invitations", old, remove))
    return Effect.map(removed, ({ length }) => length)
  }

  return { add, settle, accept, forget }
}
