/** The core's `FormHookStore` in SQL. */
import type { FormHook } from "@tolem/core/formhook/FormHook"
import { FormHookStore, TooManyHooks } from "@tolem/core/formhook/FormHookStore"
import { Effect, Layer } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as Chains from "../seal/Chains.ts"
import * as Row from "./FormHookRow.ts"
import * as KeptRows from "./KeptRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<FormHookStore, never, Database> = Layer.effect(
  FormHookStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): FormHookStore["Service"] => {
  const { sql, dialect, tables, transaction } = database
  const chains = Chains.make(database)
  const kept = KeptRows.make(database, { table: "form_hooks", port: "FormHookStore", fromRow: Row.fromRow })
  const { chaining } = AuditLog.make(database)
  const source = dialect.source("s", Row.columns)
  const names = sql.literal(Object.keys(Row.columns).join(", "))

  const add = (hook: FormHook, limit: number) => {
    const write = Effect.gen(function* () {
      if (!(yield* kept.hasRoom(hook, limit))) return yield* new TooManyHooks()
      const rows = yield* sql`
        insert into ${tables.form_hooks} (${names}) select ${names} from ${source([Row.toRow(hook)])} returning *`
      yield* chains.append(rows.map((row) => ({ kind: "form_hooks", row })))
    })
    return transaction("FormHookStore.add", write)
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

  const { find, list, remove } = kept
  return { add, find, list, replace, remove }
}
