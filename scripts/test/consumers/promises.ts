import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"

const engine = await createEngine({
  database: sqlite({ filename: "shop.db" }),
  platform: nodePlatform(),
  secretKeys: ["a secret text of the application, 32 characters"]
})
const { organization } = await engine.organizations.create({ name: "Dastarkhan", ownerPhone: "77001234567" })
const shop = engine.of({ organizationId: organization.id, mode: "sandbox" })

const created = await shop.invoices.create({ amount: 1500, description: "Two coffees" })
console.log(created.status, created.amount)

await shop.invoices.simulate(created.id, "paid")
const paid = await shop.invoices.get(created.id)
console.log(paid.status, paid.amount)

await engine.close()
