/** `tolem operator letters` */
import { Engine } from "@tolem/core/engine/Engine"
import { lettersJson } from "@tolem/core/letters/InvoiceLetters"
import { readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import { type Columns, localTime, table } from "../kit/Tables.ts"

const columns: Columns<ReturnType<typeof lettersJson>["letters"][number]> = {
  TIME: ({ createdAt }) => localTime(createdAt),
  KIND: ({ kind }) => kind,
  STATUS: ({ status }) => status,
  RECIPIENT: ({ recipient }) => recipient,
  REASON: ({ reason }) => reason
}

/** The letters about an invoice. */
export const letters = readingCommand(
  "letters",
  "Show the letters about an invoice and what became of each, also of those not sent",
  {
    organization: Flags.organization,
    invoice: Flags.text("invoice", "ID", "The invoice that they are about")
  },
  function* ({ organization, invoice }) {
    const { letters } = yield* Engine
    const shown = lettersJson(yield* letters.list(organization, invoice))
    return { json: shown, text: table(shown.letters, columns) }
  }
)
