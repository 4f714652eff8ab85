/** The running service: the HTTP server, the agents, the database, and what they are told. */
import { getHeapStatistics } from "node:v8"
import { CurrentActor } from "@tolem/core/audit/Audit"
import { Engine } from "@tolem/core/engine/Engine"
import { defaults, type Settings, type SettingsPart, withSettings } from "@tolem/core/engine/Settings"
import { isZoneCurrent } from "@tolem/core/value/Calendar"
import { isOfThisMachine } from "@tolem/core/webhook/sending/AddressPolicy"
import { Config, Effect, Layer, Option } from "effect"
import { type Command, Flag } from "effect/cli"
import { HttpServer } from "effect/http"
import type { TlsFiles } from "../../http/TlsFiles.ts"
import * as DiskMetrics from "../../operations/DiskMetrics.ts"
import { version } from "../../operations/Version.ts"
import { configuration } from "../config/ConfigFile.ts"
import * as Assembly from "./Assembly.ts"
import * as Bounds from "./Bounds.ts"
import * as Database from "./Database.ts"
import { CommandFailed, cannotListen } from "./Failures.ts"
import * as Flags from "./Flags.ts"
import * as LoginChannels from "./LoginChannels.ts"
import { Stopping } from "./Shutdown.ts"
import * as Telemetry from "./Telemetry.ts"
import * as YoungHeap from "./YoungHeap.ts"

/** A service that accepts requests. */
export interface Ready {
  readonly port: number
  /** Address that answers show, without a trailing slash. */
  readonly baseUrl: string
}

const rate = (flag: string, name: string, description: string) => ({
  flag: Flag.Int(flag),
  variable: Config.Int,
  name,
  description,
  wrong: (value: number) => (value >= 1 ? undefined : `--${flag} must be at least 1`)
})

/** The flags of commands that run the service. */
export const flags = {
  port: Flags.port("TOLEM_PORT", 3000),
  host: Flags.optional({
    ...Flags.ofText("host", "ADDRESS"),
    name: "TOLEM_HOST",
    description:
      "Address to listen at; default 127.0.0.1 while --base-url is of this machine, else all of its addresses"
  }),
  tlsCert: Flags.optional({
    ...Flags.ofText("tls-cert", "FILE"),
    name: "TOLEM_TLS_CERT",
    description: "Speak TLS with this certificate and its chain, PEM; read again when it changes; needs --tls-key"
  }),
  tlsKey: Flags.optional({
    ...Flags.ofText("tls-key", "FILE"),
    name: "TOLEM_TLS_KEY",
    description: "The key of --tls-cert, PEM without a passphrase"
  }),
  database: Flags.database,
  provider: Flags.provider,
  baseUrl: Flags.baseUrl,
  seller: Flags.seller,
  loginChannels: LoginChannels.flag,
  trustedProxies: Flags.trustedProxies,
  privateNetworks: Flags.privateNetworks,
  readsPerMinute: Flags.withUsual(
    rate("reads-per-minute", "TOLEM_READS_PER_MINUTE", "GET requests of a key in a minute"),
    defaults.readsPerMinute
  ),
  writesPerMinute: Flags.withUsual(
    rate("writes-per-minute", "TOLEM_WRITES_PER_MINUTE", "Other requests of a key in a minute"),
    defaults.writesPerMinute
  ),
  telemetry: Telemetry.flags,
  bounds: Bounds.flags
}

type Given = Command.Command.Config.Infer<typeof flags>

/** What a service is told. What is absent is as the configuration file says, or as it usually is. */
export interface Options extends Omit<Given, "bounds" | "telemetry" | "tlsCert" | "tlsKey"> {
  /** Without them it speaks plain HTTP. */
  readonly tlsCert?: Given["tlsCert"]
  readonly tlsKey?: Given["tlsKey"]
  /** Without it metrics, traces and logs are sent nowhere. */
  readonly telemetry?: Given["telemetry"]
  /** Without them there are none. */
  readonly bounds?: Given["bounds"]
  /** See `Server.Options`. */
  readonly drainMs?: number
}

/**
 * Runs the service around `use`, which is called once requests are accepted. Afterwards, and on interruption, it
 * first answers 503 at `/health/ready`, then lets requests, deliveries and the database finish, within ten seconds.
 */
export const run = Effect.fnUntraced(function* <A, E, R>(
  options: Options,
  use: (ready: Ready) => Effect.Effect<A, E, R>
) {
  if (!knowsAlmaty()) return yield* zoneOutdated
  const tls = yield* tlsOf(options)
  const { file, settings: configured } = yield* configuration
  const given = { ...options, baseUrl: Option.orElse(options.baseUrl, () => Option.fromNullishOr(configured.baseUrl)) }
  const told = settingsOf(given, configured, tls === undefined ? "http" : "https")
  const { settings, listensAt } = told
  // Each server tells of itself, so that operators see all of them from any.
  const usual = { ...told.usual, servers: { isTold: true, version: yield* version } }
  const inside = Effect.gen(function* () {
    if (file !== null) yield* Effect.logInfo("Service: configured").pipe(Effect.annotateLogs({ file }))
    const { address } = yield* HttpServer.HttpServer
    YoungHeap.release()
    const port = "port" in address ? address.port : options.port
    listensAt(port)
    yield* Effect.logInfo("Service: ready").pipe(Effect.annotateLogs({ port, baseUrl: settings.baseUrl }))
    if (tls === undefined && isPlain(settings.baseUrl)) yield* Effect.logWarning(plainText)
    // The zone is made while nothing waits for it.
    yield* Effect.forkChild(Effect.sync(isZoneCurrent))
    return yield* use({ port, baseUrl: settings.baseUrl })
  })
  YoungHeap.hold()
  // What agents do has no actor at the command line.
  return yield* Effect.provide(inside, layer(given, { settings, usual }, tls)).pipe(
    Effect.provideService(CurrentActor, { kind: "application", id: null, origin: null }),
    Effect.ensuring(Effect.sync(YoungHeap.release))
  )
})

/** Runs the service until a signal, which then ends the command with exit code 0. `announce` says that it is ready. */
export const runUntilStopped = <E, R>(options: Options, announce: (ready: Ready) => Effect.Effect<void, E, R>) =>
  run(options, (ready) =>
    Effect.gen(function* () {
      const stopping = yield* Stopping
      stopping.orderly = true
      yield* announce(ready)
      return yield* Effect.never
    })
  )

/**
 * Whether this Node's zone data have Almaty at UTC+5 since 2024-03-01. They say of which release they are. To ask them
 * for a time takes a process some 20 ms the first time, before it would serve.
 */
const knowsAlmaty = (): boolean => {
  const { tz } = process.versions
  return tz === undefined ? isZoneCurrent() : tz >= "2024a"
}

const zoneOutdated = new CommandFailed({
  error: "zone_data_outdated",
  message:
    "This Node does not know that Almaty is at UTC+5 since 2024-03-01: schedules would be an hour off. Update it."
})

const plainText =
  "Service: the base address is http, so keys, sessions and customers' data travel in clear text. Put a proxy with " +
  "TLS in front and name its https address, or give the server a certificate (--tls-cert)"

const isPlain = (url: string) => url.startsWith("http:") && !isOfThisMachine(url)

/** Where nothing else is said, a service that is meant for this machine is out of reach of others. */
export const hostOf = ({ host, baseUrl }: Pick<Options, "host" | "baseUrl">): string | undefined =>
  Option.getOrElse(host, () => (Option.exists(baseUrl, (url) => !isOfThisMachine(url)) ? undefined : "127.0.0.1"))

/** Less than ten seconds together with the deliveries under way, which have three. */
const graceMs = 4_000

/** Loaded by what serves: for all other commands it would be a fourth of what they take to start. */
const serverModule = Effect.promise(() => import("../../Server.ts"))

const layer = (options: Options, told: Pick<Assembly.Options, "settings" | "usual">, tls: TlsFiles | undefined) => {
  const host = hostOf(options)
  const { provider, loginChannels } = options
  const listening = Effect.map(serverModule, ({ layerNode }) =>
    layerNode({
      port: options.port,
      ...(host !== undefined && { host }),
      ...(options.drainMs !== undefined && { drainMs: options.drainMs }),
      ...(tls !== undefined && { tls }),
      trustedProxies: options.trustedProxies,
      graceMs
    })
  )
  return Layer.unwrap(listening).pipe(
    Layer.catch((error) => {
      if (error._tag === "TlsUnusable") {
        return Layer.effectContext(Effect.fail(new CommandFailed({ error: "tls_unusable", message: error.message })))
      }
      return Layer.effectContext(Effect.fail(cannotListen(options.port, error.cause)))
    }),
    Layer.merge(diskOf(options.database)),
    Layer.provideMerge(Engine.agents),
    Layer.provideMerge(Assembly.layer(options.database, { ...told, makes: true, provider, loginChannels })),
    // Built first and closed last, so that the last figures have what the rest did until its end.
    Layer.provideMerge(options.telemetry === undefined ? Layer.empty : Telemetry.layer(options.telemetry))
  )
}

const diskOf = (database: Database.Location) =>
  database.kind === "sqlite" && database.file !== null ? DiskMetrics.layer(database.file) : Layer.empty

/** Where the certificate and its key are; undefined: the service speaks plain HTTP. */
const tlsOf = ({ tlsCert = Option.none(), tlsKey = Option.none() }: Options) => {
  const [certificateFile, keyFile] = [Option.getOrUndefined(tlsCert), Option.getOrUndefined(tlsKey)]
  if (certificateFile !== undefined && keyFile !== undefined) return Effect.succeed({ certificateFile, keyFile })
  if (certificateFile === keyFile) return Effect.succeed(undefined)
  const message = "--tls-cert and --tls-key belong together: name both, or none"
  return Effect.fail(new CommandFailed({ error: "tls_unusable", message }))
}

/** The room for large requests that this process can give: making an answer takes several times what it holds. */
const roomOf = ({ room }: Settings): Pick<Settings["room"], "answerBytes" | "bodyBytes"> => {
  const { heap_size_limit: heap } = getHeapStatistics()
  return {
    answerBytes: Math.min(room.answerBytes, heap / 8),
    bodyBytes: Math.min(room.bodyBytes, heap / 16)
  }
}

/** What the flags say, and what holds if neither they nor the configuration file say anything. */
const settingsOf = (options: Options, configured: SettingsPart, scheme: "http" | "https") => {
  let port = options.port
  const { readsPerMinute: reads, writesPerMinute: writes, seller, bounds } = options
  const given = Option.map(options.baseUrl, (url) => url.replace(/\/+$/, ""))
  const usual: SettingsPart = { ...(bounds && Bounds.usual), batch: { writers: Database.writersOf(options.database) } }
  const settings: SettingsPart & Pick<Settings, "baseUrl"> = {
    ...(bounds && Bounds.settingsOf(bounds)),
    room: roomOf(withSettings(defaults, configured)),
    ...(Option.isSome(reads) && { readsPerMinute: reads.value }),
    ...(Option.isSome(writes) && { writesPerMinute: writes.value }),
    ...Flags.webhookSettings(options.privateNetworks),
    ...(Option.isSome(seller) && { tariffs: { seller: seller.value } }),
    // Asked for anew each time: a port that the system chooses is known only when everything is built.
    get baseUrl() {
      return Option.getOrElse(given, () => `${scheme}://localhost:${port}`)
    }
  }
  const listensAt = (actual: number) => {
    port = actual
  }
  return { settings, usual, listensAt }
}
