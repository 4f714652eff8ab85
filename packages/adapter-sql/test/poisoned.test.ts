/** A row that cannot be read is set aside and shown; the others go on. */
import { describe, it } from "@effect/vitest"
import { poisonedCases } from "./support/poisonedCases.ts"
import { onSqlite } from "./support/sqlite.ts"

describe("a poisoned row holds up no other one, is kept, and is found", () => {
  for (const [name, program] of poisonedCases) it.effect(name, () => onSqlite(program))
})
