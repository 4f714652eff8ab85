/** What the process does about errors that nothing has caught. */

/** The value of the core's `Ending`. */
type State = { faulty: boolean }

/**
 * Such an error leaves the process in an unknown state, so it ends: in order, for what it serves is sound as
 * far as it knows, and with exit code 1, so that its supervisor starts it anew. One line says what it was: its name,
 * code and place, not its message, which may hold private data. Call it once.
 */
export const installFaults = (ending: State): void => {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (cause: unknown) => {
      process.stderr.write(`${JSON.stringify({ level: "FATAL", message: `Process: ${event}`, ...factsOf(cause) })}\n`)
      process.exitCode = 1
      if (ending.faulty) return
      ending.faulty = true
      process.kill(process.pid, "SIGTERM")
    })
  }
}

const factsOf = (cause: unknown) => {
  if (!(cause instanceof Error)) return { error: typeof cause }
  const places = (cause.stack ?? "").split("\n").filter((line) => line.startsWith("    at "))
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : null
  return { error: cause.name, code, at: places.slice(0, 5).map((line) => line.trim()) }
}
