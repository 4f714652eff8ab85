/** The webhook endpoint as a row. */
import type { Endpoint, EventKind } from "@tolem/core/webhook/Webhook"
import { flag, oneOf, type RowOf, table } from "../base/Table.ts"

/** An endpoint with its secrets sealed, see `WebhookSecrets`. */
export interface SealedEndpoint extends Omit<Endpoint, "secret" | "previousSecret"> {
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretUntil: number | null
}

/** The column `events`: each kind between commas, so that a statement finds one; empty means all. */
export const fromEvents = (events: ReadonlyArray<EventKind>): string =>
  events.length === 0 ? "" : `,${events.join(",")},`

/** The table of endpoints. */
export const endpointTable = table<SealedEndpoint>("endpoints")({
  id: "text",
  organizationId: "text",
  mode: oneOf(["live", "sandbox"]),
  connectionId: "text",
  url: "text",
  events: {
    type: "text",
    encode: fromEvents,
    decode: (stored: string) => (stored === "" ? [] : (stored.slice(1, -1).split(",") as Array<EventKind>))
  },
  secret: "text",
  previousSecret: "text",
  previousSecretUntil: "bigint",
  disabled: flag,
  failureCount: "bigint",
  pauseCount: "bigint",
  pausedUntil: "bigint",
  createdAt: "bigint",
  updatedAt: "bigint"
})

/** A row of the table. */
export type EndpointRow = RowOf<typeof endpointTable>
