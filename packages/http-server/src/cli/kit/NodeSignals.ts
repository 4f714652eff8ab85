/** What the process does about signals beyond stopping in order: it never takes longer than promised. */
import { constants } from "node:os"

/** The service has ten seconds from the first signal; the rest is for the process to end. */
const limitMs = 9_500

/** npm passes on the signal that the terminal has sent to both: within this time it is one signal that came twice. */
const echoMs = 300

/**
 * A second signal ends the process at once, and so does an orderly stop that takes too long. A terminal that is closed
 * stops what runs in it in order, too; what does not write to one, as under `nohup`, goes on. Call it once.
 */
export const install = (): void => {
  let stopping = false
  let armed = false
  if (process.stdout.isTTY) process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (armed) process.exit(128 + constants.signals[signal])
      if (stopping) return
      stopping = true
      setTimeout(() => {
        armed = true
      }, echoMs).unref()
      setTimeout(() => process.exit(process.exitCode ?? 0), limitMs).unref()
    })
  }
}
