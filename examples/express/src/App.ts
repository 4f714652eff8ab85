/** A shop on Express that embeds the engine for its own checkout, and offers the whole `/api/v1` beside it. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, TolemError } from "@tolem/core"
import { handler, toNodeHandler } from "@tolem/http-server"
import express, { type ErrorRequestHandler } from "express"

/** What the shop is told. */
export interface Options {
  /** The file that invoices are kept in. */
  readonly filename: string
  /** At least 32 characters that nobody else knows. */
  readonly secretKey: string
  /** Where customers reach the shop; links to pay pages begin with it. */
  readonly baseUrl: string
}

/** Opens the shop. Call `close` when the server that `app` is given to has closed. */
export const openShop = async ({ filename, secretKey, baseUrl }: Options) => {
  const engine = await createEngine({
    database: sqlite({ filename }),
    platform: nodePlatform(),
    secretKeys: [secretKey],
    settings: { baseUrl }
  })
  // Found again after a restart, with all its invoices.
  const shop = await engine.merchant({ key: "dastarkhan", name: "Dastarkhan", mode: "sandbox" })

  const app = express()

  // Before any parser of bodies: the handler reads them itself.
  const paths = ["/api/v1/*path", "/pay/*path", "/receipts/*path", "/health/*path", "/docs"]
  app.all(paths, toNodeHandler(handler(engine)))

  app.post("/checkout", express.json(), async (request, response) => {
    const { order, amount } = request.body
    // The order's number makes it one invoice, however often the customer presses the button.
    const invoice = await shop.invoices.create({ amount, externalOrderId: order, idempotencyKey: `order-${order}` })
    response.status(201).json({ invoice: invoice.id, payUrl: invoice.payUrl })
  })

  app.get("/orders/:invoice", async (request, response) => {
    const { status, amount, externalOrderId } = await shop.invoices.get(request.params.invoice)
    response.json({ order: externalOrderId, amount, status })
  })

  app.use(refusals)

  return {
    app,
    shop,
    /** A new key of the shop for the HTTP interface, in place of the one before: its text is kept nowhere. */
    createKey: async () => {
      const { organizationId, mode } = shop
      const { keys } = await engine.organizations.keys(organizationId)
      for (const { id, name } of keys) if (name === "till") await engine.organizations.deleteKey(id)
      const scopes = ["invoices:read", "invoices:write"] as const
      return engine.organizations.createKey({ organizationId, mode, name: "till", scopes })
    },
    close: engine.close
  }
}

/** What the engine refuses is told with the catalogue's status; everything else is Express's own affair. */
const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof TolemError)) return next(error)
  response.status(error.status).json({ error: error.code, message: error.message })
}
