/** `tolem doctor` */
import { nodePlatform } from "@tolem/adapter-node"
import { Effect, Logger, Option, Result } from "effect"
import { Command } from "effect/cli"
import { type Configuration, configuration } from "../config/ConfigFile.ts"
import { type Attempted, attemptEach } from "../doctor/Attempt.ts"
import { databaseChecks } from "../doctor/DatabaseChecks.ts"
import * as FileChecks from "../doctor/FileChecks.ts"
import { faulty, passed, type Remark, remarkOf, type Told } from "../doctor/Remark.ts"
import * as ServiceChecks from "../doctor/ServiceChecks.ts"
import { CommandFailed, UsageError } from "../kit/Failures.ts"
import { Output } from "../kit/Output.ts"
import * as Service from "../kit/Service.ts"

const { bounds: boundFlags, telemetry: telemetryFlags, ...single } = Service.flags

const flags = { ...attemptEach(single), bounds: attemptEach(boundFlags), telemetry: attemptEach(telemetryFlags) }

type Given = Command.Command.Config.Infer<typeof flags>

/** Looks at everything that a server needs, as `serve` would be told it. Changes nothing. */
export const doctor = Command.make("doctor", flags, (given) =>
  Effect.gen(function* () {
    const checks = yield* Effect.provide(remarks(given), Logger.layer([]))
    const broken = checks.filter(({ status }) => status === "failed").length
    yield* (yield* Output).print({ json: { ok: broken === 0, checks }, text: checks.map(line).join("\n") })
    const message = `${broken} of ${checks.length} checks failed.`
    if (broken > 0) return yield* new CommandFailed({ error: "doctor_failed", message })
  }).pipe(Effect.provide(nodePlatform()))
).pipe(
  Command.withDescription(
    "Check what a server needs, with the flags and variables of serve: settings, database, schema, clock, keys, " +
      "files, disk, addresses, TLS, mail, Telegram, logins, provider. Each line is ok, warning or failed, and says " +
      "what to do. Nothing is written; exit code 1 if anything failed"
  ),
  Command.withShortDescription("Check what a server needs")
)

/** All checks, one after the other: each runs whatever became of those before. */
const remarks = Effect.fnUntraced(function* (given: Given) {
  const { database, baseUrl, tlsCert, tlsKey, privateNetworks, provider, loginChannels, ...others } = given
  const { bounds, telemetry, ...alone } = others
  const config = yield* Effect.result(configuration)
  const configured = Result.getOrElse(config, (): Configuration => ({ file: null, settings: {} }))
  const base = Result.map(baseUrl, (url) => Option.getOrUndefined(url) ?? configured.settings.baseUrl)
  const rest: ReadonlyArray<Attempted<unknown>> = [alone, bounds, telemetry].flatMap((group) => Object.values(group))
  const wrong = rest.flatMap((each) => (Result.isFailure(each) ? [each.failure] : []))
  const files = Result.all({ certificateFile: tlsCert, keyFile: tlsKey })
  const networks = Result.map(
    privateNetworks,
    Option.getOrElse(() => configured.settings.webhook?.privateNetworks ?? [])
  )
  return yield* Effect.map(
    Effect.all([
      one(
        remarkOf(
          "settings",
          "See tolem serve --help",
          Effect.succeed(wrong.length === 0 ? passed("flags and variables are well-formed") : told(wrong))
        )
      ),
      one(
        remarkOf(
          "configuration",
          "Mend the file; see docs/operations.md",
          Effect.map(Effect.fromResult(config), ({ file }) => passed(file ?? "there is no file, and none is needed"))
        )
      ),
      one(remarkOf("time zone", "Update Node", ServiceChecks.zone)),
      Result.isSuccess(database)
        ? databaseChecks(database.success)
        : one(remarkOf("database", "Name it with --database", refused(database.failure))),
      one(remarkOf("files", seeFlags, using(database, FileChecks.files))),
      one(remarkOf("disk", seeFlags, using(database, FileChecks.disk))),
      addressRemarks({ base, files, networks, port: given.port }),
      one(remarkOf("mail", "Set TOLEM_SMTP_URL and TOLEM_MAIL_FROM", ServiceChecks.mail(configured))),
      one(remarkOf("telegram", "Set TOLEM_TELEGRAM_BOT_TOKEN", ServiceChecks.telegram)),
      one(
        remarkOf(
          "logins",
          seeFlags,
          using(loginChannels, (flag) => ServiceChecks.logins(flag, configured))
        )
      ),
      one(
        remarkOf(
          "provider",
          "Look at --provider-url and TOLEM_PROVIDER_SECRET",
          using(provider, (url) => ServiceChecks.provider(url, configured))
        )
      )
    ]),
    (all): ReadonlyArray<Remark> => all.flat()
  )
})

/** What the service is reached at, and what it may reach for merchants. */
const addressRemarks = ({ base, files, networks, port }: Addresses) => {
  const isTls = Option.exists(Result.getSuccess(files), ({ certificateFile }) => Option.isSome(certificateFile))
  const usual = ServiceChecks.usualBase(Result.getOrUndefined(port), isTls)
  const known = Result.getOrElse(base, () => null)
  return Effect.all([
    remarkOf(
      "base URL",
      seeFlags,
      using(base, (url) => Effect.succeed(ServiceChecks.baseUrl(url, usual)))
    ),
    remarkOf(
      "TLS",
      "Give the service a certificate, PEM, and its key",
      using(files, (given) => FileChecks.tls(given, known ?? undefined))
    ),
    remarkOf(
      "webhook networks",
      seeFlags,
      using(networks, (listed) => ServiceChecks.networks(listed, known))
    )
  ])
}

interface Addresses {
  readonly base: Attempted<string | undefined>
  readonly files: Attempted<Parameters<typeof FileChecks.tls>[0]>
  readonly networks: Attempted<ReadonlyArray<string>>
  readonly port: Attempted<number>
}

const seeFlags = "See tolem serve --help"

const one = <R>(self: Effect.Effect<Remark, never, R>) => Effect.map(self, (finding) => [finding])

const told = (wrong: ReadonlyArray<string>) => faulty(wrong.join("; "), seeFlags)

const refused = (message: string) => Effect.fail(new UsageError({ message }))

/** The check with what a flag says; a flag that is wrong is its finding. */
const using = <A, E, R>(given: Attempted<A>, look: (value: A) => Effect.Effect<Told, E, R>) =>
  Effect.flatMap(
    Effect.mapError(Effect.fromResult(given), (message) => new UsageError({ message })),
    look
  )

const line = ({ check, status, what, todo }: Remark): string =>
  `${status.padEnd(7)}  ${check.padEnd(16)}  ${what}.${todo === null ? "" : ` ${todo}.`}`
