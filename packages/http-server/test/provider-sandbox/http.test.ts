/** The provider suite of the core, on the sandbox behind a listening server. */
import { it } from "@effect/vitest"
import { providerSuite } from "@tolem/testing/provider/ProviderSuite"
import { Effect, Layer } from "effect"
import { describe } from "vitest"
import { layer, strangersLayer } from "./support/server.ts"

describe("the sandbox over HTTP", () => {
  for (const { name, run } of providerSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(layer)))
})

describe("a provider in plain promises", () => {
  for (const { name, run } of providerSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(strangersLayer)))
})
