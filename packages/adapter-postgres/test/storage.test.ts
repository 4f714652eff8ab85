/** The storage suite of the core, on a real PostgreSQL. */
import { it } from "@effect/vitest"
import { storageSuite } from "@tolem/testing/storage/StorageSuite"
import { describe } from "vitest"
import { ownDatabase, withFreshStores } from "./support/stores.ts"

ownDatabase()

describe("on PostgreSQL", () => {
  for (const { name, run } of storageSuite) it.effect(name, () => withFreshStores(run))
})
