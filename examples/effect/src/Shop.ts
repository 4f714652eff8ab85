/** A shop as a service of an Effect application: orders in its own words, invoices by the engine. */
import { Engine } from "@tolem/core"
import { Context, Effect, Layer } from "effect"

/** What a customer bought. `amount` in tenge. */
export interface Order {
  readonly number: string
  readonly amount: number
}

/** The shop's orders. Errors are the engine's own, each with a `code` of the catalogue. */
export class Shop extends Context.Service<Shop>()("example/Shop", {
  make: Effect.gen(function* () {
    const { organizations, invoices } = yield* Engine
    const { organization } = yield* organizations.create({ name: "Dastarkhan", ownerPhone: "77001234567" })
    const caller = {
      organizationId: organization.id,
      mode: "sandbox" as const,
      connectionId: null,
      source: "api" as const
    }

    /** The invoice of an order. The order's number makes it one invoice, however often this is called. */
    const checkout = Effect.fn("Shop.checkout")(function* ({ number, amount }: Order) {
      const body = { amount, externalOrderId: number, idempotencyKey: `order-${number}` }
      const { invoice } = yield* invoices.create(caller, { body })
      return invoice
    })

    /** What the customer does in the provider's app, as the sandbox pretends. */
    const pay = Effect.fn("Shop.pay")((invoiceId: string) => invoices.simulate(caller, invoiceId, { status: "paid" }))

    /** Gives all or some of it back, tenge. */
    const giveBack = Effect.fn("Shop.giveBack")((invoiceId: string, amount?: number) =>
      Effect.map(
        invoices.refund(caller, invoiceId, { body: amount === undefined ? {} : { amount } }),
        ({ invoice }) => invoice
      )
    )

    return { checkout, pay, giveBack }
  })
}) {
  /** The shop over the engine. */
  static readonly layer = Layer.effect(Shop, Shop.make)
}
