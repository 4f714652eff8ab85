/** The core's `WebhookStore` in SQL. */
import type { SecretBox } from "@tolem/core/secret/SecretBox"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import * as DeliveryMonths from "./DeliveryMonths.ts"
import * as WebhookClaim from "./WebhookClaim.ts"
import * as WebhookDeliveries from "./WebhookDeliveries.ts"
import * as WebhookEndpoints from "./WebhookEndpoints.ts"
import * as WebhookForget from "./WebhookForget.ts"
import * as WebhookSecrets from "./WebhookSecrets.ts"
import * as WebhookSettle from "./WebhookSettle.ts"

/** The store over the database. Secrets are sealed with the box before they are written. */
export const layer: Layer.Layer<WebhookStore, never, Database | SecretBox> = Layer.effect(
  WebhookStore,
  Effect.gen(function* () {
    const database = yield* Database
    const secrets = yield* WebhookSecrets.make
    const months = DeliveryMonths.make(database)
    return {
      ...WebhookEndpoints.make(database, secrets),
      ...WebhookDeliveries.make(database),
      ...WebhookClaim.make(database, secrets, months),
      ...WebhookSettle.make(database, months),
      ...WebhookForget.make(database, months),
      gatherDeliveries: months.gather
    }
  })
)
