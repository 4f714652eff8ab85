/** Keeps the statements that a program sends, for tests of their plans. */
import { Effect, Layer } from "effect"
import { Statement } from "effect/sql"

/** A statement as it is sent. */
export type Sent = readonly [sql: string, params: ReadonlyArray<unknown>]

/** Adds the statements that have the name in them to `log`. */
export const recording = (name: string, log: Array<Sent>): Layer.Layer<never> =>
  Layer.succeed(Statement.CurrentTransformer, (statement) => {
    const sent = statement.compile()
    if (sent[0].includes(name)) log.push(sent)
    return Effect.succeed(statement)
  })
