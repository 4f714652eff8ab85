/** Makes the cabinet: bundles, compressed files beside them, and a stamp that says of which sources. */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, extname, join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import react from "@vitejs/plugin-react"
import { build, createServer, type InlineConfig, type Rolldown } from "vite"
import { circleIn, type Piece, report, viewsOf } from "./Budget.ts"
import { generated } from "./Generated.ts"
import { siteFolder, sourceFolder, stampOf } from "./Sources.ts"

const config: InlineConfig = {
  configFile: false,
  root: sourceFolder,
  // Wherever the server is reached: the page itself is told its folder when it is served, all else is relative to it.
  base: "./",
  logLevel: "warn",
  publicDir: join(sourceFolder, "public"),
  plugins: [react(), generated],
  css: { modules: { generateScopedName: "[local]_[hash:base64:5]" } }
}

/** Builds into the server's folder, in place of what is there. Fails if a view is larger than it may be. */
export const buildSite = async (): Promise<ReadonlyArray<string>> => {
  const stamp = stampOf()
  const beside = dirname(siteFolder)
  mkdirSync(beside, { recursive: true })
  removeAbandoned(beside)
  const scratch = mkdtempSync(join(beside, "dist-"))
  try {
    const output = await bundle(scratch)
    for (const path of globSync("**/*", { cwd: scratch })) compress(join(scratch, path))
    const foreign = serverModules(output)
    if (foreign.length > 0) throw new Error(`A browser has no use for these: ${foreign.join(", ")}`)
    const pieces = piecesOf(output)
    const circle = circleIn(pieces)
    if (circle !== null) throw new Error(`These files would be loaded in a circle: ${circle.join(", ")}`)
    const { lines, fits } = report(viewsOf(pieces))
    if (!fits) throw new Error(["The cabinet is too large:", ...lines].join("\n"))
    writeFileSync(join(scratch, "stamp"), stamp)
    replace(scratch)
    return lines
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Serves the sources as they change, with the calls of the cabinet passed on to a server that runs. */
export const develop = async (target: string): Promise<string> => {
  const server = await createServer({
    ...config,
    base: "/cabinet/",
    server: { proxy: { "/panel": { target, headers: { origin: target } } } }
  })
  await server.listen()
  return server.resolvedUrls?.local[0] ?? ""
}

/** What the login loads, beside the entry itself. */
const login = {
  name: "login",
  tags: ["$initial" as const],
  test: (id: string) => !/\/(index\.html|main\.tsx)$/.test(id),
  priority: 3
}

/**
 * What several screens share goes into few files: on a slow phone each file takes longer than the code that a screen
 * gets too much where they are put together.
 */
const together = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 5_500 }
const shared = { ...together, name: "shared" }

/** What screens alone share is not put together with what the frame around all of them has. */
const screens = { ...together, name: "screens", test: /\/src\/screens\/|virtual:verifiers/, priority: 1 }

/** Words that the frame shares with some screens: put together with what these have alone, all would load that too. */
const words = {
  name: "words",
  test: /\/(parts\/WebhookWords|screens\/subscriptions\/Texts|texts\/(Subscriptions|Webhooks)|pages\/Formats)\.ts$/,
  priority: 2
}

/** What opens over the page: put together with small parts of the frame, all screens would load it. */
const popups = { ...together, name: "popups", test: /node_modules\/@(base-ui|floating-ui)\//, priority: 2 }

/** Its classes extend each other: in several files they would be loaded in a circle. */
const query = { name: "query", test: /node_modules\/@tanstack\/(query-core|react-query)\//, priority: 2 }

/** By the group alone, whose name is followed by all that it is shared by. */
const named = (name: string) => `assets/${name.replace(/~.*/, "").replace(/\.css$/, "")}-[hash]`
const chunkFileNames = ({ name }: { readonly name: string }) => `${named(name)}.js`
const assetFileNames = ({ names }: { readonly names: ReadonlyArray<string> }) =>
  `${named(names[0] ?? "asset")}[extname]`

type Output = Rolldown.RolldownOutput["output"]

const bundle = async (outDir: string): Promise<Output> => {
  const made = await build({
    ...config,
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      // Files of a few hundred bytes as well: the policy lets no style in that a page holds itself.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          chunkFileNames,
          assetFileNames,
          codeSplitting: { groups: [login, query, words, popups, screens, shared] }
        }
      },
      license: { fileName: "licenses.txt" },
      reportCompressedSize: false
    }
  })
  if (!("output" in made)) throw new Error("one build was to be made")
  return made.output
}

/** What only servers need, and weighs more than the cabinet itself: it may be imported for its types alone. */
const serverModules = (output: Output): ReadonlyArray<string> =>
  output.flatMap((file) =>
    file.type === "asset"
      ? []
      : file.moduleIds.filter((id) => /node_modules.(@?effect|@tolem.api)|packages.api/.test(id))
  )

const isText = new Set([".js", ".css", ".html", ".svg", ".webmanifest", ".txt"])

const compress = (path: string): void => {
  if (!isText.has(extname(path))) return
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
}

const piecesOf = (output: Output): ReadonlyArray<Piece> =>
  output.map((file): Piece => {
    const size = gzipSync(file.type === "chunk" ? file.code : file.source, { level: 9 }).length
    if (file.type === "asset") return { name: file.fileName, module: null, size, imports: [] }
    const styles = [...(file.viteMetadata?.importedCss ?? [])]
    return { name: file.fileName, module: file.facadeModuleId, size, imports: [...file.imports, ...styles] }
  })

const abandonedMs = 3_600_000

/** What builds have left that were ended in the middle. */
const removeAbandoned = (folder: string): void => {
  for (const name of globSync("dist-*", { cwd: folder })) {
    const path = join(folder, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > abandonedMs) rmSync(path, { recursive: true, force: true })
  }
}

/** A server that starts at this very moment sees the one or the other, and two builds at once do no harm. */
const replace = (scratch: string): void => {
  const old = `${scratch}-old`
  try {
    if (existsSync(siteFolder)) renameSync(siteFolder, old)
    renameSync(scratch, siteFolder)
  } catch {
    cpSync(scratch, siteFolder, { recursive: true, force: true })
  } finally {
    rmSync(old, { recursive: true, force: true })
  }
}
