/** How far a long piece of work has come, for those who wait for it. */
import { Context, Effect } from "effect"

/** Where the work is. */
export interface Progress {
  /** What is done now, in a word. */
  readonly what: string
  /** Parts that are done, of how many. */
  readonly done: number
  readonly of: number
}

/** Hears of it. It is told at every part, so it should be quick. Without one nothing is said. */
export const ProgressListener = Context.Reference<(progress: Progress) => Effect.Effect<void>>(
  "@tolem/core/ProgressListener",
  { defaultValue: () => () => Effect.void }
)

/** Tells the listener of the fiber. */
export const tell = (progress: Progress): Effect.Effect<void> =>
  Effect.flatMap(ProgressListener, (listener) => listener(progress))
