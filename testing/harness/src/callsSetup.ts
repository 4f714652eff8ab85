/** Of each test file: tells the recorder of calls which test runs. */
import { relative } from "node:path"
import { afterEach, beforeEach, type TestContext } from "vitest"
import { RunningTests, recordCalls, type TestName } from "./Calls.ts"

// One process runs many files, and the recorder once.
const shared = globalThis as { tolemTests?: RunningTests }
const folder = process.env["TOLEM_TEST_CALLS"]

if (shared.tolemTests === undefined && folder !== undefined) {
  const tests = new RunningTests()
  shared.tolemTests = tests
  recordCalls(folder, () => tests.current())
}

beforeEach(({ task }) => shared.tolemTests?.begin(task.id, testName(task)))
afterEach(({ task }) => shared.tolemTests?.end(task.id))

const testName = (task: TestContext["task"]): TestName => ({
  file: relative(process.cwd(), task.file.filepath),
  name: task.fullTestName
})
