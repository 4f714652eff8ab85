/** The contract of `/subscriptions`: requests, answers, errors and scopes of each endpoint. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { accessCodes, bodyCodes, errors } from "./Errors.ts"
import { Invoice, InvoiceReplay } from "./Invoice.ts"
import { customerCodes, offerCodes } from "./InvoicesGroup.ts"
import * as Requests from "./Requests.ts"
import { requires } from "./Security.ts"
import * as Wire from "./Subscription.ts"

/** Why what is asked of a subscription is refused. */
export const subscriptionCodes = [
  "invalid_kind",
  "invalid_amount",
  "amount_must_be_whole_tenge",
  "amount_too_small",
  "amount_too_large",
  "phone_required",
  ...customerCodes,
  "invalid_description",
  "invalid_interval",
  "invalid_every",
  "invalid_day_of_month",
  "invalid_start_at",
  "invalid_max_runs",
  "invalid_metadata",
  "invalid_retry",
  "invalid_misfire"
] as const

/** Why one is not found. */
export const subscriptionFindCodes = ["forbidden", "subscription_not_found"] as const

const create = HttpApiEndpoint.post("create", "/subscriptions", {
  headers: Requests.IdempotencyHeader,
  payload: Wire.SubscriptionCreate,
  success: [Wire.Subscription.pipe(HttpApiSchema.status(201)), Wire.Subscription],
  error: errors(...accessCodes, ...bodyCodes, ...subscriptionCodes, "invalid_idempotency_key", "forbidden")
})
  .annotate(OpenApi.Summary, "Create a subscription")
  .annotate(
    OpenApi.Description,
    "201 with the new subscription; 200 with the earlier one if the idempotency key was used before. Without " +
      "`startAt` the first invoice is made at once, or with `dayOfMonth` on the next such day at 10:00 in Almaty."
  )

const list = HttpApiEndpoint.get("list", "/subscriptions", {
  query: Requests.SubscriptionListQuery,
  success: Wire.SubscriptionPage,
  error: errors(...accessCodes, "invalid_status", "invalid_limit", "invalid_offset")
}).annotate(OpenApi.Summary, "List subscriptions, newest first")

const get = HttpApiEndpoint.get("get", "/subscriptions/:id", {
  params: Requests.IdParam,
  success: Wire.Subscription,
  error: errors(...accessCodes, ...subscriptionFindCodes)
}).annotate(OpenApi.Summary, "Read a subscription")

const patch = HttpApiEndpoint.patch("patch", "/subscriptions/:id", {
  params: Requests.IdParam,
  payload: Wire.SubscriptionPatch,
  success: Wire.Subscription,
  error: errors(
    ...accessCodes,
    ...bodyCodes,
    ...subscriptionFindCodes,
    ...subscriptionCodes,
    "invalid_next_run_at",
    "subscription_closed"
  )
})
  .annotate(OpenApi.Summary, "Change a subscription")
  .annotate(
    OpenApi.Description,
    "What is left out stays. Another interval or `every` counts from `nextRunAt`, which stays unless it is given, or " +
      "`dayOfMonth` is. `maxRuns` equal to the runs made finishes the subscription."
  )

const command = <const Name extends string>(name: Name, summary: string) =>
  HttpApiEndpoint.post(name, `/subscriptions/:id/${name}`, {
    params: Requests.IdParam,
    success: Wire.Subscription,
    error: errors(...accessCodes, ...bodyCodes, ...subscriptionFindCodes, "subscription_closed")
  }).annotate(OpenApi.Summary, summary)

const run = HttpApiEndpoint.post("run", "/subscriptions/:id/run", {
  params: Requests.IdParam,
  headers: Requests.IdempotencyHeader,
  success: [Invoice.pipe(HttpApiSchema.status(201)), InvoiceReplay],
  error: errors(
    ...accessCodes,
    ...bodyCodes,
    ...subscriptionFindCodes,
    "subscription_closed",
    "invalid_idempotency_key",
    ...offerCodes
  )
})
  .annotate(OpenApi.Summary, "Make an invoice out of schedule")
  .annotate(
    OpenApi.Description,
    "Counts in `runs` and may finish the subscription; `nextRunAt` stays. Each call makes another invoice, but " +
      "one with an `Idempotency-Key` that was used before: it is answered with 200, the earlier one and " +
      "`idempotentReplay`."
  )

/** Everything about subscriptions. */
export const subscriptions = HttpApiGroup.make("subscriptions")
  .annotate(OpenApi.Description, "Schedules that make invoices by themselves.")
  .add(
    create,
    list,
    get,
    patch,
    command("pause", "Pause a subscription: nothing is made until it is resumed"),
    command("resume", "Resume a paused subscription"),
    command("cancel", "Cancel a subscription for good"),
    run
  )
  .annotateEndpointsMerge(requires("subscriptions:manage", "invoices:write"))
