/** What the engine says of itself, to the logger of the application around it. */
import { Cause, Effect, Layer, Logger, References } from "effect"
import { isInTheWay, StorageError } from "../error/StorageError.ts"
import type { Coded } from "./Faces.ts"

type Log = (fields: object, message: string) => void

/** A logger as `pino()`, `console` and a Fastify's `log` are. An error is the field `err`. */
export interface EmbeddedLogger {
  readonly debug: Log
  readonly info: Log
  readonly warn: Log
  readonly error: Log
}

/** Has the engine write to this logger alone; without one it writes to standard output. */
export const layer = (logger: EmbeddedLogger | undefined): Layer.Layer<never> =>
  logger === undefined ? Layer.empty : Logger.layer([loggerTo(logger)])

const levels = { Fatal: "error", Error: "error", Warn: "warn", Info: "info" } as const

const loggerTo = (host: EmbeddedLogger) =>
  Logger.make<unknown, void>(({ message, logLevel, cause, fiber }) => {
    const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    const texts = parts.filter((part) => typeof part === "string")
    const thrown = cause.reasons.length > 0 ? Cause.squash(cause) : undefined
    const err = parts.find((part) => part instanceof Error) ?? thrown
    const fields = { ...fiber.getRef(References.CurrentLogAnnotations), ...(err !== undefined && { err }) }
    const level = logLevel in levels ? levels[logLevel as keyof typeof levels] : "debug"
    host[level](fields, texts.join(" "))
  })

/**
 * Logs a storage that has failed, once and with its cause; refusals are the caller's own affair, and so is their own
 * transaction that is in the way.
 */
export const logFailure = (failure: Coded): Effect.Effect<void> =>
  failure instanceof StorageError && !isInTheWay(failure)
    ? Effect.annotateLogs(Effect.logError("Storage away", failure.cause), {
        operation: failure.operation,
        outcome: failure.outcome
      })
    : Effect.void
