/** What a command asks a person, on standard error, and reads from standard input: a line each. */
import { stderr, stdin } from "node:process"
import { createInterface } from "node:readline"
import { Effect, Queue } from "effect"

/** Asks for a line; null once standard input has ended. */
export type Ask = (question: string) => Effect.Effect<string | null>

/** Reads standard input for as long as the scope is open. What is piped in answers as what is typed does. */
export const make = Effect.gen(function* () {
  const lines = yield* Queue.unbounded<string | null>()
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const reader = createInterface({ input: stdin, terminal: false })
      reader.on("line", (line) => void Queue.offerUnsafe(lines, line.trim()))
      reader.on("close", () => void Queue.offerUnsafe(lines, null))
      return reader
    }),
    (reader) =>
      Effect.sync(() => {
        reader.close()
        stdin.unref?.()
      })
  )
  const ended = Effect.andThen(
    Effect.sync(() => stdin.isTTY && void stderr.write("\n")),
    Queue.offer(lines, null)
  )
  const ask: Ask = (question) =>
    Effect.andThen(
      // What is typed ends its line by itself.
      Effect.sync(() => void stderr.write(stdin.isTTY ? `${question} ` : `${question}\n`)),
      Effect.tap(Queue.take(lines), (line) => (line === null ? ended : Effect.void))
    )
  return ask
})
