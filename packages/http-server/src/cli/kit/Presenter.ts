/** Help on standard output. What is wrong with a call goes to standard error, and help for it is only named. */
import { Console, Effect } from "effect"
import { CliOutput } from "effect/cli"

/** Prints help and the version when they are asked for; leaves errors to the printer of failures. */
export const presenter: CliOutput.Presenter = {
  present: Effect.fnUntraced(function* (event) {
    if (event._tag === "InvalidInvocation" || (event._tag === "Help" && event.reason === "Implicit")) return
    yield* CliOutput.defaultPresenter.present(event)
  })
}

/** Prints a failure: `{ error, message }`, or text that names the help of the command for a wrong call. */
export const printFailure = (
  failure: { readonly error: string; readonly message: string; readonly exitCode: number },
  options: { readonly json: boolean; readonly help: string }
): Effect.Effect<void> => {
  const { error, message } = failure
  if (options.json) return Console.error(JSON.stringify({ error, message }))
  return Console.error(failure.exitCode === 2 ? `${message}\n\nSee: ${options.help}` : `${message} (${error})`)
}
