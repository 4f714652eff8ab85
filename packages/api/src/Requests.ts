/**
 * Parameters of requests. Query members accept any text: the core checks them, so that a broken one is answered with
 * the core's code. What the OpenAPI document says of them is in `queryDocumentation`.
 */
import { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { Schema } from "effect"
import { idempotencyKey } from "./Members.ts"

/** Path parameter of a single resource. */
export const IdParam = { id: Schema.String }

/** Path parameters of a delivery. */
export const DeliveryParams = { id: Schema.String, deliveryId: Schema.String }

/** The header that makes a repeated create or refund harmless. */
export const IdempotencyHeader = { "idempotency-key": Schema.optionalKey(idempotencyKey) }

const texts = Schema.Array(Schema.String)
/** Any text, or several. */
export const anyText = Schema.optionalKey(Schema.Union([Schema.String, texts]))
const anyNumber = Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite, texts]))

/** What a call of the cabinet is about: an organization, and a mode; without one, that which it works in. */
export const ofOrganization = { params: { organizationId: Schema.String }, query: { mode: anyText } }

/** The same, and one thing of the organization. */
export const ofOne = { ...ofOrganization, params: { ...ofOrganization.params, ...IdParam } }

/** Filters and page of the request log. */
export const RequestsQuery = { ...ofOrganization.query, errors: anyText, requestId: anyText, after: anyText }

/** Filters and page of an invoice list. */
export const ListQuery = {
  status: anyText,
  externalOrderId: anyText,
  search: anyText,
  mode: anyText,
  from: anyText,
  to: anyText,
  limit: anyNumber,
  offset: anyNumber
}

/** Filters of invoices in the cabinet. */
const FilterQuery = {
  status: anyText,
  externalOrderId: anyText,
  search: anyText,
  mode: anyText,
  from: anyText,
  to: anyText,
  kind: anyText,
  connectionId: anyText,
  source: anyText,
  minAmount: anyText,
  maxAmount: anyText
}

/** The same, and where the sums of before have ended. */
export const SumsQuery = { ...FilterQuery, after: anyText }

/** The same, and where in the list. */
export const PlaceQuery = { ...FilterQuery, limit: anyNumber, offset: anyNumber, after: anyText }

/** What is exported, and how. */
export const ExportQuery = { ...FilterQuery, lang: anyText, bom: anyText }

/** A period of days, and whose invoices. */
export const PeriodQuery = { mode: anyText, from: anyText, to: anyText, connectionId: anyText }

/** The same as a table, and how it is written. */
export const MovementsQuery = { ...PeriodQuery, lang: anyText, bom: anyText }

/** A statement as a table, and what its rows are. */
export const StatementFileQuery = { ...MovementsQuery, by: anyText }

/** A period for 1C, of which account, and in which encoding. */
export const ClientBankQuery = { ...PeriodQuery, account: anyText, encoding: anyText }

/** Where in a list that no filter narrows. */
export const AfterQuery = { ...ofOrganization.query, limit: anyNumber, after: anyText }

const journalFilters = { actor: anyText, kind: anyText, from: anyText, to: anyText, after: anyText }

/** Filters and page of the journal. */
export const JournalQuery = { ...ofOrganization.query, ...journalFilters }

/** The same over all organizations. */
export const ConsoleJournalQuery = { organization: anyText, ...journalFilters }

/** The same as a table, and how it is written. */
export const JournalFileQuery = { ...JournalQuery, lang: anyText, bom: anyText }

/** How a table is written that no filter narrows. */
export const TableQuery = { ...ofOrganization.query, lang: anyText, bom: anyText }

/** Days that are compared. */
export const DaysQuery = { mode: anyText, from: anyText, to: anyText }

/** Days, and a page of what differs in them. */
export const DifferencesQuery = { ...DaysQuery, status: anyText, limit: anyNumber, offset: anyNumber }

/** Which refunds, and how their table is written. */
export const RefundsFileQuery = { ...MovementsQuery, status: anyText }

/** Which refunds, and where in the list. */
export const RefundsQuery = { ...PeriodQuery, status: anyText, limit: anyNumber, after: anyText }

/** Whether the provider is to be asked right now; only `1` means yes. */
export const LiveQuery = { live: anyNumber }

/** Where to begin in the feed, what of it, and how long to wait. */
export const EventsQuery = { after: anyText, types: anyText, limit: anyNumber, wait: anyNumber }

/** Filter and page of a delivery list. */
export const DeliveriesQuery = { status: anyText, limit: anyNumber, offset: anyNumber }

/** Page of a list. */
export const PageQuery = { limit: anyNumber, offset: anyNumber }

/** Filter and page of a subscription list. */
export const SubscriptionListQuery = { status: anyText, limit: anyNumber, offset: anyNumber }

/** The same in the cabinet. */
export const PanelSubscriptionListQuery = { ...SubscriptionListQuery, search: anyText, stuck: anyText }

/** A day of calendars of subscriptions, and where a part of its list begins. */
export const CalendarQuery = { ...ofOrganization.query, from: anyText, after: anyText }

/** Which runs of a subscription. */
export const SubscriptionRunsQuery = { ...ofOrganization.query, after: anyText }

const instant = {
  type: "string",
  anyOf: [
    { type: "string", format: "date-time" },
    { type: "string", format: "date" }
  ]
}
/** One of the words, or several with commas. */
const list = (words: ReadonlyArray<string>) => {
  const word = `(${words.join("|")})`
  return { type: "string", pattern: `^(${word}( *, *${word})*)?$`, examples: [words[0]] }
}
const page = {
  limit: { schema: { type: "integer", minimum: 1, "x-setting": "page" }, description: "Most items of the page" },
  offset: { schema: { type: "integer", minimum: 0, default: 0 }, description: "Items to leave out" }
}

const language = {
  lang: { schema: { type: "string", enum: ["kk", "ru", "en"] }, description: "Default: the browser's" }
}

/** Schemas and descriptions of query parameters, by operation, for the OpenAPI document. */
export const queryDocumentation: Readonly<
  Record<string, Readonly<Record<string, { readonly schema: object; readonly description: string }>>>
> = {
  "invoices.list": {
    status: { schema: list(InvoiceStatus.literals), description: "One status, or several with commas" },
    externalOrderId: { schema: { type: "string" }, description: "The merchant's own order number" },
    search: {
      schema: { type: "string" },
      description: "Part of id, externalOrderId, description, customer name, phone, email or receiptNumber"
    },
    mode: {
      schema: { type: "string", enum: ["sandbox", "live"] },
      description: "Another mode than the key's is empty"
    },
    from: { schema: instant, description: "Created at or after; a date is the beginning of that day in Almaty" },
    to: { schema: instant, description: "Created at or before; a date is the end of that day in Almaty" },
    ...page
  },
  "invoices.get": { live: { schema: { type: "string", enum: ["1"] }, description: "Ask the provider right now" } },
  "subscriptions.list": {
    status: {
      schema: list(["active", "paused", "cancelled", "finished"]),
      description: "active, paused, cancelled or finished, or several with commas"
    },
    ...page
  },
  "events.list": {
    after: { schema: { type: "string" }, description: "A cursor, a date-time or a date; absent: from the beginning" },
    types: { schema: { type: "string" }, description: "As `invoice.paid`, or several with commas; `invoice.*`: all" },
    limit: page.limit,
    wait: {
      schema: { type: "integer", minimum: 0, default: 0, "x-setting": "wait" },
      description: "Seconds to wait while there is nothing"
    }
  },
  "pages.pay": language,
  "pages.receipt": language,
  "pages.preview": language,
  "forms.link": language,
  "forms.poster": {
    size: { schema: { type: "string", enum: ["a4", "a6"], default: "a4" }, description: "The sheet" },
    ...language
  },
  "forms.linkPreview": language,
  "forms.payLink": language,
  "forms.submitForm": {
    redirect: { schema: { type: "string", enum: ["1"] }, description: "Send the browser on to the pay page" },
    ...language
  },
  "partner.list": page,
  "webhookEndpoints.deliveries": {
    status: { schema: { type: "string", enum: ["pending", "delivered", "failed"] }, description: "One status" },
    ...page
  }
}
