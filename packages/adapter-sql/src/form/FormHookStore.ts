/** The core's `FormHookStore` in SQL. */
import type { FormHook } from "@tolem/core/formhook/FormHook"
import { FormHookStore, TooManyHooks } from "@tolem/core/formhook/FormHookStore"
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
  const { transaction } = database
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
  return { add, find, list, replace: (hook) => transaction("FormHookStore.replace", update(hook)), remove }
}
