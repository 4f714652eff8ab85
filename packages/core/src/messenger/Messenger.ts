/** Port: hands short texts over to people's chats, and hears what they write to the bot. */
import { Context, Data, type Effect } from "effect"

/**
 * What became of a text. `Later`: not taken, and not to be tried before. `Blocked`: the person has ended the chat.
 * `Unknown`: it may have been taken. `reason` is a code for people and holds no secret.
 */
export type SendOutcome = Data.TaggedEnum<{
  Taken: object
  Rejected: { readonly retryable: boolean; readonly reason: string }
  Later: { readonly waitMs: number }
  Blocked: { readonly reason: string }
  Unknown: { readonly reason: string }
}>
/** Constructors of outcomes. */
export const SendOutcome = Data.taggedEnum<SendOutcome>()

/** What a person has written to the bot, in a chat of their own with it. */
export interface Incoming {
  readonly chatId: string
  readonly text: string
}

/** What was written since an offset, and the offset behind it. `Failed`: ask again after `waitMs`. */
export type Updates = Data.TaggedEnum<{
  Read: { readonly incoming: ReadonlyArray<Incoming>; readonly next: number }
  Failed: { readonly reason: string; readonly waitMs: number }
}>
/** Constructors of answers. */
export const Updates = Data.taggedEnum<Updates>()

/** A messenger with its bot. Without one in the context no chats are offered. */
export class Messenger extends Context.Service<
  Messenger,
  {
    /** Never fails and ends within half a minute. The text is shown as it is: no mark-up of it is read. */
    readonly send: (chatId: string, text: string) => Effect.Effect<SendOutcome>
    /** Waits up to `waitMs` for what people write; confirms all before `offset`. Never fails. */
    readonly updates: (offset: number, waitMs: number) => Effect.Effect<Updates>
    /** The bot's name, which links to it are made of; null: the messenger does not say. */
    readonly name: Effect.Effect<string | null>
  }
>()("@tolem/core/Messenger") {}
