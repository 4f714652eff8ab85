import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { Engine, SecretBox } from "@tolem/core"
import { Console, Effect, Layer, Redacted } from "effect"

const secretBox = SecretBox.layer([Redacted.make("a secret text of the application, 32 characters")])
const engine = Engine.layer().pipe(
  Layer.provide(sqlite({ filename: ":memory:" })),
  Layer.provide(secretBox),
  Layer.provide(nodePlatform())
)

const program = Effect.gen(function* () {
  const { organizations, invoices } = yield* Engine
  const { organization } = yield* organizations.create({ name: "Dastarkhan", ownerPhone: "77001234567" })
  const shop = {
    organizationId: organization.id,
    mode: "sandbox" as const,
    connectionId: null,
    source: "api" as const
  }

  const { invoice } = yield* invoices.create(shop, { body: { amount: 1500, description: "Two coffees" } })
  yield* Console.log(invoice.status, invoice.amount / 100)

  yield* invoices.simulate(shop, invoice.id, { status: "paid" })
  const paid = yield* invoices.get(shop, invoice.id)
  yield* Console.log(paid.invoice.status, paid.invoice.amount / 100)
})

await Effect.runPromise(Effect.provide(program, engine))
