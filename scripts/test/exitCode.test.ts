/** A run of tests or of chaos that fails says so with its exit code, though it has a PostgreSQL of its own. */
import { spawnSync } from "node:child_process"
import { assert, describe, it } from "vitest"

const server = import.meta.resolve("../../testing/postgres/src/Server.ts")

const endOf = (code: number) =>
  spawnSync(process.execPath, ["--input-type=module", "-e", `import "${server}"; process.exitCode = ${code}`]).status

describe("a process with the PostgreSQL of tests", () => {
  for (const code of [0, 1, 2]) it(`ends with its code: ${code}`, () => assert.strictEqual(endOf(code), code))
})
