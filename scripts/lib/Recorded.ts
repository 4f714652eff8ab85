/** What tests have shown of the interface, as a whole run recorded it: `scripts/coverage.json`, which is committed. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TestName } from "@tolem/testing-harness/Calls"
import { root } from "./Workspace.ts"

/** The tests of each promise. */
export type Proofs = Readonly<Record<string, ReadonlyArray<TestName>>>

/** Tests by endpoint, as `GET /api/v1/invoices`, and by error code. */
export interface Recorded {
  readonly endpoints: Proofs
  readonly codes: Proofs
}

const file = join(root, "scripts/coverage.json")

/** The committed record. */
export const readRecorded = (): Recorded => JSON.parse(readFileSync(file, "utf8"))

/** Commits to another one. */
export const writeRecorded = (recorded: Recorded): void =>
  writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`)
