/** A shop on Express that embeds the engine for its own checkout, and offers the whole `/api/v1` beside it. */
import { nodePlatform } from "@tolem/adapter-node"
import { type EngineOptions, TolemError } from "@tolem/core"
import { handler, toNodeHandler } from "@tolem/http-server"
import express, { type ErrorRequestHandler } from "express"
import type { Orders } from "./Orders.ts"

/** What the shop is told. */
export interface Options {
  /** Where orders and invoices are kept. */
  readonly orders: Orders
  /** At least 32 secret characters. */
  readonly secretKey: string
  /** Where customers reach the shop; links to pay pages begin with it. */
  readonly baseUrl: string
  /** Other settings of the engine. */
  readonly settings?: EngineOptions<never>["settings"]
}

/** Opens the shop. Call `close` when the server that `app` is given to has closed. */
export const openShop = async ({ orders, secretKey, baseUrl, settings }: Options) => {
  const engine = await orders.open({
    platform: nodePlatform(),
    secretKeys: [secretKey],
    settings: { ...settings, baseUrl }
  })
  // Found again after a restart, with all its invoices.
  const shop = await engine.merchant({ key: "dastarkhan", name: "Dastarkhan", mode: "sandbox" })

  const app = express()

  // Before any parser of bodies: the handler reads them itself.
  const paths = ["/api/v1/*path", "/pay/*path", "/receipts/*path", "/health/*path", "/docs"]
  app.all(paths, toNodeHandler(handler(engine)))

  app.post("/checkout", express.json(), async (request, response) => {
    const { order, amount } = request.body
    // However often the customer presses the button, there is one order, and one invoice with it.
    const invoice = await orders.take(order, async (tx) => {
      const { id } = await shop.invoices.create({ amount, externalOrderId: order }, { tx })
      return id
    })
    response.status(201).json({ invoice, payUrl: `${baseUrl}/pay/${invoice}` })
  })

  app.get("/orders/:invoice", async (request, response) => {
    const { status, amount, externalOrderId } = await shop.invoices.get(request.params.invoice)
    response.json({ order: externalOrderId, amount, status })
  })

  app.use(refusals)

  return {
    app,
    engine,
    shop,
    /** A new key of the shop for the HTTP interface, in place of the one before: its text is kept nowhere. */
    createKey: async () => {
      const { organizationId, mode } = shop
      const { keys } = await engine.organizations.keys(organizationId)
      for (const { id, name } of keys) if (name === "till") await engine.organizations.deleteKey(id)
      const scopes = ["invoices:read", "invoices:write"] as const
      return engine.organizations.createKey({ organizationId, mode, name: "till", scopes })
    },
    close: async () => {
      await engine.close()
      await orders.close()
    }
  }
}

/** What the engine refuses is told with the catalogue's status; everything else is Express's own affair. */
const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof TolemError)) return next(error)
  response.status(error.status).json({ error: error.code, message: error.message })
}
