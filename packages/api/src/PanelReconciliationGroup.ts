/** The contract of reconciliation in the cabinet: days compared with the provider's own list, and what differs. */
import { ReconciliationFault, ReconciliationStatus } from "@tolem/core/reconciliation/Reconciliation"
import { WorkItemCause, WorkItemKind, WorkItemResolution } from "@tolem/core/reconciliation/WorkItem"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import { DateTime, money, text, whole } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { DaysQuery, DifferencesQuery, ofOne, ofOrganization } from "./Requests.ts"

const day = Schema.String.annotate({ format: "date" })

const Side = Schema.Struct({ payments: whole(0), paid: money, refunds: whole(0), refunded: money }).annotate({
  identifier: "PanelReconciledSide"
})

const Day = Schema.Struct({
  day,
  connectionId: Schema.String,
  status: Schema.Literals(ReconciliationStatus),
  fault: Schema.NullOr(Schema.Literals(ReconciliationFault)).annotate({ description: "Why the last try failed" }),
  here: Schema.NullOr(Side).annotate({ description: "What stands here; null: it was not compared yet" }),
  there: Schema.NullOr(Side).annotate({ description: "What the provider's list has" }),
  comparedAt: Schema.NullOr(DateTime),
  open: whole(0).annotate({ description: "Differences that are open" })
}).annotate({ identifier: "PanelReconciledDay" })

const Days = Schema.Struct({
  isAble: Schema.Boolean.annotate({ description: "Whether there is a provider that lists its operations" }),
  from: day,
  to: day,
  days: Schema.Array(Day).annotate({ description: "Newest first; empty in the sandbox" })
}).annotate({ identifier: "PanelReconciledDays" })

const Difference = Schema.Struct({
  id: Schema.String,
  day,
  connectionId: Schema.String,
  kind: Schema.Literals(WorkItemKind),
  cause: Schema.Literals(WorkItemCause),
  payment: text.annotate({ description: "The provider's number of the payment" }),
  invoiceId: text,
  refundId: text,
  amountHere: Schema.NullOr(money),
  amountThere: Schema.NullOr(money),
  status: Schema.Literals(["open", "resolved"]),
  foundAt: DateTime,
  resolvedAt: Schema.NullOr(DateTime),
  resolution: Schema.NullOr(Schema.Literals(WorkItemResolution)),
  note: text
}).annotate({ identifier: "PanelDifference" })

const DifferencePage = Schema.Struct({
  total: whole(0),
  limit: whole(1),
  offset: whole(0),
  differences: Schema.Array(Difference)
}).annotate({ identifier: "PanelDifferencePage" })

const Comparison = Schema.Struct({ day, connectionId: Schema.String }).annotate({
  identifier: "PanelComparison",
  examples: [{ day: "2026-01-31", connectionId: "con_1" }]
})

const Acceptance = Schema.Struct({
  note: Schema.String.annotate({ description: "What was found out: 3 to 500 characters" })
}).annotate({
  identifier: "PanelAcceptance",
  examples: [{ note: "Refunded in the bank's app, agreed with the client" }]
})

const itemCodes = ["work_item_not_found", "work_item_closed"] as const

/** Reconciliation, for members. */
export const reconciliations = HttpApiGroup.make("reconciliations")
  .add(
    HttpApiEndpoint.get("days", "/orgs/:organizationId/reconciliation", {
      params: ofOrganization.params,
      query: DaysQuery,
      success: Days,
      error: errors(...deskCodes, "invalid_from", "invalid_to")
    }).annotateMerge(needs("reconciliation:read", "List the days that are compared with the provider's own list")),
    HttpApiEndpoint.get("items", "/orgs/:organizationId/reconciliation/differences", {
      params: ofOrganization.params,
      query: DifferencesQuery,
      success: DifferencePage,
      error: errors(...deskCodes, "invalid_from", "invalid_to", "invalid_status", "invalid_limit", "invalid_offset")
    }).annotateMerge(needs("reconciliation:read", "List what differs in some days, open differences first")),
    HttpApiEndpoint.post("compare", "/orgs/:organizationId/reconciliation", {
      ...ofOrganization,
      payload: Comparison,
      success: Day,
      error: errors(...changingCodes, "invalid_day", "invalid_connection_id", "connection_not_found")
    }).annotateMerge(needs("reconciliation:change", "Have a day of a cashier compared, at once or again")),
    HttpApiEndpoint.post("accept", "/orgs/:organizationId/reconciliation/differences/:id/accept", {
      ...ofOne,
      payload: Acceptance,
      success: Difference,
      error: errors(...changingCodes, ...itemCodes, "invalid_note")
    }).annotateMerge(needs("reconciliation:change", "End a difference with what was found out")),
    HttpApiEndpoint.post("check", "/orgs/:organizationId/reconciliation/differences/:id/check", {
      ...ofOne,
      success: Difference,
      error: errors(...deskCodes, "cross_site_request", ...itemCodes, "invoice_not_found")
    }).annotateMerge(
      needs("reconciliation:change", "Ask the provider about the invoice of a difference; it ends if both are alike")
    )
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
