/** Help on standard output. What is wrong with a call goes to standard error, and help for it is only named. */
import { Console, Effect, Layer } from "effect"
import { CliOutput } from "effect/cli"
import { Output } from "./Output.ts"

/** Prints help and the version when they are asked for; leaves errors to the printer of failures. */
export const layer: Layer.Layer<never, never, Output> = Layer.unwrap(
  Effect.map(Output, ({ tell }) =>
    CliOutput.layerPresenter({
      present: Effect.fnUntraced(function* (event) {
        if (event._tag === "InvalidInvocation" || (event._tag === "Help" && event.reason === "Implicit")) return
        if (event._tag === "Help") return yield* CliOutput.defaultPresenter.present(event)
        const { name, version } = event
        yield* tell({ json: { name, version }, text: `${name} v${version}` })
      })
    })
  )
)

/** Prints a failure: `{ error, message }`, or text that names the help of the command for a wrong call. */
export const printFailure = (
  failure: { readonly error: string; readonly message: string; readonly exitCode: number },
  options: { readonly json: boolean; readonly help: string }
): Effect.Effect<void> => {
  const { error, message } = failure
  if (options.json) return Console.error(JSON.stringify({ error, message }))
  return Console.error(failure.exitCode === 2 ? `${message}\n\nSee: ${options.help}` : `${message} (${error})`)
}
