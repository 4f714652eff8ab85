/** Whatever is done to a column behind the ports is found, if the stored data can show it. */
import { describe, it } from "@effect/vitest"
import { damageCases } from "./support/damageCases.ts"
import { onSqlite } from "./support/sqlite.ts"

describe("on SQLite", () => {
  for (const [name, program] of damageCases) it.live(name, () => onSqlite(program))
})
