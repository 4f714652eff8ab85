/**
 * Compares what the servers of a test run answered with the committed record, and fails the run if that says of a test
 * what is not so. With `TOLEM_RECORD_CALLS` it writes the record in place of comparing.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RecordedCall } from "@tolem/testing-harness/Calls"
import type { Reporter, TestModule } from "vitest/node"
import { outdated, recordedOf, type TestEnd } from "./Coverage.ts"
import { readRecorded, writeRecorded } from "./Recorded.ts"

/** The reporter. Workers write their calls into its folder. */
export class CallsReporter implements Reporter {
  readonly folder = mkdtempSync(join(tmpdir(), "tolem-calls-"))

  constructor() {
    process.once("exit", () => rmSync(this.folder, { recursive: true, force: true }))
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const calls = readdirSync(this.folder).flatMap((file) => callsIn(readFileSync(join(this.folder, file), "utf8")))
    if (process.env["TOLEM_RECORD_CALLS"] !== undefined) {
      writeRecorded(recordedOf(calls))
      return
    }
    const wrong = outdated(readRecorded(), calls, modules.flatMap(endsOf))
    if (wrong.length === 0) return
    console.error(["The record of coverage is out of date; run: npm run coverage", ...wrong].join("\n  "))
    process.exitCode = 1
  }
}

const callsIn = (text: string): ReadonlyArray<RecordedCall> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

// A skipped test is left out, not gone: it counts as one that did not pass.
const endsOf = (module: TestModule): ReadonlyArray<TestEnd> =>
  Array.from(module.children.allTests(), (test) => ({
    file: module.relativeModuleId,
    name: test.fullName,
    passed: test.result().state === "passed"
  }))
