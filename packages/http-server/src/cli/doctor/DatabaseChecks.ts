/** Checks of the database: that it is there, its schema, its clock, and whether its secrets open. They only read. */
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Clock, Effect, FileSystem } from "effect"
import type { SqlError } from "effect/sql"
import * as Database from "../kit/Database.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as SecretKeys from "../kit/SecretKeys.ts"
import { faulty, longestMs, passed, remarkOf, type Told, warned } from "./Remark.ts"

/** What due times may differ by between servers without anyone seeing it. */
const skewMs = 2_000
/** From here on leases end while they are in use, and codes and sessions before their time. */
const maxSkewMs = 10_000

type Condition = Effect.Success<ReturnType<typeof Database.conditionOf>>

/** All of them. Each is told of, also if the database cannot be opened. */
export const databaseChecks = Effect.fnUntraced(function* (location: Database.Location) {
  const opened = yield* Effect.result(reached(location))
  const of = <R>(look: (condition: Condition) => Effect.Effect<Told, SqlError.SqlError | CommandFailed, R>) =>
    Effect.mapError(Effect.flatMap(Effect.fromResult(opened), look), (error) =>
      error instanceof CommandFailed ? error : unavailable(Database.saidBy(error))
    )
  /** A check that says nothing new if there is nothing to look at. */
  const then = <R>(look: (condition: Condition) => Effect.Effect<Told, SqlError.SqlError | CommandFailed, R>) =>
    opened._tag === "Success" ? of(look) : Effect.succeed(unseen)
  const keys = yield* Effect.cached(SecretKeys.forDatabase(location, { readOnly: true }))
  return yield* Effect.all([
    remarkOf("database", "Name the right one with --database, or start it", of(database(location))),
    remarkOf("schema", seeDatabase, then(schema(location))),
    remarkOf("clock", seeDatabase, then(clock(location))),
    remarkOf("keys", "Bring the keys back from where they are kept", keysOf(keys, location)),
    remarkOf(
      "secrets",
      "See keys, schema and database",
      then((condition) => Effect.flatMap(Effect.mapError(keys, unreadable), secrets(condition)))
    )
  ])
}, Effect.scoped)

const seeDatabase = "See database"

const unseen = faulty("cannot be told without the database", seeDatabase)

const unavailable = (message: string) => new CommandFailed({ error: "database_unavailable", message })

/** The database, once it has answered: a client connects with its first statement. */
const reached = (location: Database.Location) =>
  Effect.gen(function* () {
    yield* Database.found(location, {})
    const condition = yield* Database.conditionOf(location)
    yield* Effect.mapError(condition.now, (error) => Database.cannotOpen(location, error))
    return condition
  }).pipe(
    Effect.timeoutOrElse({
      duration: longestMs,
      orElse: () => Effect.fail(unavailable(`${location.url} does not answer within ${longestMs / 1000} s`))
    })
  )

const database = (location: Database.Location) => (condition: Condition) =>
  Effect.gen(function* () {
    if (yield* condition.isCopied) {
      return faulty(`a copy into ${location.url} has not ended`, "Run the same tolem copy again: it goes on")
    }
    if (yield* condition.isReadOnly) {
      return faulty(`${location.url} cannot be written`, "Name the primary: standbys are read-only")
    }
    return passed(`${location.url}, ${Math.ceil((yield* condition.bytes) / 1e6)} MB`)
  })

const schema =
  ({ url, kind }: Database.Location) =>
  (condition: Condition) =>
    Effect.map(condition.schema, ({ pending, lacking, skipped, newer, newest }) => {
      if (skipped.length > 0) {
        return faulty(
          `lacks ${skipped.join(", ")}, which no migration runs any more`,
          "Restore a backup, or ask the authors with the output of this command"
        )
      }
      if (pending.length > 0) {
        const command = `tolem migrate --database '${url}'`
        return faulty(
          newest === null ? "there is none yet" : `lacks ${lacking}`,
          kind === "postgres" ? `Run, with the password: ${command}` : `Back up, then run ${command}`
        )
      }
      return newer.length > 0
        ? warned(`has ${newer.join(", ")}, which this version does not know`, "Run the newer version of this program")
        : passed(`up to date, ${newest}`)
    })

const clock =
  ({ kind }: Database.Location) =>
  (condition: Condition) =>
    Effect.gen(function* () {
      const before = yield* Clock.currentTimeMillis
      const theirs = yield* condition.now
      const after = yield* Clock.currentTimeMillis
      // Anywhere between the two it was read.
      const off = theirs < before ? before - theirs : Math.max(0, theirs - after)
      const where = kind === "postgres" ? "the database's" : "that of SQLite"
      const todo = "Let NTP set the clocks of both machines: timedatectl set-ntp true"
      const what = `the clock here is ${(off / 1000).toFixed(1)} s ${theirs < before ? "ahead of" : "behind"} ${where}`
      if (off > maxSkewMs) return faulty(what, todo)
      return off > skewMs ? warned(what, todo) : passed(`agrees with ${where}`)
    })

/** Whether keys are needed is not known of what cannot be read. */
const keysOf = <E, R>(keys: Effect.Effect<unknown, E, R>, location: Database.Location) =>
  Effect.catchIf(
    Effect.andThen(keys, keyFile(location)),
    (error) => error instanceof CommandFailed && error.error.startsWith("database_"),
    () => Effect.succeed(unseen)
  )

const keyFile = ({ keyFile: path, kind }: Database.Location) =>
  Effect.gen(function* () {
    if ((yield* SecretKeys.fromVariable)._tag === "Some") return passed(`from ${SecretKeys.variable}`)
    const fs = yield* FileSystem.FileSystem
    if (path === null) return passed("end with the process, as the database does")
    if (!(yield* fs.exists(path))) return passed(`there are none yet: the first start makes ${path}`)
    if (((yield* fs.stat(path)).mode & 0o077) !== 0 && process.platform !== "win32") {
      return warned(`others on this machine can read ${path}`, `chmod 600 '${path}'`)
    }
    return kind === "postgres"
      ? warned(
          `only this machine has ${path}`,
          `Set ${SecretKeys.variable} to its text wherever servers and commands run`
        )
      : passed(`in ${path}; back it up apart from the data`)
  })

const unreadable = () =>
  new CommandFailed({ error: "secret_key_wrong", message: "cannot be opened without the keys: see keys" })

const secrets = (condition: Condition) => (keys: SecretKeys.SecretKeys) =>
  Effect.gen(function* () {
    const { pending, skipped } = yield* condition.schema
    if (pending.length + skipped.length > 0) return faulty("cannot be told of another schema", "See schema")
    const box = yield* Effect.provide(SecretBox.SecretBox, SecretBox.layer(keys))
    const closed = yield* condition.unopened(box)
    return closed.length === 0
      ? passed("all open")
      : faulty(
          `${closed.length} do not open, as ${closed[0]}`,
          `Put the keys that sealed them behind the first one of ${SecretKeys.variable}, commas between`
        )
  })
