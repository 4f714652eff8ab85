/** Port: who has a chat with the bot, and how far the bot's messages were read. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { AccountId } from "../value/Ids.ts"
import type { MessengerLink } from "./MessengerLink.ts"

/** The right to read the bot's messages, which one server at a time has. */
export interface ReadingTerm {
  /** Messages before it were read. */
  readonly offset: number
  /** When the right ends, epoch milliseconds; also the proof of it. */
  readonly dueAt: number
}

/** Port: chats of accounts, one of each at most. */
export class MessengerLinkStore extends Context.Service<
  MessengerLinkStore,
  {
    readonly find: (accountId: AccountId) => Effect.Effect<Option.Option<MessengerLink>, StorageError>
    /** The row whose open code has this digest. */
    readonly findByCode: (codeDigest: string) => Effect.Effect<Option.Option<MessengerLink>, StorageError>
    /** The rows that are linked with this chat, some tens at most. */
    readonly ofChat: (chatId: string) => Effect.Effect<ReadonlyArray<MessengerLink>, StorageError>
    /** Adds a row. False, and nothing is written, if the account has one. */
    readonly add: (row: MessengerLink) => Effect.Effect<boolean, StorageError>
    /** Writes a row in place of the one of the version before, with the record of it. False if that is gone. */
    readonly replace: (row: MessengerLink, audit?: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** Removes the row, with the record of it. False, and nothing is written, if there is none. */
    readonly remove: (accountId: AccountId, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /**
     * Takes the next place of the account's chat: nothing is sent there before `until`. False if it is not free at
     * `now`, or there is none: of two at once one has it.
     */
    readonly take: (accountId: AccountId, now: number, until: number) => Effect.Effect<boolean, StorageError>
    /** Keeps the account's chat free of messages until an instant. */
    readonly hold: (accountId: AccountId, until: number) => Effect.Effect<void, StorageError>
    /** Takes the right to read until an instant, if it is not another server's at `now`. One element, or none. */
    readonly leaseReading: (now: number, until: number) => Effect.Effect<ReadonlyArray<ReadingTerm>, StorageError>
    /** Notes how far was read, and that the right is free from `dueAt` on. False if it has become another's. */
    readonly noteReading: (term: ReadingTerm, offset: number, dueAt: number) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/MessengerLinkStore") {}
