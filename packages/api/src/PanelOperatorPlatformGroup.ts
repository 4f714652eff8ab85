/** The contract of the operators' console about the platform as a whole. */
import { workKinds } from "@tolem/core/platform/WorkStore"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { bodyCodes, consoleChangeCodes, consoleCodes, errors } from "./Errors.ts"
import { Refund } from "./Invoice.ts"
import { DateTime, money, text } from "./Members.ts"
import { isFor, OperatorAdmission, SessionAuthentication } from "./PanelSecurity.ts"
import { anyText, IdParam } from "./Requests.ts"

const instant = Schema.NullOr(DateTime)

const facts = {
  everyMs: Schema.NullOr(Schema.Int),
  succeededAt: instant,
  tookMs: Schema.NullOr(Schema.Int),
  failedAt: instant,
  failedInRow: Schema.Int
}

const PlatformServer = Schema.Struct({
  id: Schema.String,
  version: text,
  state: Schema.Literals(["running", "silent", "ended"]),
  startedAt: DateTime,
  seenAt: DateTime,
  endedAt: instant,
  agents: Schema.Array(Schema.Struct({ agent: Schema.String, ...facts }))
}).annotate({ identifier: "PlatformServer" })

const PlatformAgent = Schema.Struct({
  agent: Schema.String,
  state: Schema.Literals(["working", "waiting", "failing", "standing"]),
  servers: Schema.Int,
  ...facts
}).annotate({ identifier: "PlatformAgent" })

const PlatformWaiting = Schema.Struct({
  kind: Schema.String,
  agent: text,
  count: Schema.Int,
  more: Schema.Boolean,
  oldestAt: instant,
  lagMs: Schema.Int,
  late: Schema.Boolean
}).annotate({ identifier: "PlatformWaiting" })

const PlatformHealth = Schema.Struct({
  at: DateTime,
  servers: Schema.Array(PlatformServer),
  agents: Schema.Array(PlatformAgent),
  waiting: Schema.Array(PlatformWaiting)
}).annotate({ identifier: "PlatformHealth" })

const kind = Schema.Literals(workKinds)

const WorkCounts = Schema.Struct({
  kinds: Schema.Array(Schema.Struct({ kind, count: Schema.Int, more: Schema.Boolean, since: instant }))
}).annotate({ identifier: "WorkCounts" })

const WorkPage = Schema.Struct({
  kind,
  items: Schema.Array(
    Schema.Struct({
      organization: Schema.Struct({ id: Schema.String, name: Schema.String }),
      since: DateTime,
      until: instant,
      amount: Schema.NullOr(money),
      code: text,
      connectionId: text,
      endpointId: text,
      invoiceId: text,
      refundId: text,
      subscriptionId: text,
      deliveryId: text,
      workItemId: text,
      orderId: text,
      letterId: text
    }).annotate({ identifier: "WorkForPeople" })
  ),
  next: text.annotate({ description: "The `after` of the next page; null: there is none" })
}).annotate({ identifier: "WorkPage" })

const RefundQuestion = Schema.Struct({
  reason: Schema.String.annotate({ description: "From 10 to 300 characters; the owner reads it in their journal" })
}).annotate({ identifier: "RefundQuestion" })

const RefundAnswer = Schema.Struct({
  id: Schema.String,
  invoiceId: Schema.String,
  status: Refund.fields.status,
  answered: Schema.Boolean.annotate({ description: "Whether the provider has said anything about its payment" })
}).annotate({ identifier: "RefundAnswer" })

/** The platform as a whole, for those who run it. */
export const operatorPlatform = HttpApiGroup.make("operatorPlatform")
  .add(
    HttpApiEndpoint.get("health", "/operator/health", {
      success: PlatformHealth,
      error: errors(...consoleCodes)
    }).annotateMerge(isFor("platform:read", "See the servers, how their agents fare, and what waits")),
    HttpApiEndpoint.get("counts", "/operator/work", {
      success: WorkCounts,
      error: errors(...consoleCodes)
    }).annotateMerge(isFor("platform:read", "Count what needs a person over all organizations, up to 100 of a kind")),
    HttpApiEndpoint.get("work", "/operator/work/:kind", {
      params: { kind: Schema.String },
      query: { after: anyText, limit: anyText },
      success: WorkPage,
      error: errors(...consoleCodes, "work_kind_not_found", "invalid_after", "invalid_limit")
    }).annotateMerge(isFor("platform:read", "List what needs a person, of one kind, oldest first")),
    HttpApiEndpoint.post("ask", "/operator/refunds/:id/ask", {
      params: IdParam,
      payload: RefundQuestion,
      success: RefundAnswer,
      error: errors(...consoleChangeCodes, ...bodyCodes, "invoice_not_found", "invalid_look_reason")
    }).annotateMerge(isFor("refunds:ask", "Ask the provider again about a refund whose outcome it has not told"))
  )
  .middleware(OperatorAdmission)
  .middleware(SessionAuthentication)
