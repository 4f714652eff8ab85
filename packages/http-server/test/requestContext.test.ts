/** What requests carry: of the engine only its references, and these all. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"
import { NetAddress } from "effect/net"
import { expect, it } from "vitest"
import * as RequestContext from "../src/http/RequestContext.ts"

const core = join(import.meta.dirname, "../../core/src")

it("every reference of the engine is carried", async () => {
  const keys: Array<string> = []
  for (const name of readdirSync(core, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue
    const text = readFileSync(join(core, name), "utf8")
    const names = text.matchAll(/export const (\w+)[^=\n]*= Context\.Reference\b/g)
    for (const [, found = ""] of names) keys.push((await import(join(core, name)))[found].key)
  }
  expect(keys.length).toBeGreaterThan(10)
  expect(new Set(keys)).toEqual(RequestContext.carried)
})

it("a request has what is not the engine's, and of the engine only what is carried", async () => {
  const kept = ["@tolem/core/CurrentActor", "@tolem/http-server/Draining", "effect/Scope"]
  const left = ["@tolem/core/InvoiceStore", "@tolem/core/Engine", "effect/cli/CliConfig", "~effect/cli/Command/tolem"]
  const whole = Context.makeUnsafe<never>(new Map([...kept, ...left].map((key) => [key, key])))
  let seen: ReadonlyArray<string> = []
  const own = HttpServer.make({
    address: NetAddress.inetAddressUnsafe(NetAddress.ipv4Loopback, 1),
    serve: () =>
      Effect.withFiber((fiber) => {
        seen = [...fiber.context.mapUnsafe.keys()]
        return Effect.void
      })
  })
  const serve = HttpServer.HttpServer.use((server) => server.serve(Effect.succeed(HttpServerResponse.empty())))
  const served = Effect.provide(serve, Layer.provide(RequestContext.layer, Layer.succeed(HttpServer.HttpServer, own)))
  await Effect.runPromise(Effect.scoped(Effect.provideContext(served, whole)))
  expect(seen).toEqual(expect.arrayContaining(kept))
  for (const key of left) expect(seen).not.toContain(key)
})
