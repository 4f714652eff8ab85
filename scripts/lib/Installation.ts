/** How an application installs our packages: from tarballs, with third parties in the versions of our lock file. */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { publishedManifest } from "./Publication.ts"
import { type Manifest, root } from "./Workspace.ts"

/** A packed package. */
export interface Tarball {
  readonly manifest: Manifest
  readonly file: string
}

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly dev?: boolean
}

/**
 * Writes a package.json and a lock file for an application that depends on the tarballs. Only what the tarballs
 * declare, and what that needs in turn, is in the lock file: a dependency that a package forgot to declare is not
 * installed. With the lock file npm takes third parties from its cache, and asks the registry only for the rest.
 */
export const writeApplication = (folder: string, tarballs: ReadonlyArray<Tarball>): void => {
  const ours = Object.fromEntries(tarballs.map(({ manifest, file }) => [manifest.name, `file:${basename(file)}`]))
  const application = { name: "application", version: "1.0.0", private: true, type: "module", dependencies: ours }
  const own = tarballs.map(({ manifest, file }) => {
    const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`
    const { version, dependencies, peerDependencies } = manifest
    const { bin } = publishedManifest(manifest)
    return [
      `node_modules/${manifest.name}`,
      { version, resolved: `file:${basename(file)}`, integrity, dependencies, peerDependencies, bin }
    ]
  })
  const packages = { "": application, ...Object.fromEntries(own), ...thirdParties(tarballs.map((_) => _.manifest)) }
  const lock = { name: "application", version: "1.0.0", lockfileVersion: 3, requires: true, packages }
  writeFileSync(join(folder, "package.json"), JSON.stringify(application, undefined, 2))
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock, undefined, 2))
}

/** The entries of our lock file that the manifests need, directly or not. */
export const thirdParties = (manifests: ReadonlyArray<Manifest>): Readonly<Record<string, Locked>> => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  const own = new Set(manifests.map(({ name }) => name))
  const found: Record<string, Locked> = {}
  const add = (name: string, from: string, needed: boolean) => {
    const path = own.has(name) ? undefined : nearest(packages, name, from)
    if (path === undefined && needed && !own.has(name)) throw new Error(`${name}, needed by ${from}, is not locked`)
    if (path === undefined || found[installed(path)] !== undefined) return
    const { dev: _, ...entry } = packages[path] ?? {}
    const tarball = `https://registry.npmjs.org/${name}/-/${basename(name)}-${entry.version}.tgz`
    found[installed(path)] = { ...entry, resolved: entry.resolved ?? tarball }
    for (const each of Object.keys(entry.dependencies ?? {}))
      add(each, path, entry.optionalDependencies?.[each] === undefined)
    for (const each of Object.keys(entry.optionalDependencies ?? {})) add(each, path, false)
    for (const each of Object.keys(entry.peerDependencies ?? {})) {
      if (entry.peerDependenciesMeta?.[each]?.optional !== true) add(each, path, true)
    }
  }
  for (const { name, dependencies, peerDependencies } of manifests) {
    for (const each of Object.keys({ ...dependencies, ...peerDependencies })) {
      add(each, `packages/${basename(name)}`, true)
    }
  }
  return found
}

/** Where a package of ours, and what lies inside it, is in the application. */
const installed = (path: string): string => path.replace(/^packages\//, "node_modules/@tolem/")

/** Where Node would find `name` from the package at `from`. */
const nearest = (packages: Readonly<Record<string, Locked>>, name: string, from: string): string | undefined => {
  for (let at = from; at !== ""; at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : "") {
    if (packages[`${at}/node_modules/${name}`] !== undefined) return `${at}/node_modules/${name}`
  }
  return packages[`node_modules/${name}`] === undefined ? undefined : `node_modules/${name}`
}
