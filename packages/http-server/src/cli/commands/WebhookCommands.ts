/** `tolem webhook …` */
import { Engine } from "@tolem/core/engine/Engine"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { EventKind } from "@tolem/core/webhook/Webhook"
import { Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { changingCommand, group, organizationNotFound } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"

const create = changingCommand(
  "create",
  "Add an address that events are sent to; its signing secret is shown this once",
  {
    organization: Flags.organization,
    mode: Flags.mode,
    url: Flags.text("url", "URL", "Address that events are sent to"),
    events: Flags.text("events", "a,b", `Kinds to send, of ${EventKind.literals.join(", ")}; default all`).pipe(
      Flag.optional
    ),
    privateNetworks: Flags.privateNetworks
  },
  function* ({ organization, mode, url, events }) {
    const found = yield* MerchantStore.use((store) => store.organization(organization))
    if (Option.isNone(found)) return yield* organizationNotFound(organization)
    const { webhooks } = yield* Engine
    const body = { url, ...(Option.isSome(events) && { events: Flags.list(events.value) }) }
    const { endpoint, secret } = yield* webhooks.create({ organizationId: organization, mode }, body)
    const text = Redacted.value(secret)
    return {
      json: { id: endpoint.id, secret: text, url: endpoint.url, mode, events: endpoint.events },
      text: `Endpoint ${endpoint.id} (${mode}, ${endpoint.url}). Its signing secret is shown this once:\n${text}`
    }
  },
  ({ privateNetworks }) => ({ settings: Flags.webhookSettings(privateNetworks) })
)

/** Webhook endpoints. */
export const webhook = group("webhook", "Webhook endpoints", [create])
