/** The bank's own receipts: where they are, what they show, and that nothing in them can run. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import type * as SandboxBank from "../src/SandboxBank.ts"
import { routes } from "../src/SandboxServer.ts"
import { accepted, world } from "./support/world.ts"

const served = (bank: SandboxBank.SandboxBank) => routes(bank).pipe(Layer.provide(HttpServer.layerServices))

/** Asks a bank for an address, as a browser would. */
const visitor = (bank: SandboxBank.SandboxBank) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => HttpRouter.toWebHandler(served(bank), { disableLogger: true })),
      ({ dispose }) => Effect.promise(dispose)
    ),
    ({ handler }) =>
      (url: string) =>
        Effect.promise(async () => {
          const response = await handler(new Request(url))
          return { status: response.status, headers: response.headers, text: await response.text() }
        })
  )

describe("a receipt", () => {
  it.effect("is at the address that the payment tells, and shows its number, amount and time as text", () =>
    Effect.gen(function* () {
      const { bank, provider, order } = yield* world({ url: "https://bank.example/", mark: "<b>&'\"/" })
      const { reference } = accepted(yield* provider.createQr(order(150_050)))
      bank.control.act(reference, { does: "pay" }, 1_767_225_600_000)
      const { signal } = accepted(yield* provider.createQr(order(150_050, "inv_1")))
      assert(signal._tag === "Paid" && signal.receipt.url !== null)
      assert.strictEqual(new URL(signal.receipt.url).origin, "https://bank.example")
      const { status, headers, text } = yield* (yield* visitor(bank))(signal.receipt.url)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none';/)
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      for (const shown of ["1\u00a0500,50\u00a0₸", "2026-01-01T00:00:00.000Z", "R-sb-&lt;b&gt;&amp;&#39;&quot;/"]) {
        assert.include(text, shown)
      }
      assert.notInclude(text, "<b>")
      assert.notMatch(text, /<script|<style|javascript:/i)
    }).pipe(Effect.scoped)
  )

  it.effect("is nowhere before the payment, and of no other reference", () =>
    Effect.gen(function* () {
      const { bank, provider, order } = yield* world({ url: "https://bank.example" })
      const { reference } = accepted(yield* provider.createPush({ ...order(1000), phone: "77012345678" }))
      const visit = yield* visitor(bank)
      for (const other of [reference, "none", "%3Cscript%3E"]) {
        assert.strictEqual((yield* visit(`https://bank.example/receipts/${other}`)).status, 404)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("has no address where nobody serves it", () =>
    Effect.gen(function* () {
      const { bank, provider, order } = yield* world()
      const { reference } = accepted(yield* provider.createQr(order(1000)))
      bank.control.act(reference, { does: "pay" }, 0)
      const { signal } = accepted(yield* provider.createQr(order(1000, "inv_1")))
      assert(signal._tag === "Paid")
      assert.isNull(signal.receipt.url)
    })
  )
})
