/** An error that nothing has caught ends the process in order, for its supervisor to start it anew. */
import { fileURLToPath } from "node:url"
import { begin } from "@tolem/testing-harness/Program"
import { describe, expect, it } from "vitest"

const script = fileURLToPath(new URL("programs/fault.ts", import.meta.url))

describe("an error that nothing has caught", () => {
  for (const kind of ["exception", "rejection"]) {
    it(`ends the process in order, with one line of the log and exit code 1: ${kind}`, async () => {
      const { code, stdout, stderr } = await begin([kind], { script }).ended
      expect(code).toBe(1)
      expect(stdout.trim()).toBe("stops, faulty: true")
      expect(stderr.trim().split("\n")).toHaveLength(1)
      expect(JSON.parse(stderr)).toMatchObject({ level: "FATAL", error: "TypeError", code: "ENETUNREACH" })
      expect(stderr).not.toContain("hidden")
    })
  }
})
