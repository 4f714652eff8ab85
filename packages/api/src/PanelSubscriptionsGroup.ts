/** The contract of subscriptions in the cabinet: those of `/api/v1`, for members. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import { Invoice, InvoiceReplay } from "./Invoice.ts"
import { offerCodes } from "./InvoicesGroup.ts"
import { optional } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import * as Requests from "./Requests.ts"
import * as Wire from "./Subscription.ts"
import { subscriptionCodes, subscriptionFindCodes } from "./SubscriptionsGroup.ts"

const all = "/orgs/:organizationId/subscriptions"
const one = `${all}/:id` as const
const { ofOne, ofOrganization } = Requests
const reading = "subscriptions:read"
const writing = "subscriptions:change"

const PanelSubscriptionCreate = Schema.Struct({
  ...Wire.SubscriptionCreate.fields,
  connectionId: optional(Schema.String.annotate({ description: "The cashier of a live subscription" }))
}).annotate({ identifier: "PanelSubscriptionCreate", examples: [{ amount: 4990, interval: "month", dayOfMonth: 5 }] })

const command = <const Name extends string>(name: Name, summary: string) =>
  HttpApiEndpoint.post(name, `${one}/${name}`, {
    ...ofOne,
    success: Wire.Subscription,
    error: errors(...changingCodes, ...subscriptionFindCodes, "subscription_closed")
  }).annotateMerge(needs(writing, summary))

/** Subscriptions, for the members of an organization. */
export const panelSubscriptions = HttpApiGroup.make("panelSubscriptions")
  .add(
    HttpApiEndpoint.get("list", all, {
      params: ofOrganization.params,
      query: { ...ofOrganization.query, ...Requests.SubscriptionListQuery },
      success: Wire.SubscriptionPage,
      error: errors(...deskCodes, "invalid_status", "invalid_limit", "invalid_offset")
    }).annotateMerge(needs(reading, "List subscriptions, newest first")),
    HttpApiEndpoint.post("create", all, {
      ...ofOrganization,
      headers: Requests.IdempotencyHeader,
      payload: PanelSubscriptionCreate,
      success: [Wire.Subscription.pipe(HttpApiSchema.status(201)), Wire.Subscription],
      error: errors(
        ...changingCodes,
        ...subscriptionCodes,
        "invalid_idempotency_key",
        "invalid_connection_id",
        "connection_not_found"
      )
    }).annotateMerge(needs(writing, "Create a subscription; in live mode `connectionId` names its cashier")),
    HttpApiEndpoint.get("get", one, {
      ...ofOne,
      success: Wire.Subscription,
      error: errors(...deskCodes, ...subscriptionFindCodes)
    }).annotateMerge(needs(reading, "Read a subscription")),
    HttpApiEndpoint.patch("patch", one, {
      ...ofOne,
      payload: Wire.SubscriptionPatch,
      success: Wire.Subscription,
      error: errors(
        ...changingCodes,
        ...subscriptionFindCodes,
        ...subscriptionCodes,
        "invalid_next_run_at",
        "subscription_closed"
      )
    }).annotateMerge(needs(writing, "Change a subscription; absent members stay")),
    command("pause", "Pause a subscription: nothing is made until it is resumed"),
    command("resume", "Resume a paused subscription"),
    command("cancel", "Cancel a subscription for good"),
    HttpApiEndpoint.post("run", `${one}/run`, {
      ...ofOne,
      headers: Requests.IdempotencyHeader,
      success: [Invoice.pipe(HttpApiSchema.status(201)), InvoiceReplay],
      error: errors(
        ...changingCodes,
        ...subscriptionFindCodes,
        "subscription_closed",
        "invalid_idempotency_key",
        ...offerCodes
      )
    }).annotateMerge(
      needs(writing, "Make an invoice out of schedule; each call makes another one, but for the same `Idempotency-Key`")
    )
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
