/** `npm run build`: what would be published of each package, into its folder `dist`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "./lib/Publication.ts"
import { serverBill } from "./lib/Sbom.ts"
import { root } from "./lib/Workspace.ts"

await build(({ folder, manifest }) => {
  console.log(`${manifest.name} → ${folder}/dist`)
  return join(root, folder, "dist")
})

const bill = "packages/http-server/dist/sbom.cdx.json"
writeFileSync(join(root, bill), `${JSON.stringify(serverBill(), undefined, 2)}\n`)
console.log(`what the server is made of → ${bill}`)
