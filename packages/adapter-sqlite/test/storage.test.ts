/** The storage suite of the core, on SQLite. */
import { it } from "@effect/vitest"
import { storageSuite } from "@tolem/core/testing/StorageSuite"
import { Effect, Layer } from "effect"
import { memory } from "./support/stores.ts"

for (const { name, run } of storageSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(memory)))
