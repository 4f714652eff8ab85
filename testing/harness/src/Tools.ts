/** Programs of this repository: their commands, flags and help, and how a call of one ends. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { CliConfig, CliError, Command, Flag, GlobalFlag } from "effect/cli"

/** A command that does `work`, which answers whether all went well, with the values of its flags. */
export const tool = <const Name extends string, const Flags extends Command.Command.Config>(
  name: Name,
  description: string,
  flags: Flags,
  work: (values: Command.Command.Config.Infer<Flags>) => Promise<boolean>
) =>
  Command.make(name, flags, (values) =>
    Effect.flatMap(
      Effect.promise(() => work(values)),
      (well) => (well ? Effect.void : Effect.fail(notWell))
    )
  ).pipe(Command.withDescription(description))

const notWell = { _tag: "NotWell" } as const

/** A flag that takes a whole number from `least`. */
export const wholeFlag = (name: string, usual: number, description: string, least = 1): Flag.Flag<number> =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= least,
      () => `a whole number from ${least}`
    ),
    Flag.withDescription(`${description}; default ${usual}`),
    Flag.withDefault(usual)
  )

/** The flag `--only`, which takes one of these. */
export const onlyFlag = <const Name extends string>(
  names: ReadonlyArray<Name>,
  description: string
): Flag.Flag<Name | undefined> =>
  Flag.Literals("only", names).pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

/** Runs what the arguments name: 0, 1 if it failed or went not well, 2 if it was called wrongly. */
export const exitCodeOf = async <Name extends string, Input, Context, E>(
  command: Command.Command<Name, Input, Context, E, Command.Environment>,
  args: ReadonlyArray<string> = process.argv.slice(2)
): Promise<number> => {
  const services = Layer.merge(NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help] }))
  const run = Command.runWith(command, { version: "" })(args)
  const exit = await Effect.runPromiseExit(Effect.provide(run, services))
  if (Exit.isSuccess(exit)) return 0
  const error = Cause.squash(exit.cause)
  if (CliError.isCliError(error)) return 2
  if (error !== notWell) console.error(error)
  return 1
}
