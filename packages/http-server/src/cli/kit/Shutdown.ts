/** Whether an interruption is the orderly end of the command, as it is of a service, or cuts it off. */
import { Cause, Context, Exit, Layer, Runtime } from "effect"

/** Whether an interruption is the orderly end of the command. A service sets it once it is ready. */
export class Stopping extends Context.Service<Stopping, { orderly: boolean }>()("@tolem/http-server/cli/Stopping") {}

/**
 * The service, and how its process ends: with the command's exit code; interrupted, with 0 or, as in shells, 130;
 * with 1 after an error that nothing has caught.
 */
export const make = (ending: {
  readonly faulty: boolean
}): { readonly layer: Layer.Layer<Stopping>; readonly teardown: Runtime.Teardown } => {
  const stopping = { orderly: false }
  return {
    layer: Layer.succeed(Stopping, stopping),
    teardown: (exit, onExit) => {
      if (ending.faulty) return onExit(1)
      if (Exit.isSuccess(exit)) return onExit(typeof exit.value === "number" ? exit.value : 0)
      if (Cause.hasInterruptsOnly(exit.cause) && stopping.orderly) return onExit(0)
      Runtime.defaultTeardown(exit, onExit)
    }
  }
}
