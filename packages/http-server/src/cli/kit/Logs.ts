/** Logs: JSON lines on standard error, so that standard output has results only. */
import { Config, Effect, Layer, Logger, type LogLevel, References } from "effect"
import { UsageError } from "./Failures.ts"

/** Name of the variable with the least level that is logged. */
export const variable = "TOLEM_LOG_LEVEL"

const levels = {
  all: "All",
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const satisfies Record<string, LogLevel.LogLevel>

type Name = keyof typeof levels

const names = Object.keys(levels) as ReadonlyArray<Name>

/** Fails with `UsageError` if the variable holds no level. Default `info`. The flag `--log-level` goes before. */
export const layer: Layer.Layer<never, UsageError> = Layer.unwrap(
  Config.Literals(names, variable).pipe(
    Config.withDefault("info" as const),
    Effect.mapBoth({
      onFailure: () => new UsageError({ message: `${variable}: must be one of ${names.join(", ")}` }),
      onSuccess: (name) =>
        Layer.merge(
          Logger.layer([Logger.withConsoleError(Logger.formatJson)]),
          Layer.succeed(References.MinimumLogLevel, levels[name])
        )
    })
  )
)
