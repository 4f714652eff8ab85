/**
 * `node packages/cabinet/src/build/main.ts`: builds the cabinet if its sources have changed since it was built. The
 * server runs the same as a program of its own when it has sources only. With `dev` it serves the sources as they
 * change instead, for work on them.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { siteFolder, stampOf } from "./Sources.ts"

const isFresh = (): boolean => {
  const path = join(siteFolder, "stamp")
  return existsSync(path) && readFileSync(path, "utf8") === stampOf()
}

if (process.argv[2] === "dev") {
  const { develop } = await import("./Build.ts")
  console.log(await develop(process.argv[3] ?? "http://localhost:3000"))
} else if (!isFresh()) {
  // Whatever runs it, a test say: what is built is for people.
  process.env["NODE_ENV"] = "production"
  const { buildSite } = await import("./Build.ts")
  const lines = await buildSite()
  if (process.argv.includes("--sizes")) console.log(lines.join("\n"))
}
