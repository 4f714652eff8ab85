/** A build of the cabinet that ends badly: the server goes on, and learns why. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { runBuilder } from "../../src/cabinet/SiteBuild.ts"

describe("the build of the cabinet", () => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-build-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const built = (source: string) => {
    const program = join(folder, "build.mjs")
    writeFileSync(program, source)
    return runBuilder(program)
  }

  it("is over once its program has ended", async () => {
    expect(await built("")).toBe(null)
  })

  it("tells what native code has printed, and ends without the server", async () => {
    const failure = await built(`import { writeSync } from "node:fs"; writeSync(2, "panicked\\n"); process.abort()`)
    expect(failure?.message).toContain("panicked")
  })

  it.skipIf(!existsSync("/proc/self/stat"))("is out of reach of what a terminal sends to the server", async () => {
    const failure = await built(`
      import { readFileSync } from "node:fs"
      const [, , group] = readFileSync("/proc/self/stat", "utf8").replace(/^.*\\) /, "").split(" ")
      process.exit(Number(group) === process.pid ? 0 : 1)`)
    expect(failure).toBe(null)
  })

  it("tells with which code it ended when it has printed nothing", async () => {
    expect((await built("process.exit(3)"))?.message).toBe("ended with 3")
  })
})
