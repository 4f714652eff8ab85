import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { engine } from "../src/Parts.ts"
import { Shop } from "../src/Shop.ts"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const secretKey = "a secret text of the shop, 32 characters long"
const parts = engine({ filename: ":memory:", secretKey: Redacted.make(secretKey) })

layer(Shop.layer.pipe(Layer.provide(parts)), { excludeTestServices: true })("a shop on the engine", (it) => {
  it.effect("sells, and gives back", () =>
    Effect.gen(function* () {
      const shop = yield* Shop
      const order = { number: "A-1", amount: 1500 }
      const invoice = yield* shop.checkout(order)
      expect(invoice.status).toBe("pending")
      expect((yield* shop.checkout(order)).id).toBe(invoice.id)
      expect((yield* shop.pay(invoice.id)).status).toBe("paid")
      expect((yield* shop.giveBack(invoice.id, 500)).status).toBe("partially_refunded")
      expect((yield* shop.giveBack(invoice.id)).status).toBe("refunded")
    })
  )

  it.effect("hears of refusals by their code", () =>
    Effect.gen(function* () {
      const shop = yield* Shop
      const refusal = yield* Effect.flip(shop.checkout({ number: "A-2", amount: 0.5 }))
      expect(refusal.code).toBe("amount_too_small")
    })
  )

  it.effect("runs as a program", () =>
    Effect.gen(function* () {
      const env = { ...process.env, SECRET_KEY: secretKey, DATA: ":memory:" }
      const ran = yield* Effect.promise(() => promisify(execFile)(process.execPath, [main], { env }))
      expect(ran.stdout).toMatch(/^(inv_\w+) is pending\n\1 is paid\n$/)
    })
  )
})
