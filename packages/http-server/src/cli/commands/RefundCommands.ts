/** `tolem refund …` */
import { Engine } from "@tolem/core/engine/Engine"
import { refundJson } from "@tolem/core/invoice/InvoiceJson"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { changingCommand, group } from "../kit/Commands.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"

const resolve = changingCommand(
  "resolve",
  "Say what became of a refund that is unknown, after you have looked at the provider's",
  {
    organization: Flags.organization,
    id: Flags.text("id", "ID", "Id of the refund, as its invoice shows it"),
    made: Flag.Literals("made", ["yes", "no"]).pipe(Flag.withDescription("Whether the provider has made it")),
    reference: Flags.text("reference", "TEXT", "The provider's own number of it, if it was made").pipe(
      Flag.withDefault("")
    )
  },
  function* ({ organization, id, made, reference }) {
    const { refunds } = yield* Engine
    const caller = { organizationId: organization, mode: "live", connectionId: null, source: "system" } as const
    const resolution = made === "yes" ? { made: true as const, reference } : { made: false as const }
    const resolved = yield* refunds
      .resolve(caller, id, resolution)
      .pipe(
        Effect.catchTag("FieldRefused", () =>
          Effect.fail(new CommandFailed({ error: "invalid_request", message: "--made yes needs a --reference." }))
        )
      )
    const { invoice } = resolved
    return {
      json: { invoiceId: invoice.id, status: invoice.status, refunds: resolved.refunds.map(refundJson) },
      text: `Refund ${id} was ${made === "yes" ? "made" : "not made"}. Invoice ${invoice.id}: ${invoice.status}.`
    }
  }
)

/** Refunds. */
export const refund = group("refund", "Refunds of which the provider has not told what became", [resolve])
