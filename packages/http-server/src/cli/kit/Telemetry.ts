/** Telemetry of a service: off until a collector is named. */
import { Config, Effect, Layer, Option, Redacted } from "effect"
import { type Command, Flag } from "effect/cli"
import * as OtlpSettings from "../../operations/OtlpSettings.ts"
import { version } from "../../operations/Version.ts"
import { UsageError } from "./Failures.ts"
import * as Flags from "./Flags.ts"

const headersVariable = "TOLEM_OTLP_HEADERS"

const intervalMs = 10_000

/** `--otlp-url`: the collector, and what it is sent. */
export const flags = {
  otlpUrl: Flags.optional({
    ...Flags.ofText("otlp-url", "URL"),
    name: "TOLEM_OTLP_URL",
    description:
      "Collector of OpenTelemetry that metrics, traces and logs are sent to, with the headers of TOLEM_OTLP_HEADERS; " +
      "default none",
    wrong: (url) => {
      const fault = OtlpSettings.addressFault(url)
      return fault && `--otlp-url ${fault}`
    }
  }),
  otlpSignals: Flags.withUsual(
    {
      ...Flags.ofText("otlp-signals", "NAMES"),
      name: "TOLEM_OTLP_SIGNALS",
      description: "What that collector is sent, commas between",
      wrong: (names) =>
        OtlpSettings.parseSignals(names) === undefined
          ? `--otlp-signals must be names of ${OtlpSettings.signals.join(", ")}, commas between`
          : undefined
    },
    OtlpSettings.signals.join(",")
  ),
  traceRatio: Flags.withUsual(
    {
      flag: Flag.Finite("trace-ratio"),
      variable: Config.Finite,
      name: "TOLEM_TRACE_RATIO",
      description: "The share of traces that it is sent, from 0 to 1",
      wrong: (ratio) => (ratio >= 0 && ratio <= 1 ? undefined : "--trace-ratio must be from 0 to 1")
    },
    1
  )
}

/** Sends telemetry to this collector for as long as the layer is open; without one, nothing of it is even loaded. */
export const layer = ({
  otlpUrl,
  otlpSignals,
  traceRatio
}: Command.Command.Config.Infer<typeof flags>): Layer.Layer<never, UsageError> =>
  Option.match(otlpUrl, {
    onNone: () => Layer.empty,
    onSome: (url) =>
      Layer.unwrap(
        Effect.gen(function* () {
          const headers = yield* headersOf
          const { layer } = yield* Effect.promise(() => import("../../operations/OtlpExport.ts"))
          const signals = Option.match(otlpSignals, {
            onNone: () => OtlpSettings.signals,
            onSome: (names) => OtlpSettings.parseSignals(names) ?? []
          })
          const ratio = Option.getOrElse(traceRatio, () => 1)
          return layer({ url, headers, intervalMs, signals, traceRatio: ratio }, yield* version)
        })
      )
  })

const headersOf = Config.option(Config.Redacted(headersVariable)).pipe(
  Effect.mapError((error) => error.cause.message.split("\n")[0] ?? ""),
  Effect.map(Option.getOrElse(() => Redacted.make(""))),
  Effect.flatMap((text) => Effect.fromResult(OtlpSettings.parseHeaders(text))),
  Effect.mapError((message) => new UsageError({ message: `${headersVariable}: ${message}` }))
)
