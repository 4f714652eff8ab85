/** Creates invoices one after another on a file: `node creates.ts FILE COUNT`. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"

const [filename = "", count = "0"] = process.argv.slice(2)
const engine = await createEngine({
  database: sqlite({ filename }),
  platform: nodePlatform(),
  secretKeys: ["a key for tests only, of no use anywhere else"],
  agents: false
})
const { organization } = await engine.organizations.create({ name: "Dastarkhan", ownerPhone: "77001234567" })
const { invoices } = engine.of({ organizationId: organization.id, mode: "sandbox" })
for (let i = 0; i < Number(count); i++) await invoices.create({ amount: 1500 })
await engine.close()
