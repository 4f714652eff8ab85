/**
 * What one member is told of one organization and mode through one channel, as a row that falls due: their wishes, how
 * far the feed was read for them, and what has gathered since the last message. Pure.
 */
import { beginning, type Cursor } from "../feed/Cursor.ts"
import type { AccountId, EventId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Tiyn } from "../value/Money.ts"
import { type Gathered, nothingGathered } from "./Gathered.ts"
import { type NoticeChannel, type NoticeKind, type NoticeLanguage, wishesPayments } from "./NoticeKinds.ts"
import { type QuietHours, quietUntil } from "./QuietHours.ts"

/** What a member wishes of a channel. */
export interface NoticeWish {
  /** One at least. */
  readonly kinds: ReadonlyArray<NoticeKind>
  /** Payments of less are not told; null: all are. Late money is told whatever the sum. */
  readonly minimum: Tiyn | null
  readonly quiet: QuietHours | null
  readonly language: NoticeLanguage
}

/** Whose it is. */
export interface NoticeKey {
  readonly organizationId: OrganizationId
  readonly accountId: AccountId
  readonly mode: Mode
  readonly channel: NoticeChannel
}

/** Why a message was not sent, or may not have been. Whatever else stands there is a code of the channel. */
export const noticeReasons = {
  serverEnded: "the server ended while handing it over"
} as const

/** The row. Instants are epoch milliseconds. */
export interface NoticeLine extends NoticeKey, NoticeWish {
  /**
   * `sending`: a message is being handed over; found so after its lease, it may have gone. `given_up`: it was not taken
   * as often as it was tried; what has gathered is kept and told once a new round of tries succeeds.
   */
  readonly status: "waiting" | "sending" | "given_up"
  /** The place in the feed behind which nothing was looked at. Before the first event: 0 and null. */
  readonly position: number
  readonly eventId: EventId | null
  readonly gathered: Gathered
  /** Troubles that go on and are known, by their keys; null: not looked yet, and what goes on is no news. */
  readonly going: ReadonlyArray<string> | null
  /** When troubles were last looked for. */
  readonly lookedAt: number
  /** No message goes before. */
  readonly notBefore: number
  /** How often the present message was handed over. */
  readonly tries: number
  /** When the last message was taken; null: none was yet. */
  readonly toldAt: number | null
  /** Why the last one was not taken, or may not have been; null: it was. */
  readonly reason: string | null
  readonly dueAt: number
  readonly createdAt: number
  /** Grows by one with every change; guards every write. */
  readonly version: number
}

/** How often is looked for payments: people wait for them at a till. */
const lookMs = 15_000
/** How often is looked for troubles, and while no message may go. */
export const seldomMs = 60_000
/** Payments within this time are one message, and no chat or mailbox gets more. */
export const paceMs = 60_000
/** How long a message that was given up rests before it is tried again with what has gathered since. */
export const restMs = 24 * 3_600_000

/** A member's wish from now on: what is behind the cursor is told. */
export const newLine = (key: NoticeKey, wish: NoticeWish, cursor: Cursor, now: number): NoticeLine => ({
  ...key,
  ...wish,
  status: "waiting",
  position: cursor.position,
  eventId: cursor.eventId,
  gathered: nothingGathered,
  going: null,
  lookedAt: 0,
  notBefore: 0,
  tries: 0,
  toldAt: null,
  reason: null,
  dueAt: now,
  createdAt: now,
  version: 1
})

/** The place in the feed. */
export const standsAt = ({ position, eventId }: NoticeLine): Cursor =>
  position === 0 ? beginning : { position, eventId }

/** The row with other wishes. What has gathered is told; payments behind the cursor, if none were told before. */
export const rewished = (line: NoticeLine, wish: NoticeWish, cursor: Cursor, now: number): NoticeLine => {
  const { kinds, minimum, quiet, language } = wish
  const { position, eventId } = wishesPayments(line.kinds) ? line : cursor
  // One that is being handed over stays with the server that does so.
  const dueAt = line.status === "sending" ? line.dueAt : now
  return { ...line, kinds, minimum, quiet, language, position, eventId, dueAt, version: line.version + 1 }
}

/** The row whose member has asked for a test message. */
export const tested = (line: NoticeLine, now: number): NoticeLine => ({
  ...line,
  gathered: { ...line.gathered, isTest: true },
  notBefore: line.status === "given_up" ? now : line.notBefore,
  dueAt: line.status === "sending" ? line.dueAt : now,
  version: line.version + 1
})

/**
 * The row of a member who has become another since things gathered: they gather anew, as what the member is now, from
 * where the feed stood.
 */
export const regathered = (line: NoticeLine): NoticeLine => {
  const { from, troubles, doubt, isTest } = line.gathered
  const { position, eventId } = from ?? line
  const keys = new Set(troubles.map(({ key }) => key))
  const going = line.going?.filter((key) => !keys.has(key)) ?? null
  return { ...line, position, eventId, going, lookedAt: 0, gathered: { ...nothingGathered, doubt, isTest } }
}

const isEmpty = ({ paid, late, troubles, doubt, isTest }: Gathered): boolean =>
  paid.count === 0 && late.count === 0 && troubles.length === 0 && doubt === null && !isTest

/** When the row is looked at next; null: a message is to be handed over now. */
export const restOf = (line: NoticeLine, now: number): number | null => {
  if (isEmpty(line.gathered)) return now + lookMs
  // A person who asks for a test waits for it.
  const quietTo = line.gathered.isTest ? null : quietUntil(line.quiet, now)
  if (quietTo !== null) return Math.min(quietTo, now + seldomMs)
  return line.notBefore > now ? Math.min(line.notBefore, now + lookMs) : null
}

/** The row that waits until an instant. */
export const waiting = (line: NoticeLine, dueAt: number): NoticeLine => ({
  ...line,
  status: line.status === "given_up" ? "given_up" : "waiting",
  dueAt,
  version: line.version + 1
})

/** The row whose message is about to be handed over. */
export const handingOver = (line: NoticeLine): NoticeLine => ({
  ...line,
  status: "sending",
  tries: line.tries + 1,
  version: line.version + 1
})

/** The row that has nothing to tell and nowhere to tell it: from the cursor on there may be. */
export const passedOver = (line: NoticeLine, cursor: Cursor, now: number): NoticeLine => ({
  ...line,
  status: "waiting",
  position: cursor.position,
  eventId: cursor.eventId,
  gathered: nothingGathered,
  going: null,
  tries: 0,
  dueAt: now + seldomMs,
  version: line.version + 1
})
