/** Which database a command works on. A further kind of database is a further location here, and nowhere else. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs"
import type * as Postgres from "@tolem/adapter-postgres/Postgres"
import * as PostgresUrl from "@tolem/adapter-postgres/Url"
import type * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import type { Stores } from "@tolem/core/engine/Engine"
import type { SecretBox } from "@tolem/core/secret/SecretBox"
import { Effect, Layer, Redacted, Result } from "effect"
import { SqlError } from "effect/sql"
import { CommandFailed } from "./Failures.ts"

/** A database that a command can work on. */
export type Location = SqliteLocation | PostgresLocation

interface Common {
  /** As it may be shown: without user and password. */
  readonly url: string
  /** Where the keys of its secrets are kept when nothing else is said; null if they end with the process. */
  readonly keyFile: string | null
}

interface SqliteLocation extends Common {
  readonly kind: "sqlite"
  /** The file it is kept in; null if it ends with the process. */
  readonly file: string | null
}

/** A database that others on the network may work on too. */
export interface PostgresLocation extends Common {
  readonly kind: "postgres"
  readonly options: PostgresUrl.Address["options"]
}

/** The database if none is named. */
export const defaultUrl = "sqlite:.tolem/tolem.db"

/** The variable with the password, for an address without one: what a container is given as a secret is only that. */
export const passwordVariable = "TOLEM_DATABASE_PASSWORD"

/** How addresses are written. */
export const forms = "sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE"

const memory = ":memory:"

/** The database that `url` names, or why it names none. A PostgreSQL address without a password gets the given one. */
export const parseDatabase = (url: string, password?: Redacted.Redacted): Result.Result<Location, string> => {
  const [, scheme, path] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? []
  // What was given is not repeated: the address of a database may hold a password.
  if (scheme === undefined || path === undefined) return Result.fail(`no database address; write ${forms}`)
  if (/^postgres(ql)?$/i.test(scheme)) return Result.map(PostgresUrl.parse(withPassword(url, password)), onPostgres)
  if (scheme.toLowerCase() !== "sqlite") return Result.fail(`unknown kind of database "${scheme}"; write ${forms}`)
  if (path === memory) return Result.succeed({ kind: "sqlite", url, file: null, keyFile: null })
  // What follows two slashes is a host in one tool and a relative path in the next.
  const isPath = path !== "" && !/^(\/\/|:|file:)/i.test(path) && !path.includes("\0")
  return isPath
    ? Result.succeed({ kind: "sqlite", url, file: path, keyFile: `${path}.key` })
    : Result.fail(`no file is named; write ${forms}`)
}

const withPassword = (text: string, password?: Redacted.Redacted): string => {
  const url = password === undefined ? null : URL.parse(text)
  // An address without a host cannot hold one; it is refused as it is.
  if (password === undefined || url === null || url.host === "" || url.password !== "") return text
  url.password = encodeURIComponent(Redacted.value(password))
  return url.href
}

const onPostgres = ({ options, shown }: PostgresUrl.Address): Location => {
  const name = shown.replace(/^\w+:\/\//, "").replace(/[^A-Za-z0-9.-]+/g, "_")
  return { kind: "postgres", url: shown, options, keyFile: `.tolem/${name}.key` }
}

// Each is loaded for the locations that name it: together they are a quarter of the program.
const postgres: Effect.Effect<typeof Postgres> = Effect.promise(() => import("@tolem/adapter-postgres/Postgres"))
const sqlite: Effect.Effect<typeof Sqlite> = Effect.promise(() => import("@tolem/adapter-sqlite/Sqlite"))

/** How a command uses the database. */
export interface Use {
  /** Only to read: nothing is made, brought up to date or written. Default false. */
  readonly readOnly?: boolean
  /** Whether a SQLite file that is not there is made. Default false: most commands have nothing to do in a new one. */
  readonly makes?: boolean
  /** Opens it although another database is copied into it, and that has not ended. Default false. */
  readonly unfinished?: boolean
  /** The flag that names it, for what is advised. Default `database`. */
  readonly flag?: DatabaseFlag | undefined
}

/** Flags that name databases. */
export type DatabaseFlag = "database" | "from" | "to"

/** A database that is not there, is none, or refuses the user. What is the matter and what to do are told apart. */
export class NoDatabase extends CommandFailed {
  readonly what: string
  readonly todo: string
  constructor(error: "database_not_found" | "database_unavailable", what: string, todo: string) {
    super({ error, message: `${what}. ${todo}` })
    this.what = what
    this.todo = todo
  }
}

/**
 * The stores on that database. A SQLite file is brought up to date first, unless it is only read; PostgreSQL is
 * refused if it is not.
 */
export const layer = (
  location: Location,
  { readOnly = false, unfinished = false, flag }: Use = {}
): Layer.Layer<Stores, CommandFailed, SecretBox> => {
  const use = { readOnly, unfinished }
  const stores: Effect.Effect<Layer.Layer<Stores, OpenError, SecretBox>> =
    location.kind === "postgres"
      ? Effect.map(postgres, (it) => it.layer({ ...location.options, ...use }))
      : Effect.map(sqlite, (it) => it.layer({ filename: location.file ?? memory, ...use }))
  return Layer.unwrap(stores).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(cannotOpen(location, error, flag))))
  )
}

/** Fails if there is no such database, and it is not to be made. Asked before anything else of it is touched. */
export const found = (location: Location, { makes = false, flag }: Use): Effect.Effect<void, CommandFailed> =>
  makes || isThere(location) ? Effect.void : Effect.fail(notThere(location, flag))

// PostgreSQL tells by itself that it has no such database; a file would be made.
const isThere = (location: Location): boolean =>
  location.kind === "postgres" || (location.file !== null && existsSync(location.file))

const notThere = (location: Location, flag: DatabaseFlag = "database"): NoDatabase => {
  const { url, kind } = location
  const isUsual = kind === "postgres" || url === defaultUrl || !existsSync(defaultUrl.replace("sqlite:", ""))
  const others = isUsual ? "" : `Did you mean ${defaultUrl}? `
  return new NoDatabase("database_not_found", `There is no database ${url}`, `${others}${instead(location, flag)}`)
}

const instead = ({ url, kind, keyFile }: Location, flag: DatabaseFlag): string => {
  if (keyFile === null) return "Name a file"
  if (flag === "from") return "Name the one that is to be copied with --from"
  const another = `Name another with --${flag}, or make it`
  if (flag === "to") return `${another} on that server (create database): this command makes its tables`
  const command = `tolem migrate --database '${url}'`
  return kind === "postgres"
    ? `${another} on that server (create database), and run, with the password added: ${command}`
    : `${another}: ${command}`
}

/** What each file of SQLite begins with. One that is empty has nothing yet, and may become one. */
const beginning = "SQLite format 3\0"

/** Why what is at the place of a SQLite file is none; undefined if it may be one. */
const strangerAt = (file: string): string | undefined => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined || found.size === 0) return undefined
  if (!found.isFile()) return found.isDirectory() ? "it is a folder" : "it is no file"
  const bytes = Buffer.alloc(beginning.length)
  const opened = openSync(file, "r")
  try {
    readSync(opened, bytes, 0, bytes.length, 0)
  } finally {
    closeSync(opened)
  }
  return bytes.toString("latin1") === beginning ? undefined : "the file holds something else"
}

const noDatabaseAt = ({ url, ...location }: Location, flag: DatabaseFlag = "database"): NoDatabase | undefined => {
  if (location.kind === "postgres" || location.file === null) return undefined
  try {
    const stranger = strangerAt(location.file)
    const todo = `Name the right one with --${flag}`
    if (stranger === undefined) return undefined
    return new NoDatabase("database_unavailable", `${url} is not a database: ${stranger}`, todo)
  } catch {
    // What cannot be read tells why when it is opened.
    return undefined
  }
}

/** Fails if something else than a database is in its place. */
export const recognized = (location: Location, flag?: DatabaseFlag): Effect.Effect<void, NoDatabase> =>
  Effect.suspend(() => {
    const failure = noDatabaseAt(location, flag)
    return failure === undefined ? Effect.void : Effect.fail(failure)
  })

/** Writes of one kind that a server makes at once: SQLite has one writer, PostgreSQL has several. */
export const writersOf = ({ kind }: Location): number => (kind === "postgres" ? 2 : 1)

/** Makes the database's schema, or brings it up to date; answers the names of the steps that ran. */
export const migrate = (location: PostgresLocation) =>
  Effect.mapError(
    Effect.flatMap(postgres, (it) => it.migrate(location.options)),
    (error) => cannotOpen(location, error)
  )

/** The statements that would make the schema, or bring one that has the step `after` up to date. */
export const scriptOf = (location: Location, after: number | undefined): Effect.Effect<string> =>
  location.kind === "postgres"
    ? Effect.map(postgres, (it) => it.script({ ...location.options, after }))
    : Effect.map(sqlite, (it) => it.script({ after }))

/** The database as it is found, without opening its stores. See `Condition`. */
export const conditionOf = (location: Location) =>
  Effect.mapError(
    location.kind === "postgres"
      ? Effect.flatMap(postgres, (it) => it.condition(location.options))
      : Effect.flatMap(sqlite, (it) => it.condition({ filename: location.file ?? memory })),
    (error) => cannotOpen(location, error)
  )

/** Whether a server has sealed anything in the database before. */
export const isSealedPostgres = (location: PostgresLocation, flag?: DatabaseFlag) =>
  Effect.mapError(
    Effect.flatMap(postgres, (it) => it.isSealed(location.options)),
    (error) => cannotOpen(location, error, flag)
  )

type OpenError =
  | Layer.Error<ReturnType<typeof Postgres.layer>>
  | Layer.Error<ReturnType<typeof Sqlite.layer>>
  | Effect.Error<ReturnType<typeof Postgres.migrate>>

/** What to answer if a database cannot be opened. */
export const cannotOpen = (location: Location, error: OpenError, flag?: DatabaseFlag): CommandFailed => {
  const { url } = location
  if (error._tag === "SchemaOutdated") {
    return new CommandFailed({ error: "schema_outdated", message: outdated(location, error, flag) })
  }
  if (error._tag === "CopyUnfinished") {
    const message = `A copy into ${url} has not ended: run the same tolem copy again, which goes on.`
    return new CommandFailed({ error: "copy_unfinished", message })
  }
  if (error._tag === "SecretUnreadable") {
    const message = `The secrets in ${url} are sealed with other keys than those given here (key ${error.keyId}).`
    return new CommandFailed({ error: "secret_key_wrong", message })
  }
  if (codeOf(error) === unknownDatabase) return notThere(location, flag)
  const what = `Cannot open the database ${url}: ${saidBy(error)}`
  if (isRefused(error)) {
    const todo = `Give the user and password that its server has; an address without one takes ${passwordVariable}`
    return new NoDatabase("database_unavailable", what, todo)
  }
  return noDatabaseAt(location, flag) ?? new CommandFailed({ error: "database_unavailable", message: what })
}

const outdated = (
  { url, kind }: Location,
  { pending, lacking }: Extract<OpenError, { readonly _tag: "SchemaOutdated" }>,
  flag?: DatabaseFlag
): string => {
  const command = `tolem migrate --database '${url}'`
  const where = kind === "postgres" ? "with the password added" : "where it can be written"
  // Without its first step it has none.
  if (pending.some((step) => /^0*1_/.test(step))) {
    const what = `${url} has no tables of Tölem yet`
    return flag === "from"
      ? `${what}: there is nothing to copy. Name another with --from`
      : `${what}. To make them run, ${where}: ${command}`
  }
  return `The schema of ${url} lacks ${lacking}. Run, ${where}: ${command}`
}

/** PostgreSQL's code for a database that the server does not have. */
const unknownDatabase = "3D000"

/** Whether the server does not take the user or the password, or wants one and has got none. */
const isRefused = (error: SqlError.SqlError | Error): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "AuthenticationError"

const codeOf = (error: SqlError.SqlError | Error): unknown => {
  const cause = SqlError.isSqlError(error) ? error.reason.cause : undefined
  return cause instanceof Error && "code" in cause ? cause.code : undefined
}

/** What the database itself has said, which is more than that a statement failed. */
export const saidBy = (error: SqlError.SqlError | Error): string => {
  if (!SqlError.isSqlError(error)) return error.message
  const { cause, message } = error.reason
  return PostgresUrl.explainRefusal(cause) ?? (cause instanceof Error && cause.message !== "" ? cause.message : message)
}
