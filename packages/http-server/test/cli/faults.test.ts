/** An error that nothing has caught ends the process in order, for its supervisor to start it anew. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const program = fileURLToPath(new URL("programs/fault.ts", import.meta.url))

describe("an error that nothing has caught", () => {
  for (const kind of ["exception", "rejection"]) {
    it(`ends the process in order, with one line of the log and exit code 1: ${kind}`, async () => {
      const child = spawn(process.execPath, [program, kind], { stdio: ["ignore", "pipe", "pipe"] })
      const said = { out: "", log: "" }
      child.stdout.on("data", (part) => (said.out += String(part)))
      child.stderr.on("data", (part) => (said.log += String(part)))
      const [code] = await once(child, "close")
      expect(code).toBe(1)
      expect(said.out.trim()).toBe("stops, faulty: true")
      expect(said.log.trim().split("\n")).toHaveLength(1)
      expect(JSON.parse(said.log)).toMatchObject({ level: "FATAL", error: "TypeError", code: "ENETUNREACH" })
      expect(said.log).not.toContain("hidden")
    })
  }
})
