/** The core's `MerchantStore` in SQL. */
import { ConnectionNotFound } from "@tolem/core/error/Refusals"
import { type Account, type ApiKey, noTerms, type Organization } from "@tolem/core/merchant/Merchant"
import {
  InvalidReferralCode,
  MerchantStore,
  type OrganizationExtras,
  OrganizationNotFound,
  TooManyKeys,
  TooManyOrganizations
} from "@tolem/core/merchant/MerchantStore"
import type { ConnectionId, OrganizationId } from "@tolem/core/value/Ids"
import { Effect, Layer } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as TableStatements from "../base/TableStatements.ts"
import * as Chains from "../seal/Chains.ts"
import {
  type AccountRow,
  type ApiKeyRow,
  accountTable,
  apiKeyTable,
  membershipTable,
  type OrganizationRow,
  organizationTable
} from "./MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<MerchantStore, never, Database> = Layer.effect(
  MerchantStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): MerchantStore["Service"] => ({
  ...organizations(database),
  ...keys(database)
})

const organizations = (database: Database["Service"]) => {
  const { sql, dialect, tables, one, statement, transaction } = database
  const accounts = TableStatements.make(database, accountTable)
  const memberships = TableStatements.make(database, membershipTable)
  const rows = TableStatements.make(database, organizationTable)
  const audits = AuditLog.make(database)
  const { following } = Chains.make(database)

  // Locks the account, so that only one of two organizations that open at once is its first.
  const insertOwner = (owner: Account) =>
    accounts.insert(owner, "on conflict (phone) do update set phone = excluded.phone returning *")

  const referrerOf = Effect.fnUntraced(function* (owner: Account, referrer: OrganizationExtras["referrer"]) {
    if (!referrer) return null
    const whose = "code" in referrer ? sql`a.referral_code = ${referrer.code}` : sql`a.id = ${referrer.id}`
    const [found] = yield* sql<{ readonly id: string; readonly owned: number }>`
      select a.id, (select count(*) from ${tables.organizations} o where o.owner_id = ${owner.id}) as owned
      from ${tables.accounts} a where ${whose} and a.referral_code <> ''`
    if (found === undefined && "code" in referrer) return yield* new InvalidReferralCode()
    return found === undefined || found.id === owner.id || found.owned > 0 ? null : found.id
  })

  // The account is locked: those who open at once are counted in turn.
  const roomFor = Effect.fnUntraced(function* ({ id }: Account, { maxOwned }: OrganizationExtras) {
    if (maxOwned === undefined) return
    const [counted] = yield* sql<{ readonly owned: number }>`
      select count(*) as owned from ${tables.organizations} where owner_id = ${id}`
    if ((counted?.owned ?? 0) >= maxOwned) return yield* new TooManyOrganizations()
  })

  /** The organization that was opened under a name before; no one else opens one under it meanwhile. */
  const earlier = Effect.fnUntraced(function* (
    draft: Organization,
    { idempotencyKey, externalKey }: OrganizationExtras
  ) {
    const { partnerId } = draft
    const ofPartner = sql`partner_id = ${partnerId} and idempotency_key = ${idempotencyKey ?? null}`
    const [lock, which] = externalKey
      ? [`organization ${externalKey}`, sql`external_key = ${externalKey}`]
      : [`clients ${partnerId}`, partnerId && idempotencyKey ? ofPartner : null]
    if (which === null) return undefined
    yield* dialect.lockName(lock)
    const [row] = yield* sql<OrganizationRow>`select * from ${tables.organizations} where ${which}`
    if (row === undefined) return undefined
    const [owner] = yield* sql<AccountRow>`select * from ${tables.accounts} where id = ${row.owner_id}`
    return { organization: organizationTable.decode(row), owner: accountTable.decode(owner!), replayed: true }
  })

  const addOrganization = (draft: Organization, owner: Account, opening: OrganizationExtras = {}) => {
    const { referrer, developers = [], key, audits: records = [] } = opening
    const { idempotencyKey = null, externalKey = null } = opening
    const write = Effect.gen(function* () {
      const known = yield* earlier(draft, opening)
      if (known !== undefined) return known
      const opened = yield* following("accounts", sql`phone = ${owner.phone}`, insertOwner(owner))
      const account = accountTable.decode(opened.rows[0]!)
      yield* roomFor(account, opening)
      const referredBy = (yield* referrerOf(account, referrer)) ?? draft.referredBy
      const organization = { ...draft, ownerId: account.id, referredBy }
      const entries = [...opened.entries]
      const chain = (kind: Chains.Kind, rows: ReadonlyArray<object>) =>
        entries.push(...rows.map((row) => ({ kind, row })))
      chain("organizations", yield* rows.insert({ ...organization, idempotencyKey, externalKey }, "returning *"))
      const others = [...new Set(developers)].filter((id) => id !== account.id)
      const { id: organizationId, createdAt } = organization
      const members = [[account.id, "owner"] as const, ...others.map((id) => [id, "developer"] as const)]
      for (const [accountId, role] of members) {
        const member = { organizationId, accountId, role, createdAt, ...noTerms }
        chain("memberships", yield* memberships.insert(member, "returning *"))
      }
      if (key !== undefined) chain("api_keys", yield* insertKey(database, key))
      yield* audits.insert(records, entries)
      return { organization, owner: account, replayed: false }
    })
    return transaction("MerchantStore.addOrganization", write)
  }

  const organization = (id: OrganizationId) => {
    const select = sql<OrganizationRow>`select * from ${tables.organizations} where id = ${id}`
    return one("MerchantStore.organization", select, organizationTable.decode)
  }

  const owned = (id: OrganizationId) => {
    const select = sql<OrganizationRow & { readonly owner_status: Account["status"] }>`
      select o.*, a.status as owner_status from ${tables.organizations} o
      join ${tables.accounts} a on a.id = o.owner_id where o.id = ${id}`
    return one("MerchantStore.owned", select, (row) => ({
      organization: organizationTable.decode(row),
      ownerStatus: row.owner_status
    }))
  }

  const organizationCount = Effect.map(
    statement(
      "MerchantStore.organizationCount",
      sql<{ readonly count: number }>`select count(*) as count from ${tables.organizations}`,
      { writes: false }
    ),
    ([row]) => row?.count ?? 0
  )

  const setStatus: MerchantStore["Service"]["setStatus"] = (subject, now, audit) => {
    const [kind, id] =
      "account" in subject
        ? (["accounts", subject.account] as const)
        : (["organizations", subject.organization] as const)
    const update = following(
      kind,
      sql`id = ${id}`,
      sql`
        update ${tables[kind]} set status = ${subject.status}
        where id = ${id} and status <> ${subject.status} returning *`
    )
    const write = Effect.gen(function* () {
      const { rows, entries } = yield* update
      // The account first: who logs in at this moment holds it, and has the session written by then.
      if (kind === "accounts" && subject.status === "blocked") {
        yield* sql`update ${tables.sessions} set revoked_at = cast(${now} as bigint)
          where account_id = ${id} and revoked_at is null`
      }
      if (rows.length > 0) {
        yield* audits.insert(audit, entries)
        return true
      }
      const known = yield* sql`select id from ${tables[kind]} where id = ${id}`
      return known.length > 0
    })
    return transaction("MerchantStore.setStatus", write)
  }

  const setMode: MerchantStore["Service"]["setMode"] = (id, mode, audit) => {
    const update = sql`
      update ${tables.organizations} set mode = ${mode} where id = ${id} and mode <> ${mode} returning *`
    const write = following("organizations", sql`id = ${id}`, update)
    return Effect.map(audits.chaining("MerchantStore.setMode", write, audit), (rows) => rows.length > 0)
  }

  return { addOrganization, organization, owned, organizationCount, setStatus, setMode }
}

/** Answers a row if the organization exists. */
const insertKey = ({ sql, tables }: Database["Service"], key: ApiKey) => {
  const { id, organizationId, mode, name, connectionId, digest, lastCharacters, createdAt, madeBy } = key
  return sql`
    insert into ${tables.api_keys}
      (id, organization_id, mode, name, scopes, connection_id, digest, last_characters, created_at, made_by)
    select ${id}, o.id, ${mode}, ${name}, ${key.scopes.join(" ")}, ${connectionId}, ${digest}, ${lastCharacters},
      cast(${createdAt} as bigint), ${madeBy}
    from ${tables.organizations} o where o.id = ${organizationId}
    returning *`
}

const keys = (database: Database["Service"]) => {
  const { sql, dialect, tables, all, statement, transaction } = database
  const audits = AuditLog.make(database)
  const { following, removing } = Chains.make(database)
  const useSource = dialect.source("s", { id: "text", at: "bigint" })
  const digestSource = dialect.source("s", { digest: "text" })

  // What removes a cashier waits for what binds keys to that cashier, and the other way round.
  const hold = Effect.fnUntraced(function* (organizationId: OrganizationId, connectionId: ConnectionId | null) {
    if (connectionId === null) return
    const found = yield* sql`
      select c.id from ${tables.connections} c
      where c.id = ${connectionId} and c.organization_id = ${organizationId} ${dialect.shareRows("c")}`
    if (found.length === 0) return yield* new ConnectionNotFound()
  })

  const addKey: MerchantStore["Service"]["addKey"] = (key, limit, audit) =>
    transaction(
      "MerchantStore.addKey",
      Effect.gen(function* () {
        // Otherwise two servers could each count the same keys, and each add the last one.
        yield* dialect.lockName(`keys ${key.organizationId} ${key.mode}`)
        const [counted] = yield* sql<{ readonly count: number }>`
          select count(*) as count from ${tables.api_keys}
          where organization_id = ${key.organizationId} and mode = ${key.mode}`
        if ((counted?.count ?? 0) >= limit) return yield* new TooManyKeys()
        yield* hold(key.organizationId, key.connectionId)
        const rows = yield* insertKey(database, key)
        if (rows.length === 0) return yield* new OrganizationNotFound()
        yield* audits.insert(
          audit,
          rows.map((row) => ({ kind: "api_keys", row }))
        )
      })
    )

  const findKeys = Effect.fnUntraced(function* (digests: ReadonlyArray<string>) {
    if (digests.length === 0) return []
    const wanted = Array.from(new Set(digests), (digest) => ({ digest }))
    const select = sql<ApiKeyRow & Statuses>`
      select k.*, o.status as organization_status, a.status as owner_status
      from ${digestSource(wanted)}
      join ${tables.api_keys} k on k.digest = s.digest
      join ${tables.organizations} o on o.id = k.organization_id
      join ${tables.accounts} a on a.id = o.owner_id`
    const rows = yield* statement("MerchantStore.findKeys", select, { writes: false })
    return rows.map((row) => ({
      key: apiKeyTable.decode(row),
      organizationStatus: row.organization_status,
      ownerStatus: row.owner_status
    }))
  })

  const keys = (organizationId: OrganizationId) => {
    const select = sql<ApiKeyRow>`
      select * from ${tables.api_keys} where organization_id = ${organizationId} order by created_at, id`
    return all("MerchantStore.keys", select, apiKeyTable.decode)
  }

  const noteUses: MerchantStore["Service"]["noteUses"] = (uses) => {
    if (uses.length === 0) return Effect.void
    // In one order, as several servers do it at once.
    const rows = uses.map(({ keyId, usedAt }) => ({ id: keyId, at: usedAt })).sort((a, b) => (a.id < b.id ? -1 : 1))
    const update = sql`
      update ${tables.api_keys} as k set last_used_at = s.at from ${useSource(rows)}
      where k.id = s.id and (k.last_used_at is null or k.last_used_at < s.at)`
    return Effect.asVoid(statement("MerchantStore.noteUses", update, { writes: true }))
  }

  const bindKey: MerchantStore["Service"]["bindKey"] = (organizationId, id, connectionId, audit) => {
    const update = sql`
      update ${tables.api_keys} set connection_id = ${connectionId}
      where id = ${id} and organization_id = ${organizationId} returning *`
    return transaction(
      "MerchantStore.bindKey",
      Effect.gen(function* () {
        yield* hold(organizationId, connectionId)
        const { rows, entries } = yield* following("api_keys", sql`id = ${id}`, update)
        if (rows.length > 0) yield* audits.insert(audit, entries)
        return rows.length > 0
      })
    )
  }

  const removeKey: MerchantStore["Service"]["removeKey"] = (id, audit) => {
    const remove = sql<{ readonly organization_id: string }>`
      delete from ${tables.api_keys} where id = ${id} returning *`
    return transaction(
      "MerchantStore.removeKey",
      Effect.gen(function* () {
        const { rows, entries } = yield* removing("api_keys", sql`id = ${id}`, remove)
        const [row] = rows
        const record = row && audit && { ...audit, organizationId: row.organization_id }
        yield* audits.insert(record, entries)
        return row !== undefined
      })
    )
  }

  return { addKey, findKeys, keys, noteUses, bindKey, removeKey }
}

interface Statuses {
  readonly organization_status: Organization["status"]
  readonly owner_status: Account["status"]
}
