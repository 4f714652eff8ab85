/** What consumers hear of: written down with the places of events, so that each is there once. */
import { isNeverMade } from "@tolem/core/invoice/Consequences"
import type { InvoiceEvent } from "@tolem/core/invoice/Invoice"
import type { Mode } from "@tolem/core/value/Mode"
import { Effect } from "effect"
import type { Database } from "../base/Database.ts"

/** The row of a consumer. Lists are texts with commas around each member; empty means all. */
export interface ConsumerRow {
  readonly name: string
  readonly types: string
  readonly organizations: string
  readonly since: number
}

/** The columns of what a consumer has still to hear that are written first. */
const columns = {
  id: "text",
  consumer: "text",
  organization_id: "text",
  mode: "text",
  type: "text",
  invoice_id: "text",
  sequence: "bigint",
  event_id: "text"
} as const

/** An event that has got its place. */
export interface Placed {
  readonly event_id: string
  readonly type: string
  readonly invoice_id: string
  readonly sequence: number
  readonly created_at: number
  readonly from_status: InvoiceEvent["from"]
  readonly to_status: InvoiceEvent["to"]
  /** Of its invoice. */
  readonly origin: string | null
  readonly mode: Mode | null
}

/** A list as it is kept. */
export const listed = (members: ReadonlyArray<string>): string => (members.length === 0 ? "" : `,${members.join(",")},`)

const has = (list: string, member: string): boolean => list === "" || list.includes(`,${member},`)

/** Writes down who hears of events that have just got their places, for use in that transaction. */
export const make = ({ sql, dialect, tables }: Database["Service"]) => {
  const source = dialect.source("s", columns)
  const names = sql.literal(Object.keys(columns).join(", "))
  return Effect.fnUntraced(function* (organizationId: string, placed: ReadonlyArray<Placed>) {
    // Read last: a consumer that was added before one of the events was committed is seen.
    const consumers = yield* sql<ConsumerRow>`select * from ${tables.consumers} order by name`
    // As endpoints do, consumers hear nothing of a request that was refused: a repetition makes another invoice.
    const announced = placed.filter(
      ({ from_status, to_status, origin }) => !isNeverMade({ from: from_status, to: to_status }, { origin })
    )
    const rows = consumers
      .filter(({ organizations }) => has(organizations, organizationId))
      .flatMap(({ name, types, since }) =>
        announced
          .filter(({ type, created_at }) => created_at >= since && has(types, type))
          .map((event) => ({
            id: reactionId(event.event_id, name),
            consumer: name,
            organization_id: organizationId,
            mode: event.mode,
            type: event.type,
            invoice_id: event.invoice_id,
            sequence: event.sequence,
            event_id: event.event_id
          }))
      )
    if (rows.length === 0) return
    yield* sql`insert into ${tables.reactions} (${names}, status, attempt_count, due_at)
      select ${names}, 'pending', 0, 0 from ${source(rows)} where true`
  })
}

const reactionId = (eventId: InvoiceEvent["id"], consumer: string): string => `rct_${eventId.slice(4)}_${consumer}`
