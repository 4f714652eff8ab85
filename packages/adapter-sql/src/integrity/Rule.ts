/** What a rule of the stored data is, and the forms that most of them have. */
import type { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"

/** A rule: its name, and what breaks it, at most `maxBreaches`. */
export interface Rule {
  readonly name: string
  readonly breaches: Effect.Effect<ReadonlyArray<Breach>, SqlError.SqlError>
}

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

/** A rule of this name: `select` answers `subject` and `detail`, and is ordered and limited here. */
export const rule = ({ sql }: Parts, name: string, select: Statement.Fragment): Rule => ({
  name,
  breaches: sql<Breach>`select subject, detail from (${select}) as breaches
    order by 1 limit ${sql.literal(String(maxBreaches))}`
})

/**
 * A rule that a row breaks by itself, or together with those that `from` joins to it. Of the flaws, each a condition in
 * SQL by what is told of it, the first that holds is told.
 */
export const flaws = (
  parts: Parts,
  name: string,
  { subject, from, of }: { subject: string; from: Statement.Fragment; of: Readonly<Record<string, string>> }
): Rule => {
  const { sql } = parts
  const all = Object.entries(of)
  const told = all.map(([detail, condition]) => `when ${condition} then '${detail}'`).join("\n        ")
  const any = all.map(([, condition]) => `(${condition})`).join("\n        or ")
  return rule(
    parts,
    name,
    sql`select ${sql.literal(subject)} as subject, case ${sql.literal(told)} end as detail
      from ${from} where ${sql.literal(any)}`
  )
}

/** A rule that no two rows may have the same: `of` are the columns, `where` says of which rows. */
export const unique = (
  parts: Parts,
  name: string,
  {
    from,
    of,
    where = "true"
  }: { from: Statement.Fragment | Statement.Identifier; of: ReadonlyArray<string>; where?: string }
): Rule => {
  const { sql } = parts
  const columns = sql.literal(of.join(", "))
  const subject = sql.literal(of.map((column) => `cast(${column} as text)`).join(" || ' ' || "))
  return rule(
    parts,
    name,
    sql`select ${subject} as subject, count(*) || ' rows' as detail
      from ${from} where ${sql.literal(where)} group by ${columns} having count(*) > 1`
  )
}

/** The condition that a column holds none of these texts. */
export const isNone = (column: string, literals: ReadonlyArray<string>): string =>
  `${column} not in (${literals.map((literal) => `'${literal}'`).join(", ")})`

/** The condition that a column of numbers holds neither 0 nor 1. */
export const isNoFlag = (column: string): string => `${column} not in (0, 1)`

/** The condition that a column names neither of the two modes. */
export const isNoMode = (column: string): string => isNone(column, ["live", "sandbox"])
