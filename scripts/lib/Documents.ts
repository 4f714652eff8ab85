/** Files of the repository that are derived from its code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "./Workspace.ts"

/** A file by its path from the root, and what it is to hold. */
export interface Document {
  readonly path: string
  readonly render: () => string
}

/** Writes what is not as it should be; with `--check` writes nothing and fails in its place. */
export const settle = (documents: ReadonlyArray<Document>): void => {
  const stale = documents.filter(({ path, render }) => {
    const file = join(root, path)
    return !existsSync(file) || readFileSync(file, "utf8") !== render()
  })
  if (process.argv.includes("--check")) {
    for (const { path } of stale) console.error(`${path} is not what the code says; run: npm run generate`)
    process.exitCode = stale.length === 0 ? 0 : 1
    return
  }
  for (const { path, render } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), render())
    console.log(`wrote ${path}`)
  }
}
