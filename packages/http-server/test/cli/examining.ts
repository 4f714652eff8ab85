/** `tolem doctor` on an installation of the test's own. */

import { expect } from "vitest"
import type { Remark } from "../../src/cli/doctor/Remark.ts"
import { folder, result, run } from "./support.ts"

/** Runs it, and answers what it has found, by the names of the checks. */
export const examine = async (
  cwd: string,
  args: ReadonlyArray<string> = [],
  variables: Record<string, string> = {}
) => {
  const { code, stdout, stderr } = await run(cwd, ["doctor", ...args], variables)
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: ReadonlyArray<Remark> }
  const failed = checks.filter(({ status }) => status === "failed")
  expect([code, ok]).toEqual(failed.length === 0 ? [0, true] : [1, false])
  if (failed.length > 0) expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error).toBe("doctor_failed")
  for (const { status, what, todo } of checks) {
    expect(what).toMatch(/^[^\n]+$/)
    expect(todo === null).toBe(status === "ok")
  }
  const of = (name: string) => checks.find(({ check }) => check === name)
  return { of, failed: failed.map(({ check }) => check), names: checks.map(({ check }) => check), stdout, stderr }
}

/** A folder with a database that has an organization. */
export const migrated = async () => {
  const cwd = folder()
  await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")
  return cwd
}

/** Settings that the doctor finds nothing wrong with. */
export const sound = { TOLEM_BASE_URL: "https://pay.example.kz" }
