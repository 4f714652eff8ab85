import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"

const creates = 25
const hasStrace = spawnSync("strace", ["-V"]).status === 0

// Only if the machine can watch system calls: strace is not a package of npm.
it.runIf(hasStrace)("flushes at least once for every create that it acknowledges", () => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-fsync-"))
  // Opening and migrating flush too, so a run without creates is subtracted.
  const flushesOf = (count: number) => {
    const log = join(folder, `strace.${count}.log`)
    const script = join(import.meta.dirname, "fsync", "creates.ts")
    const trace = ["-f", "-e", "trace=fsync,fdatasync", "-o", log]
    execFileSync("strace", [...trace, process.execPath, script, join(folder, `${count}.db`), String(count)])
    return readFileSync(log, "utf8").match(/f(data)?sync\(/g)?.length ?? 0
  }
  try {
    expect(flushesOf(creates) - flushesOf(0)).toBeGreaterThanOrEqual(creates)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
