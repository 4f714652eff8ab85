/** What two runs of the bench are, side by side. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { compared, documented, type Run, read } from "../../bench/src/Report.ts"

const run = (commit: string | null, tables: Run["tables"]): Run => ({
  measured: "sqlite",
  at: "2026-11-01T10:00:00.000Z",
  commit,
  machine: "2 cores",
  tables,
  rounds: {}
})

const head = ["work", "against", "ours", "peer", "ratio (range)", "at least", "met"]
const create = (ratio: string) => ["create", "a peer", "100/s", "50/s", ratio, "1.50", "yes"]
const start = (...rows: ReadonlyArray<ReadonlyArray<string>>) => ({ head: ["start", "measured"], rows })

it("two runs stand side by side, the second over the first", () => {
  const a = run("aaa", [
    { head, rows: [create("2.00 (1.90 to 2.10)")] },
    start(["ready", "0.80 s"], ["memory", "200 MB"])
  ])
  const b = run("bbb", [
    { head, rows: [create("2.20 (2.00 to 2.40)")] },
    start(["ready", "600 ms"], ["size", "as it is"])
  ])
  expect(compared(a, b)).toEqual({
    head: ["measured", "A: aaa, 2026-11-01 10:00", "B: bbb, 2026-11-01 10:00", "B / A"],
    rows: [
      ["create, against a peer", "2.00 (1.90 to 2.10)", "2.20 (2.00 to 2.40)", "1.10"],
      // Units that differ are for people to compare.
      ["ready", "0.80 s", "600 ms", ""],
      ["memory", "200 MB", "not measured", ""],
      ["size", "not measured", "as it is", ""]
    ]
  })
})

it("runs are a document, each with what was asked, its machine and its time", () => {
  const measured = { ...run(null, [start(["ready", "600 ms"])]), measured: "postgres --only read --json a.json" }
  expect(documented([run("aaa", []), measured])).toBe(`# What the bench has measured

## \`npm run bench -- sqlite\`

2026-11-01 10:00 UTC, commit aaa, 2 cores.

## \`npm run bench -- postgres --only read\`

2026-11-01 10:00 UTC, commit unknown, 2 cores.

| start | measured |
|-------|----------|
| ready | 600 ms   |
`)
})

it("a file that the bench has not written is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-bench-report-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "other.json")
  writeFileSync(file, "[1]")
  expect(() => read(file)).toThrow(`${file} was not written by the bench`)
})
