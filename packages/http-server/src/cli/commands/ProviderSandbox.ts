/** `tolem provider-sandbox …` */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { type Abilities, abilityNames } from "@tolem/core/provider/Abilities"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import * as SandboxServer from "@tolem/provider-sandbox/SandboxServer"
import { scenarios } from "@tolem/provider-sandbox/Scenarios"
import { Clock, Effect, Layer, Option } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { HttpRouter, HttpServer } from "effect/http"
import { group } from "../kit/Commands.ts"
import { developmentOnly } from "../kit/DevelopmentOnly.ts"
import { cannotListen } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as ProviderSecret from "../kit/ProviderSecret.ts"
import { Stopping } from "../kit/Shutdown.ts"

/** What it is known by; without one nothing of it is protected. */
const secretVariable = "TOLEM_PROVIDER_SANDBOX_SECRET"

const flags = {
  port: Flags.port("TOLEM_PROVIDER_SANDBOX_PORT", 4010),
  host: Flags.withDefault(
    {
      ...Flags.ofText("host", "ADDRESS"),
      name: "TOLEM_PROVIDER_SANDBOX_HOST",
      description: `Address to listen at. Nothing is protected unless ${secretVariable} is set`
    },
    "127.0.0.1"
  ),
  code: Flag.String("code").pipe(
    Flag.withDescription("The code with which every cashier logs in"),
    Flag.withDefault("111111")
  ),
  scenario: Flag.Literals(
    "scenario",
    scenarios.map(({ name }) => name)
  ).pipe(Flag.withDescription("What happens to payments that choose nothing else"), Flag.withDefault("waits")),
  cannot: Flags.text("cannot", "NAMES", `What it cannot do, commas between: ${abilityNames.join(", ")}`).pipe(
    Flag.mapEffect((text) => {
      const wrong = Flags.list(text).find((name) => !abilityNames.some((ability) => ability === name))
      const message = `--cannot: "${wrong}" is none of ${abilityNames.join(", ")}`
      return wrong === undefined ? Effect.succeed(text) : Effect.fail(new CliError.ValidationError({ message }))
    }),
    Flag.optional
  )
}

type Options = Command.Command.Config.Infer<typeof flags>

/** Calls that are left without an answer on purpose would hold the server open. */
const graceMs = 500

/** Where it listens, once it does. */
const listenedAt = Effect.fnUntraced(function* (options: Options) {
  const { address } = yield* HttpServer.HttpServer
  const port = "port" in address ? address.port : options.port
  return { port, url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}` }
})

const routes = (options: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { code, scenario, cannot } = options
      const lacks = Flags.list(Option.getOrElse(cannot, () => ""))
      const can: Abilities = Object.fromEntries(lacks.map((name) => [name, false]))
      const { url } = yield* listenedAt(options)
      const mark = (yield* Clock.currentTimeMillis).toString(36)
      const secret = yield* ProviderSecret.read(secretVariable)
      return SandboxServer.routes(SandboxBank.make({ code, scenario, mark, url, can }), secret)
    })
  )

const layer = (options: Options) =>
  HttpRouter.serve(routes(options), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(
      NodeHttpServer.layer(createServer, {
        port: options.port,
        host: options.host,
        gracefulShutdownTimeout: graceMs
      })
    ),
    Layer.catchTag("ServeError", (error) => {
      return Layer.effectContext(Effect.fail(cannotListen(options.port, error.cause)))
    })
  )

const announce = Effect.fnUntraced(function* (options: Options) {
  const { port, url } = yield* listenedAt(options)
  const { host, scenario } = options
  yield* (yield* Output).print({
    json: { status: "ready", port, host, url, scenario },
    text: `The provider sandbox is ready at ${url}; it is steered at ${url}/control. No money moves.`
  })
})

const serve = Command.make("serve", flags, (options) =>
  Effect.gen(function* () {
    const stopping = yield* Stopping
    stopping.orderly = true
    yield* announce(options)
    return yield* Effect.never
  }).pipe(Effect.provide(layer(options)), (served) => Effect.andThen(developmentOnly("provider-sandbox"), served))
).pipe(
  Command.withDescription(
    "Run a simulated payment provider that misbehaves on demand. All that it knows is in memory; SIGTERM stops it"
  ),
  Command.withShortDescription("Run the simulated provider")
)

/** The simulated provider. */
export const providerSandbox = group(
  "provider-sandbox",
  "A simulated payment provider, for tests and for trying live mode without money",
  [serve]
)
