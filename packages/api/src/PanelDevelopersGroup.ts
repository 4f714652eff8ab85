/** The contract of what developers look at and try in the cabinet: the request log, and the sandbox. */
import { maxAdvanceMs } from "@tolem/core/engine/DeskSandbox"
import { announcedTypes } from "@tolem/core/invoice/Consequences"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import * as Wire from "./Invoice.ts"
import { cancelCodes, createCodes, refundCodes, simulateCodes } from "./InvoicesGroup.ts"
import { amount, DateTime, optional, text, whole } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { ofOrganization, RequestsQuery } from "./Requests.ts"

const ShownRequest = Schema.Struct({
  id: Schema.String,
  at: DateTime,
  requestId: Schema.String.annotate({ description: "As in the header `X-Request-Id`" }),
  keyEnding: Schema.String.annotate({ description: "The last characters of the key" }),
  method: Schema.String,
  route: Schema.String.annotate({ description: "The pattern of the path, as `/api/v1/invoices/:id`" }),
  status: whole(100, 599),
  code: text.annotate({ description: "The code of a refusal" }),
  durationMs: whole(0)
}).annotate({ identifier: "PanelRequest" })

const RequestPage = Schema.Struct({
  requests: Schema.Array(ShownRequest),
  next: text.annotate({ description: "The `after` of the next page; null: there is none" })
}).annotate({ identifier: "PanelRequestPage" })

const RequestHours = Schema.Struct({
  hours: Schema.Array(
    Schema.Struct({
      from: DateTime,
      requests: whole(0),
      refused: whole(0).annotate({ description: "With a status of 400 to 499" }),
      failed: whole(0).annotate({ description: "With a status from 500 on" })
    })
  ).annotate({ description: "Those that had requests, the oldest first; all are counted, kept or not" })
}).annotate({ identifier: "PanelRequestHours" })

const clockFields = {
  now: DateTime.annotate({ description: "What the clock of the sandbox shows" }),
  aheadMs: whole(0).annotate({ description: "How far that is ahead of the real one" })
}

const SandboxClock = Schema.Struct(clockFields).annotate({ identifier: "PanelSandboxClock" })

const ClockAdvance = Schema.Struct({
  seconds: whole(1, maxAdvanceMs / 1000)
}).annotate({ identifier: "PanelClockAdvance", examples: [{ seconds: 86_400 }] })

const ClockAdvanced = Schema.Struct({
  ...clockFields,
  happened: whole(0).annotate({ description: "Things that fell due on the way" }),
  leftMs: whole(0).annotate({ description: "How far it is still to go: a request takes some seconds at most" })
}).annotate({ identifier: "PanelClockAdvanced" })

const Trigger = Schema.Struct({
  event: Schema.Literals(announcedTypes),
  amount: optional(amount)
}).annotate({ identifier: "PanelTrigger", examples: [{ event: "invoice.paid" }] })

/** The request log and the sandbox, for members who write against the API. */
export const developers = HttpApiGroup.make("developers")
  .add(
    HttpApiEndpoint.get("requests", "/orgs/:organizationId/requests", {
      params: ofOrganization.params,
      query: RequestsQuery,
      success: RequestPage,
      error: errors(...deskCodes, "invalid_after")
    }).annotateMerge(needs("requests:read", "List the requests of API keys in the last day, newest first")),
    HttpApiEndpoint.get("requestHours", "/orgs/:organizationId/requests/hours", {
      ...ofOrganization,
      success: RequestHours,
      error: errors(...deskCodes)
    }).annotateMerge(needs("requests:read", "Count the requests of the last day by the hour")),
    HttpApiEndpoint.get("clock", "/orgs/:organizationId/sandbox/clock", {
      ...ofOrganization,
      success: SandboxClock,
      error: errors(...deskCodes, "not_sandbox")
    }).annotateMerge(needs("sandbox:change", "Read the clock of the sandbox")),
    HttpApiEndpoint.post("advance", "/orgs/:organizationId/sandbox/clock", {
      ...ofOrganization,
      payload: ClockAdvance,
      success: ClockAdvanced,
      error: errors(...changingCodes, "not_sandbox", "invalid_duration")
    }).annotateMerge(needs("sandbox:change", "Move the clock of the sandbox ahead; what falls due on the way happens")),
    HttpApiEndpoint.post("trigger", "/orgs/:organizationId/sandbox/events", {
      ...ofOrganization,
      payload: Trigger,
      success: Wire.Invoice.pipe(HttpApiSchema.status(201)),
      error: errors(
        ...changingCodes,
        ...createCodes,
        ...cancelCodes,
        ...refundCodes,
        ...simulateCodes,
        "invalid_events"
      )
    }).annotateMerge(needs("sandbox:change", "Make an invoice in the sandbox, and have an event happen to it"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
