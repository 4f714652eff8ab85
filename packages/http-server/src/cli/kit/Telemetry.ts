/** Telemetry of a service: off until a collector is named. */
import { Config, Effect, Layer, Option, Redacted } from "effect"
import type { Flag } from "effect/cli"
import * as OtlpSettings from "../../operations/OtlpSettings.ts"
import { version } from "../../operations/Version.ts"
import { UsageError } from "./Failures.ts"
import * as Flags from "./Flags.ts"

const headersVariable = "TOLEM_OTLP_HEADERS"

const intervalMs = 10_000

/** `--otlp-url`: the collector that metrics are sent to. */
export const flag: Flag.Flag<Option.Option<string>> = Flags.optional({
  ...Flags.ofText("otlp-url", "URL"),
  name: "TOLEM_OTLP_URL",
  description:
    "Collector of OpenTelemetry that metrics are sent to, with the headers of TOLEM_OTLP_HEADERS; default none",
  wrong: (url) => {
    const fault = OtlpSettings.addressFault(url)
    return fault && `--otlp-url ${fault}`
  }
})

/** Sends metrics to this collector for as long as the layer is open; without one, nothing of it is even loaded. */
export const layer = (url: Option.Option<string>): Layer.Layer<never, UsageError> =>
  Option.match(url, {
    onNone: () => Layer.empty,
    onSome: (address) =>
      Layer.unwrap(
        Effect.gen(function* () {
          const headers = yield* headersOf
          const { layer } = yield* Effect.promise(() => import("../../operations/OtlpExport.ts"))
          return layer({ url: address, headers, intervalMs }, yield* version)
        })
      )
  })

const headersOf = Config.option(Config.Redacted(headersVariable)).pipe(
  Effect.mapError((error) => error.cause.message.split("\n")[0] ?? ""),
  Effect.map(Option.getOrElse(() => Redacted.make(""))),
  Effect.flatMap((text) => Effect.fromResult(OtlpSettings.parseHeaders(text))),
  Effect.mapError((message) => new UsageError({ message: `${headersVariable}: ${message}` }))
)
