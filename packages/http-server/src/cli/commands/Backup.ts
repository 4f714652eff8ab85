/** `tolem backup` */
import { existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { type BackupFailed, backUp } from "@tolem/adapter-sqlite/Backup"
import { Engine } from "@tolem/core/engine/Engine"
import { Clock, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import * as Database from "../kit/Database.ts"
import { CommandFailed, UsageError } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as Progress from "../kit/Progress.ts"

const to = Flags.text("to", "FILE", "The file that is made. It must not be there; its folder must")

/** Backs up a SQLite database on which servers may work, and checks the backup as `tolem verify` does. */
export const backupCommand = Command.make("backup", { database: Flags.database, to }, ({ database, to }) =>
  Effect.gen(function* () {
    const filename = yield* fileOf(database)
    yield* Database.found(database, {})
    if (!existsSync(dirname(to))) return yield* failed("backup_target_unwritable", `There is no folder ${dirname(to)}`)
    yield* checkSource(database, filename)
    const startedAt = yield* Clock.currentTimeMillis
    const bytes = yield* backUp({ filename, to }).pipe(
      Progress.shown("Copying"),
      Effect.mapError((error) => refusalOf(error, database.url))
    )
    const ms = (yield* Clock.currentTimeMillis) - startedAt
    const { findings, note } = yield* findingsIn({ ...database, kind: "sqlite", url: `sqlite:${to}`, file: to })
    const keys = `The keys that open its secrets are not in it: keep ${database.keyFile ?? "them"} elsewhere.`
    const ok = findings.length === 0
    yield* (yield* Output).print({
      json: { ok, database: database.url, to, bytes, ms, findings, note },
      text: [
        `Backed up ${database.url} to ${to}: ${bytes} bytes, whole to the last page.`,
        note ?? (ok ? "All checks of tolem verify passed on it." : ""),
        keys
      ]
        .filter((line) => line !== "")
        .join("\n")
    })
    const found = findings.slice(0, maxFindings).map(({ rule, subject, detail }) => `${rule}  ${subject}  ${detail}`)
    const head = `${to} is a true copy with ${findings.length} findings, as ${database.url} has: tolem verify`
    if (!ok) return yield* failed("verification_failed", [head, ...found].join("\n"))
  })
).pipe(
  Command.withDescription(
    "Back up a SQLite database while servers work on it: one moment of it, checked to the last page and as tolem " +
      "verify does. Never overwrites a file; exit code 1 if anything is wrong. The keys are not in the backup"
  ),
  Command.withShortDescription("Back up a SQLite database while servers work on it")
)

/** Findings that are told. */
const maxFindings = 20

const failed = (error: string, message: string) => Effect.fail(new CommandFailed({ error, message }))

const fileOf = (database: Database.Location) => {
  const usage = (message: string) => Effect.fail(new UsageError({ message }))
  if (database.kind === "postgres") {
    const how = "pg_dump --format=custom, or pg_basebackup with an archive of its log"
    return usage(`--database: PostgreSQL has its own tools for backups: ${how}`)
  }
  return database.file === null
    ? usage("--database: what is in memory ends with its process")
    : Effect.succeed(database.file)
}

const refusalOf = ({ reason, message }: BackupFailed, url: string) =>
  new CommandFailed({ error: `backup_${reason}`, message: `There is no backup of ${url}: ${message}.` })

/** Fails before anything is made if the backup could not be checked for want of its keys, or would have nothing. */
const checkSource = Effect.fnUntraced(function* (database: Database.Location, filename: string) {
  if (statSync(filename).size === 0) return yield* failed("backup_source_empty", `There is nothing in ${filename}`)
  const opened = Effect.scoped(Layer.build(Assembly.reading(database)))
  yield* Effect.catchTag(opened, "CommandFailed", (failure) =>
    keyErrors.has(failure.error) ? Effect.fail(failure) : Effect.void
  )
})

const keyErrors = new Set(["key_file_missing", "key_file_unusable", "secret_key_wrong"])

/** What the rules find in the backup, and why they could not be asked if they could not. */
const findingsIn = (backup: Database.Location) =>
  Effect.gen(function* () {
    const { integrity } = yield* Engine
    return { findings: yield* Progress.shown("Checking")(integrity.findings), note: null }
  }).pipe(
    Effect.provide(Assembly.reading(backup)),
    Effect.catchTag("CommandFailed", (failure) => {
      const note = "It has the schema of an earlier version: tolem verify of that version can check it."
      return failure.error === "schema_outdated" ? Effect.succeed({ findings: [], note }) : Effect.fail(failure)
    })
  )
