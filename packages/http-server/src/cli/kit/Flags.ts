/** Flags of more than one command, and how a flag is also an environment variable. */
import type { SettingsPart } from "@tolem/core/engine/Settings"
import type { OrganizationId } from "@tolem/core/value/Ids"
import type { Mode } from "@tolem/core/value/Mode"
import * as Protocol from "@tolem/provider-sandbox/Protocol"
import { Config, Effect, Option, Result } from "effect"
import { CliError, Flag } from "effect/cli"
import { IpNetwork } from "effect/net"
import { isBase, isNetwork, isNetworkOrHost } from "./Addresses.ts"
import * as Database from "./Database.ts"

/** A flag that is also a variable. The flag wins; an empty variable counts as absent. */
interface Setting<A> {
  readonly flag: Flag.Flag<A>
  readonly variable: (name: string) => Config.Config<A>
  readonly name: string
  readonly description: string
  /** What is wrong with a value, if anything. */
  readonly wrong?: (value: A) => string | undefined
}

/** A flag that takes a text, which the help calls `metavar`. */
export const text = (name: string, metavar: string, description: string): Flag.Flag<string> =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

/** A setting that is a text, which the help calls `metavar`. */
export const ofText = (flag: string, metavar: string) => ({
  flag: Flag.String(flag).pipe(Flag.withMetavar(metavar)),
  variable: Config.String
})

/** What is wrong with texts, commas between, that are not all right. */
export const unlessEach =
  (isRight: (text: string) => boolean, name: string, what: string) =>
  (texts: string): string | undefined => {
    const wrong = list(texts).find((each) => !isRight(each))
    return wrong === undefined ? undefined : `--${name}: "${wrong}" ${what}`
  }

/** The flag of a setting; absent where neither the flag nor its variable is given. */
export const optional = <A>(setting: Setting<A>): Flag.Flag<Option.Option<A>> =>
  setting.flag.pipe(
    Flag.withDescription(`${setting.description} [${setting.name}]`),
    Flag.optional,
    Flag.mapEffect((given) =>
      Effect.gen(function* () {
        const value = Option.isSome(given) ? given : yield* fromVariable(setting)
        const wrong = Option.isSome(value) ? setting.wrong?.(value.value) : undefined
        return wrong === undefined ? value : yield* new CliError.ValidationError({ message: wrong })
      })
    )
  )

/** The flag of a setting whose default the help names; absent, so that the configuration file may say it. */
export const withUsual = <A extends string | number>(setting: Setting<A>, value: A): Flag.Flag<Option.Option<A>> =>
  optional({ ...setting, description: `${setting.description}; default ${value}` })

/** The flag of a setting with a default, which the help names. */
export const withDefault = <A extends string | number>(setting: Setting<A>, value: A): Flag.Flag<A> =>
  Flag.map(
    withUsual(setting, value),
    Option.getOrElse(() => value)
  )

const fromVariable = <A>({ variable, name }: Pick<Setting<A>, "variable" | "name">) =>
  Config.option(variable(name)).pipe(
    Effect.mapError((error) => new CliError.ValidationError({ message: `${name}: ${reasonOf(error)}` }))
  )

// The rest of the message is the path of the value, which the name says already.
const reasonOf = ({ cause }: Config.ConfigError) => cause.message.split("\n")[0]

/** `--database`: where the data is. */
export const database: Flag.Flag<Database.Location> = withDefault(
  {
    ...ofText("database", "URL"),
    name: "TOLEM_DATABASE",
    description: `Where the data is: ${Database.forms}; without PASSWORD that of ${Database.passwordVariable}`
  },
  Database.defaultUrl
).pipe(Flag.mapEffect((url) => locationOf("database", url)))

/** A flag that names a database, of a command that works on more than one. */
export const databaseNamed = (name: string, description: string): Flag.Flag<Database.Location> =>
  text(name, "URL", `${description}: ${Database.forms}`).pipe(Flag.mapEffect((url) => locationOf(name, url)))

const locationOf = Effect.fnUntraced(function* (name: string, url: string) {
  const password = yield* fromVariable({ variable: Config.Redacted, name: Database.passwordVariable })
  return yield* Effect.mapError(
    Effect.fromResult(Database.parseDatabase(url, Option.getOrUndefined(password))),
    (message) => new CliError.ValidationError({ message: `--${name}: ${message}` })
  )
})

/** `--port`: where a server listens. */
export const port = (name: string, usual: number): Flag.Flag<number> =>
  withDefault(
    {
      flag: Flag.Int("port"),
      variable: Config.Int,
      name,
      description: "Port to listen at; 0 takes any free one",
      wrong: (given) => (given >= 0 && given <= 65_535 ? undefined : `--port must be from 0 to 65535, not ${given}`)
    },
    usual
  )

/** `--provider-url`: who live invoices are paid through. */
export const provider: Flag.Flag<Option.Option<string>> = optional({
  ...ofText("provider-url", "URL"),
  name: "TOLEM_PROVIDER_URL",
  description: "Address of the provider of live mode, with TOLEM_PROVIDER_SECRET if it has one; default none",
  wrong: (url) => {
    const fault = Protocol.addressFault(url)
    return fault && `--provider-url ${fault}`
  }
})

/** `--trusted-proxies`: whose word is taken for where visitors come from. */
export const trustedProxies: Flag.Flag<ReadonlyArray<IpNetwork.IpNetwork>> = optional({
  ...ofText("trusted-proxies", "NETWORKS"),
  name: "TOLEM_TRUSTED_PROXIES",
  description: "Networks of the proxies in front, commas between, as 10.0.0.0/8: their X-Forwarded-For is believed",
  wrong: unlessEach(isNetwork, "trusted-proxies", "is no network, as 10.0.0.0/8")
}).pipe(
  Flag.map((text) =>
    list(Option.getOrElse(text, () => "")).flatMap((each) =>
      Option.toArray(Result.getSuccess(IpNetwork.fromString(each)))
    )
  )
)

/** `--webhook-private-networks`: where in the operator's own networks endpoints may be. */
export const privateNetworks: Flag.Flag<Option.Option<ReadonlyArray<string>>> = optional({
  ...ofText("webhook-private-networks", "NETWORKS"),
  name: "TOLEM_WEBHOOK_PRIVATE_NETWORKS",
  description: "Private networks and hosts that webhooks may go to, commas between, as 10.1.0.0/16,shop.internal",
  wrong: unlessEach(isNetworkOrHost, "webhook-private-networks", "is no network and no host")
}).pipe(Flag.map(Option.map((text) => list(text))))

/** The settings that `privateNetworks` names. */
export const webhookSettings = (networks: Option.Option<ReadonlyArray<string>>): SettingsPart =>
  Option.isSome(networks) ? { webhook: { privateNetworks: networks.value } } : {}

/** `--mode`: money that moves, or the sandbox. */
export const mode = Flag.Literals("mode", ["sandbox", "live"]).pipe(
  Flag.withDescription("sandbox: no money moves; live: real payments")
)

/** `--org`: the organization that something is made for. */
export const organization = text("org", "ID", "Id of the organization, as org create printed it")

/** `--tariff`: one of those that there are. */
export const tariff = text("tariff", "CODE", "Tariff, as tariff list shows it")

/** `--operator-org`: whose invoices tariffs are paid with. */
export const seller: Flag.Flag<Option.Option<{ readonly organizationId: OrganizationId; readonly mode: Mode }>> =
  optional({
    ...ofText("operator-org", "ID[:sandbox]"),
    name: "TOLEM_OPERATOR_ORG",
    description: "The operator's own organization, whose live invoices tariffs are paid with; default none",
    wrong: (text) => (/^[^:]+(:(sandbox|live))?$/.test(text) ? undefined : "--operator-org: write ID or ID:sandbox")
  }).pipe(
    Flag.map(
      Option.map((text) => {
        const [organizationId = "", mode] = text.split(":")
        return { organizationId, mode: mode === "sandbox" ? ("sandbox" as const) : ("live" as const) }
      })
    )
  )

const baseUrlWith = (usual: string): Flag.Flag<Option.Option<string>> =>
  optional({
    ...ofText("base-url", "URL"),
    name: "TOLEM_BASE_URL",
    description: `Address that customers reach the service at; default ${usual}`,
    wrong: (url) => (isBase(url) ? undefined : `--base-url must be an http or https address, not "${url}"`)
  })

/** `--base-url`: where customers reach the service. */
export const baseUrl: Flag.Flag<Option.Option<string>> = baseUrlWith("http://localhost:PORT")

/** The same of a command that listens at no port: servers on this machine are reached at that of TOLEM_PORT. */
export const baseUrlOfOthers: Flag.Flag<Option.Option<string>> = baseUrlWith(
  "http://localhost with the port of TOLEM_PORT, or 3000"
).pipe(
  Flag.mapEffect((given) =>
    Option.isSome(given)
      ? Effect.succeed(given)
      : Effect.map(usualPort, (port) => Option.map(port, (known) => `http://localhost:${known}`))
  )
)

const usualPort = Config.option(Config.Port("TOLEM_PORT")).pipe(
  Effect.map(Option.filter((port) => port > 0)),
  Effect.mapError(() => new CliError.ValidationError({ message: "TOLEM_PORT is no port" }))
)

/** `--url`: the running server that a command asks, by default that of this machine at the port of TOLEM_PORT. */
export const serverUrl: Flag.Flag<string> = optional({
  ...ofText("url", "URL"),
  name: "TOLEM_URL",
  description: "Address of the running server; default http://localhost with the port of TOLEM_PORT, or 3000",
  wrong: (url) => (isBase(url) ? undefined : "--url must be an http or https address")
}).pipe(
  Flag.mapEffect((given) =>
    Option.isSome(given)
      ? Effect.succeed(given.value)
      : Effect.map(usualPort, (port) => `http://localhost:${Option.getOrElse(port, () => 3000)}`)
  )
)

/** What a command that only shows addresses is assembled with. */
export const baseSettings = ({ baseUrl }: { readonly baseUrl: Option.Option<string> }) => ({
  settings: Option.match(baseUrl, { onNone: () => ({}), onSome: (url) => ({ baseUrl: url.replace(/\/+$/, "") }) })
})

/** A text with commas as its parts, without empty ones. */
export const list = (text: string): ReadonlyArray<string> =>
  text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]))
