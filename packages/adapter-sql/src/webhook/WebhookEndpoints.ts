/** `WebhookStore`'s verbs about endpoints. */
import { StorageError } from "@tolem/core/error/StorageError"
import type { SecretUnreadable } from "@tolem/core/secret/SecretBox"
import type { Endpoint } from "@tolem/core/webhook/Webhook"
import {
  EndpointNotFound,
  type EndpointOwner,
  TooManyEndpoints,
  type WebhookStore
} from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import type { Database } from "../base/Database.ts"
import { hasRoom } from "../base/Limited.ts"
import * as TableStatements from "../base/TableStatements.ts"
import * as Chains from "../seal/Chains.ts"
import { type EndpointRow, endpointTable, fromEvents } from "./EndpointRow.ts"
import type { WebhookSecrets } from "./WebhookSecrets.ts"

type Verbs = Pick<
  WebhookStore["Service"],
  "addEndpoint" | "endpoints" | "organizationOf" | "patchEndpoint" | "removeEndpoint"
>

/** The verbs over this database. */
export const make = (database: Database["Service"], secrets: WebhookSecrets): Verbs => {
  const { sql, tables, one, statement, transaction } = database
  const audits = AuditLog.make(database)
  const chains = Chains.make(database)
  const { insertAll } = TableStatements.make(database, endpointTable)
  const ofOwner = ({ organizationId, mode }: EndpointOwner) =>
    sql`organization_id = ${organizationId} and mode = ${mode} and removed_at is null`

  const isKnown = (endpoint: Endpoint) => {
    const { url, connectionId } = endpoint
    const found = sql`select id from ${tables.endpoints}
      where ${ofOwner(endpoint)} and url = ${url} and coalesce(connection_id, '') = ${connectionId ?? ""}`
    return Effect.map(found, (rows) => rows.length > 0)
  }

  const addEndpoint: Verbs["addEndpoint"] = Effect.fnUntraced(function* (endpoint, limit, audit, options) {
    const sealed = yield* secrets.sealAll(endpoint)
    const write = Effect.gen(function* () {
      const isRoom = yield* hasRoom(database, "endpoints", endpoint, limit)
      if (options?.unlessKnown === true && (yield* isKnown(endpoint))) return false
      if (!isRoom) return yield* new TooManyEndpoints()
      const rows = yield* insertAll([sealed], "returning *")
      yield* audits.insert(
        audit,
        rows.map((row) => ({ kind: "endpoints", row }))
      )
      return true
    })
    return yield* transaction("WebhookStore.addEndpoint", write)
  })

  const endpoints = Effect.fnUntraced(function* (owner: EndpointOwner) {
    const select = sql<EndpointRow>`
      select * from ${tables.endpoints} where ${ofOwner(owner)} order by created_at, id`
    const rows = yield* statement("WebhookStore.endpoints", select, { writes: false })
    return yield* Effect.forEach(rows, (row) =>
      Effect.mapError(secrets.open(row), unreadable("WebhookStore.endpoints", "nothing_written"))
    )
  })

  const organizationOf: Verbs["organizationOf"] = (id) => {
    const select = sql<{ readonly organization_id: string }>`
      select organization_id from ${tables.endpoints} where id = ${id} and removed_at is null`
    return one("WebhookStore.organizationOf", select, (row) => row.organization_id)
  }

  const patchEndpoint: Verbs["patchEndpoint"] = Effect.fnUntraced(function* (owner, id, patch, now, audit) {
    const { url = null, events, disabled, secret, previousSecret } = patch
    const sealed = secret === undefined ? null : yield* secrets.seal(id, secret)
    const sealedPrevious = previousSecret ? yield* secrets.seal(id, previousSecret.secret) : null
    const altersPrevious = previousSecret === undefined ? 0 : 1
    const update = sql<EndpointRow>`
      update ${tables.endpoints} set
        url = coalesce(${url}, url),
        events = coalesce(${events === undefined ? null : fromEvents(events)}, events),
        disabled = coalesce(cast(${disabled === undefined ? null : Number(disabled)} as bigint), disabled),
        secret = coalesce(${sealed}, secret),
        previous_secret = case cast(${altersPrevious} as bigint) when 1 then ${sealedPrevious} else previous_secret end,
        previous_secret_until = case cast(${altersPrevious} as bigint)
          when 1 then cast(${previousSecret?.until ?? null} as bigint) else previous_secret_until end,
        updated_at = cast(${now} as bigint)
      where id = ${id} and ${ofOwner(owner)}
      returning *`
    const write = chains.following("endpoints", sql`id = ${id}`, update)
    const [row] = yield* audits.chaining("WebhookStore.patchEndpoint", write, audit)
    if (row === undefined) return yield* new EndpointNotFound()
    return yield* Effect.mapError(secrets.open(row), unreadable("WebhookStore.patchEndpoint", "unknown"))
  })

  const removeEndpoint: Verbs["removeEndpoint"] = (owner, id, now, audit) =>
    transaction(
      "WebhookStore.removeEndpoint",
      Effect.gen(function* () {
        // The row stays for the log; its secrets have no further use.
        const update = sql`
          update ${tables.endpoints} set removed_at = cast(${now} as bigint), updated_at = cast(${now} as bigint),
            secret = '', previous_secret = null, previous_secret_until = null
          where id = ${id} and ${ofOwner(owner)}
          returning *`
        const { rows, entries } = yield* chains.following("endpoints", sql`id = ${id}`, update)
        if (rows.length === 0) return yield* new EndpointNotFound()
        yield* sql`
          update ${tables.deliveries} set
            status = 'failed', completed_at = cast(${now} as bigint), lease = null, starts = 0
          where endpoint_id = ${id} and status = 'pending'`
        yield* audits.insert(audit, entries)
      })
    )

  return { addEndpoint, endpoints, organizationOf, patchEndpoint, removeEndpoint }
}

const unreadable =
  (operation: string, outcome: StorageError["outcome"]) =>
  (cause: SecretUnreadable): StorageError =>
    new StorageError({ operation, outcome, retryable: false, cause })
