/** The contract of subscriptions in the cabinet: those of `/api/v1`, for members. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import { Invoice, InvoiceReplay } from "./Invoice.ts"
import { offerCodes } from "./InvoicesGroup.ts"
import { optional } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import * as Panel from "./PanelSubscription.ts"
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
    success: Panel.PanelSubscription,
    error: errors(...changingCodes, ...subscriptionFindCodes, "subscription_closed")
  }).annotateMerge(needs(writing, summary))

/** Subscriptions, for the members of an organization. */
export const panelSubscriptions = HttpApiGroup.make("panelSubscriptions")
  .add(
    HttpApiEndpoint.get("list", all, {
      params: ofOrganization.params,
      query: { ...ofOrganization.query, ...Requests.PanelSubscriptionListQuery },
      success: Panel.PanelSubscriptionPage,
      error: errors(...deskCodes, "invalid_status", "invalid_search", "invalid_limit", "invalid_offset")
    }).annotateMerge(
      needs(reading, "List subscriptions, newest first; `stuck=1`: those whose next run could not be made")
    ),
    HttpApiEndpoint.post("create", all, {
      ...ofOrganization,
      headers: Requests.IdempotencyHeader,
      payload: PanelSubscriptionCreate,
      success: [Panel.PanelSubscription.pipe(HttpApiSchema.status(201)), Panel.PanelSubscription],
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
      success: Panel.PanelSubscription,
      error: errors(...deskCodes, ...subscriptionFindCodes)
    }).annotateMerge(needs(reading, "Read a subscription")),
    HttpApiEndpoint.patch("patch", one, {
      ...ofOne,
      payload: Wire.SubscriptionPatch,
      success: Panel.PanelSubscription,
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
  .add(
    HttpApiEndpoint.get("sums", "/orgs/:organizationId/subscription-sums", {
      ...ofOrganization,
      success: Panel.SubscriptionSums,
      error: errors(...deskCodes)
    }).annotateMerge(needs(reading, "How many subscriptions there are, and what they are expected to bring")),
    HttpApiEndpoint.get("calendar", "/orgs/:organizationId/subscription-calendar", {
      params: ofOrganization.params,
      query: Requests.CalendarQuery,
      success: Panel.SubscriptionCalendar,
      error: errors(...deskCodes, "invalid_from")
    }).annotateMerge(
      needs(reading, "The runs that are expected in the month of the day `from`, by day; default: the current month")
    ),
    HttpApiEndpoint.get("calendarDay", "/orgs/:organizationId/subscription-calendar/day", {
      params: ofOrganization.params,
      query: Requests.CalendarQuery,
      success: Panel.SubscriptionDay,
      error: errors(...deskCodes, "invalid_from", "invalid_after")
    }).annotateMerge(
      needs(reading, "The subscriptions whose runs are expected on the day `from`, in parts; default: today")
    ),
    HttpApiEndpoint.get("runs", `${one}/runs`, {
      ...ofOne,
      query: Requests.SubscriptionRunsQuery,
      success: Panel.SubscriptionRuns,
      error: errors(...deskCodes, ...subscriptionFindCodes, "invalid_after")
    }).annotateMerge(needs(reading, "The newest runs of a subscription with their invoices, behind the run `after`")),
    HttpApiEndpoint.post("preview", "/orgs/:organizationId/subscription-preview", {
      ...ofOrganization,
      payload: Panel.SchedulePreview,
      success: Panel.SchedulePreviewDates,
      error: errors(
        ...changingCodes,
        "invalid_interval",
        "invalid_every",
        "invalid_day_of_month",
        "invalid_start_at",
        "invalid_max_runs"
      )
    }).annotateMerge(needs(reading, "The first five runs of a subscription that would be created; changes nothing")),
    HttpApiEndpoint.post("previewChange", `${one}/preview`, {
      ...ofOne,
      payload: Wire.SubscriptionPatch,
      success: Panel.SchedulePreviewDates,
      error: errors(
        ...changingCodes,
        ...subscriptionFindCodes,
        ...subscriptionCodes,
        "invalid_next_run_at",
        "subscription_closed"
      )
    }).annotateMerge(
      needs(reading, "The next five runs that a subscription would have after a change; changes nothing")
    )
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
