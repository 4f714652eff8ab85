/** Results on standard output: JSON for programs, text for people. */
import { Console, Context, Effect, Layer, Stdio } from "effect"
import { Flag, GlobalFlag } from "effect/cli"

/** A result in both forms. */
export interface Result {
  readonly json: object
  readonly text: string
}

/** Prints the results of commands. */
export class Output extends Context.Service<
  Output,
  {
    /** Whether results and errors are JSON: with `--json`, or where standard output is no terminal. */
    readonly json: boolean
    /** Prints a result: one line of JSON, or text. */
    readonly print: (result: Result) => Effect.Effect<void>
    /** Prints for people wherever the output goes; JSON only with `--json`. */
    readonly tell: (result: Result) => Effect.Effect<void>
  }
>()("@tolem/http-server/cli/Output") {
  /** Decided by the arguments and the kind of standard output. */
  static readonly layer: Layer.Layer<Output, never, Stdio.Stdio> = Layer.effect(
    Output,
    Effect.gen(function* () {
      const stdio = yield* Stdio.Stdio
      const asked = (yield* stdio.args).includes("--json")
      const json = asked || !(yield* stdio.stdoutIsTerminal)
      const write = (asJson: boolean) => (result: Result) =>
        Console.log(asJson ? JSON.stringify(result.json) : result.text)
      return { json, print: write(json), tell: write(asked) }
    })
  )
}

/** `--json`, taken by every command. `Output` looks for it by itself, since errors of parsing are printed as well. */
export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Print JSON; the default where standard output is no terminal")
  )
})
