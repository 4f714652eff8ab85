/** The core's `DirectoryStore` in SQL. */
import { type DirectoryQuery, DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import type { Account } from "@tolem/core/merchant/Merchant"
import type { AccountId, OrganizationId } from "@tolem/core/value/Ids"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as TableStatements from "../base/TableStatements.ts"
import * as Chains from "../seal/Chains.ts"
import {
  type AccountRow,
  accountTable,
  type MembershipRow,
  membershipTable,
  type OrganizationRow,
  organizationTable
} from "./MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<DirectoryStore, never, Database> = Layer.effect(
  DirectoryStore,
  Effect.map(Database, (database) => ({ ...lists(database), ...members(database) }))
)

type Lists = Pick<
  DirectoryStore["Service"],
  "accounts" | "organizations" | "account" | "addAccount" | "setEmail" | "setName"
>
type Members = Pick<
  DirectoryStore["Service"],
  "parts" | "members" | "addresses" | "setMember" | "changeMember" | "removeMember"
>

const lists = (database: Database["Service"]): Lists => {
  const { sql, dialect, tables, one, snapshot } = database
  const accountRows = TableStatements.make(database, accountTable)
  const { following } = Chains.make(database)
  const { chaining } = AuditLog.make(database)
  const matching = ({ search }: DirectoryQuery, ...texts: ReadonlyArray<string>): Statement.Fragment =>
    search === null
      ? sql.literal("true")
      : sql.or(
          // The databases know the lower case of ASCII only: other letters are found as they are written.
          texts.flatMap((text) => [
            sql`${dialect.position}(${sql.literal(`coalesce(${text}, '')`)}, ${search}) > 0`,
            sql`${dialect.position}(${sql.literal(`lower(coalesce(${text}, ''))`)}, ${search.toLowerCase()}) > 0`
          ])
        )
  const page = ({ limit, offset }: DirectoryQuery) =>
    sql`limit cast(${limit} as bigint) offset cast(${offset} as bigint)`
  const count = (from: Statement.Fragment) => sql<{ readonly total: number }>`select count(*) as total from ${from}`

  const accounts: Lists["accounts"] = Effect.fnUntraced(function* (query) {
    const from = sql`${tables.accounts} a where ${matching(query, "a.phone", "a.name", "a.id")}`
    const { counted, rows } = yield* snapshot("DirectoryStore.accounts", {
      counted: count(from),
      rows: sql<AccountRow>`select a.* from ${from} order by a.created_at desc, a.id desc ${page(query)}`
    })
    return { total: counted[0]?.total ?? 0, accounts: rows.map(accountTable.decode) }
  })

  const organizations: Lists["organizations"] = Effect.fnUntraced(function* (query) {
    const found = matching(query, "o.name", "o.legal_name", "o.idn", "o.id", "a.phone")
    const from = sql`${tables.organizations} o join ${tables.accounts} a on a.id = o.owner_id where ${found}`
    const { counted, rows } = yield* snapshot("DirectoryStore.organizations", {
      counted: count(from),
      rows: sql<OrganizationRow & { readonly owner_status: Account["status"] }>`
        select o.*, a.status as owner_status from ${from} order by o.created_at desc, o.id desc ${page(query)}`
    })
    return {
      total: counted[0]?.total ?? 0,
      organizations: rows.map((row) => ({ organization: organizationTable.decode(row), ownerStatus: row.owner_status }))
    }
  })

  const account: Lists["account"] = (wanted) => {
    const condition = "id" in wanted ? sql`id = ${wanted.id}` : sql`phone = ${wanted.phone}`
    const select = sql<AccountRow>`select * from ${tables.accounts} where ${condition}`
    return one("DirectoryStore.account", select, accountTable.decode)
  }

  const addAccount: Lists["addAccount"] = (account) => {
    const insert = accountRows.insert(account, "on conflict (phone) do update set phone = excluded.phone returning *")
    const write = following("accounts", sql`phone = ${account.phone}`, insert)
    return Effect.map(chaining("DirectoryStore.addAccount", write), ([row]) => accountTable.decode(row!))
  }

  const setEmail: Lists["setEmail"] = (id, email, audit) => {
    const update = sql`update ${tables.accounts} set email = ${email} where id = ${id} returning *`
    const write = following("accounts", sql`id = ${id}`, update)
    return Effect.asVoid(chaining("DirectoryStore.setEmail", write, audit))
  }

  const setName: Lists["setName"] = (id, name, audit) => {
    const update = sql`update ${tables.accounts} set name = ${name} where id = ${id} returning *`
    const write = following("accounts", sql`id = ${id}`, update)
    return Effect.asVoid(chaining("DirectoryStore.setName", write, audit))
  }

  return { accounts, organizations, account, addAccount, setEmail, setName }
}

/** A person's part, as it is joined to what else is read. */
interface PartColumns {
  readonly part_role: MembershipRow["role"]
  readonly part_connection_ids: MembershipRow["connection_ids"]
  readonly part_refund_limit: MembershipRow["refund_limit"]
}

const partColumns = "m.role as part_role, m.connection_ids as part_connection_ids, m.refund_limit as part_refund_limit"

const partOf = (row: PartColumns) => {
  const { role, connectionIds, refundLimit } = membershipTable.decode({
    organization_id: "",
    account_id: "",
    role: row.part_role,
    created_at: 0,
    connection_ids: row.part_connection_ids,
    refund_limit: row.part_refund_limit
  })
  return { role, connectionIds, refundLimit }
}

const members = (database: Database["Service"]): Members => {
  const { sql, tables, all } = database
  const { following, removing } = Chains.make(database)
  const { chaining } = AuditLog.make(database)

  const parts: Members["parts"] = (accountId) => {
    const select = sql<OrganizationRow & PartColumns>`
      select o.*, ${sql.literal(partColumns)} from ${tables.memberships} m
      join ${tables.organizations} o on o.id = m.organization_id
      where m.account_id = ${accountId} order by m.created_at, o.id`
    return all("DirectoryStore.parts", select, (row) => ({
      organization: organizationTable.decode(row),
      ...partOf(row)
    }))
  }

  const membersOf: Members["members"] = (organizationId) => {
    const select = sql<AccountRow & PartColumns>`
      select a.*, ${sql.literal(partColumns)} from ${tables.memberships} m
      join ${tables.accounts} a on a.id = m.account_id
      where m.organization_id = ${organizationId} order by m.created_at, a.id`
    return all("DirectoryStore.members", select, (row) => ({
      account: accountTable.decode(row),
      ...partOf(row)
    }))
  }

  const addresses: Members["addresses"] = (organizationId) => {
    const select = sql<{ readonly email: string }>`
      select a.email from ${tables.memberships} m
      join ${tables.accounts} a on a.id = m.account_id join ${tables.organizations} o on o.id = m.organization_id
      where m.organization_id = ${organizationId} and a.email is not null
        and (m.role <> 'owner' or o.partner_id is null or exists (
          select 1 from ${tables.sessions} s where s.account_id = m.account_id and s.created_at >= m.created_at))
      order by m.created_at, a.id`
    return all("DirectoryStore.addresses", select, ({ email }) => email)
  }

  const membership = (organizationId: OrganizationId, accountId: AccountId) =>
    sql`organization_id = ${organizationId} and account_id = ${accountId}`

  const setMember: Members["setMember"] = ({ organizationId, accountId, role, createdAt }, audit) => {
    const upsert = sql`
      insert into ${tables.memberships} as m (organization_id, account_id, role, created_at)
      values (${organizationId}, ${accountId}, ${role}, ${createdAt})
      on conflict (organization_id, account_id) do update set role = excluded.role where m.role <> 'owner'
      returning *`
    const write = following("memberships", membership(organizationId, accountId), upsert)
    return Effect.map(chaining("DirectoryStore.setMember", write, audit), (rows) => rows.length > 0)
  }

  const changeMember: Members["changeMember"] = (member, before, audit) => {
    const { organizationId, accountId } = member
    const { role, connection_ids, refund_limit } = membershipTable.encode({ ...member, createdAt: 0 })
    const known = membershipTable.encode({ ...member, ...before, createdAt: 0 })
    // Earlier versions called some developers operators.
    const roles = known.role === "developer" ? [known.role, "operator"] : [known.role]
    const update = sql`
      update ${tables.memberships}
      set role = ${role}, connection_ids = ${connection_ids}, refund_limit = cast(${refund_limit} as bigint)
      where ${membership(organizationId, accountId)} and role <> 'owner' and role in ${sql.in(roles)}
        and coalesce(connection_ids, '') = ${known.connection_ids ?? ""}
        and coalesce(refund_limit, -1) = cast(${known.refund_limit ?? -1} as bigint)
      returning *`
    const write = following("memberships", membership(organizationId, accountId), update)
    return Effect.map(chaining("DirectoryStore.changeMember", write, audit), (rows) => rows.length > 0)
  }

  const removeMember: Members["removeMember"] = (organizationId, accountId, audit) => {
    const remove = sql`
      delete from ${tables.memberships}
      where ${membership(organizationId, accountId)} and role <> 'owner'
      returning *`
    // What was offered to them before must not bring them back. Invitations are locked first, as where one is accepted.
    const offered = sql`organization_id = ${organizationId} and status = 'pending'
      and phone = (select phone from ${tables.accounts} where id = ${accountId})
      and exists (
        select 1 from ${tables.memberships} where ${membership(organizationId, accountId)} and role <> 'owner')`
    const withdraw = sql<{ readonly id: string }>`
      update ${tables.invitations} set status = 'withdrawn', settled_at = cast(${audit.createdAt} as bigint)
      where ${offered} returning *`
    const write = Effect.gen(function* () {
      const withdrawn = yield* following("invitations", offered, withdraw)
      const removed = yield* removing("memberships", membership(organizationId, accountId), remove)
      return { rows: removed.rows, entries: [...withdrawn.entries, ...removed.entries] }
    })
    return Effect.map(chaining("DirectoryStore.removeMember", write, audit), (rows) => rows.length > 0)
  }

  return { parts, members: membersOf, addresses, setMember, changeMember, removeMember }
}
