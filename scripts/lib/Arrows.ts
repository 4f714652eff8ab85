/** Which package may import what, and that no files import each other in a circle. Pure over file texts. */
import { posix } from "node:path"
import type { Finding } from "./Finding.ts"
import { importsOf, packageOf } from "./Imports.ts"
import type { SourceFile } from "./Workspace.ts"

interface Rule {
  /** What any file of the package's `src` may import beside its own files. */
  readonly anywhere: ReadonlyArray<string>
  /** What only the files that `isEntry` names may import too. */
  readonly entry?: ReadonlyArray<string>
}

/** The arrows between packages. A package that is not in this table may not exist. */
export const arrows: Readonly<Record<string, Rule>> = {
  core: { anywhere: ["effect"] },
  api: { anywhere: ["@tolem/core", "effect"] },
  "adapter-sql": { anywhere: ["@tolem/core", "effect"] },
  "adapter-sqlite": { anywhere: ["@tolem/adapter-sql", "@tolem/core", "effect", "node:"] },
  "adapter-postgres": { anywhere: ["@tolem/adapter-sql", "@tolem/core", "@effect/sql-pg", "effect", "node:"] },
  "adapter-node": { anywhere: ["@tolem/core", "@effect/platform-node", "effect", "node:"] },
  "adapter-smtp": { anywhere: ["@tolem/core", "effect", "node:", "nodemailer"] },
  "adapter-telegram": { anywhere: ["@tolem/core", "effect"] },
  "adapter-sharp": { anywhere: ["@tolem/core", "effect", "node:", "sharp"] },
  "provider-sandbox": { anywhere: ["@tolem/core", "effect"] },
  "http-server": {
    anywhere: ["@tolem/api", "@tolem/core", "@effect/platform-node", "effect", "node:", "hucre", "marked", "qrcode"],
    entry: [
      "@tolem/adapter-node",
      "@tolem/adapter-sqlite",
      "@tolem/adapter-postgres",
      "@tolem/adapter-sharp",
      "@tolem/adapter-smtp",
      "@tolem/adapter-telegram",
      "@tolem/provider-sandbox",
      "@tolem/testing"
    ]
  },
  testing: { anywhere: ["@tolem/core", "effect"] },
  // React is nowhere else. Of the server it has formats and tokens of the pages, of the contract its types.
  cabinet: {
    anywhere: [
      "@tolem/api",
      "@tolem/core",
      "@tolem/http-server",
      "effect",
      "react",
      "react-dom",
      "@base-ui/react",
      "@tanstack/react-query",
      "@tanstack/react-router",
      "lucide-react",
      "uplot"
    ],
    entry: ["vite", "@vitejs/plugin-react", "node:"]
  }
}

const isEntry = (path: string): boolean =>
  /^packages\/(http-server\/src\/(main\.ts$|cli\/)|cabinet\/src\/build\/)/.test(path)

/** Imports that cross a border they may not cross. Tests, examples, benchmarks and scripts may import anything. */
export const wrongArrows = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> =>
  sources.flatMap(({ path, text }) => {
    const folder = /^packages\/([^/]+)\/src\//.exec(path)?.[1]
    if (folder === undefined) return []
    const rule = arrows[folder]
    if (rule === undefined) return [{ path, line: 0, message: `no arrows are stated for packages/${folder}` }]
    const allowed = new Set([...rule.anywhere, ...(isEntry(path) ? (rule.entry ?? []) : [])])
    return importsOf(text).flatMap(({ specifier, line }) => {
      const target = packageOf(specifier)
      if (target === undefined) {
        const inside = posix.join(posix.dirname(path), specifier).startsWith(`packages/${folder}/src/`)
        return inside
          ? []
          : [{ path, line, message: `\`${specifier}\` leaves the package; import \`@tolem/…\` instead` }]
      }
      if (allowed.has(target)) return []
      const only = rule.entry?.includes(target) === true ? "; only its entry point (main.ts, cli/, build/) may" : ""
      const message = `${folder} may not import \`${specifier}\`${only}. It may import ${[...allowed].join(", ")}`
      return [{ path, line, message }]
    })
  })

/** Circles of imports between files, each listed once, at its first file. */
export const circles = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> => {
  const paths = new Set(sources.map(({ path }) => path))
  const targets = new Map(
    sources.map(({ path, text }) => {
      const relative = importsOf(text).filter(({ specifier }) => specifier.startsWith("."))
      const all = relative.map(({ specifier }) => posix.join(posix.dirname(path), specifier))
      return [path, all.filter((target) => paths.has(target))] as const
    })
  )
  const done = new Set<string>()
  const found: Array<Finding> = []
  const walk = (path: string, trail: ReadonlyArray<string>) => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      const circle = [...trail.slice(start), path].map((each) => posix.basename(each)).join(" → ")
      found.push({ path, line: 0, message: `circle of imports: ${circle}; move what both need into a third file` })
    }
    if (start >= 0 || done.has(path)) return
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path])
    done.add(path)
  }
  for (const { path } of sources) walk(path, [])
  return found
}
