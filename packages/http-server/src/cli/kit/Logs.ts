/**
 * Logs, on standard error, so that standard output has results only: to be read on a terminal, otherwise a line of JSON
 * each.
 */
import { stderr } from "node:process"
import { Config, Effect, Layer, Logger, type LogLevel, References } from "effect"
import { UsageError } from "./Failures.ts"

/** Name of the variable with the least level that is logged. */
export const variable = "TOLEM_LOG_LEVEL"

/** Name of the variable with their form. */
export const formVariable = "TOLEM_LOG_FORMAT"

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

const forms = {
  json: Logger.withConsoleError(Logger.formatJson),
  pretty: Logger.consolePretty({ mode: "tty", colors: stderr.hasColors?.() ?? false })
} as const

/** One of the names that a variable holds. Fails with `UsageError` if it holds another text. */
const chosen = <Choice extends string>(name: string, choices: ReadonlyArray<Choice>, otherwise: Choice) =>
  Config.Literals(choices, name).pipe(
    Config.withDefault(otherwise),
    Effect.mapError(() => new UsageError({ message: `${name}: must be one of ${choices.join(", ")}` }))
  )

/**
 * Fails with `UsageError` if a variable holds what it must not. The level is `info` if nothing is said; the flag
 * `--log-level` goes before.
 */
export const layer: Layer.Layer<never, UsageError> = Layer.unwrap(
  Effect.gen(function* () {
    const level = yield* chosen(variable, names, "info")
    const form = yield* chosen(formVariable, ["json", "pretty"], stderr.isTTY ? "pretty" : "json")
    return Layer.mergeAll(
      Logger.layer([forms[form]]),
      Layer.succeed(Logger.LogToStderr, true),
      Layer.succeed(References.MinimumLogLevel, levels[level])
    )
  })
)
