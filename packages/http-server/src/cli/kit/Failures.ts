/** How commands fail: what they print, and the exit code. Everything a command can fail with becomes one of the two. */
import { entry, isCode } from "@tolem/core/error/ErrorCatalog"
import { Data } from "effect"
import { CliError } from "effect/cli"

/** The command was called in a way in which it can never work. Exit code 2. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** The command could not do its work. `error` is stable, `message` is for people. Exit code 1. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly error: string
  readonly message: string
}> {}

/** Why a server does not begin to listen, and what to do where its port is taken. */
export const cannotListen = (port: number, cause: unknown): CommandFailed => {
  const isTaken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE"
  const message = isTaken
    ? `Port ${port} is taken, perhaps by another server. End that one, or name another port with --port.`
    : `Cannot listen at port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`
  return new CommandFailed({ error: "cannot_listen", message })
}

/** What is printed of a failure. */
export interface Failure {
  readonly exitCode: 1 | 2
  readonly error: string
  readonly message: string
  /** Whether it is unknown, so that the log should have all of it. */
  readonly unexpected: boolean
}

/** What a failure means to the person at the terminal. Refusals of the engine are told in the catalogue's English. */
export const describe = (failure: unknown): Failure => {
  if (CliError.isCliError(failure)) return usage(messageOf(failure))
  if (failure instanceof UsageError) return usage(failure.message)
  if (failure instanceof CommandFailed) return failed(failure.error, failure.message)
  const code = codeOf(failure)
  if (code === undefined) return { ...failed("internal_error", entry("internal_error").en), unexpected: true }
  const { en, status } = entry(code)
  // What was refused stands in a flag, and its help says of which form it is.
  const message = status === 422 ? `${en} With --help the command says what its flags may be.` : en
  return { ...failed(code, message), unexpected: code === "service_unavailable" }
}

const usage = (message: string): Failure => ({ exitCode: 2, error: "usage", message, unexpected: false })

const failed = (error: string, message: string): Failure => ({ exitCode: 1, error, message, unexpected: false })

const messageOf = (error: CliError.CliError): string => {
  if (error._tag !== "ShowHelp") return error.message
  const path = error.commandPath.join(" ")
  if (error.errors.length === 0) return `${path}: which command?`
  return error.errors.map(({ message }) => message).join("\n")
}

const codeOf = (failure: unknown) => {
  const code = typeof failure === "object" && failure !== null && "code" in failure ? failure.code : undefined
  return typeof code === "string" && isCode(code) ? code : undefined
}
