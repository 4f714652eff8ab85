/** A person's chat with the bot: asked for with a code of a few minutes, begun by the person, ended by either. Pure. */
import type { AccountId } from "../value/Ids.ts"

/** Why a chat has ended: the person has blocked the bot, or told it to stop. */
export type ChatEnd = "blocked" | "stopped"

/** The chat of an account: one at most. Instants are epoch milliseconds. */
export interface MessengerLink {
  readonly accountId: AccountId
  /** `asked`: no chat yet. `ended`: nothing is sent there any more; `reason` says why. */
  readonly status: "asked" | "linked" | "ended"
  readonly chatId: string | null
  /** SHA-256 of the code that begins a chat, and until when; null: none is open. */
  readonly codeDigest: string | null
  readonly codeUntil: number | null
  readonly reason: ChatEnd | null
  /** Nothing is sent to the chat before: a messenger bounds what it takes. */
  readonly freeAt: number
  readonly createdAt: number
  /** Grows by one with every change but of `freeAt`; guards every write. */
  readonly version: number
}

/** How long a code begins a chat: long enough to open the messenger on another device. */
export const codeMs = 10 * 60_000

/** A new row with the code that was asked for. */
export const newLink = (accountId: AccountId, codeDigest: string, now: number): MessengerLink => ({
  accountId,
  status: "asked",
  chatId: null,
  codeDigest,
  codeUntil: now + codeMs,
  reason: null,
  freeAt: 0,
  createdAt: now,
  version: 1
})

/** The row with another code; the earlier one is void, and a chat that there is goes on until the new one begins. */
export const askedAgain = (row: MessengerLink, codeDigest: string, now: number): MessengerLink => ({
  ...row,
  codeDigest,
  codeUntil: now + codeMs,
  version: row.version + 1
})

/** The row whose code was sent from this chat; null if the code's time is over. */
export const begunIn = (row: MessengerLink, chatId: string, now: number): MessengerLink | null =>
  row.codeUntil === null || row.codeUntil <= now
    ? null
    : { ...row, status: "linked", chatId, codeDigest: null, codeUntil: null, reason: null, version: row.version + 1 }

/** The row whose chat has ended. */
export const endedBy = (row: MessengerLink, reason: ChatEnd): MessengerLink => ({
  ...row,
  status: "ended",
  chatId: null,
  reason,
  version: row.version + 1
})
