/** A mailer in plain promises, for those who do not write Effect. */
import { Effect, Layer } from "effect"
import { HandOver, Mailer } from "./Mailer.ts"

/** A letter as it is handed over. `id` is the same at every attempt, so that a gateway can tell a repeated one. */
export interface PlainLetter {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What says that a letter was not taken. `reason` is for people and holds no secret. */
export interface LetterRejected {
  readonly rejected: string
  /** Whether it may be handed over again later. Default false. */
  readonly retryable?: boolean
}

/** What takes letters. */
export interface MailerDefinition {
  /**
   * Has a minute; `signal` ends it then. A promise that is fulfilled with nothing means that the letter was taken. One
   * that is rejected leaves open whether it was: the letter is not handed over again, and stays to be seen as unknown.
   */
  readonly send: (letter: PlainLetter, options: { readonly signal: AbortSignal }) => Promise<LetterRejected | undefined>
}

const sendWithinMs = 55_000

/** The port over the definition, for `mailer` of `createEngine` and of `tolem.config.ts`. */
export const defineMailer = ({ send }: MailerDefinition): Layer.Layer<Mailer> =>
  Layer.succeed(Mailer, {
    send: ({ id, to, subject, text, html }) =>
      Effect.tryPromise((signal) => send({ id, to, subject, text, html }, { signal })).pipe(
        Effect.timeout(sendWithinMs),
        Effect.map((answer) =>
          answer === undefined
            ? HandOver.Taken()
            : HandOver.Rejected({ reason: answer.rejected, retryable: answer.retryable === true })
        ),
        // What the application throws may repeat the letter or a secret, so it is not kept.
        Effect.orElseSucceed(() => HandOver.Unknown({ reason: "the mailer has not said whether it was taken" }))
      )
  })
