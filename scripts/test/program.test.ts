/** The program in a few files: what it loads when, and what is kept of its starts. */
import { execFile } from "node:child_process"
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { keepFirstStarts } from "../lib/FirstStarts.ts"
import { makeProgram } from "../lib/ProgramBundle.ts"
import { root } from "../lib/Workspace.ts"

const run = promisify(execFile)

/** The files of a program that are loaded with one of them. */
const reachedFrom = (program: string, first: string): ReadonlyArray<string> => {
  const reached = new Set([first])
  for (const name of reached)
    for (const [, next = ""] of readFileSync(join(program, name), "utf8").matchAll(
      /^(?:const \w+ = )?require\("\.\/(.+)"\);$/gm
    ))
      reached.add(next)
  return [...reached]
}

const folder = mkdtempSync(join(tmpdir(), "tolem-program-"))
const program = join(folder, "src/program")
const main = join(program, "main.js")

beforeAll(async () => {
  cpSync(join(root, "packages/http-server"), folder, { recursive: true })
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  await makeProgram(join(folder, "src"), ".ts")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the program in a few files", () => {
  it("starts without what sends requests", async () => {
    // Whatever it imports at once is among the others.
    const error = "UND_ERR_HEADERS_OVERFLOW"
    const files = readdirSync(program).filter((name) => readFileSync(join(program, name), "utf8").includes(error))
    expect(files).toEqual([expect.stringMatching(/^Undici-/)])
    const names = reachedFrom(program, "Tolem.cjs").map((name) => name.replace(/-.{8}\.cjs$/, ""))
    expect(names).toContain("Common")
    for (const later of ["Undici", "Server", "Stores", "Documentation"]) expect(names).not.toContain(later)
    const [undici = "", ...others] = readdirSync(program).filter((name) => name.startsWith("Undici-"))
    expect(others).toEqual([])
    expect(createRequire(main)(join(program, undici))).toMatchObject({
      Agent: expect.any(Function),
      Client: expect.any(Function)
    })
    const list = `process.on("exit", () => console.error(process.moduleLoadList.join()))`
    const { stdout, stderr } = await run(process.execPath, [
      "--import",
      `data:text/javascript,${list}`,
      main,
      "--version"
    ])
    expect(stdout).toMatch(/^tolem v/)
    expect(stderr).toContain("NativeModule http")
    expect(stderr).not.toContain("undici/undici")
  })

  it("starts from what was compiled when it was built", async () => {
    const cache = join(folder, "compiled")
    await keepFirstStarts(main, cache)
    // A start that takes longer than two seconds loads what sends webhooks, and may keep it once more.
    const kept = () =>
      Object.fromEntries(
        globSync("tolem/*/*/*", { cwd: cache })
          .filter((name) => !name.includes("/Undici-"))
          .map((name) => [name, statSync(join(cache, name)).mtimeMs])
      )
    const before = kept()
    for (const script of [
      "services/Common-",
      "services/Server-",
      "services/Sqlite-",
      "commands/Common-",
      "commands/Stores-"
    ])
      expect(Object.keys(before).join("\n")).toContain(`/${script}`)
    await keepFirstStarts(main, cache)
    expect(kept()).toMatchObject(before)
  })

  it("is strict, as modules are", () => {
    const scripts = readdirSync(program).filter((name) => name.endsWith(".cjs") && name !== "NodeModules.cjs")
    expect(scripts.length).toBeGreaterThan(5)
    const loose = scripts.filter((name) => !readFileSync(join(program, name), "utf8").startsWith('"use strict";'))
    expect(loose).toEqual([])
  })

  it("keeps nothing of a start that fails, and nothing of help in place of a service", async () => {
    const cache = join(folder, "failed")
    const env = { ...process.env, NODE_COMPILE_CACHE: "", XDG_CACHE_HOME: cache }
    const start = (...args: ReadonlyArray<string>) => run(process.execPath, [main, ...args], { env })
    await expect(start("serve", "--port", "none")).rejects.toMatchObject({ code: 2 })
    expect(globSync("**/*", { cwd: cache })).toEqual([])
    await start("serve", "--help")
    expect(globSync("tolem/*/*", { cwd: cache }).map((path) => path.replace(/.*[/\\]/, ""))).toEqual(["commands"])
  })

  it("loads Node's own modules before its heap is held", async () => {
    const script = [
      `require(${JSON.stringify(join(program, "NodeModules.cjs"))})`,
      "const before = new Set(process.moduleLoadList)",
      `require(${JSON.stringify(join(program, "Tolem.cjs"))})`,
      "console.log(JSON.stringify(process.moduleLoadList.filter((each) => !before.has(each))))"
    ]
    const { stdout } = await run(process.execPath, ["--eval", script.join("\n")])
    const late: ReadonlyArray<string> = JSON.parse(stdout)
    // That of SQLite is asked for by a name that another runtime may not have.
    expect(late.filter((each) => /^NativeModule (?!internal\/)/.test(each))).toEqual(["NativeModule sqlite"])
    expect(readFileSync(main, "utf8")).toMatch(/load\("NodeModules\.cjs"\);\s+hold\(\)/)
  })
})
