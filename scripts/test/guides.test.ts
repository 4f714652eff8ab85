/** The guides' programs print what the guides say; `pack.test.ts` compiles them against what is published. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { guides } from "../lib/Guides.ts"
import { root } from "../lib/Workspace.ts"

const folder = mkdtempSync(join(tmpdir(), "tolem-guides-"))

const run = (cwd: string, ...args: ReadonlyArray<string>) =>
  new Promise<{ readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, args, { cwd }, (_, stdout, stderr) => resolve({ stdout, stderr }))
  })

beforeAll(() => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  for (const { name, program } of guides) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, "guide.ts"), program)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("there are some, each with a program and what it prints", () => {
  expect(guides.length).toBeGreaterThanOrEqual(3)
  for (const { program, output } of guides) expect([program.length > 0, output.length > 0]).toEqual([true, true])
})

it("a provider is 40 lines of code at most, without Effect", () => {
  const { first } = guides.find(({ name }) => name === "own-provider")!
  const lines = first.split("\n").filter((line) => !/^\s*(\/\/.*)?$/.test(line))
  expect(lines.length).toBeLessThanOrEqual(40)
  expect(first).toContain("defineProvider({")
  expect(first).not.toMatch(/from "effect|Effect\./)
})

it.each(guides)("$name prints what it says", async ({ name, output }) => {
  expect(await run(join(folder, name), "guide.ts")).toEqual({ stdout: output, stderr: "" })
})
