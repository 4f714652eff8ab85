/**
 * Compares what the servers of a test run answered with the committed record, and with the OpenAPI document. Fails the
 * run if one of them says what is not so. With `TOLEM_RECORD_CALLS` it writes the record in place of comparing.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RecordedCall, WrongAnswer } from "@tolem/testing-harness/Calls"
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
    const calls = this.#read<RecordedCall>("calls")
    const answers = this.#read<WrongAnswer>("wrong").map(
      ({ complaint, file, name }) => `${complaint} (${file}, ${name})`
    )
    tell("Answers that are not as the OpenAPI document says:", answers)
    if (process.env["TOLEM_RECORD_CALLS"] !== undefined) {
      writeRecorded(recordedOf(calls))
      return
    }
    const wrong = outdated(readRecorded(), calls, modules.flatMap(endsOf))
    tell("The record of coverage is out of date; run: npm run coverage", wrong)
  }

  #read<Line>(kind: string): ReadonlyArray<Line> {
    const files = readdirSync(this.folder).filter((file) => file.endsWith(kind))
    return files.flatMap((file) => linesOf(readFileSync(join(this.folder, file), "utf8")) as ReadonlyArray<Line>)
  }
}

/** Fails the run if there is something to tell. */
const tell = (title: string, lines: ReadonlyArray<string>): void => {
  if (lines.length === 0) return
  console.error([title, ...lines].join("\n  "))
  process.exitCode = 1
}

const linesOf = (text: string): ReadonlyArray<unknown> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

// A skipped test is left out, not gone: it counts as one that did not pass.
const endsOf = (module: TestModule): ReadonlyArray<TestEnd> =>
  Array.from(module.children.allTests(), (test) => ({
    file: module.relativeModuleId,
    name: test.fullName,
    passed: test.result().state === "passed",
    concurrent: test.options.concurrent === true
  }))
