/** The event of an invoice as a row. */
import { type InvoiceEvent, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { flag, oneOf, type RowOf, table } from "../base/Table.ts"

/** An event, and to how many endpoints it is announced. */
export type Announced = InvoiceEvent & { readonly announced?: number | undefined }

/** The table of events. */
export const eventTable = table<InvoiceEvent, Announced>("events")(
  {
    invoiceId: "text",
    sequence: "bigint",
    id: "text",
    organizationId: "text",
    type: "text",
    from: { type: "text", name: "from_status", words: InvoiceStatus.literals },
    to: { type: "text", name: "to_status", words: InvoiceStatus.literals },
    source: oneOf(["api", "cabinet", "provider", "schedule", "system"]),
    refunded: "bigint",
    late: flag,
    createdAt: "bigint"
  },
  /** Null: it was written before this was counted. */
  { announced: { type: "bigint", of: ({ announced = 0 }: Announced): number | null => announced } }
)

/** A row of the table. */
export type EventRow = RowOf<typeof eventTable>
