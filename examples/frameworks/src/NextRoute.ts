/** Payments as a route of Next.js: what `app/payments/[...path]/route.ts` exports. */
import type { Shop } from "./Shop.ts"

/** `export const { GET, POST, PATCH, DELETE } = routeOf(openShop({ … }))`: the shop is opened once for all of them. */
export const routeOf = (shop: Promise<Shop>) => {
  const route = async (request: Request): Promise<Response> => (await shop).payments(request)
  return { GET: route, HEAD: route, POST: route, PATCH: route, DELETE: route, OPTIONS: route }
}
