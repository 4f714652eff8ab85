import { describe, expect, it } from "vitest"
import { progressLine } from "../../src/cli/kit/Progress.ts"
import { folder, read, result, run } from "./support.ts"

describe("progress", () => {
  it("is shown on a terminal while verify, migrate and clock advance work, and nothing of it is left", async () => {
    const cwd = folder()
    const made = await read(cwd, "migrate")
    expect(made.stderr).toContain("\r\u{1b}[2KMigrating: 0 %, 0 of ")
    const { organization } = await result(cwd, "org", "create", "--name", "A", "--owner-phone", "77001234567")
    const org = ["--org", organization.id]
    await result(cwd, "invoice", "create", ...org, "--mode", "sandbox", "--amount", "5")
    const moved = await read(cwd, "clock", "advance", ...org, "--by", "40d")
    expect(moved.stderr).toContain("Moving the clock: 0 %, 0 of 40, days")
    expect(moved.stdout).toMatch(/^It is \d{4}-.* 1 things fell due/)
    const checked = await read(cwd, "verify")
    expect(checked.stderr).toContain("Checking: 0 %, 0 of ")
    for (const { code, stderr, stdout } of [made, moved, checked]) {
      expect([code, stderr.endsWith("\r\u{1b}[2K")]).toEqual([0, true])
      expect(stdout).not.toContain("\u{1b}")
    }
  })

  it("is not shown where standard error is no terminal", async () => {
    const cwd = folder()
    expect((await run(cwd, ["migrate"])).stderr).toBe("")
    expect((await run(cwd, ["verify"])).stderr).toBe("")
  })

  it("is no longer than the terminal is wide", () => {
    expect(progressLine("Checking", { what: "sums", done: 48, of: 96 }, 80)).toBe("Checking: 50 %, 48 of 96, sums")
    expect(progressLine("Checking", { what: "x".repeat(100), done: 1, of: 1 }, 40)).toHaveLength(39)
    expect(progressLine("Checking", { what: "none", done: 0, of: 0 }, 80)).toContain("100 %")
  })
})
