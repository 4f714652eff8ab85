/** The contract of what needs attention, in the cabinet. */

import { type AttentionKind, attentionKinds } from "@tolem/core/attention/Attention"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { deskCodes, errors } from "./Errors.ts"
import { DateTime, money, text, whole } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { ofOrganization } from "./Requests.ts"

const kindAndSeverity = {
  kind: Schema.Literals(Object.keys(attentionKinds) as ReadonlyArray<AttentionKind>),
  severity: Schema.Literals(["error", "warning"]).annotate({
    description: "`error`: something does not work, or money is in doubt. `warning`: it soon may, or is to be looked at"
  })
}

const QuotaUse = Schema.Struct({
  period: Schema.Literals(["month", "day"]),
  used: whole(0),
  limit: whole(0)
}).annotate({ identifier: "PanelQuotaUse" })

const AttentionItem = Schema.Struct({
  ...kindAndSeverity,
  since: DateTime,
  until: Schema.NullOr(DateTime).annotate({ description: "When it ends by itself: the pause of an endpoint" }),
  name: text.annotate({ description: "A cashier's name, an endpoint's address, the number of an order" }),
  connectionId: text,
  endpointId: text,
  invoiceId: text,
  refundId: text,
  subscriptionId: text,
  deliveryId: text,
  amount: Schema.NullOr(money),
  code: text.annotate({ description: "Why a run of a subscription was not made; which event was not delivered" }),
  quota: Schema.NullOr(QuotaUse)
}).annotate({ identifier: "PanelAttentionItem" })

const AttentionList = Schema.Struct({
  kinds: Schema.Array(
    Schema.Struct({
      ...kindAndSeverity,
      count: whole(0, 100),
      more: Schema.Boolean.annotate({ description: "There are more than are counted" })
    })
  ).annotate({ description: "Those of which there is something, the worst first" }),
  items: Schema.Array(AttentionItem).annotate({ description: "The newest 20 of each kind, in the order of kinds" })
}).annotate({ identifier: "PanelAttention" })

const Changes = Schema.String.annotate({
  description:
    "Server-sent events. The data of each is `{ type, id, event }`: `type` is `invoice`, `refund` (`id` is its " +
    "invoice), `connection`, `endpoint` (`id` null: any of them), or `reset`: read all again"
}).pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

/** What members are told. */
export const attention = HttpApiGroup.make("attention")
  .add(
    HttpApiEndpoint.get("attention", "/orgs/:organizationId/attention", {
      ...ofOrganization,
      success: AttentionList,
      error: errors(...deskCodes)
    }).annotateMerge(needs("organization:read", "List what needs attention, of what the member may see"))
  )
  .add(
    HttpApiEndpoint.get("changes", "/orgs/:organizationId/changes", {
      ...ofOrganization,
      success: Changes,
      error: errors(...deskCodes, "too_many_waiting")
    }).annotateMerge(
      needs("organization:read", "Hear what changes, of what the member may see; `Last-Event-ID` goes on")
    )
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
