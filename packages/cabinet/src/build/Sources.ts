/** What the built cabinet was made of, so that it is made anew only when that has changed. */
import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const packages = fileURLToPath(new URL("../../../", import.meta.url))

/** The folder of the cabinet's sources. */
export const sourceFolder: string = fileURLToPath(new URL("../", import.meta.url))

/** Where the server takes the built cabinet from. */
export const siteFolder: string = fileURLToPath(new URL("../../../http-server/src/cabinet/dist/", import.meta.url))

/** What else goes into it: words and tokens that the pages have too. */
const origins = [
  "cabinet/package.json",
  "cabinet/src/**/*",
  "core/src/error/*.ts",
  "core/src/value/MoneyText.ts",
  "http-server/src/docs/content/code/verify.*",
  "http-server/src/pages/{Style,Formats,Language}.ts"
]

/** A digest of all sources: the same for the same texts. */
export const stampOf = (): string => {
  const hash = createHash("sha256")
  const files = globSync(origins, { cwd: packages, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => `${file.parentPath}/${file.name}`)
  for (const path of files.toSorted()) hash.update(path.slice(packages.length)).update(readFileSync(path))
  return hash.digest("hex")
}
