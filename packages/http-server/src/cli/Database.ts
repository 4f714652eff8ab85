/** Which database a command works on. A further kind of database is a further scheme here, and nowhere else. */
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import type { Stores } from "@tolem/core/Engine"
import type { SecretBox } from "@tolem/core/SecretBox"
import { Effect, Layer, Result } from "effect"
import { CommandFailed } from "./Failures.ts"

/** A database that a command can work on. */
export interface Location {
  /** As it was given. */
  readonly url: string
  /** The file it is kept in; null where it ends with the process. */
  readonly file: string | null
}

/** The database of whoever names none. */
export const defaultUrl = "sqlite:.tolem/tolem.db"

const memory = ":memory:"
const forms = "sqlite:PATH (as sqlite:.tolem/tolem.db) or sqlite::memory:"

/** The database that `url` names, or why it names none. */
export const parse = (url: string): Result.Result<Location, string> => {
  const [, scheme, path] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? []
  // What was given is not repeated: the address of a database may hold a password.
  if (scheme === undefined || path === undefined) return Result.fail(`no database address; write ${forms}`)
  if (scheme.toLowerCase() !== "sqlite") return Result.fail(`unknown kind of database "${scheme}"; write ${forms}`)
  if (path === memory) return Result.succeed({ url, file: null })
  // What follows two slashes is a host in one tool and a relative path in the next.
  const isPath = path !== "" && !/^(\/\/|:|file:)/i.test(path) && !path.includes("\0")
  return isPath ? Result.succeed({ url, file: path }) : Result.fail(`no file is named; write ${forms}`)
}

/** The stores on that database, its schema brought up to date. */
export const layer = ({ url, file }: Location): Layer.Layer<Stores, CommandFailed, SecretBox> =>
  Sqlite.layer({ filename: file ?? memory }).pipe(
    Layer.catch((error) => {
      const reason = error._tag === "SqlError" ? error.reason.message : error.message
      const message = `Cannot open the database ${url}: ${reason}`
      return Layer.effectContext(Effect.fail(new CommandFailed({ error: "database_unavailable", message })))
    })
  )
