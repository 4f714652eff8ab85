/** Changes as members are told of them: of what their role sees, and no contents. Pure. */
import { type Desk, isNarrow, isOpenTo } from "../cabinet/Desks.ts"
import type { Cursor } from "../feed/Cursor.ts"
import type { FeedEntry } from "../feed/FeedStore.ts"
import { reachOf } from "../merchant/Permission.ts"
import type { WatchedThing } from "./ChangeStore.ts"

/** What members are told of. `reset`: so much has changed that all is to be read again. */
export type ChangeType = "invoice" | "refund" | "connection" | "endpoint" | "reset"

/** One change. A refund is named by its invoice; `id` null: any of that type may have changed. */
export interface DeskChange {
  readonly type: ChangeType
  readonly id: string | null
  /** What happened to the invoice. */
  readonly event: FeedEntry["event"]["type"] | null
  /** Where in the feed it stands. */
  readonly cursor: Cursor | null
}

/** Things by their ids. */
export const byId = (things: ReadonlyArray<WatchedThing>): ReadonlyMap<string, WatchedThing> =>
  new Map(things.map((thing) => [thing.id, thing]))

/** Those that are new, different, or gone. */
export const changed = (before: ReadonlyMap<string, WatchedThing>, now: ReadonlyMap<string, WatchedThing>) => [
  ...Array.from(now.values()).filter(({ id, state }) => before.get(id)?.state !== state),
  ...Array.from(before.values()).filter(({ id }) => !now.has(id))
]

const permissionOf = { connection: "connections:read", endpoint: "webhooks:read", invoice: "invoices:read" } as const

/** As what they see things of a type; null: they see none. */
export const seenAs = (desk: Desk, type: keyof typeof permissionOf): Desk | null => {
  const reach = reachOf(desk.role, permissionOf[type], desk.mode)
  return reach === null ? null : { ...desk, reach }
}

/** Whether they see this cashier or endpoint. */
export const seesThing = (desk: Desk, { type, id, mode }: WatchedThing): boolean => {
  const seen = seenAs(desk, type)
  if (seen === null || (mode !== null && mode !== desk.mode)) return false
  return type === "endpoint" || !isNarrow(seen) || seen.connectionIds.includes(id)
}

/** Whether they see the invoice of this event. */
export const seesEntry = (desk: Desk, { invoice }: FeedEntry): boolean => {
  const seen = seenAs(desk, "invoice")
  return seen !== null && isOpenTo(seen, invoice.connectionId)
}

/** The change that an event is. */
export const ofEntry = ({ event, invoice, cursor }: FeedEntry): DeskChange => ({
  type: event.type === "invoice.refunded" || event.type === "invoice.partially_refunded" ? "refund" : "invoice",
  id: invoice.id,
  event: event.type,
  cursor
})
