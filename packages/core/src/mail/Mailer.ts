/** Port: hands a letter over to be delivered. */
import { Context, Data, type Effect } from "effect"

/** A letter as it is handed over. */
export interface Letter {
  /** The same for every attempt, another where it is sent again: the `Message-ID` is made of it. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * What became of a hand-over. `Rejected`: it was not taken, `retryable` says whether trying later makes sense.
 * `Unknown`: it may have been taken; it must not be handed over again. `reason` is for people and holds no secret.
 */
export type HandOver = Data.TaggedEnum<{
  Taken: object
  Rejected: { readonly retryable: boolean; readonly reason: string }
  Unknown: { readonly reason: string }
}>
/** Constructors of outcomes. */
export const HandOver = Data.taggedEnum<HandOver>()

/** Hands a letter over to be delivered. Without one in the context no letters are written. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Never fails and ends within a minute. */
    readonly send: (letter: Letter) => Effect.Effect<HandOver>
  }
>()("@tolem/core/Mailer") {}
