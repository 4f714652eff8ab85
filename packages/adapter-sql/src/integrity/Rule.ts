/** What a rule of the stored data is, and the forms that most of them have. */
import type { Effect } from "effect"
import { type SqlError, Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import type { RemovalKind } from "../base/Removals.ts"

/** What finds the rows that break a rule: a query that answers `subject` and `detail`, or anything else that does. */
export type Rule = Statement.Fragment | Breaches

/** Rules by their names, in the order in which they are checked. */
export type Rules = Readonly<Record<string, Rule>>

/** The rows that break a rule, at most `maxBreaches`. */
export type Breaches = Effect.Effect<ReadonlyArray<Breach>, SqlError.SqlError>

/** A row that breaks a rule. */
export interface Breach {
  readonly subject: string
  readonly detail: string
}

/** What rules are made of. */
export interface Parts extends Pick<Database["Service"], "sql" | "dialect" | "tables"> {
  /** When the check began. */
  readonly now: number
}

/** Rows that are told of by one rule. Who has more has to begin with these. */
export const maxBreaches = 1000

/** Clocks of servers differ by so much at most, and that of the provider by more. */
export const skewMs = 10_000

/** See `skewMs`. */
export const providerSkewMs = 300_000

/** No schedule of ours looks further ahead: what is due later is never looked at again. */
export const neverMs = 366 * 24 * 3_600_000

/** The instant: what happened before it may have been removed by its age. */
export const removedBefore = ({ sql, tables }: Parts, kind: RemovalKind): Statement.Fragment =>
  sql`coalesce((select r.ended_before + cast(${skewMs} as bigint) from ${tables.removals} r where r.kind = ${kind}), 0)`

/** What breaks a rule, ordered and limited if it is a query. */
export const breachesOf = ({ sql }: Pick<Parts, "sql">, rule: Rule): Breaches =>
  Statement.isFragment(rule)
    ? sql<Breach>`select subject, detail from (${rule}) as breaches
    order by 1 limit ${sql.literal(String(maxBreaches))}`
    : rule

/**
 * A rule that a row breaks by itself, or together with those that `from` joins to it. Of the flaws, each a condition in
 * SQL by what is told of it, the first that holds is told.
 */
export const flaws = (
  { sql }: Parts,
  { subject, from, of }: { subject: string; from: Statement.Fragment; of: Readonly<Record<string, string>> }
): Statement.Fragment => {
  const all = Object.entries(of)
  const told = all.map(([detail, condition]) => `when ${condition} then '${detail}'`).join("\n        ")
  const any = all.map(([, condition]) => `(${condition})`).join("\n        or ")
  return sql`select ${sql.literal(subject)} as subject, case ${sql.literal(told)} end as detail
      from ${from} where ${sql.literal(any)}`
}

/** What two rows may not share: `of` are columns of `from`, `where` says of which rows. */
interface Uniqueness {
  readonly from: Statement.Fragment | Statement.Identifier
  readonly of: ReadonlyArray<string>
  readonly where?: string
}

/** A rule that no two rows may have the same. */
export const unique = ({ sql }: Parts, { from, of, where = "true" }: Uniqueness): Statement.Fragment => {
  const columns = sql.literal(of.join(", "))
  const subject = sql.literal(of.map((column) => `cast(${column} as text)`).join(" || ' ' || "))
  return sql`select ${subject} as subject, count(*) || ' rows' as detail
      from ${from} where ${sql.literal(where)} group by ${columns} having count(*) > 1`
}

/** The condition that a column holds none of these texts. */
export const isNone = (column: string, literals: ReadonlyArray<string>): string =>
  `${column} not in (${literals.map((literal) => `'${literal}'`).join(", ")})`

/** The condition that a column of numbers holds neither 0 nor 1. */
export const isNoFlag = (column: string): string => `${column} not in (0, 1)`

/** The condition that a column names neither of the two modes. */
export const isNoMode = (column: string): string => isNone(column, ["live", "sandbox"])
