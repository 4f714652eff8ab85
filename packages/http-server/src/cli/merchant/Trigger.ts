/** `tolem trigger` */
import { Engine } from "@tolem/core/engine/Engine"
import { announcedTypes } from "@tolem/core/invoice/Consequences"
import { invoiceObject } from "@tolem/core/invoice/InvoiceJson"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import * as Flags from "../kit/Flags.ts"
import * as Merchant from "../kit/Merchant.ts"
import { Output } from "../kit/Output.ts"

const flags = {
  database: Flags.database,
  baseUrl: Flags.baseUrlOfOthers,
  organization: Flags.organization,
  amount: Flag.Finite("amount").pipe(
    Flag.withMetavar("KZT"),
    Flag.withDescription("What the invoice is over, in tenge"),
    Flag.withDefault(1500)
  ),
  event: Argument.Literals("event", announcedTypes).pipe(
    Argument.withDescription(`What should happen: ${announcedTypes.join(", ")}`)
  )
}

/** Lets an event happen in the sandbox, as customers and merchants would. */
export const trigger = Command.make("trigger", flags, ({ database, baseUrl, organization, amount, event }) =>
  Effect.gen(function* () {
    const { deskSandbox, settings } = yield* Engine
    // Never of live mode: no money moves by this.
    const caller = yield* Merchant.callerOf({ organization, mode: "sandbox" })
    const detail = yield* deskSandbox.happen(caller, event, amount)
    const { id } = detail.invoice
    const happened = detail.events.map(({ type }) => type)
    yield* (yield* Output).print({
      json: { event, happened, invoice: invoiceObject(detail.invoice, settings) },
      text: `Invoice ${id} over ${amount} KZT: ${happened.join(", ")}.`
    })
  }).pipe(
    Effect.provide(Assembly.layer(database, Flags.baseSettings({ baseUrl }))),
    Effect.mapError((error): unknown => error)
  )
).pipe(
  Command.withDescription(
    "Let an event of an invoice happen in the sandbox: one is made, then paid, refunded, cancelled or left " +
      "until it ends. A running server sends the webhooks"
  ),
  Command.withShortDescription("Let an event happen in the sandbox")
)
