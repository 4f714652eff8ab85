/** Lets invoices expire that no provider is asked about: those of the sandbox, and those that have waited in vain. */
import { Clock, Effect, Result } from "effect"
import { Ids } from "../value/Ids.ts"
import { Commits } from "./Commits.ts"
import { decideInvoice, type Invoice, InvoiceCommand } from "./Invoice.ts"

/** The verb. What was settled meanwhile is left as it is. */
export const make = Effect.gen(function* () {
  const commits = yield* Commits
  const ids = yield* Ids
  return Effect.fnUntraced(function* (invoice: Invoice) {
    const now = yield* Clock.currentTimeMillis
    const eventId = yield* ids.next("evt")
    const decided = decideInvoice(invoice, InvoiceCommand.Expire(), { now, eventId, source: "schedule" })
    // A refusal or a lost race both mean that it was settled meanwhile.
    if (Result.isSuccess(decided)) {
      yield* Effect.catchTag(commits.commit(decided.success), "InvoiceChanged", () => Effect.void)
    }
  })
})
