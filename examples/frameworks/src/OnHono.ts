/** Payments on Hono, in any runtime that it runs in. */
import { Hono } from "hono"
import type { Shop } from "./Shop.ts"

/** The application. */
export const onHono = ({ shop, payments }: Shop) => {
  const app = new Hono()

  // Hono takes the path away that it mounts at; the handler does not mind.
  app.mount("/payments", (request) => payments(request))

  app.post("/checkout", async (context) => {
    const { order, amount } = await context.req.json()
    const invoice = await shop.invoices.create({ amount, externalOrderId: order, idempotencyKey: `order-${order}` })
    return context.json({ payUrl: invoice.payUrl })
  })

  return app
}
