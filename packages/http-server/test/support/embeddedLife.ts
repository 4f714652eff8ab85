/** One life of an application that embeds the engine: `node embeddedLife.ts shop.db` says what it has found or made. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"

const [, , filename = ":memory:"] = process.argv

const engine = await createEngine({
  database: sqlite({ filename }),
  platform: nodePlatform(),
  secretKeys: ["a key for tests only, of no use anywhere else"],
  agents: false
})
const shop = await engine.merchant({ key: "dastarkhan", name: "Dastarkhan", mode: "sandbox" })
const hook = await shop.webhooks.ensure({ url: "http://localhost:4000/hook", events: ["invoice.paid"] })
const invoice = await shop.invoices.create({ amount: 1500, idempotencyKey: "order-1" })
const { endpoints } = await shop.webhooks.list()
const { total } = await engine.organizations.list()
console.log(
  JSON.stringify({
    organizationId: shop.organizationId,
    hook,
    invoice: invoice.id,
    endpoints: endpoints.map(({ id }) => id),
    total
  })
)
await engine.close()
