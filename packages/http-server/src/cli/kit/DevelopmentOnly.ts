/** Commands that have no business on a server that serves others. */
import { Config, Effect } from "effect"
import { CommandFailed } from "./Failures.ts"

const variable = "NODE_ENV"

/** Refuses a command where NODE_ENV is `production`, as in the image: it shows off or simulates, and guards nothing. */
export const developmentOnly = (command: string): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const environment = yield* Effect.orDie(Config.String(variable).pipe(Config.withDefault("")))
    if (environment !== "production") return
    const message = `tolem ${command} is for development: it does not run where ${variable} is production.`
    return yield* new CommandFailed({ error: "development_only", message })
  })
