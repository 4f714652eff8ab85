/** Commands over the database: they take `--database`, do their work with the engine, and print what it answers. */
import { OrganizationNotFound } from "@tolem/core/merchant/MerchantStore"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Assembly from "./Assembly.ts"
import { CommandFailed } from "./Failures.ts"
import * as Flags from "./Flags.ts"
import { Output, type Result } from "./Output.ts"

type Given<Config> = Command.Command.Config.InferValue<Config>

const over =
  (assembly: typeof Assembly.layer) =>
  <
    const Name extends string,
    Config extends Command.Command.Config,
    Step extends Effect.Effect<unknown, unknown, unknown>
  >(
    name: Name,
    description: string,
    flags: Config,
    work: (given: Given<Config>) => Generator<Step, Result, never>,
    /** What the engine is assembled with, besides. */
    options: (given: Given<Config>) => Assembly.Options = () => ({})
  ) =>
    Command.make(name, { database: Flags.database, flags }, ({ database, flags: given }) =>
      Effect.gen(function* () {
        const output = yield* Output
        yield* output.print(yield* Effect.gen(() => work(given)))
      }).pipe(
        Effect.provide(assembly(database, options(given))),
        // What a command fails with is told by `Failures`, whatever it is.
        Effect.mapError((error): unknown => error)
      )
    ).pipe(Command.withDescription(description))

/** A command that changes something. */
export const changingCommand = over(Assembly.layer)

/** A command that only reads; see `Assembly.reading`. */
export const readingCommand = over(Assembly.reading)

/** A command that only holds others. */
export const group = <const Commands extends ReadonlyArray<Command.Command.SubcommandEntry>>(
  name: string,
  description: string,
  commands: Commands
) => Command.make(name).pipe(Command.withDescription(description), Command.withSubcommands(commands))

/** What to answer if `--org` names no organization. */
export const organizationNotFound = (id: string): CommandFailed =>
  new CommandFailed({ error: "organization_not_found", message: `There is no organization ${id}.` })

/** Answers so if the engine knows no such organization. */
export const ofOrganization =
  (id: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | CommandFailed, R> =>
    Effect.mapError(self, (error) => (error instanceof OrganizationNotFound ? organizationNotFound(id) : error))
