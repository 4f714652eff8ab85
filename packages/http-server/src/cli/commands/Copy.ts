/** `tolem copy` */
import { nodePlatform } from "@tolem/adapter-node"
import { Integrity } from "@tolem/core/engine/Integrity"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Clock, Effect, FileSystem, Layer, Option, Stdio } from "effect"
import { Command } from "effect/cli"
import * as Database from "../kit/Database.ts"
import { CommandFailed, UsageError } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as Progress from "../kit/Progress.ts"
import * as SecretKeys from "../kit/SecretKeys.ts"

const copies = Effect.promise(() => import("../kit/Copies.ts"))

const from = Flags.databaseNamed("from", "What is copied, with no server on it")
const to = Flags.databaseNamed("to", "A database that is new, or into which the same copy was begun")

/** Copies a whole installation, compares every row, checks what was made, and only then lets servers open it. */
export const copyCommand = Command.make("copy", { from, to }, (given) =>
  Effect.gen(function* () {
    const { from, to } = given
    yield* checkNames(from, to)
    yield* Database.found(from, { flag: "from" })
    yield* Database.recognized(from, "from")
    yield* Database.recognized(to, "to")
    const { keys, hint } = yield* keysFor(from, to)
    const { failure } = yield* copies
    const startedAt = yield* Clock.currentTimeMillis
    const report = yield* copied(from, to, keys).pipe(Effect.scoped, Effect.mapError(failure(from, to)))
    const ms = (yield* Clock.currentTimeMillis) - startedAt
    const rowsPerSecond = Math.round(((report.rows - report.resumed) * 1000) / Math.max(1, ms))
    const rows = Object.entries(report.tables).map(([table, count]) => `${table} ${count}`)
    yield* (yield* Output).print({
      json: { ok: true, from: from.url, to: to.url, ...report, ms, rowsPerSecond, hint },
      text: [
        `Copied ${report.rows} rows from ${from.url} to ${to.url}, and compared each of them.`,
        `Rows: ${rows.join(", ")}.`,
        ...(report.resumed === 0 ? [] : [`An earlier call had copied ${report.resumed} of them.`]),
        "All checks passed: servers can be started on it.",
        ...(hint === null ? [] : [hint])
      ].join("\n")
    })
  }).pipe(Effect.provide(nodePlatform()))
).pipe(
  Command.withDescription(
    "Copy a whole installation into another database that is new: SQLite to PostgreSQL, back, or the same kind. " +
      "Stop the servers first. A copy that was cut off goes on when it is called again. Every row is compared, and " +
      "the checks of tolem verify run, before a server can open the target; exit code 1 if anything differs"
  ),
  Command.withShortDescription("Copy a whole installation into another database")
)

const checkNames = (from: Database.Location, to: Database.Location) => {
  if (from.url === to.url) return Effect.fail(new UsageError({ message: "--from and --to name the same database" }))
  if (to.kind === "sqlite" && to.file === null)
    return Effect.fail(new UsageError({ message: "--to: the copy would end with the command; name a file" }))
  return Effect.void
}

/** The keys that servers on the target will have, and what has to be done for that. They must open what is copied. */
const keysFor = Effect.fnUntraced(function* (from: Database.Location, to: Database.Location) {
  const fs = yield* FileSystem.FileSystem
  const isEverywhere = Option.isSome(yield* SecretKeys.fromVariable)
  const file = isEverywhere || to.keyFile === null || !(yield* fs.exists(to.keyFile)) ? null : to.keyFile
  const keys = yield* SecretKeys.forDatabase(file === null ? from : to, { readOnly: true, flag: "from" })
  const opened = Database.layer(from, { readOnly: true, flag: "from" }).pipe(Layer.provide(boxOf(keys)))
  yield* Effect.scoped(Layer.build(opened)).pipe(
    Effect.mapError((error) => {
      if (file === null || error.error !== "secret_key_wrong") return error
      const how = `Copy those of ${from.keyFile} there`
      const message = `The keys in ${file} do not open the secrets of ${from.url}. ${how}.`
      return new CommandFailed({ error: "secret_key_wrong", message })
    })
  )
  const missing = !isEverywhere && file === null
  const how = `copy ${from.keyFile} to ${to.keyFile}, or set ${SecretKeys.variable}`
  return { keys, hint: missing ? `Give servers on ${to.url} the same keys before they start: ${how}.` : null }
})

const boxOf = (keys: SecretKeys.SecretKeys) => Layer.provide(SecretBox.layer(keys), nodePlatform())

/** The source is held to the end, the target is free while it is checked as `tolem verify` does. */
const copied = Effect.fnUntraced(function* (
  from: Database.Location,
  to: Database.Location,
  keys: SecretKeys.SecretKeys
) {
  const { copySourceOf, copyTargetOf, fill, open, opening } = yield* copies
  const stdio = yield* Stdio.Stdio
  const source = yield* opening(from, "from")(copySourceOf(from))
  const filled = Effect.gen(function* () {
    const target = yield* opening(to, "to")(copyTargetOf(to))
    // Each of the three has a count of its own.
    const migrate = Effect.provideService(Progress.shown("Making tables")(target.migrate), Stdio.Stdio, stdio)
    return yield* Progress.shown("Copying")(fill(source, { ...target, migrate }))
  })
  const report = yield* Effect.scoped(filled)
  const stores = Database.layer(to, { readOnly: true, unfinished: true, flag: "to" }).pipe(Layer.provide(boxOf(keys)))
  const findings = yield* Integrity.use((integrity) => integrity.findings).pipe(
    Progress.shown("Checking"),
    Effect.provide(stores)
  )
  if (findings.length > 0) {
    const told = findings.slice(0, maxFindings).map(({ rule, subject, detail }) => `${rule}  ${subject}  ${detail}`)
    const head = `Every row has arrived, but ${to.url} has ${findings.length} findings, as the source has: tolem verify`
    return yield* new CommandFailed({ error: "verification_failed", message: [head, ...told].join("\n") })
  }
  yield* Effect.scoped(Effect.flatMap(copyTargetOf(to), open))
  return report
})

/** Findings that are told. */
const maxFindings = 20
