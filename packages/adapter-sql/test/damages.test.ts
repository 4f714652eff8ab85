/** Whatever is done to a column behind the ports is found, if the stored data can show it. */
import { layer } from "@effect/vitest"
import { damageCases } from "./support/damageCases.ts"
import { populated } from "./support/population.ts"
import { storesOnSqlite } from "./support/sqlite.ts"

layer(populated(storesOnSqlite), { excludeTestServices: true })("on SQLite", (it) => {
  for (const [name, program] of damageCases) it.effect(name, () => program)
})
