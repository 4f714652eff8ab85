/** `npm run check`: everything that can be said about the repository without running its tests. */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { circles, wrongArrows } from "./lib/Arrows.ts"
import { type Finding, render } from "./lib/Finding.ts"
import { wrongFloors } from "./lib/Floors.ts"
import { wrongLock, wrongManifests } from "./lib/Manifests.ts"
import { doubleNames } from "./lib/Names.ts"
import { tidy } from "./lib/Tidy.ts"
import { documents, root, rootManifest, typescript, workspaces } from "./lib/Workspace.ts"

interface Check {
  readonly name: string
  /** Answers what is wrong, as text; empty if all is well. */
  readonly run: () => Promise<string>
}

/** Runs a program of the repository; its output is what is wrong, unless it exits with 0. */
const program = (name: string, ...args: ReadonlyArray<string>): Check => ({
  name,
  run: () =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
      let output = ""
      child.stdout.on("data", (chunk) => (output += chunk))
      child.stderr.on("data", (chunk) => (output += chunk))
      child.on("error", (error) => resolve(error.message))
      child.on("close", (code) => resolve(code === 0 ? "" : output.trim() || `exit code ${code}`))
    })
})

const findings = (name: string, find: () => ReadonlyArray<Finding>): Check => ({
  name,
  run: async () => find().map(render).join("\n")
})

const bin = (name: string) => join("node_modules", name)

// The compiler keeps what it found, so that the next check looks only at what has changed.
const types = (name: string, project: string, ...more: ReadonlyArray<string>): Check => {
  const kept = join("node_modules", ".cache", "tsc", `${project}.tsbuildinfo`)
  return program(
    name,
    ...[bin("typescript/bin/tsc"), "--project", `${project}.json`, "--incremental", "--tsBuildInfoFile", kept],
    ...more
  )
}

const checks: ReadonlyArray<Check> = [
  types("types", "tsconfig"),
  types("types of core without Node", "tsconfig.core"),
  types("types as they are published", "tsconfig.build", "--noEmit"),
  program("lint and format", bin("@biomejs/biome/bin/biome"), "check", "--colors=off", "--error-on-warnings", "."),
  findings("tidy", () => [...typescript(), ...documents()].flatMap(tidy)),
  findings("package arrows", () => {
    const sources = typescript().filter(({ path }) => path.startsWith("packages/"))
    return [...wrongArrows(sources), ...circles(sources), ...wrongFloors(sources)]
  }),
  findings("names", () => doubleNames(typescript())),
  program("unused exports and files", bin("knip/bin/knip.js"), "--no-progress", "--no-config-hints"),
  program("exports", "scripts/exports.ts", "--check"),
  program("generated files", "scripts/generate.ts", "--check"),
  program("library reference", "scripts/reference.ts", "--check"),
  findings("packages", () => {
    const repository = { root: rootManifest(), workspaces: workspaces(), sources: typescript() }
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
    return [...wrongManifests(repository), ...wrongLock(lock, repository)]
  })
]

/** Runs as many at once as the machine has processors, and prints each as it ends. */
const runAll = async (chosen: ReadonlyArray<Check>): Promise<number> => {
  const queue = [...chosen]
  let failures = 0
  const worker = async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      const wrong = await check.run()
      console.log(`${wrong === "" ? "ok    " : "failed"}  ${check.name}`)
      if (wrong === "") continue
      failures++
      console.log(wrong.replaceAll(/^/gm, "        "))
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker))
  return failures
}

if (!existsSync(join(root, "node_modules"))) throw new Error("Run `npm ci` first")
// `npm run check -- tidy types` runs those checks whose names contain one of the words.
const words = process.argv.slice(2)
const chosen = checks.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
if (chosen.length === 0)
  throw new Error(`No check of that name. There are: ${checks.map(({ name }) => name).join(", ")}`)
const failures = await runAll(chosen)
console.log(failures === 0 ? "All checks passed." : `${failures} of ${chosen.length} checks failed.`)
process.exitCode = failures === 0 ? 0 : 1
