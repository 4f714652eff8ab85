/** `tolem provider …` */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Protocol from "@tolem/provider-sandbox/Protocol"
import { Effect, FileSystem, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { group } from "../kit/Commands.ts"
import { CommandFailed, UsageError } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as ProviderSecret from "../kit/ProviderSecret.ts"
import type { Outcome, Report } from "../provider/ProviderCheck.ts"

const flags = {
  url: Argument.String("url").pipe(Argument.withDescription("Address of the provider, without /v1")),
  secretFile: Flags.text(
    "secret-file",
    "PATH",
    `File with the secret that it knows us by; without it ${ProviderSecret.variable}`
  ).pipe(Flag.optional),
  timeoutMs: Flag.Int("timeout-ms").pipe(
    Flag.withDescription("How long one call is waited for, as the engine waits"),
    Flag.withDefault(8000)
  )
}

const secretOf = (file: Option.Option<string>) =>
  Effect.gen(function* () {
    if (Option.isNone(file)) return yield* ProviderSecret.read(ProviderSecret.variable)
    const fs = yield* FileSystem.FileSystem
    const text = yield* Effect.catchTag(fs.readFileString(file.value), "PlatformError", ({ reason }) =>
      Effect.fail(new UsageError({ message: `--secret-file: cannot read ${file.value}: ${reason._tag}` }))
    )
    const secret = Redacted.make(text.replace(/[\r\n]+$/, ""))
    const fault = Protocol.secretFault(secret)
    return fault === undefined ? secret : yield* new UsageError({ message: `--secret-file: it ${fault}` })
  })

const check = Command.make("check", flags, ({ url, secretFile, timeoutMs }) =>
  Effect.gen(function* () {
    const fault = Protocol.addressFault(url)
    if (fault !== undefined) return yield* new UsageError({ message: `URL: it ${fault}` })
    const secret = yield* secretOf(secretFile)
    // The suite is read by those who check only.
    const ProviderCheck = yield* Effect.promise(() => import("../provider/ProviderCheck.ts"))
    const report = yield* ProviderCheck.check({ url, secret, timeoutMs }).pipe(
      Effect.provide(NodeHttpClient.layerUndici)
    )
    if (typeof report === "string") return yield* new CommandFailed({ error: "provider_not_checked", message: report })
    yield* (yield* Output).print({ json: { url, ...report }, text: told(report) })
    const broken = report.outcomes.filter(({ outcome }) => outcome === "broken").length
    const message = `${url} breaks ${broken} promises.`
    if (broken > 0) return yield* new CommandFailed({ error: "provider_check_failed", message })
  })
).pipe(
  Command.withDescription(
    "Hold a provider over HTTP to the provider protocol, version 1, and to every case of the provider suite that it " +
      "says it can do. It makes payments and refunds: give it a test environment. Exit code 1 if a promise is broken"
  ),
  Command.withShortDescription("Hold a provider over HTTP to the provider protocol")
)

const told = ({ outcomes }: Report): string => {
  const count = (wanted: Outcome["outcome"]) => outcomes.filter(({ outcome }) => outcome === wanted).length
  return [
    ...outcomes.map(({ name, outcome, why }) => {
      const reason = outcome === "broken" ? `\n         ${why?.replaceAll("\n", "\n         ")}` : ` (${why})`
      return `${outcome.padEnd(7)}  ${name}${why === null ? "" : reason}`
    }),
    `${count("kept")} kept, ${count("broken")} broken, ${count("skipped")} skipped.`
  ].join("\n")
}

/** Providers over HTTP. */
export const providerCommand = group("provider", "Providers over HTTP, as --provider-url takes them", [check])
