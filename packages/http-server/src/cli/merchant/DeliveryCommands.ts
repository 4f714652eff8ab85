/** `tolem delivery …` */
import { outlookOf } from "@tolem/core/cabinet/Desks"
import { Engine } from "@tolem/core/engine/Engine"
import { deliveryJson, loggedDeliveryJson } from "@tolem/core/webhook/EndpointJson"
import { Option } from "effect"
import { Flag } from "effect/cli"
import { group, readingCommand } from "../kit/Commands.ts"
import { UsageError } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import * as Lists from "../kit/Lists.ts"
import * as Merchant from "../kit/Merchant.ts"
import { type Columns, localTime, members, parts, section } from "../kit/Tables.ts"

const endpoint = Flags.text("endpoint", "ID", "Id of the endpoint, as webhook list shows it")

const columns: Columns<ReturnType<typeof deliveryJson>> = {
  ID: ({ id }) => id,
  EVENT: ({ event }) => event,
  INVOICE: ({ invoiceId }) => invoiceId,
  STATUS: ({ status }) => status,
  ATTEMPTS: ({ attemptCount }) => attemptCount,
  CREATED: ({ createdAt }) => localTime(createdAt),
  NEXT: ({ nextAttemptAt }) => localTime(nextAttemptAt)
}

const list = readingCommand(
  "list",
  "List what was sent to an endpoint, newest first, or about an invoice, oldest first",
  {
    ...Merchant.flags,
    endpoint: endpoint.pipe(Flag.optional),
    invoice: Flags.text("invoice", "ID", "In place of --endpoint: the invoice that they tell of").pipe(Flag.optional),
    status: Flag.Literals("status", ["pending", "delivered", "failed"]).pipe(
      Flag.withDescription("With --endpoint: only those of this status"),
      Flag.optional
    ),
    ...Lists.pageFlags
  },
  function* ({ endpoint, invoice, status, limit, offset, ...of }) {
    const caller = yield* Merchant.callerOf(of)
    const bounds = yield* Lists.pageOf({ limit, offset })
    const { invoices, webhooks, deskWebhooks } = yield* Engine
    if (Option.isSome(endpoint) === Option.isSome(invoice)) {
      return yield* new UsageError({ message: "Name --endpoint or --invoice, and only one of them." })
    }
    if (Option.isSome(endpoint)) {
      const request = { ...bounds, status: Option.getOrUndefined(status) }
      const { deliveries, ...page } = yield* webhooks.deliveries(caller, endpoint.value, request)
      const shown = deliveries.map(deliveryJson)
      return { json: { ...page, deliveries: shown }, text: Lists.paged(page, shown, columns) }
    }
    const id = Option.getOrThrow(invoice)
    yield* invoices.get(caller, id)
    const all = (yield* deskWebhooks.ofInvoice(outlookOf(caller), id)).map(deliveryJson)
    const { rows, ...page } = yield* Lists.slice(all, bounds)
    return { json: { ...page, deliveries: rows }, text: Lists.paged(page, rows, columns) }
  }
)

const show = readingCommand(
  "show",
  "Show a delivery with its attempts; --json has what was sent and what came back",
  { ...Merchant.flags, endpoint, id: Flags.text("id", "ID", "Id of the delivery") },
  function* ({ endpoint, id, ...of }) {
    const { webhooks } = yield* Engine
    const shown = loggedDeliveryJson(yield* webhooks.delivery(yield* Merchant.callerOf(of), endpoint, id))
    const text = parts(
      members({
        id: shown.id,
        event: shown.event,
        "event id": shown.eventId,
        invoice: shown.invoiceId,
        status: shown.status,
        next: localTime(shown.nextAttemptAt),
        created: localTime(shown.createdAt),
        completed: localTime(shown.completedAt)
      }),
      section("Attempts", shown.attempts, {
        NUMBER: ({ number }) => number,
        TIME: ({ startedAt }) => localTime(startedAt),
        MS: ({ durationMs }) => durationMs,
        ANSWER: ({ status, error }) => status ?? error,
        URL: ({ url }) => url
      })
    )
    return { json: shown, text }
  }
)

/** What was sent to webhook endpoints. */
export const delivery = group("delivery", "What was sent to webhook endpoints, and what came back", [list, show])
