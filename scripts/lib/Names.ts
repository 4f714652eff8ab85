/**
 * That a name means one thing in a package. A name may be exported by two files only where it is always called through
 * the name of its module, as `Batcher.make` and `Watcher.run` are. Pure over file texts.
 */
import { posix } from "node:path"
import { mask } from "./Code.ts"
import type { Finding } from "./Finding.ts"
import type { SourceFile } from "./Workspace.ts"

const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) ([\w$]+)/gm
const imported = /\bimport\s+(?:type\s+)?\{([^}]*)\}\s*from\s*"([^"]+)"/g

/** Names that two files of a package export, and that somewhere stand alone. */
export const doubleNames = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> => {
  const bare = bareImports(sources)
  const owners = Map.groupBy(
    sources.flatMap(({ path, text }) => {
      const folder = /^packages\/([^/]+)\/src\//.exec(path)?.[1]
      const names = new Set(Array.from(mask(text).code.matchAll(exported), ([, name = ""]) => name))
      return folder === undefined ? [] : Array.from(names, (name) => ({ key: `${folder} ${name}`, name, path }))
    }),
    ({ key }) => key
  )
  return Array.from(owners.values()).flatMap((all) => {
    if (all.length < 2) return []
    return all.flatMap(({ name, path }) => {
      const other = all.find((each) => each.path !== path)
      const message = `\`${name}\` is exported by ${other?.path} too; give the two different names`
      return bare.has(`${path} ${name}`) ? [{ path, line: 0, message }] : []
    })
  })
}

/** What is imported by its bare name, as `path name`. */
const bareImports = (sources: ReadonlyArray<SourceFile>): ReadonlySet<string> =>
  new Set(
    sources.flatMap(({ path, text }) =>
      Array.from(text.matchAll(imported), ([, names = "", specifier = ""]) => {
        const target = fileOf(path, specifier)
        return names.split(",").map(
          (name) =>
            `${target} ${
              name
                .trim()
                .replace(/^type /, "")
                .split(" as ")[0]
            }`
        )
      }).flat()
    )
  )

const fileOf = (path: string, specifier: string): string => {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(path), specifier)
  const [, folder, module] = /^@tolem\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return folder === undefined ? specifier : `packages/${folder}/src/${module}.ts`
}
