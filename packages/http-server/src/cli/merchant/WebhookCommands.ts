/** `tolem webhook …` */
import { outlookOf } from "@tolem/core/cabinet/Desks"
import { Engine } from "@tolem/core/engine/Engine"
import { deliveryJson, endpointJson } from "@tolem/core/webhook/EndpointJson"
import { EventKind } from "@tolem/core/webhook/Webhook"
import { Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { changingCommand, group, readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import * as Lists from "../kit/Lists.ts"
import * as Merchant from "../kit/Merchant.ts"
import { type Columns, localTime, members } from "../kit/Tables.ts"

const one = { ...Merchant.flags, id: Flags.text("id", "ID", "Id of the endpoint, as webhook list shows it") }

const create = changingCommand(
  "create",
  "Add an address that events are sent to; its signing secret is shown this once",
  {
    ...Merchant.flags,
    url: Flags.text("url", "URL", "Address that events are sent to"),
    events: Flags.text("events", "a,b", `Kinds to send, of ${EventKind.literals.join(", ")}; default all`).pipe(
      Flag.optional
    ),
    privateNetworks: Flags.privateNetworks
  },
  function* ({ url, events, ...of }) {
    const caller = yield* Merchant.callerOf(of)
    const { webhooks } = yield* Engine
    const body = { url, ...(Option.isSome(events) && { events: Flags.list(events.value) }) }
    const { endpoint, secret } = yield* webhooks.create(caller, body)
    const text = Redacted.value(secret)
    const { mode } = endpoint
    return {
      json: { id: endpoint.id, secret: text, url: endpoint.url, mode, events: endpoint.events },
      text: `Endpoint ${endpoint.id} (${mode}, ${endpoint.url}). Its signing secret is shown this once:\n${text}`
    }
  },
  ({ privateNetworks }) => ({ settings: Flags.webhookSettings(privateNetworks) })
)

type Shown = ReturnType<typeof endpointJson>

const stateOf = ({ disabled, pausedUntil }: Shown): string =>
  disabled ? "disabled" : pausedUntil === null ? "enabled" : `pauses until ${localTime(pausedUntil)}`

const columns: Columns<Shown> = {
  ID: ({ id }) => id,
  STATE: stateOf,
  EVENTS: ({ events }) => (events.length === 0 ? "all" : events.join(",")),
  FAILURES: ({ failureCount }) => failureCount,
  CREATED: ({ createdAt }) => localTime(createdAt),
  URL: ({ url }) => url
}

const list = readingCommand(
  "list",
  "List the addresses that events are sent to, oldest first, without their secrets",
  { ...Merchant.flags, ...Lists.pageFlags },
  function* (given) {
    const { webhooks } = yield* Engine
    const all = yield* webhooks.list(yield* Merchant.callerOf(given))
    const { rows, ...page } = yield* Lists.slice(all, given)
    const endpoints = rows.map(endpointJson)
    return { json: { ...page, endpoints }, text: Lists.paged(page, endpoints, columns) }
  }
)

const show = readingCommand("show", "Show an endpoint, without its secret", one, function* ({ id, ...of }) {
  const { webhooks } = yield* Engine
  const shown = endpointJson(yield* webhooks.get(yield* Merchant.callerOf(of), id))
  const text = members({
    id: shown.id,
    url: shown.url,
    mode: shown.mode,
    state: stateOf(shown),
    events: shown.events.length === 0 ? "all" : shown.events.join(", "),
    "failures in a row": shown.failureCount,
    cashier: shown.connectionId,
    created: localTime(shown.createdAt),
    changed: localTime(shown.updatedAt)
  })
  return { json: shown, text }
})

const test = changingCommand(
  "test",
  "Send the event webhook.test to an endpoint; a running server delivers it",
  one,
  function* ({ id, ...of }) {
    const { webhooks } = yield* Engine
    const delivery = yield* webhooks.test(yield* Merchant.callerOf(of), id)
    return { json: deliveryJson(delivery), text: `Delivery ${delivery.id} of ${delivery.kind} is due.` }
  }
)

const resend = changingCommand(
  "resend",
  "Send the event of a delivery again, whatever became of it, as a new delivery; a running server delivers it",
  { ...one, deliveryId: Flags.text("delivery", "ID", "Id of the delivery, as delivery list shows it") },
  function* ({ id, deliveryId, ...of }) {
    const { webhooks } = yield* Engine
    const delivery = yield* webhooks.resend(yield* Merchant.callerOf(of), id, deliveryId)
    const text = `Delivery ${delivery.id} of ${delivery.kind} about ${delivery.invoiceId} is due.`
    return { json: deliveryJson(delivery), text }
  }
)

const instant = "an instant as 2026-11-23T09:00:00+05:00, or a day of Almaty as 2026-11-23"

const replay = changingCommand(
  "replay",
  "Send the events of a time to an endpoint again, each once, as new deliveries; a running server delivers them",
  {
    ...one,
    from: Flags.text("from", "TIME", `Beginning of the time: ${instant}`),
    to: Flags.text("to", "TIME", "Its end, in the same form, not before --from: the end of a day; default now").pipe(
      Flag.optional
    ),
    failedOnly: Flag.Boolean("failed-only").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Only events of which no delivery succeeded or is pending")
    )
  },
  function* ({ id, from, to, failedOnly, ...of }) {
    const caller = yield* Merchant.callerOf(of)
    const { webhooks, deskWebhooks } = yield* Engine
    // Looked for first: this way an endpoint of another mode is refused as everywhere.
    yield* webhooks.get(caller, id)
    const asked = { to: Option.getOrNull(to), failedOnly }
    let sent = 0
    let next: string | null = from
    while (next !== null) {
      const part: { readonly sent: number; readonly continueFrom: string | null } = yield* deskWebhooks.replay(
        outlookOf(caller),
        id,
        { ...asked, from: next }
      )
      sent += part.sent
      next = part.continueFrom
    }
    return { json: { id, sent }, text: `${sent} events are due again at ${id}.` }
  }
)

/** Webhook endpoints. */
export const webhook = group("webhook", "Webhook endpoints", [create, list, show, test, resend, replay])
