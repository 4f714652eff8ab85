/**
 * The texts that secrets at rest are sealed with. They come from TOLEM_SECRET_KEY; without it from a file beside the
 * database (on PostgreSQL: in this machine's working folder), so that commands and servers on one database share them;
 * and a database in memory gets its own.
 */
import { weaknessOf } from "@tolem/core/secret/SecretStrength"
import { Config, Effect, FileSystem, Path, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { isSealedPostgres, type Location, recognized, type Use } from "./Database.ts"
import { CommandFailed, UsageError } from "./Failures.ts"

/** The first seals, all open. */
export type SecretKeys = readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]

/** Name of the variable: texts with commas between them. */
export const variable = "TOLEM_SECRET_KEY"

/**
 * The keys for that database. Makes the key file if there is none and the database is new; two processes at once end
 * up with the same. Beside a database that exists a new key would open nothing, so there it is an error. What only
 * reads makes no file.
 */
export const forDatabase = Effect.fnUntraced(function* (database: Location, { readOnly = false, flag }: Use = {}) {
  const configured = yield* fromVariable
  if (configured._tag === "Some") {
    return yield* Effect.mapError(
      Effect.fromResult(parse(Redacted.value(configured.value))),
      (reason) => new UsageError({ message: `${variable}: ${reason}` })
    )
  }
  const path = database.keyFile
  if (path === null) return yield* passing
  return yield* fromFile(path, database, { readOnly, flag }).pipe(
    Effect.catchTag("PlatformError", ({ message }) => keyFileFailed(`Cannot use the key file ${path}: ${message}`))
  )
})

/** What the variable says, if anything: it holds for every database. */
export const fromVariable = Effect.mapError(
  Config.option(Config.Redacted(variable)),
  ({ cause }) => new UsageError({ message: `${variable}: ${cause.message}` })
)

/** A key that ends with the process. */
const passing = Effect.suspend(() => Effect.map(generate, (key): SecretKeys => [Redacted.make(key)]))

const keyFileFailed = (message: string) => Effect.fail(new CommandFailed({ error: "key_file_unusable", message }))

const parse = (text: string): Result.Result<SecretKeys, string> => {
  const [first, ...others] = text.split(/[,\s]+/).filter((part) => part !== "")
  if (first === undefined) return Result.fail("holds no key")
  const weakness = [first, ...others].map(weaknessOf).find((each) => each !== undefined)
  return weakness === undefined
    ? Result.succeed([Redacted.make(first), ...others.map((other) => Redacted.make(other))])
    : Result.fail(weakness)
}

const fromFile = Effect.fnUntraced(function* (path: string, database: Location, { readOnly, flag }: Use) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(path))) {
    // A rival makes the key before the database: where there is a database now, there may be a key by now.
    if ((yield* isSealed(database, flag)) && !(yield* fs.exists(path))) {
      const hint = `Bring the key file ${path} back, or set ${variable}`
      const message = `The secrets in ${database.url} are sealed, and the key is not here. ${hint}`
      return yield* new CommandFailed({ error: "key_file_missing", message })
    }
    if (readOnly) return yield* passing
    if (database.kind === "postgres") {
      const hint = `Servers and commands elsewhere need the same keys: set ${variable} everywhere`
      yield* Effect.logWarning(`Secrets will be sealed with the keys in the new file ${path}. ${hint}`)
    }
    yield* Effect.scoped(create(path))
  }
  const keys = parse(yield* fs.readFileString(path))
  if (((yield* fs.stat(path)).mode & 0o077) !== 0 && process.platform !== "win32") {
    yield* Effect.logWarning(`Others on this machine can read the keys. Close them with: chmod 600 '${path}'`)
  }
  return Result.isSuccess(keys) ? keys.success : yield* keyFileFailed(`The key file ${path}: ${keys.failure}`)
})

/** Whether something may have been sealed in the database before. */
const isSealed = Effect.fnUntraced(function* (database: Location, flag: Use["flag"]) {
  if (database.kind === "postgres") return yield* isSealedPostgres(database, flag)
  const fs = yield* FileSystem.FileSystem
  const { file } = database
  if (file === null || !(yield* fs.exists(file)) || (yield* fs.stat(file)).size === 0n) return false
  // Keys would be of no use to what is no database.
  yield* recognized(database, flag)
  return true
})

/** The file appears whole, and a second process keeps the first one's. */
const create = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = (yield* Path.Path).dirname(path)
  yield* fs.makeDirectory(folder, { recursive: true })
  const draft = `${path}.${(yield* generate).replace(/[^A-Za-z0-9]/g, "").slice(0, 12)}`
  const file = yield* fs.open(draft, { flag: "wx", mode: 0o600 })
  yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(draft)))
  yield* file.writeAll(new TextEncoder().encode(`${yield* generate}\n`))
  yield* file.sync
  yield* Effect.catchIf(
    fs.link(draft, path),
    (error) => error.reason._tag === "AlreadyExists",
    () => Effect.void
  )
  yield* Effect.ignore(syncFolder(folder))
})

// A name is on the disk only when its folder is: the database could outlive its key. Some systems cannot do it.
const syncFolder = Effect.fnUntraced(function* (folder: string) {
  const entries = yield* (yield* FileSystem.FileSystem).open(folder, { flag: "r" })
  yield* entries.sync
})

/** 256 random bits, in base64. */
const generate = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return Base64.encode(yield* random.randomBytes(32))
})
