/** The log of the program as people read it, on a terminal that is made for the test, and as machines do. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import * as Program from "@tolem/testing-harness/Program"
import { describe, expect, it } from "vitest"
import { folder, owned, service } from "./support.ts"

/** Runs what follows on a terminal of its own. The words have no spaces. */
const onTerminal = ["sh", "-c", `exec script --quiet --return --command "$*" /dev/null`, "sh"] as const

const linesOf = (text: string): ReadonlyArray<string> =>
  stripVTControlCharacters(text)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")

const isJson = (line: string): boolean => {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/** A request that the log tells of. */
const refused = async (url: string) => {
  const answer = await fetch(`${url}/api/v1/account`, { headers: { "x-api-key": "tlm_test_wrong" } })
  expect(answer.ok).toBe(false)
}

describe("a server that is started", () => {
  it.skipIf(!existsSync("/usr/bin/script"))("on a terminal shows no line of JSON", async () => {
    const running = owned(Program.begin(["start", "--port", "0"], { cwd: folder(), under: onTerminal }))
    const [, url = ""] = await running.says(/(http:\/\/localhost:\d+)/)
    await refused(url)
    await running.says(/Refused/)
    const { stdout } = await running.stop()
    const lines = linesOf(stdout)
    expect(lines.some((line) => line.includes("Service: ready"))).toBe(true)
    expect(lines.filter((line) => isJson(line) || line.includes("undefined"))).toEqual([])
  })

  it.skipIf(!existsSync("/usr/bin/script"))("is stopped in order when its terminal is closed", async () => {
    const cwd = folder()
    const running = owned(Program.begin(["start", "--port", "0"], { cwd, under: onTerminal }))
    await running.says(/Ctrl\+C/)
    const logs = () => readdirSync(join(cwd, ".tolem")).filter((name) => name.endsWith("-wal"))
    expect(logs()).toHaveLength(1)
    running.signal("SIGKILL")
    await expect.poll(logs).toEqual([])
  })

  it("without a terminal logs a line of JSON each", async () => {
    const running = await service(folder(), ["start"])
    await refused(running.url)
    await expect.poll(() => running.said.stderr).toContain("Refused")
    const { stderr } = await running.stop()
    expect(linesOf(stderr).filter((line) => !isJson(line))).toEqual([])
  })
})
