/** What programs that are made into a few files take of Node and of Undici: what a start has no use for stays away. */
import { createRequire } from "node:module"
import type { InputOptions, Plugin } from "rolldown"

/**
 * Parts of Node's own modules that it loads once they are asked for, by module. An import of the module asks for all:
 * for a client for `fetch`, of `node:http`, which is a tenth of what the program takes to load. None is used here.
 */
const lazyParts: Readonly<Record<string, ReadonlyArray<string>>> = {
  "node:http": ["WebSocket", "CloseEvent", "MessageEvent"],
  "node:fs": ["ReadStream", "WriteStream", "FileReadStream", "FileWriteStream", "Utf8Stream"]
}

const isLazy = `(${Object.keys(lazyParts).join("|")})$`

/** Imports of these without those parts. */
export const builtins: Plugin = {
  name: "builtins",
  resolveId: {
    filter: { id: new RegExp(`^${isLazy}`) },
    handler: (id, _importer, { kind }) => (kind === "import-statement" ? `\0${id}` : undefined)
  },
  load: {
    filter: { id: new RegExp(`^\0${isLazy}`) },
    handler: (id) => {
      const name = id.slice(1)
      const parts = Object.keys(process.getBuiltinModule(name) ?? {}).filter((part) => !lazyParts[name]?.includes(part))
      const from = `process.getBuiltinModule(${JSON.stringify(name)})`
      return `const all = ${from}; export default all; export const { ${parts.join(", ")} } = all`
    }
  }
}

/**
 * Undici, in a file of its own that is loaded once it is asked for. It says which names it has only when it runs, and
 * so that file would have none but its default.
 */
export const undici: Plugin = {
  name: "undici",
  transform: {
    filter: { id: /platform-node[\\/]dist[\\/]Undici\.js$/ },
    handler: (code, id) => {
      const names = Object.keys(createRequire(id)("undici"))
      const all = /^export \* from "undici";$/m
      if (!all.test(code)) throw new Error(`${id} is not what it was`)
      return code.replace(all, `export const { ${names.join(", ")} } = Undici;`)
    }
  }
}

/** What is imported and is not there ends the making: it would be missing when the program runs. */
export const onLog: NonNullable<InputOptions["onLog"]> = (level, log, show) => {
  if (log.code === "EVAL") return
  show(log.code === "IMPORT_IS_UNDEFINED" ? "error" : level, log)
}
