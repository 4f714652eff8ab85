/** The parts that every command stands on: database, sandbox provider, secret keys, platform. */
import { nodePlatform } from "@tolem/adapter-node"
import { Engine } from "@tolem/core/Engine"
import * as SecretBox from "@tolem/core/SecretBox"
import { defaults, type Settings } from "@tolem/core/Settings"
import * as SandboxProvider from "@tolem/provider-sandbox/SandboxProvider"
import { Effect, Layer } from "effect"
import * as Database from "./Database.ts"
import * as SecretKeys from "./SecretKeys.ts"

/** The use-cases over the database, with the ports beside them. Starts no agents. */
export const layer = (database: Database.Location, settings: Settings = defaults) =>
  Engine.layer(settings).pipe(
    Layer.provideMerge(Database.layer(database)),
    Layer.provide(SandboxProvider.layer()),
    Layer.provide(secretBox(database)),
    Layer.provideMerge(nodePlatform())
  )

const secretBox = (database: Database.Location) =>
  Layer.unwrap(Effect.map(SecretKeys.forDatabase(database), SecretBox.layer))
