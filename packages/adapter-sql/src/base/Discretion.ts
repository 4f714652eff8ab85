/**
 * What a database says of a statement that failed, without the values in it: PostgreSQL's details hold whole rows, and
 * so whatever a customer has told a merchant, which no log may hold. SQLite's messages name tables and columns only.
 */
import { SqlError } from "effect/sql"

/** What says where to look, and nothing of what was found there. */
const kept = ["severity", "code", "schema", "table", "column", "dataType", "constraint", "routine"] as const

/** Class 22 are errors of data: their messages quote the value. */
const quotesValues = (code: unknown): boolean => typeof code === "string" && code.startsWith("22")

/** The same error with `cause` bared to code, names and a message without values. */
export const withoutValues = (error: SqlError.SqlError): SqlError.SqlError => {
  const { reason } = error
  const { cause } = reason
  if (!(cause instanceof Error) || !("severity" in cause)) return error
  const names = Object.fromEntries(Object.entries(cause).filter(([name]) => kept.some((each) => each === name)))
  const message = quotesValues(names["code"]) ? cause.message.replace(/".*"/s, '"…"') : cause.message
  const bare = Object.assign(new Error(message), names)
  const Reason = reason.constructor as new (members: object) => SqlError.SqlErrorReason
  return new SqlError.SqlError({ reason: new Reason({ ...reason, message: reason.message, cause: bare }) })
}
