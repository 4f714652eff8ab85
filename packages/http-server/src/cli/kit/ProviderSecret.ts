/** The secret that a provider over HTTP and we share: from the environment, or the file that it names. */
import * as Protocol from "@tolem/provider-sandbox/Protocol"
import { Config, Effect, Option, type Redacted } from "effect"
import { UsageError } from "./Failures.ts"

/** Of the provider that `--provider-url` names. */
export const variable = "TOLEM_PROVIDER_SECRET"

/** The secret of this variable, if it is set. One that can be guessed is refused. */
export const read = (name: string): Effect.Effect<Redacted.Redacted | undefined, UsageError> =>
  Effect.gen(function* () {
    const secret = Option.getOrUndefined(yield* Config.option(Config.Redacted(name)))
    const fault = secret === undefined ? undefined : Protocol.secretFault(secret)
    return fault === undefined ? secret : yield* new UsageError({ message: `${name} ${fault}` })
  }).pipe(
    Effect.catchTag("ConfigError", (error) =>
      Effect.fail(new UsageError({ message: `${name}: ${error.cause.message.split("\n")[0]}` }))
    )
  )
