/** The HTTP contract: every endpoint of `/api/v1`, its requests, answers, errors and scopes. No server code. */
import { HttpApi, OpenApi } from "effect/http-api"
import { account } from "./AccountGroup.ts"
import { events } from "./EventsGroup.ts"
import { formHooks } from "./FormHooksGroup.ts"
import { invoices } from "./InvoicesGroup.ts"
import { partner } from "./PartnerGroup.ts"
import { paymentLinks } from "./PaymentLinksGroup.ts"
import { Authentication } from "./Security.ts"
import { subscriptions } from "./SubscriptionsGroup.ts"
import { webhookEndpoints } from "./WebhooksGroup.ts"

/**
 * The contract. Clients branch on the member `error` of an error, never on `message`. Everything derived from the
 * contract (server routes, OpenAPI document, typed client) is derived from this value.
 */
export const Api = HttpApi.make("tolem")
  .add(invoices, subscriptions, account, partner, paymentLinks, formHooks, webhookEndpoints, events)
  .middleware(Authentication)
  .prefix("/api/v1")
  .annotateMerge(
    OpenApi.annotations({
      title: "Tölem",
      version: "1.0.0",
      description:
        "Invoices in Kazakhstani tenge. Every error is `{ error, message }`: branch on `error`; `message` is Kazakh " +
        "text for people. Requests are counted per key and UTC minute: see the headers `X-RateLimit-*`.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    })
  )
