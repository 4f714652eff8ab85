/** Sells two coffees: `SECRET_KEY=… node src/main.ts`. */
import { Config, Console, Effect, Layer } from "effect"
import { engine } from "./Parts.ts"
import { Shop } from "./Shop.ts"

const program = Effect.gen(function* () {
  const shop = yield* Shop
  const invoice = yield* shop.checkout({ number: "A-1", amount: 1500 })
  yield* Console.log(`${invoice.id} is ${invoice.status}`)
  const paid = yield* shop.pay(invoice.id)
  yield* Console.log(`${paid.id} is ${paid.status}`)
})

const parts = Layer.unwrap(
  Effect.gen(function* () {
    const secretKey = yield* Config.Redacted("SECRET_KEY")
    const filename = yield* Config.withDefault(Config.String("DATA"), ":memory:")
    return engine({ filename, secretKey })
  })
)

await Effect.runPromise(Effect.provide(program, Layer.provide(Shop.layer, parts)))
