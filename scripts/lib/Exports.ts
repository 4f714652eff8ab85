/**
 * What the packages export: their index, and each module that another package of the repository imports. A module that
 * is not listed cannot be imported from outside, and may change at will. Pure over file texts.
 */
import { importsOf } from "./Imports.ts"
import type { SourceFile, Workspace } from "./Workspace.ts"

/** Modules whose types other packages name only because the compiler infers them. */
const inferred: Readonly<Record<string, ReadonlyArray<string>>> = {
  "@tolem/adapter-postgres": ["SchemaUpdate"],
  "@tolem/core": [
    "connection/ConnectionErrors",
    "invoice/InvoiceDraft",
    "merchant/OrganizationRequests",
    "subscription/Subscriptions",
    "webhook/EndpointRequests"
  ]
}

/** The `exports` of a workspace as its package.json is to have them. */
export const exportsOf = (
  { folder, manifest }: Workspace,
  sources: ReadonlyArray<SourceFile>
): Readonly<Record<string, string>> => {
  const wanted = sources
    .filter(({ path }) => !path.startsWith(`${folder}/`))
    .flatMap(({ text }) => importsOf(text))
    .flatMap(({ specifier }) => {
      const module = specifier.startsWith(`${manifest.name}/`) ? specifier.slice(manifest.name.length + 1) : undefined
      return module === undefined || module === "package.json" ? [] : [module]
    })
  const names = Array.from(new Set([...wanted, ...(inferred[manifest.name] ?? [])])).toSorted()
  const index = manifest.exports?.["."]
  return {
    ...(index === undefined ? {} : { ".": index }),
    ...Object.fromEntries(names.map((name) => [`./${name}`, `./src/${name}.ts`]))
  }
}

/** The text of its package.json with these. */
export const withExports = (workspace: Workspace, sources: ReadonlyArray<SourceFile>): string =>
  `${JSON.stringify({ ...workspace.manifest, exports: exportsOf(workspace, sources) }, undefined, 2)}\n`
