/** The parts that every command stands on: database, providers, secret keys, platform. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { nodePlatform } from "@tolem/adapter-node"
import { Engine } from "@tolem/core/engine/Engine"
import type { SettingsPart } from "@tolem/core/engine/Settings"
import type { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import * as HttpProvider from "@tolem/provider-sandbox/HttpProvider"
import { Effect, Layer, Option } from "effect"
import * as Database from "./Database.ts"
import * as LoginChannels from "./LoginChannels.ts"
import * as Mail from "./Mail.ts"
import * as SecretKeys from "./SecretKeys.ts"

/** What differs from command to command. */
export interface Options extends Database.Use {
  readonly settings?: SettingsPart
  /** Address of the provider of live mode; without one, live mode has none. */
  readonly provider?: Option.Option<string>
  /** Names of the channels of login codes, commas between; without one there is no login by code. */
  readonly loginChannels?: Option.Option<string>
}

/** The use-cases over the database, with the ports beside them. Starts no agents. */
export const layer = (
  database: Database.Location,
  { settings = {}, provider = Option.none(), loginChannels = Option.none(), readOnly = false }: Options = {}
) =>
  Engine.layer(settings).pipe(
    Layer.provide(LoginChannels.layer(loginChannels)),
    Layer.provide(Option.match(provider, { onNone: () => Layer.empty, onSome: paymentProvider })),
    Layer.provideMerge(Mail.layer),
    Layer.provideMerge(Database.layer(database, { readOnly })),
    Layer.provide(secretBox(database, { readOnly })),
    Layer.provideMerge(nodePlatform())
  )

/** The same for a command that only reads: it makes neither a database nor a key, and brings nothing up to date. */
export const reading = (database: Database.Location, options: Options = {}) =>
  layer(database, { ...options, readOnly: true })

const paymentProvider = (url: string): Layer.Layer<PaymentProvider> =>
  HttpProvider.layer({ url }).pipe(Layer.provide(NodeHttpClient.layerUndici))

const secretBox = (database: Database.Location, use: Database.Use) =>
  Layer.unwrap(Effect.map(SecretKeys.forDatabase(database, use), SecretBox.layer))
