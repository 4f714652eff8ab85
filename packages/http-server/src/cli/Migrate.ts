/** `tolem migrate` */
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as Assembly from "./Assembly.ts"
import * as Flags from "./Flags.ts"
import { Output } from "./Output.ts"

/** Opening the database brings its schema up to date. */
export const migrate = Command.make("migrate", { database: Flags.database }, ({ database }) =>
  Effect.gen(function* () {
    yield* Effect.scoped(Layer.build(Assembly.layer(database)))
    yield* (yield* Output).print({
      json: { database: database.url, upToDate: true },
      text: `The schema of ${database.url} is up to date.`
    })
  })
).pipe(Command.withDescription("Make the database, or bring its schema up to date"))
