/** The core's `FormHookStore` in SQL. */
import type { FormHook } from "@tolem/core/formhook/FormHook"
import { FormHookStore, TooManyHooks } from "@tolem/core/formhook/FormHookStore"
import type { Viewer } from "@tolem/core/value/Tenant"
import { Effect, Layer, Option } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as Chains from "../seal/Chains.ts"
import * as Row from "./FormHookRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<FormHookStore, never, Database> = Layer.effect(
  FormHookStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): FormHookStore["Service"] => {
  const { sql, dialect, tables, statement, transaction } = database
  const chains = Chains.make(database)
  const { chaining } = AuditLog.make(database)
  const source = dialect.source("s", Row.columns)
  const names = sql.literal(Object.keys(Row.columns).join(", "))

  const add = (hook: FormHook, limit: number) => {
    const { organizationId, mode } = hook
    const write = Effect.gen(function* () {
      // Otherwise two servers could each count the same hooks, and each add the last one.
      yield* dialect.lockName(`form hooks ${organizationId} ${mode}`)
      const rows = yield* sql`
        insert into ${tables.form_hooks} (${names}) select ${names} from ${source([Row.toRow(hook)])}
        where (select count(*) from ${tables.form_hooks}
          where organization_id = ${organizationId} and mode = ${mode} and removed_at is null
        ) < cast(${limit} as bigint)
        returning *`
      if (rows.length === 0) return yield* new TooManyHooks()
      yield* chains.append(rows.map((row) => ({ kind: "form_hooks", row })))
    })
    return transaction("FormHookStore.add", write)
  }

  const find = (id: string) => {
    const select = sql<Row.FormHookRow>`select * from ${tables.form_hooks} where id = ${id} and removed_at is null`
    return Effect.map(statement("FormHookStore.find", select, { writes: false }), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), Row.fromRow)
    )
  }

  const list = ({ organizationId, mode, connectionId }: Viewer) => {
    const ofCashier = connectionId === null ? sql.literal("") : sql`and connection_id = ${connectionId}`
    const select = sql<Row.FormHookRow>`
      select * from ${tables.form_hooks}
      where organization_id = ${organizationId} and mode = ${mode} and removed_at is null ${ofCashier}
      order by created_at, id`
    return Effect.map(statement("FormHookStore.list", select, { writes: false }), (rows) => rows.map(Row.fromRow))
  }

  const replace = Effect.fnUntraced(function* (hook: FormHook) {
    const { id, organizationId, name, successUrl, failUrl, status, updatedAt, version } = hook
    const update = sql`
      update ${tables.form_hooks} set name = ${name}, success_url = ${successUrl}, fail_url = ${failUrl},
        status = ${status}, updated_at = cast(${updatedAt} as bigint), version = cast(${version} as bigint)
      where id = ${id} and organization_id = ${organizationId} and version = cast(${version - 1} as bigint)
        and removed_at is null
      returning *`
    const rows = yield* chaining("FormHookStore.replace", chains.following("form_hooks", sql`id = ${id}`, update))
    return rows.length > 0
  })

  const remove = (organizationId: string, id: string, now: number) => {
    const update = sql`
      update ${tables.form_hooks} set removed_at = cast(${now} as bigint), updated_at = cast(${now} as bigint)
      where id = ${id} and organization_id = ${organizationId} and removed_at is null
      returning *`
    const write = chains.following("form_hooks", sql`id = ${id}`, update)
    return Effect.map(chaining("FormHookStore.remove", write), (rows) => rows.length > 0)
  }

  return { add, find, list, replace, remove }
}
