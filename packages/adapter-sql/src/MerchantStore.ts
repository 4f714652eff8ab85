/** The core's `MerchantStore` in SQL. */
import type { Account, ApiKey, Organization } from "@tolem/core/merchant/Merchant"
import { MerchantStore, OrganizationNotFound } from "@tolem/core/merchant/MerchantStore"
import { Effect, Layer, Option } from "effect"
import { Database } from "./Database.ts"
import {
  type AccountRow,
  type ApiKeyRow,
  type OrganizationRow,
  toAccount,
  toApiKey,
  toOrganization
} from "./rows/MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<MerchantStore, never, Database> = Layer.effect(
  MerchantStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): MerchantStore["Service"] => ({
  ...organizations(database),
  ...keys(database)
})

const organizations = ({ sql, tables, statement, transaction }: Database["Service"]) => {
  const addOrganization = (organization: Organization, owner: Account) => {
    const write = Effect.gen(function* () {
      yield* sql`insert into ${tables.accounts} (id, phone, name, status, created_at)
        values (${owner.id}, ${owner.phone}, ${owner.name}, ${owner.status}, ${owner.createdAt})
        on conflict (phone) do nothing`
      const rows = yield* sql<AccountRow>`select * from ${tables.accounts} where phone = ${owner.phone}`
      const account = toAccount(rows[0]!)
      const { id, name, legalName, idn, tariff, status, createdAt } = organization
      yield* sql`insert into ${tables.organizations}
        (id, name, legal_name, idn, tariff, status, owner_id, created_at)
        values (${id}, ${name}, ${legalName}, ${idn}, ${tariff}, ${status}, ${account.id}, ${createdAt})`
      return account
    })
    return transaction("MerchantStore.addOrganization", write)
  }

  const organization = (id: string) => {
    const select = sql<OrganizationRow>`select * from ${tables.organizations} where id = ${id}`
    return Effect.map(statement("MerchantStore.organization", select, { writes: false }), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), toOrganization)
    )
  }

  const organizationInForce = (id: string) => {
    const select = sql<OrganizationRow>`
      select o.* from ${tables.organizations} o join ${tables.accounts} a on a.id = o.owner_id
      where o.id = ${id} and o.status <> 'archived' and a.status <> 'blocked'`
    return Effect.map(statement("MerchantStore.organizationInForce", select, { writes: false }), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), toOrganization)
    )
  }

  const organizationCount = Effect.map(
    statement(
      "MerchantStore.organizationCount",
      sql<{ readonly count: number }>`select count(*) as count from ${tables.organizations}`,
      { writes: false }
    ),
    ([row]) => row?.count ?? 0
  )

  const setStatus: MerchantStore["Service"]["setStatus"] = (subject) => {
    const update =
      "account" in subject
        ? sql`update ${tables.accounts} set status = ${subject.status} where id = ${subject.account} returning id`
        : sql`update ${tables.organizations} set status = ${subject.status}
            where id = ${subject.organization} returning id`
    return Effect.map(statement("MerchantStore.setStatus", update, { writes: true }), (rows) => rows.length > 0)
  }

  return { addOrganization, organization, organizationInForce, organizationCount, setStatus }
}

const keys = ({ sql, dialect, tables, statement }: Database["Service"]) => {
  const digestSource = dialect.source("s", { digest: "text" })

  const addKey = Effect.fnUntraced(function* (key: ApiKey) {
    const { id, organizationId, mode, name, connectionId, digest, lastCharacters, createdAt } = key
    const scopes = key.scopes.join(" ")
    const insert = sql`
      insert into ${tables.api_keys}
        (id, organization_id, mode, name, scopes, connection_id, digest, last_characters, created_at)
      select ${id}, o.id, ${mode}, ${name}, ${scopes}, ${connectionId}, ${digest}, ${lastCharacters},
        cast(${createdAt} as bigint)
      from ${tables.organizations} o where o.id = ${organizationId}
      returning id`
    const rows = yield* statement("MerchantStore.addKey", insert, { writes: true })
    if (rows.length === 0) return yield* new OrganizationNotFound()
  })

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
      key: toApiKey(row),
      organizationStatus: row.organization_status,
      ownerStatus: row.owner_status
    }))
  })

  const keys = (organizationId: string) => {
    const select = sql<ApiKeyRow>`
      select * from ${tables.api_keys} where organization_id = ${organizationId} order by created_at, id`
    return Effect.map(statement("MerchantStore.keys", select, { writes: false }), (rows) => rows.map(toApiKey))
  }

  const bindKey = (organizationId: string, id: string, connectionId: string | null) => {
    const update = sql`
      update ${tables.api_keys} set connection_id = ${connectionId}
      where id = ${id} and organization_id = ${organizationId} returning id`
    return Effect.map(statement("MerchantStore.bindKey", update, { writes: true }), (rows) => rows.length > 0)
  }

  const removeKey = (id: string) => {
    const remove = sql`delete from ${tables.api_keys} where id = ${id} returning id`
    return Effect.map(statement("MerchantStore.removeKey", remove, { writes: true }), (rows) => rows.length > 0)
  }

  return { addKey, findKeys, keys, bindKey, removeKey }
}

interface Statuses {
  readonly organization_status: Organization["status"]
  readonly owner_status: Account["status"]
}
