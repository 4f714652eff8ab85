/** The command line `tolem`: the tree of commands, and how a call of it ends. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { CurrentActor } from "@tolem/core/audit/Audit"
import { ProcessEnd } from "@tolem/core/work/ProcessEnd"
import { Cause, Effect, Layer, Stdio } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { version } from "../operations/Version.ts"
import { backupCommand } from "./commands/Backup.ts"
import { clockCommand } from "./commands/ClockCommands.ts"
import { copyCommand } from "./commands/Copy.ts"
import { doctor } from "./commands/Doctor.ts"
import { key } from "./commands/KeyCommands.ts"
import { migrateCommand } from "./commands/Migrate.ts"
import { openCommand } from "./commands/Open.ts"
import { org } from "./commands/OrgCommands.ts"
import { providerCommand } from "./commands/ProviderCommands.ts"
import { providerSandbox } from "./commands/ProviderSandbox.ts"
import { reconcile } from "./commands/Reconcile.ts"
import { refund } from "./commands/RefundCommands.ts"
import { seal } from "./commands/Seal.ts"
import { secrets } from "./commands/SecretCommands.ts"
import { serve } from "./commands/Serve.ts"
import { start } from "./commands/Start.ts"
import { tariffCommand } from "./commands/TariffCommands.ts"
import { verify } from "./commands/Verify.ts"
import { ConfigFlag } from "./config/ConfigFile.ts"
import { connection } from "./connection/ConnectionCommands.ts"
import { demo } from "./demo/Demo.ts"
import { events } from "./feed/Events.ts"
import { listen } from "./feed/Listen.ts"
import { describe } from "./kit/Failures.ts"
import * as Logs from "./kit/Logs.ts"
import * as NodeFaults from "./kit/NodeFaults.ts"
import * as NodeSignals from "./kit/NodeSignals.ts"
import { Json, Output } from "./kit/Output.ts"
import * as Presenter from "./kit/Presenter.ts"
import * as SecretKeys from "./kit/SecretKeys.ts"
import * as SettingFiles from "./kit/SettingFiles.ts"
import * as Shutdown from "./kit/Shutdown.ts"
import { delivery } from "./merchant/DeliveryCommands.ts"
import { hook } from "./merchant/HookCommands.ts"
import { invoice } from "./merchant/InvoiceCommands.ts"
import { link } from "./merchant/LinkCommands.ts"
import { subscription } from "./merchant/SubscriptionCommands.ts"
import { trigger } from "./merchant/Trigger.ts"
import { webhook } from "./merchant/WebhookCommands.ts"
import { actor, operator } from "./operator/Operator.ts"

const tolem = Command.make("tolem").pipe(
  Command.withDescription(
    [
      "Invoices in Kazakhstani tenge: the reference server and its tools.",
      `Flags with a name in brackets are also environment variables. ${SecretKeys.variable} holds the texts that`,
      "secrets at rest are sealed with, commas between them: the first seals, all open. Without it PATH.key has one.",
      `${Logs.variable} is the least level that is logged, ${Logs.formVariable} the form: json, or pretty, as on a`,
      "terminal. For each NAME, NAME_FILE names a file that holds it."
    ].join("\n  ")
  ),
  Command.withSubcommands([
    serve,
    start,
    demo,
    migrateCommand,
    copyCommand,
    backupCommand,
    org,
    key,
    connection,
    invoice,
    link,
    hook,
    subscription,
    webhook,
    delivery,
    trigger,
    events,
    listen,
    openCommand,
    refund,
    reconcile,
    tariffCommand,
    operator,
    clockCommand,
    secrets,
    seal,
    verify,
    doctor,
    providerCommand,
    providerSandbox
  ]),
  Command.withGlobalFlags([Json, ConfigFlag])
)

/** Runs the command of the arguments and answers its exit code: 0, 1 if it failed, 2 if it was called wrongly. */
const program = Effect.gen(function* () {
  const { json } = yield* Output
  const run = Command.run(tolem, { version: yield* version, renderErrors: false })
  return yield* run.pipe(
    Effect.provide(Logs.layer),
    Effect.provideService(CurrentActor, actor()),
    Effect.as(0),
    Effect.catchCause((cause) => (Cause.hasInterrupts(cause) ? Effect.failCause(cause) : fail(cause, json)))
  )
})

const fail = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, json: boolean) {
  const failure = describe(Cause.squash(cause))
  if (failure.unexpected) yield* Effect.logError("Command failed", cause).pipe(Effect.provide(Logs.layer))
  yield* Presenter.printFailure(failure, { json, help: yield* helpFor })
  return failure.exitCode
})

/** The call that shows help for the command that was called. */
const helpFor = Effect.gen(function* () {
  const args = yield* (yield* Stdio.Stdio).args
  return ["tolem", ...pathOf(tolem, args), "--help"].join(" ")
})

/** The words that lead to a command that there is. */
const pathOf = (from: Command.Command.Any, [word, ...rest]: ReadonlyArray<string>): ReadonlyArray<string> => {
  const next = from.subcommands.flatMap(({ commands }) => commands).find(({ name }) => name === word)
  return next === undefined ? [] : [next.name, ...pathOf(next, rest)]
}

const builtIns = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel]

/** The command that the process's arguments and environment name, by its exit code. Interrupted, it ends in order. */
export const command = (
  ending: { faulty: boolean },
  stopping: Layer.Layer<Shutdown.Stopping>
): Effect.Effect<number, unknown> => {
  const services = Layer.mergeAll(
    Layer.provideMerge(Presenter.layer, Output.layer),
    CliConfig.layer({ builtIns }),
    SettingFiles.layer,
    stopping,
    Layer.succeed(ProcessEnd, ending)
  ).pipe(Layer.provideMerge(NodeServices.layer))
  return Effect.provide(program, services)
}

/** Runs the command line of this process to its end. */
export const main = (): void => {
  const ending = { faulty: false }
  const stopping = Shutdown.make(ending)
  NodeSignals.install()
  NodeFaults.installFaults(ending)
  NodeRuntime.runMain(command(ending, stopping.layer), { teardown: stopping.teardown, disableErrorReporting: true })
}
