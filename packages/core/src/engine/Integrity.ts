/** Port: checks of the stored data against itself. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"

/** A rule that the stored data breaks, and the row that breaks it. */
export interface Finding {
  /** Name of the rule, in words. */
  readonly rule: string
  readonly subject: string
  readonly detail: string
}

/** What was checked, and what came of it. */
export interface Report {
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Names of the rules, in the order in which they were checked. */
  readonly rules: ReadonlyArray<string>
  /** What is wrong; empty if all is well. At most 1 000 findings a rule. */
  readonly findings: ReadonlyArray<Finding>
  /** What could not be checked, and is no finding. */
  readonly notices: ReadonlyArray<string>
}

/** Port: checks the stored data against the rules. */
export class Integrity extends Context.Service<
  Integrity,
  {
    /** Checks everything. Servers may write meanwhile: what is seen is one state of the data, or one for each rule. */
    readonly report: Effect.Effect<Report, StorageError>
    /** The findings of the report. */
    readonly findings: Effect.Effect<ReadonlyArray<Finding>, StorageError>
  }
>()("@tolem/core/Integrity") {}
