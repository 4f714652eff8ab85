/** That every package.json can be published and installed as it is. Pure over manifests and file texts. */
import type { Finding } from "./Finding.ts"
import { importsOf, packageOf } from "./Imports.ts"
import type { Manifest, SourceFile, Workspace } from "./Workspace.ts"

const exact = /^(npm:[@\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/
const sections = ["dependencies", "devDependencies", "optionalDependencies"] as const
const lockedSections = [...sections, "peerDependencies"] as const

interface Repository {
  readonly root: Manifest
  readonly workspaces: ReadonlyArray<Workspace>
  readonly sources: ReadonlyArray<SourceFile>
}

/** What is wrong with the workspaces' package.json files. */
export const wrongManifests = ({ root, workspaces, sources }: Repository): ReadonlyArray<Finding> => {
  const versions = new Map(workspaces.map(({ manifest }) => [manifest.name, manifest.version]))
  const all = [{ folder: "", manifest: root }, ...workspaces]
  return all.flatMap(({ folder, manifest }) => {
    const path = folder === "" ? "package.json" : `${folder}/package.json`
    const publishes = folder.startsWith("packages/") && manifest.private !== true
    const own = sources.filter((file) => file.path.startsWith(`${folder}/src/`))
    return [
      ...versionsOf(manifest, versions),
      ...(publishes ? unpublishable(manifest, folder, root) : []),
      ...(folder === "" ? [] : mismatched(manifest, own, publishes))
    ].map((message) => ({ path, line: 0, message }))
  })
}

/** What an application and all packages must share: two copies of it do not understand one another. */
const shared = "effect"

const versionsOf = (manifest: Manifest, versions: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  sections.flatMap((section) =>
    Object.entries(manifest[section] ?? {}).flatMap(([name, version]) => {
      const ours = versions.get(name)
      if (ours !== undefined && ours !== version) return [`${name} is ${version}; the workspace has ${ours}`]
      return exact.test(version) ? [] : [`${name} is ${version}; state one exact version`]
    })
  )

const unpublishable = (manifest: Manifest, folder: string, root: Manifest): ReadonlyArray<string> => {
  const wanted: ReadonlyArray<readonly [boolean, string]> = [
    [
      manifest.name === folder.replace("packages/", "@tolem/"),
      `name must be ${folder.replace("packages/", "@tolem/")}`
    ],
    [exact.test(manifest.version), "version must be exact"],
    [manifest.license === root.license, `license must be ${root.license}`],
    [manifest.type === "module", 'type must be "module"'],
    [manifest.sideEffects === false, "sideEffects must be false"],
    [manifest.engines?.["node"] !== undefined, "engines.node must say which Node it needs"],
    [(manifest.description ?? "").length > 10, "description must say what it is"],
    [manifest.exports?.["."] !== undefined, 'exports must have "."'],
    [manifest.dependencies?.[shared] === undefined, `${shared} must be a peer, so that an application has one copy`],
    [
      manifest.peerDependencies?.[shared] === undefined ||
        manifest.peerDependencies[shared] === `^${manifest.devDependencies?.[shared]}`,
      `the peer ${shared} must be ^ and the version in devDependencies, which is what the tests run with`
    ],
    [Object.values(manifest.exports ?? {}).every((target) => target.startsWith("./src/")), "exports must lie in ./src"]
  ]
  return wanted.filter(([fine]) => !fine).map(([, message]) => message)
}

/** Dependencies that the sources do not import, and imports that are not declared. */
const mismatched = (
  manifest: Manifest,
  sources: ReadonlyArray<SourceFile>,
  publishes: boolean
): ReadonlyArray<string> => {
  const imported = new Set(
    sources
      .flatMap(({ text }) => importsOf(text).map(({ specifier }) => packageOf(specifier)))
      .filter((name) => name !== undefined && name !== "node:" && name !== manifest.name)
  )
  // What is not published is run or built here, where everything is installed.
  const forHere = publishes ? {} : manifest.devDependencies
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...forHere })
  const undeclared = [...imported].filter((name) => name !== undefined && !declared.includes(name))
  // What a package that is not published declares, its tests and programs of other kinds may need; knip looks at those.
  const unused = publishes ? declared.filter((name) => !imported.has(name)) : []
  return [
    ...undeclared.map((name) => `${name} is imported by src but is not in dependencies`),
    ...unused.map((name) => `${name} is in dependencies but no file of src imports it`)
  ]
}

interface Locked extends Partial<Manifest> {
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
}

interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>
}

const sorted = (record: Readonly<Record<string, string>> = {}): string =>
  JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

/** A tool's part for other systems, for development only: npm knows its hash only if it could be had. */
const isElsewhere = ({ dev, optional, os }: Locked): boolean => dev === true && optional === true && os !== undefined

/** Whether `npm ci` takes the lock file, fetches from the public registry only, and compares what comes with a hash. */
export const wrongLock = (lock: LockFile, repository: Omit<Repository, "sources">): ReadonlyArray<Finding> => {
  const all = [{ folder: "", manifest: repository.root }, ...repository.workspaces]
  const stale = all.flatMap(({ folder, manifest }) =>
    lockedSections
      .filter((section) => sorted(lock.packages[folder]?.[section]) !== sorted(manifest[section]))
      .map((section) => `${section} of ${folder === "" ? "the root" : folder} differ from its package.json`)
  )
  const foreign = Object.entries(lock.packages).flatMap(([path, { resolved }]) =>
    path.startsWith("node_modules/") &&
    /^https?:/.test(resolved ?? "") &&
    !resolved?.startsWith("https://registry.npmjs.org/")
      ? [`${path} is fetched from ${resolved}; use the public registry`]
      : []
  )
  const unproven = Object.entries(lock.packages).flatMap(([path, locked]) =>
    path.includes("node_modules/") && locked.integrity === undefined && locked.link !== true && !isElsewhere(locked)
      ? [`${path} has no integrity: \`npm install\` with the public registry adds it`]
      : []
  )
  return [...stale, ...foreign, ...unproven].map((message) => ({ path: "package-lock.json", line: 0, message }))
}
