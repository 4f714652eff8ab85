/**
 * Once for a whole test run: the programs that tests start, and the cabinet, which each of them would build otherwise.
 * `TOLEM_TEST_SOURCES` has programs run from their sources.
 */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { makePrograms } from "./Programs.ts"

const cabinet = fileURLToPath(new URL("../../../packages/cabinet/src/build/main.ts", import.meta.url))

export const setup = async (): Promise<void> => {
  const fromSources = (process.env["TOLEM_TEST_SOURCES"] ?? "") !== ""
  const [programs] = await Promise.all([
    fromSources ? {} : makePrograms(),
    promisify(execFile)(process.execPath, [cabinet])
  ])
  process.env["TOLEM_TEST_PROGRAMS"] = JSON.stringify(programs)
}
