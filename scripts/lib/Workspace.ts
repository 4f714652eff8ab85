import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** The repository's root. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A file's path from the root, with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** The members of a package.json that the checks read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly description?: string
  readonly license?: string
  readonly type?: string
  readonly sideEffects?: boolean
  readonly engines?: Readonly<Record<string, string>>
  readonly workspaces?: ReadonlyArray<string>
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** A workspace: its folder from the root, and its package.json. */
export interface Workspace {
  readonly folder: string
  readonly manifest: Manifest
}

const parse = <A>(path: string): A => JSON.parse(readFileSync(join(root, path), "utf8")) as A

/** The package.json of the root. */
export const rootManifest = (): Manifest => parse("package.json")

/** Every workspace, in the order of the root's package.json. */
export const workspaces = (): ReadonlyArray<Workspace> =>
  (rootManifest().workspaces ?? [])
    .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder: slashes(folder), manifest: parse<Manifest>(`${folder}/package.json`) }))

/** The workspaces that are published: those under `packages/`. */
export const published = (): ReadonlyArray<Workspace> =>
  workspaces().filter(({ folder, manifest }) => folder.startsWith("packages/") && manifest.private !== true)

const outside = new Set(["node_modules", "dist", "program", ".git", ".tolem", "coverage"])

/** The files that match, sorted, without what is installed or built. */
const files = (...patterns: ReadonlyArray<string>): ReadonlyArray<SourceFile> =>
  globSync(patterns, { cwd: root, exclude: (name) => outside.has(name) })
    .map(slashes)
    .filter((path) => !path.split("/").some((part) => outside.has(part)))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

/** Every TypeScript file of the repository. */
export const typescript = (): ReadonlyArray<SourceFile> =>
  files("packages/**/*.{ts,tsx}", "examples/**/*.ts", "bench/**/*.ts", "scripts/**/*.ts", "testing/**/*.ts", "*.ts")

/** What people read: documents, settings and programs of any kind. */
export const documents = (): ReadonlyArray<SourceFile> =>
  files("**/*.{md,json,jsonc,yml,yaml,sh,html,css,js,mjs}", ".ci/*", ".changeset/*", ".editorconfig", ".npmrc").filter(
    ({ path }) => path !== "package-lock.json"
  )

/** The descriptions of changes that wait for a release. */
export const changesets = (): ReadonlyArray<SourceFile> =>
  files(".changeset/*.md").filter(({ path }) => !path.endsWith("README.md"))

const slashes = (path: string): string => path.split(sep).join("/")
