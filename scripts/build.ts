/** `npm run build`: what would be published of each package, into its folder `dist`. */
import { join } from "node:path"
import { build } from "./lib/Publication.ts"
import { root } from "./lib/Workspace.ts"

build(({ folder, manifest }) => {
  console.log(`${manifest.name} → ${folder}/dist`)
  return join(root, folder, "dist")
})
