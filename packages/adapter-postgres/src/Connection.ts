/** The client of the database: a pool of connections, as the stores need them. */
import { type PgClient, PgTypes } from "@effect/sql-pg"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as OwnPool from "./OwnPool.ts"
import * as Tls from "./Tls.ts"
import * as WholeNumber from "./WholeNumber.ts"

/** Settings of the connections. */
export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`; of its parameters, those of libpq for TLS and time count. */
  readonly url: string | Redacted.Redacted
  /** Connections at once, beside the one that listens for hints. Default 10. */
  readonly maxConnections?: number | undefined
  /** Overrules the URL's `sslmode`: whether the connection is encrypted, or how (Node's TLS options). */
  readonly tls?: PgClient.PgClientConfig["ssl"]
  /** Longest time of a statement before the database gives it up; 0: no limit. Default 5 000. */
  readonly statementTimeoutMs?: number | undefined
  /** Name of the connections at the database. Default `tolem`. */
  readonly applicationName?: string | undefined
  /**
   * Whether statements are prepared once a connection. Default true; false for poolers that hand connections to others
   * between transactions.
   */
  readonly prepare?: boolean | undefined
  /**
   * Whether `url` is that of a pooler that hands connections on between transactions, as PgBouncer does with
   * `pool_mode = transaction`. Then nothing of a connection outlives a transaction: nothing is prepared, and limits of
   * time are those of the role (`alter role … set statement_timeout`). Default false.
   */
  readonly pooled?: boolean | undefined
  /** The database's own address, past the pooler: for `migrate`, and for hints of other servers. */
  readonly directUrl?: string | Redacted.Redacted | undefined
}

/** Connections at once if nothing else is said. */
export const defaultMaxConnections = 10

/** Longest time of a statement if nothing else is said. */
export const defaultStatementTimeoutMs = 5_000

/** Longest wait of a statement for a lock of others. */
export const lockTimeoutMs = 2_000
const idleInTransactionMs = 10_000

/**
 * The client. It connects with the first statement. Where nothing says whether to encrypt, it does so if the server
 * can, without checking its certificate; a way over the network that is not encrypted is warned about.
 */
export const layer = (options: ConnectionOptions): Layer.Layer<OwnPool.Services, SqlError.SqlError> =>
  Layer.suspend(() => {
    const url = Redacted.isRedacted(options.url) ? options.url : Redacted.make(options.url)
    return Layer.unwrap(Effect.map(encryption(url, options.tls), (tls) => client(url, { ...options, tls })))
  })

/** The same without the pooler; null if there is one and no way past it is named. */
export const direct = <Options extends ConnectionOptions>(options: Options): Options | null => {
  if (options.pooled !== true) return options
  const { directUrl } = options
  return directUrl === undefined ? null : { ...options, url: directUrl, pooled: false }
}

const unlimited = `
  select name from pg_settings where setting = '0' and name in ('statement_timeout', 'lock_timeout') order by name`

/** Warns about a role without limits of time, which a pooler lets no client set. */
export const warnOfNoLimits: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql.unsafe<{ readonly name: string }>(unlimited)
  if (found.length === 0) return
  yield* Effect.logWarning(
    `Behind the pooler nothing limits ${found.map(({ name }) => name).join(" and ")}. Run, for the servers' role: ` +
      `alter role … set statement_timeout = ${defaultStatementTimeoutMs}; ` +
      `alter role … set lock_timeout = ${lockTimeoutMs}; ` +
      `alter role … set idle_in_transaction_session_timeout = ${idleInTransactionMs}`
  )
})

const encryption = Effect.fnUntraced(function* (url: Redacted.Redacted, tls: ConnectionOptions["tls"]) {
  const target = Tls.targetOf(url)
  const isOpen = tls === undefined && Tls.isOpen(target)
  const isOffered = isOpen && (yield* Tls.isOffered(target))
  const isPlain = isOpen ? !isOffered : tls === false || (tls === undefined && target.mode === "disable")
  if (isPlain && !Tls.isLocal(target)) yield* Effect.logWarning(Tls.plainWarning(target))
  if (tls === undefined && Tls.isChecked(target.mode) && target.authority !== "")
    return yield* trusting(target.authority)
  if (!isOpen) return tls
  return isOffered ? { rejectUnauthorized: false } : false
})

const trusting = (file: string) =>
  Effect.try({
    try: () => ({ ca: Tls.readAuthority(file) }),
    catch: (cause) =>
      new SqlError.SqlError({
        reason: new SqlError.ConnectionError({ message: `sslrootcert: ${cause}`, operation: "connect", cause })
      })
  })

const client = (
  url: Redacted.Redacted,
  options: ConnectionOptions
): Layer.Layer<OwnPool.Services, SqlError.SqlError> => {
  const {
    maxConnections = defaultMaxConnections,
    tls,
    statementTimeoutMs = defaultStatementTimeoutMs,
    pooled = false
  } = options
  return OwnPool.layer({
    url,
    ...(tls !== undefined && { ssl: tls }),
    types,
    maxConnections: maxConnections + listeners,
    applicationName: options.applicationName ?? "tolem",
    keepAlive: Duration.seconds(10),
    prepare: !pooled && (options.prepare ?? true),
    startupParameters: pooled ? {} : limitsOf(statementTimeoutMs),
    spanAttributes: spanAttributesOf(url)
  })
}

// Named as OpenTelemetry names them. Without a database in the address the server takes the one of the user's name.
const spanAttributesOf = (url: Redacted.Redacted) => {
  const { host, port, database } = Tls.targetOf(url)
  return { "server.address": host, "server.port": port, ...(database !== "" && { "db.namespace": database }) }
}

const limitsOf = (statementTimeoutMs: number) => ({
  statement_timeout: String(statementTimeoutMs),
  lock_timeout: String(statementTimeoutMs === 0 ? 0 : lockTimeoutMs),
  idle_in_transaction_session_timeout: String(idleInTransactionMs),
  // Every statement that a request or an agent waits for goes by an index. Planned while a table is small it would read
  // the whole table, and a prepared statement is not planned again while the table grows.
  enable_seqscan: "off"
})

const listeners = 1

const types = PgTypes.makeRegistry()
types.register(PgTypes.OID.int8, WholeNumber.codec, { arrayOid: PgTypes.OID.int8Array })
