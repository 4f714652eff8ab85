/** Flags whose wrong values are findings, in place of the end of the command. */
import { Effect, Result } from "effect"
import type { Flag } from "effect/cli"
import * as FlagOf from "effect/cli/Flag"
import { describe } from "../kit/Failures.ts"

/** What the flag says, or what is wrong with it. */
export type Attempted<A> = Result.Result<A, string>

/** The flag, whose value is told of if it is wrong. It is in the help as it was. */
const attempt = <A>(flag: Flag.Flag<A>): Flag.Flag<Attempted<A>> => {
  const mapped = FlagOf.map(flag, (value): Attempted<A> => Result.succeed(value))
  const parse: typeof mapped.parse = (args) =>
    Effect.catch(mapped.parse(args), (error) =>
      Effect.succeed([args.arguments, Result.fail(describe(error).message)] as const)
    )
  return Object.assign(Object.create(Object.getPrototypeOf(mapped)), mapped, { parse })
}

type Flags = Readonly<Record<string, Flag.Flag<unknown>>>

/** The same of each. */
export const attemptEach = <const All extends Flags>(flags: All) =>
  Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, attempt(flag)])) as {
    readonly [Name in keyof All]: All[Name] extends Flag.Flag<infer A> ? Flag.Flag<Attempted<A>> : never
  }
