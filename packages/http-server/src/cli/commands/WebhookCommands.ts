/** `tolem webhook …` */
import { Engine } from "@tolem/core/engine/Engine"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { EventKind } from "@tolem/core/webhook/Webhook"
import { Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import { organizationNotFound } from "./KeyCommands.ts"

const create = Command.make(
  "create",
  {
    database: Flags.database,
    organization: Flags.organization,
    mode: Flags.mode,
    url: Flag.String("url").pipe(Flag.withMetavar("URL"), Flag.withDescription("Address that events are sent to")),
    events: Flag.String("events").pipe(
      Flag.withMetavar("a,b"),
      Flag.withDescription(`Kinds to send, of ${EventKind.literals.join(", ")}; default all`),
      Flag.optional
    ),
    privateNetworks: Flags.privateNetworks
  },
  ({ database, organization, mode, url, events, privateNetworks }) =>
    Effect.gen(function* () {
      const found = yield* MerchantStore.use((store) => store.organization(organization))
      if (Option.isNone(found)) return yield* organizationNotFound(organization)
      const { webhooks } = yield* Engine
      const body = { url, ...(Option.isSome(events) && { events: Flags.list(events.value) }) }
      const { endpoint, secret } = yield* webhooks.create({ organizationId: organization, mode }, body)
      const text = Redacted.value(secret)
      yield* (yield* Output).print({
        json: { id: endpoint.id, secret: text, url: endpoint.url, mode, events: endpoint.events },
        text: `Endpoint ${endpoint.id} (${mode}, ${endpoint.url}). Its signing secret is shown this once:\n${text}`
      })
    }).pipe(Effect.provide(Assembly.layer(database, { settings: Flags.webhookSettings(privateNetworks) })))
).pipe(Command.withDescription("Add an address that events are sent to; its signing secret is shown this once"))

/** Webhook endpoints. */
export const webhook = Command.make("webhook").pipe(
  Command.withDescription("Webhook endpoints"),
  Command.withSubcommands([create])
)
