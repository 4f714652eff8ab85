import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"

const creates = 25
const hasStrace = spawnSync("strace", ["-V"]).status === 0

// Only where the machine can watch system calls: strace is not a package of npm.
it.runIf(hasStrace)(
  "flushes at least once for every create that it acknowledges",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "tolem-fsync-"))
    try {
      const log = join(folder, "strace.log")
      const script = join(import.meta.dirname, "fsync", "creates.ts")
      const trace = ["-f", "-e", "trace=fsync,fdatasync", "-o", log]
      execFileSync("strace", [...trace, process.execPath, script, join(folder, "a.db"), String(creates)])
      expect(readFileSync(log, "utf8").match(/f(data)?sync\(/g)?.length).toBeGreaterThanOrEqual(creates)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  60_000
)
