/** What programs that are made into a few files take of Node and of Undici: what a start has no use for stays away. */
import { createRequire, isBuiltin } from "node:module"
import type { InputOptions, Plugin } from "rolldown"

/**
 * Node's own modules, each asked for what is used of it. An import would ask for all, and so load parts that nothing
 * here uses: for a client for `fetch` of `node:http`, which is a tenth of what the program takes to load.
 */
export const builtins: Plugin = {
  name: "builtins",
  resolveId: {
    filter: { id: /^[\w:/]+$/ },
    // The bundler's own part is what all others import first, and so must not import any of them.
    handler: (id, importer, { kind }) =>
      kind === "import-statement" && isBuiltin(id) && !importer?.startsWith("\0rolldown/")
        ? `\0node:${id.replace(/^node:/, "")}`
        : undefined
  },
  load: {
    filter: { id: /^\0node:/ },
    handler: (id) => {
      const name = id.slice(1)
      const parts = Object.keys(process.getBuiltinModule(name) ?? {}).filter((part) => part !== "default")
      return [
        `const all = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)})`,
        "const part = (name) => all[name]",
        "export default all",
        // Those that nothing imports are left out.
        ...parts.map((part) => `const its_${part} = /* @__PURE__ */ part("${part}"); export { its_${part} as ${part} }`)
      ].join("\n")
    }
  }
}

/** Node's module that a module of a program stands for. */
export const builtinOf = (id: string): string | undefined => /^\0(node:.*)$/.exec(id)?.[1]

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
