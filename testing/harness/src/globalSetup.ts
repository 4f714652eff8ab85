/** Once for a whole test run: the programs that tests start. `TOLEM_TEST_SOURCES` has them run from their sources. */
import { makePrograms } from "./Programs.ts"

export const setup = async (): Promise<void> => {
  const fromSources = (process.env["TOLEM_TEST_SOURCES"] ?? "") !== ""
  process.env["TOLEM_TEST_PROGRAMS"] = JSON.stringify(fromSources ? {} : await makePrograms())
}
