/** `npm run coverage`: runs the HTTP tests, records which endpoints and codes they call, and writes the document. */
import { spawnSync } from "node:child_process"
import { root } from "./lib/Workspace.ts"

const run = (args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, TOLEM_RECORD_CALLS: "1" }
  }).status ?? 1

// What servers in processes of their own answer is not seen: their tests would only take long.
const elsewhere = ["cli", "cluster", "servers"].flatMap((folder) => ["--exclude", `**/test/${folder}/**`])
const tests = ["node_modules/vitest/vitest.mjs", "run", "--project", "sqlite", "packages/http-server", ...elsewhere]
process.exitCode = run(tests) || run(["scripts/generate.ts"])
