/** The parts that every command stands on: database, providers, secret keys, platform, and the configuration file. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { nodePlatform } from "@tolem/adapter-node"
import * as SharpPictures from "@tolem/adapter-sharp/SharpPictures"
import { Engine } from "@tolem/core/engine/Engine"
import { defaults, Settings, type SettingsPart, withSettings } from "@tolem/core/engine/Settings"
import type { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import * as HttpProvider from "@tolem/provider-sandbox/HttpProvider"
import { Effect, Layer, Option } from "effect"
import { configuration } from "../config/ConfigFile.ts"
import * as Database from "./Database.ts"
import { UsageError } from "./Failures.ts"
import * as LoginChannels from "./LoginChannels.ts"
import * as Mail from "./Mail.ts"
import * as ProviderSecret from "./ProviderSecret.ts"
import * as SecretKeys from "./SecretKeys.ts"
import * as Telegram from "./Telegram.ts"

/** What differs from command to command. What is named here goes before what the configuration file says. */
export interface Options extends Database.Use {
  readonly settings?: SettingsPart
  /** Settings that hold where the configuration file says nothing. */
  readonly usual?: SettingsPart
  /** Address of the provider of live mode; without one it is the configured one, or live mode has none. */
  readonly provider?: Option.Option<string>
  /** Names of the channels of login codes, commas between; without one the configured ones. */
  readonly loginChannels?: Option.Option<string>
  /** A tariff that has to be one of those that there are. */
  readonly tariff?: string | undefined
}

/** The use-cases over the database, with the ports beside them. Starts no agents. */
export const layer = (database: Database.Location, options: Options = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { settings = {}, usual = {}, provider = Option.none(), loginChannels = Option.none() } = options
      const { readOnly = false, tariff } = options
      // Whatever is wrong with the file is said before anything is opened or made.
      const config = yield* configuration
      yield* Database.found(database, options)
      const channels = yield* LoginChannels.layer(loginChannels, config.channels, yield* Mail.isSetUp(config.mailer))
      const base = withSettings(withSettings(defaults, usual), config.settings)
      if (tariff !== undefined) yield* known(tariff, base)
      return Engine.layer(settings).pipe(
        Layer.provide(Layer.succeed(Settings, base)),
        Layer.provide(channels),
        Layer.provide(
          Option.match(provider, { onNone: () => config.provider ?? Layer.empty, onSome: paymentProvider })
        ),
        Layer.provideMerge(Mail.layer(config.mailer)),
        Layer.provideMerge(Telegram.layer),
        Layer.provideMerge(SharpPictures.layer),
        Layer.provideMerge(Database.layer(database, { readOnly })),
        Layer.provide(secretBox(database, { readOnly })),
        Layer.provideMerge(nodePlatform())
      )
    })
  )

/** The same for a command that only reads: it makes neither a database nor a key, and brings nothing up to date. */
export const reading = (database: Database.Location, options: Options = {}) =>
  layer(database, { ...options, readOnly: true })

const known = (tariff: string, { tariffs: { catalogue } }: Settings) => {
  const codes = catalogue.map(({ code }) => code)
  const message = `--tariff: "${tariff}" is none of ${codes.join(", ")}`
  return codes.includes(tariff) ? Effect.void : Effect.fail(new UsageError({ message }))
}

const paymentProvider = (url: string): Layer.Layer<PaymentProvider, UsageError> =>
  Layer.unwrap(
    Effect.map(ProviderSecret.read(ProviderSecret.variable), (secret) => HttpProvider.layer({ url, secret }))
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))

const secretBox = (database: Database.Location, use: Database.Use) =>
  Layer.unwrap(Effect.map(SecretKeys.forDatabase(database, use), SecretBox.layer))
