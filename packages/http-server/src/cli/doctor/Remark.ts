/** What a check has found, and how a check is kept from ending the others. */
import { Cause, Effect } from "effect"
import { NoDatabase } from "../kit/Database.ts"
import { describe } from "../kit/Failures.ts"

/** `failed`: a server would not start, or not work. `warning`: it works, and something should be done. */
export type Status = "ok" | "warning" | "failed"

/** One line. Holds no secret. */
export interface Remark {
  readonly check: string
  readonly status: Status
  readonly what: string
  /** What to do; null if there is nothing. */
  readonly todo: string | null
}

/** A finding without the name of its check. */
export type Told = Omit<Remark, "check">

/** Nothing is wrong. */
export const passed = (what: string): Told => ({ status: "ok", what, todo: null })
/** It works, and something should be done. */
export const warned = (what: string, todo: string): Told => ({ status: "warning", what, todo })
/** A server would not start, or not work. */
export const faulty = (what: string, todo: string): Told => ({ status: "failed", what, todo })

/** The worst of them, the first of those that are alike bad. */
export const worst = (all: readonly [Told, ...ReadonlyArray<Told>]): Told =>
  all.find(({ status }) => status === "failed") ?? all.find(({ status }) => status === "warning") ?? all[0]

/** Longest time of a check: a host that does not answer keeps none waiting for more. */
export const longestMs = 15_000

/** The check under its name. Whatever it fails with is told; `todo` says what to do then, if the failure does not. */
export const remarkOf = <E, R>(
  name: string,
  todo: string,
  self: Effect.Effect<Told, E, R>
): Effect.Effect<Remark, never, R> =>
  self.pipe(
    Effect.timeoutOption(longestMs),
    Effect.map((told) => (told._tag === "Some" ? told.value : faulty(`no answer within ${longestMs / 1000} s`, todo))),
    Effect.catchCause((cause) => {
      const error = Cause.squash(cause)
      if (error instanceof NoDatabase) return Effect.succeed(faulty(error.what, error.todo))
      const { message, unexpected } = describe(error)
      return Effect.succeed(faulty(unexpected ? "cannot be told" : message, todo))
    }),
    Effect.map((told) => ({ ...told, check: name, what: oneLine(told.what) }))
  )

// What others have said must not steer the terminal.
const oneLine = (text: string): string =>
  text
    .trim()
    .replace(/\s*[\r\n]+\s*/g, " ")
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\u{FFFD}")
    .replace(/\.$/, "")
