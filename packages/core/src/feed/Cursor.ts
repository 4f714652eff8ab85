/**
 * Places in the feed as texts. One names the event that was seen last, so that it is noticed if a database has lost
 * what a reader has seen, and whose feed it is. To clients it is opaque. Pure.
 */
import { type EventId, timeOf } from "../value/Ids.ts"
import type { Tenant } from "../value/Tenant.ts"

/** Behind an event of the feed: its position, from 1 on, and its id. Before the first one: 0, and no id. */
export interface Cursor {
  readonly position: number
  readonly eventId: EventId | null
}

/** Before everything. */
export const beginning: Cursor = { position: 0, eventId: null }

/** The text of a place in the feed of one organization and mode. */
export const cursorText = (tenant: Tenant, { position, eventId }: Cursor): string =>
  `${headOf(tenant)}${position.toString(radix)}_${eventId?.slice(prefix.length) ?? ""}`

/** The place that a text names; undefined if it is no cursor of this feed. */
export const cursorFrom = (tenant: Tenant, text: string): Cursor | undefined => {
  const head = headOf(tenant)
  if (text.length > maxLength || !text.startsWith(head)) return undefined
  const [, digits = "", rest = ""] = /^([0-9a-z]+)_([0-9a-z_]*)$/.exec(text.slice(head.length)) ?? []
  const position = Number.parseInt(digits, radix)
  if (!Number.isSafeInteger(position) || position.toString(radix) !== digits || (position === 0) !== (rest === "")) {
    return undefined
  }
  return { position, eventId: rest === "" ? null : `${prefix}${rest}` }
}

/** When the event of a cursor was made, milliseconds; 0 if its id does not say so. */
export const timeOfCursor = ({ eventId }: Cursor): number => (eventId === null ? 0 : (timeOf(eventId) ?? 0))

const prefix = "evt_"
const radix = 36
const maxLength = 120
const tagLength = 6

// The end of an id is random: a cursor of another organization is taken for one of this with next to no chance.
const headOf = ({ organizationId, mode }: Tenant): string =>
  `cur_${mode === "live" ? "l" : "s"}${organizationId.slice(-tagLength)}_`
