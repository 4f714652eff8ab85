/** Of each test file: tells the recorder of calls which test runs. */
import { relative } from "node:path"
import { afterEach, beforeEach, type TestContext } from "vitest"
import { recordCalls, type TestName } from "./Calls.ts"

// One process runs many files, and the recorder once.
const shared = globalThis as { tolemTest?: { current: TestName | undefined } }
const folder = process.env["TOLEM_TEST_CALLS"]

if (shared.tolemTest === undefined && folder !== undefined) {
  const state: { current: TestName | undefined } = { current: undefined }
  shared.tolemTest = state
  recordCalls(folder, () => state.current)
}

beforeEach(({ task }) => {
  if (shared.tolemTest !== undefined) shared.tolemTest.current = testName(task)
})
afterEach(() => {
  if (shared.tolemTest !== undefined) shared.tolemTest.current = undefined
})

const testName = (task: TestContext["task"]): TestName => ({
  file: relative(process.cwd(), task.file.filepath),
  name: task.fullTestName
})
