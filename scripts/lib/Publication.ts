/** What is published: for each package a folder that `npm pack` takes as it is. */
import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { makeProgram } from "./ProgramBundle.ts"
import { type Manifest, published, root, type Workspace } from "./Workspace.ts"

const server = "packages/http-server"

/** The package.json of the published folder: the sources' paths become those of what is built. Pure. */
export const publishedManifest = (manifest: Manifest): Manifest => {
  const { devDependencies: _, exports = {}, bin, ...kept } = manifest
  const targets = Object.entries(exports).map(([name, target]) => [name, conditions(target)] as const)
  return {
    ...kept,
    exports: { ...Object.fromEntries(targets), "./package.json": "./package.json" },
    ...(bin === undefined
      ? {}
      : { bin: Object.fromEntries(Object.entries(bin).map(([name, path]) => [name, program(path)])) })
  }
}

/** Builds every package, each into the folder that `target` names, replacing what is there. Fails on any type error. */
export const build = async (target: (workspace: Workspace) => string): Promise<void> => {
  const scratch = mkdtempSync(join(tmpdir(), "tolem-build-"))
  try {
    // Into the sources of the server, which carries it.
    execFileSync(process.execPath, [join(root, "packages/cabinet/src/build/main.ts")], { cwd: root, stdio: "inherit" })
    compile(scratch)
    for (const workspace of published()) {
      const from = join(scratch, workspace.folder.replace("packages/", ""), "src")
      const to = target(workspace)
      rmSync(to, { recursive: true, force: true })
      mkdirSync(to, { recursive: true })
      cpSync(from, to, { recursive: true })
      finish(workspace, to)
      if (workspace.folder === server) await makeProgram(to, ".js")
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

// npm takes a program's path without the dot, and drops the program otherwise.
const program = (path: string): string => built(path).replace(/^\.\//, "")

const built = (path: string): string => path.replace("./src/", "./").replace(/\.ts$/, ".js")

const conditions = (path: string) => ({ types: built(path).replace(/\.js$/, ".d.ts"), default: built(path) })

const compile = (outDir: string): void => {
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  const args = [compiler, "--project", "tsconfig.build.json", "--outDir", outDir]
  execFileSync(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] })
}

/** Adds what the compiler does not make. */
const finish = ({ folder, manifest }: Workspace, to: string): void => {
  const source = join(root, folder)
  for (const path of globSync("src/**/*", { cwd: source, withFileTypes: true })) {
    if (!path.isFile() || path.name.endsWith(".ts")) continue
    const from = join(path.parentPath, path.name)
    cpSync(from, join(to, relative(join(source, "src"), from)))
  }
  for (const path of globSync("**/*.js.map", { cwd: to })) showSources(join(to, path), path)
  const publishes = publishedManifest(manifest)
  writeFileSync(join(to, "package.json"), `${JSON.stringify(publishes, undefined, 2)}\n`)
  for (const path of Object.values(publishes.bin ?? {})) makeExecutable(join(to, path))
  cpSync(join(root, "LICENSE"), join(to, "LICENSE"))
  cpSync(join(source, "README.md"), join(to, "README.md"))
}

/** Sources are inside the maps; their names are those of the repository, whatever folder was built in. */
const showSources = (path: string, name: string): void => {
  const map = JSON.parse(readFileSync(path, "utf8"))
  map.sources = [`${relative(dirname(name), ".") || "."}/src/${name.replace(/\.js\.map$/, ".ts")}`]
  writeFileSync(path, JSON.stringify(map))
}

const makeExecutable = (path: string): void => {
  const text = readFileSync(path, "utf8")
  if (!text.startsWith("#!")) writeFileSync(path, `#!/usr/bin/env node\n${text}`)
  chmodSync(path, 0o755)
}
