/** `tolem operator letters` */
import { Engine } from "@tolem/core/engine/Engine"
import { lettersJson } from "@tolem/core/letters/InvoiceLetters"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as Lists from "./Lists.ts"

const lineOf = ({
  createdAt,
  kind,
  status,
  recipient,
  reason
}: ReturnType<typeof lettersJson>["letters"][number]): string =>
  [createdAt, kind, status, recipient, ...(reason === null ? [] : [reason])].join("  ")

/** The letters about an invoice. */
export const letters = Command.make(
  "letters",
  {
    database: Flags.database,
    organization: Flags.organization,
    invoice: Flag.String("invoice").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("The invoice that they are about")
    )
  },
  ({ database, organization, invoice }) =>
    Effect.gen(function* () {
      const { letters } = yield* Engine
      const shown = lettersJson(yield* letters.list(organization, invoice))
      yield* (yield* Output).print({ json: shown, text: Lists.linesOf(shown.letters.map(lineOf)) })
    }).pipe(Effect.provide(Assembly.reading(database)))
).pipe(Command.withDescription("Show the letters about an invoice and what became of each, also of those not sent"))
