/** Payments on Fastify. */
import { toNodeHandler } from "@tolem/http-server"
import Fastify from "fastify"
import type { Shop } from "./Shop.ts"

/** The application; `listen` it, and `close` closes the engine too. */
export const onFastify = ({ engine, shop, payments }: Shop) => {
  const app = Fastify()
  const serve = toNodeHandler(payments)

  // Apart from the other routes: the handler reads bodies itself.
  app.register(async (own) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser("*", (_request, _body, done) => done(null))
    own.all("/payments/*", (request, reply) => {
      reply.hijack()
      return serve(request.raw, reply.raw)
    })
  })

  app.post<{ Body: { order: string; amount: number } }>("/checkout", async ({ body: { order, amount } }) => {
    const invoice = await shop.invoices.create({ amount, externalOrderId: order, idempotencyKey: `order-${order}` })
    return { payUrl: invoice.payUrl }
  })

  app.addHook("onClose", engine.close)
  return app
}
