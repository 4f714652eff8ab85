/** The address of a database as people write it, with the storage's settings as parameters. */
import { Redacted, Result } from "effect"
import type { PostgresOptions } from "./Postgres.ts"
import * as Tls from "./Tls.ts"

/** What an address says. */
export interface Address {
  /** Settings for `layer` and `migrate`. */
  readonly options: PostgresOptions & { readonly url: Redacted.Redacted }
  /** The address with no more than host, database, schema and prefix: for logs and messages. */
  readonly shown: string
}

const name = /^[A-Za-z_][A-Za-z0-9_]{0,30}$/

// Parameters that are ours; all others are libpq's and pass through.
const ours = ["schema", "prefix", "pool_size", "statement_timeout", "prepare", "pooler", "direct"]

/**
 * Reads `postgres://user:password@host:port/database`, with these parameters of ours beside those of libpq:
 * `schema`, `prefix`, `pool_size` (connections), `statement_timeout` (milliseconds), `prepare` (`true` or `false`),
 * `pooler` (`transaction`) with `direct` (HOST:PORT of the database itself).
 * Fails with what is wrong, which never repeats the address: it may hold a password.
 */
export const parse = (text: string): Result.Result<Address, string> => {
  const url = URL.parse(text)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return Result.fail(`write ${form}`)
  if (url.hostname === "" && !url.searchParams.has("host")) return Result.fail(`no host is named; write ${form}`)
  const given = (parameter: string) => url.searchParams.get(parameter) ?? undefined
  const schema = given("schema")
  const prefix = given("prefix")
  const maxConnections = wholeNumber(given("pool_size"))
  const statementTimeoutMs = wholeNumber(given("statement_timeout"))
  const prepare = given("prepare")
  if (schema !== undefined && !name.test(schema)) return Result.fail("schema must be a plain name")
  if (prefix !== undefined && !name.test(prefix)) return Result.fail("prefix must be a plain name")
  if (maxConnections === null || maxConnections === 0) return Result.fail("pool_size must be a number from 1")
  if (statementTimeoutMs === null) return Result.fail("statement_timeout must be a number of milliseconds")
  if (prepare !== undefined && !/^(true|false)$/.test(prepare)) return Result.fail("prepare must be true or false")
  const pooler = given("pooler")
  const direct = given("direct")
  if (pooler !== undefined && pooler !== "transaction") return Result.fail("pooler must be transaction")
  if (direct !== undefined && pooler === undefined) return Result.fail("direct needs pooler=transaction")
  if (direct !== undefined && !/^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i.test(direct))
    return Result.fail("direct must be HOST:PORT")
  const mode = given("sslmode")
  if (mode !== undefined && !Tls.modes.some((one) => one === mode))
    return Result.fail(`sslmode must be one of ${Tls.modes.join(", ")}`)
  const foreign = Tls.unsupported.find((parameter) => url.searchParams.has(parameter))
  if (foreign !== undefined) return Result.fail(`${foreign} is not supported`)
  // Of two the client might take the other one.
  const twice = [...url.searchParams.keys()].find((parameter, at, all) => all.indexOf(parameter) !== at)
  if (twice !== undefined) return Result.fail("a parameter is given twice")
  const isUnchecked = !Tls.isChecked(mode ?? "")
  if (given("sslrootcert") !== undefined && isUnchecked) return Result.fail("sslrootcert needs sslmode=verify-full")
  const shown = `${url.protocol}//${url.host}${url.pathname}`
  const tables = new URLSearchParams()
  if (schema !== undefined) tables.set("schema", schema)
  if (prefix !== undefined) tables.set("prefix", prefix)
  for (const parameter of ours) url.searchParams.delete(parameter)
  const directUrl = direct === undefined ? undefined : addressPast(url, direct)
  return Result.succeed({
    options: {
      url: Redacted.make(url.href),
      schema,
      prefix,
      maxConnections,
      statementTimeoutMs,
      ...(prepare !== undefined && { prepare: prepare === "true" }),
      ...(pooler !== undefined && { pooled: true, directUrl })
    },
    shown: tables.size === 0 ? shown : `${shown}?${tables}`
  })
}

const addressPast = (url: URL, direct: string): Redacted.Redacted => {
  const past = new URL(url)
  past.searchParams.delete("host")
  past.searchParams.delete("port")
  past.port = ""
  past.host = direct
  return Redacted.make(past.href)
}

/** Why a connection was refused, in plain words, if it is for its encryption or a pooler; otherwise undefined. */
export const explainRefusal = (cause: unknown): string | undefined =>
  cause instanceof Error && cause.message.startsWith("unsupported startup parameter")
    ? "this is the address of a pooler, such as PgBouncer: add pooler=transaction to it"
    : Tls.explain(cause)

const form = "postgres://USER:PASSWORD@HOST:PORT/DATABASE"

const wholeNumber = (text: string | undefined): number | null | undefined => {
  if (text === undefined) return undefined
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}
