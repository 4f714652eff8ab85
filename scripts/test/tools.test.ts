/** The programs of this repository say what they take, and what was asked wrongly, without a trace of their insides. */
import { exitCodeOf, onlyFlag, tool, wholeFlag } from "@tolem/testing-harness/Tools"
import { Command } from "effect/cli"
import { afterEach, describe, expect, it, vi } from "vitest"

const flags = { rows: wholeFlag("rows", 1000, "Rows", 10), only: onlyFlag(["sqlite", "postgres"], "On this") }

const call = async (...args: ReadonlyArray<string>) => {
  const asked: Array<unknown> = []
  const fill = tool("fill", "Fills a database", flags, async (values) => {
    asked.push(values)
    if (values.only === "postgres") throw new Error("the disk is full")
    return values.rows < 500
  })
  const program = Command.make("npm run work --").pipe(Command.withSubcommands([fill]))
  const output = vi.spyOn(console, "log").mockImplementation(() => {})
  const errors = vi.spyOn(console, "error").mockImplementation(() => {})
  const code = await exitCodeOf(program, args)
  const textOf = (spy: typeof output) => spy.mock.calls.flat().map(String).join("\n")
  return { code, asked, output: textOf(output), errors: textOf(errors) }
}

afterEach(() => void vi.restoreAllMocks())

describe("a program of this repository", () => {
  it("shows what it takes", async () => {
    const { code, output } = await call("--help")
    expect(output).toContain("npm run work -- <subcommand>")
    expect(output).toMatch(/^ +fill +Fills a database/m)
    expect(code).toBe(0)
    expect((await call("fill", "--help")).output).toMatch(/--rows integer +Rows; default 1000$/m)
  })

  it.each([
    [["fil"], "Did you mean this?\n    fill"],
    [["fill", "--row", "20"], "Unrecognized flag: --row"],
    [["fill", "--rows", "9"], "a whole number from 10"],
    [["fill", "--rows", "1.5"], "Invalid value for flag --rows"],
    [["fill", "--only", "mysql"], 'Invalid value for flag --only: "mysql"']
  ])("says what is wrong with %j, and does nothing", async (args, complaint) => {
    const { code, asked, errors } = await call(...args)
    expect(errors).toContain(complaint)
    expect(code).toBe(2)
    expect(asked).toEqual([])
  })

  it("ends as its work does", async () => {
    expect(await call("fill", "--rows", "20")).toMatchObject({ code: 0, asked: [{ rows: 20, only: undefined }] })
    expect(await call("fill", "--only", "sqlite")).toMatchObject({ code: 1, asked: [{ rows: 1000, only: "sqlite" }] })
    const failed = await call("fill", "--only", "postgres")
    expect(failed).toMatchObject({ code: 1, errors: expect.stringContaining("the disk is full") })
  })
})
