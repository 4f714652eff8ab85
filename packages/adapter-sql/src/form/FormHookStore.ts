/** The core's `FormHookStore` in SQL. */
import type { FormHook } from "@tolem/core/formhook/FormHook"
import { FormHookStore, TooManyHooks } from "@tolem/core/formhook/FormHookStore"
import type { FormHookId } from "@tolem/core/value/Ids"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { formHookTable } from "./FormHookRow.ts"
import * as KeptRows from "./KeptRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<FormHookStore, never, Database> = Layer.effect(
  FormHookStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): FormHookStore["Service"] => {
  const { sql, tables, transaction } = database
  const { hasRoom, insert, update, find, list, remove } = KeptRows.make(
    database,
    "form_hooks",
    formHookTable,
    "FormHookStore"
  )
  const add = (hook: FormHook, limit: number) => {
    const write = Effect.gen(function* () {
      if (!(yield* hasRoom(hook, limit))) return yield* new TooManyHooks()
      yield* insert(hook)
    })
    return transaction("FormHookStore.add", write)
  }
  const countCaught = (id: FormHookId) =>
    Effect.asVoid(
      database.all(
        "FormHookStore.countCaught",
        sql`update ${tables.form_hooks} set caught = coalesce(caught, 0) + 1 where id = ${id} and removed_at is null`,
        () => undefined
      )
    )
  return {
    add,
    find,
    list,
    countCaught,
    replace: (hook) => transaction("FormHookStore.replace", update(hook)),
    remove: (organizationId, id, now) => transaction("FormHookStore.remove", remove(organizationId, id, now))
  }
}
