import { lineAt, mask } from "./Code.ts"

/** A module that a source file names in an import or export. */
export interface Import {
  readonly specifier: string
  readonly line: number
}

// Strings are blank in masked code, so a match can only be a real import.
const statement = /\b(?:import|export)\b[^"'`;=()]*?\bfrom\s*"( *)"|\bimport\s*"( *)"|\bimport\(\s*"( *)"\s*\)/dg

/** Every module that a source file imports or re-exports from, in order, types included. */
export const importsOf = (text: string): ReadonlyArray<Import> =>
  Array.from(mask(text).code.matchAll(statement), (match) => {
    const [from, to] = match.indices?.slice(1).find((range) => range !== undefined) ?? [match.index, match.index]
    return { specifier: text.slice(from, to), line: lineAt(text, from) }
  })

/** The package of a specifier, `@scope/name` or `name`; undefined for a relative one, and for what a build makes. */
export const packageOf = (specifier: string): string | undefined => {
  if (/^([./]|virtual:)/.test(specifier)) return undefined
  if (specifier.startsWith("node:")) return "node:"
  const [scope = "", name = ""] = specifier.split("/")
  return scope.startsWith("@") ? `${scope}/${name}` : scope
}
