/** Changes of what others change too: read, and written if it is still what was read; if not, read again. */
import { Effect, Option } from "effect"
import { StorageError } from "../error/StorageError.ts"
import * as KeyedLock from "./KeyedLock.ts"

/**
 * How often a change is tried. Those of this process take turns, so that each try that fails is a change that another
 * server has made in the meantime.
 */
const maxTries = 20

/** Tries a change of the thing with this key until it comes through. */
export type Rivals = (
  operation: string,
  key: string
) => <A, E, R>(attempt: Effect.Effect<Option.Option<A>, E, R>) => Effect.Effect<A, E | StorageError, R>

const outrun = (operation: string) =>
  new StorageError({
    operation,
    outcome: "nothing_written",
    retryable: true,
    cause: new Error(`others have changed it meanwhile, ${maxTries} times in a row`)
  })

/** Makes the lines in which changes wait for each other. An attempt that answers none has found another in between. */
export const make: Effect.Effect<Rivals> = Effect.map(
  KeyedLock.make,
  (turns): Rivals =>
    (operation, key) =>
    (attempt) =>
      turns(key)(attempt).pipe(
        Effect.repeat({ times: maxTries - 1, until: Option.isSome }),
        Effect.flatMap((done) => (Option.isSome(done) ? Effect.succeed(done.value) : Effect.fail(outrun(operation))))
      )
)
