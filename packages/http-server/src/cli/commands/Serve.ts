/** `tolem serve` */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { Output } from "../kit/Output.ts"
import * as Service from "../kit/Service.ts"

/** Runs the service until a signal, and says on standard output when it is ready. */
export const serve = Command.make("serve", Service.flags, (options) =>
  Service.runUntilStopped(options, ({ port, baseUrl }) =>
    Effect.gen(function* () {
      const { url } = options.database
      yield* (yield* Output).print({
        json: { status: "ready", port, baseUrl, database: url },
        text: `Tölem is ready at ${baseUrl} (port ${port}, database ${url}).`
      })
    })
  )
).pipe(
  Command.withDescription("Run the service: /api/v1, webhooks, health and metrics. SIGTERM stops it in order"),
  Command.withShortDescription("Run the service")
)
