/** How the process is about to end. */
import { Context } from "effect"

/**
 * `faulty` once an error was thrown that nothing has caught. What runs then may be the reason, so agents do not give it
 * back as if it had never begun. Set by the program, read by agents.
 */
export const ProcessEnd = Context.Reference<{ faulty: boolean }>("@tolem/core/ProcessEnd", {
  defaultValue: () => ({ faulty: false })
})
