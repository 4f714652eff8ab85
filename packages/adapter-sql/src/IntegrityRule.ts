/** What a rule of the stored data is. */
import type { Finding } from "@tolem/core/Integrity"
import type { Statement } from "effect/sql"

/** Rules by name, each as the statement that finds what breaks it. */
export type Rules = ReadonlyArray<readonly [rule: Finding["rule"], select: Statement.Statement<Breach>]>

/** A row that breaks a rule. */
export interface Breach {
  readonly subject: string
  readonly detail: string
}
