/** The engine of a shop, for the frameworks beside this file. Each serves pay pages and `/api/v1` under `/payments`. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, type EngineOptions } from "@tolem/core"
import { handler } from "@tolem/http-server"

/** What differs from shop to shop. */
export interface ShopOptions extends Pick<EngineOptions<never>, "agents" | "on"> {
  /** The file that invoices are kept in. */
  readonly filename: string
  /** At least 32 secret characters. */
  readonly secretKey: string
}

/** Opens the shop, and its payments as one web-standard function. */
export const openShop = async ({ filename, secretKey, ...options }: ShopOptions) => {
  const engine = await createEngine({
    ...options,
    database: sqlite({ filename }),
    platform: nodePlatform(),
    secretKeys: [secretKey],
    settings: { baseUrl: "https://shop.kz/payments" }
  })
  const shop = await engine.merchant({ key: "dastarkhan", name: "Dastarkhan", mode: "sandbox" })
  return { engine, shop, payments: handler(engine, { only: ["api", "pages", "docs"] }) }
}

/** An open shop. */
export type Shop = Awaited<ReturnType<typeof openShop>>
