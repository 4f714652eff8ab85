/**
 * The texts that secrets at rest are sealed with. They come from TOLEM_SECRET_KEY; without it from a file beside the
 * database (on PostgreSQL: in this machine's working folder), so that commands and servers on one database share them;
 * and a database in memory gets its own.
 */
import { Config, Effect, FileSystem, Path, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { Location } from "./Database.ts"
import { CommandFailed, UsageError } from "./Failures.ts"

/** The first seals, all open. */
export type SecretKeys = readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]

/** Name of the variable: texts with commas between them. */
export const variable = "TOLEM_SECRET_KEY"

/** Shorter texts could be guessed. */
const minLength = 32

/** The keys for that database. Makes the key file where there is none; two processes at once end up with the same. */
export const forDatabase = Effect.fnUntraced(function* (database: Location) {
  const configured = yield* Effect.mapError(
    Config.option(Config.Redacted(variable)),
    ({ cause }) => new UsageError({ message: `${variable}: ${cause.message}` })
  )
  if (configured._tag === "Some") {
    return yield* Effect.mapError(
      Effect.fromResult(parse(Redacted.value(configured.value))),
      (reason) => new UsageError({ message: `${variable}: ${reason}` })
    )
  }
  const path = database.keyFile
  if (path === null) {
    const keys: SecretKeys = [Redacted.make(yield* generate)]
    return keys
  }
  return yield* fromFile(path, database.kind === "sqlite" ? database.file : null).pipe(
    Effect.catchTag("PlatformError", ({ message }) => keyFileFailed(`Cannot use the key file ${path}: ${message}`))
  )
})

const keyFileFailed = (message: string) => Effect.fail(new CommandFailed({ error: "key_file_unusable", message }))

const parse = (text: string): Result.Result<SecretKeys, string> => {
  const [first, ...others] = text.split(/[,\s]+/).filter((part) => part !== "")
  if (first === undefined) return Result.fail("holds no key")
  return [first, ...others].some((part) => part.length < minLength)
    ? Result.fail(`each key must have at least ${minLength} characters`)
    : Result.succeed([Redacted.make(first), ...others.map((other) => Redacted.make(other))])
}

const fromFile = Effect.fnUntraced(function* (path: string, databaseFile: string | null) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(path))) {
    if (databaseFile !== null && (yield* fs.exists(databaseFile))) {
      const hint = `What was sealed with another key cannot be opened until it is in ${variable}`
      yield* Effect.logWarning(`A new key file is made for an existing database. ${hint}`)
    }
    if (databaseFile === null) {
      const hint = `Servers and commands elsewhere need the same keys: set ${variable} everywhere`
      yield* Effect.logWarning(`Secrets will be sealed with the keys in the new file ${path}. ${hint}`)
    }
    yield* Effect.scoped(create(path))
  }
  const keys = parse(yield* fs.readFileString(path))
  return Result.isSuccess(keys) ? keys.success : yield* keyFileFailed(`The key file ${path}: ${keys.failure}`)
})

/** Nobody ever sees a part of the file, and whoever comes second leaves the first one's. */
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
