/** Merchants of the benchmark, written straight into a migrated database. */
import { randomBytes } from "node:crypto"
import { nodePlatform } from "@tolem/adapter-node"
import { generateApiKey } from "@tolem/core/merchant/ApiKeyText"
import { Effect, Redacted } from "effect"
import type pg from "pg"
import { sha256 } from "./Statements.ts"
import { onConnection } from "./World.ts"

/** An organization, and a sandbox key of it with all scopes. */
export interface Merchant {
  readonly organizationId: string
  readonly keyId: string
  readonly apiKey: string
}

/** Adds `count` merchants. */
export const addMerchants = (url: string, count: number): Promise<ReadonlyArray<Merchant>> =>
  onConnection(url, async (client) => {
    const merchants: Array<Merchant> = []
    for (let number = 0; number < count; number++) merchants.push(await add(client, number))
    return merchants
  })

const scopes = "invoices:read invoices:write refunds:write webhooks:manage"

const add = async (client: pg.Client, number: number): Promise<Merchant> => {
  const key = await Effect.runPromise(Effect.provide(generateApiKey("sandbox"), nodePlatform()))
  const apiKey = Redacted.value(key)
  const suffix = String(number).padStart(26, "0")
  const organizationId = `org_${suffix}`
  const keyId = `key_${suffix}`
  const now = Date.now()
  await client.query("insert into tolem_accounts (id, phone, status, created_at) values ($1, $2, 'active', $3)", [
    `acc_${suffix}`,
    String(77_000_000_000 + number),
    now
  ])
  await client.query(
    `insert into tolem_organizations (id, name, tariff, status, owner_id, created_at)
     values ($1, $2, 'trial', 'active', $3, $4)`,
    [organizationId, `Bench ${number}`, `acc_${suffix}`, now]
  )
  await client.query(
    `insert into tolem_api_keys
       (id, organization_id, mode, name, scopes, digest, last_characters, created_at)
     values ($1, $2, 'sandbox', 'bench', $3, $4, $5, $6)`,
    [keyId, organizationId, scopes, sha256(apiKey), apiKey.slice(-4), now]
  )
  return { organizationId, keyId, apiKey }
}

/** Opens a session of the merchant's owner in the cabinet; answers its token. */
export const addSession = (url: string, { organizationId }: Merchant): Promise<string> =>
  onConnection(url, async (client) => {
    const token = `cab_${randomBytes(32).toString("base64url")}`
    const now = Date.now()
    await client.query(
      `insert into tolem_memberships (organization_id, account_id, role, created_at)
       select id, owner_id, 'owner', $2 from tolem_organizations where id = $1`,
      [organizationId, now]
    )
    await client.query(
      `insert into tolem_sessions (id, account_id, digest, created_at, seen_at, idle_at, expires_at)
       select 'ses_bench', owner_id, $2, $3, $3, $4, $4 from tolem_organizations where id = $1`,
      [organizationId, sha256(token), now, now + 86_400_000]
    )
    return token
  })
