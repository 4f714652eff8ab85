/**
 * Agent: hands letters over that are due. None is handed over twice: what it is about to do is written before it is
 * done, and a letter left in the middle of it is given up, since it may have gone or not.
 */
import { Clock, Effect, Layer, Metric, Option, Result } from "effect"
import { isOpen } from "../invoice/Invoice.ts"
import { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import { InvoiceStore } from "../invoice/InvoiceStore.ts"
import { decideMail, type Mail, MailCommand } from "../mail/Mail.ts"
import { HandOver, Mailer } from "../mail/Mailer.ts"
import { mailReasons } from "../mail/MailReasons.ts"
import { MailStore } from "../mail/MailStore.ts"
import { family } from "../measure/Series.ts"
import { DirectoryStore } from "../merchant/DirectoryStore.ts"
import * as Watcher from "../work/Watcher.ts"
import * as Letters from "./Letters.ts"

const stopGraceMs = 3_000

/** Runs for as long as the layer is open; without a `Mailer` there is nothing to run. */
export const layer: Layer.Layer<never, never, MailStore | InvoiceStore | DirectoryStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const mailer = yield* Effect.serviceOption(Mailer)
    if (Option.isSome(mailer)) yield* dispatch(mailer.value)
  })
)

const dispatch = Effect.fnUntraced(function* (mailer: Mailer["Service"]) {
  const store = yield* MailStore
  const invoices = yield* InvoiceStore
  const directory = yield* DirectoryStore
  const settings = yield* InvoiceSettings
  const { retryWaitsMs, pollMs, leaseMs, concurrency, perDay } = settings.mail

  const decide = Effect.fnUntraced(function* (mail: Mail, command: MailCommand) {
    return decideMail(mail, command, { now: yield* Clock.currentTimeMillis, retryWaitsMs })
  })
  const settle = Effect.fnUntraced(function* (mail: Mail, command: MailCommand) {
    const decided = yield* decide(mail, command)
    if (Result.isFailure(decided)) return
    const { id, status, reason } = decided.success
    if (status === "failed" || status === "unknown") {
      yield* Effect.logWarning(`MailDispatcher: ${status}: ${reason}`).pipe(Effect.annotateLogs({ mail: id }))
    }
    yield* store.settle(decided.success)
    yield* countLetter(status === "pending" ? "retry" : status)
  })

  /** Otherwise any test key could have the operator's server write to strangers. */
  const mayLeave = Effect.fnUntraced(function* ({ mode, organizationId, recipient }: Mail) {
    const { mailTo } = settings.sandbox
    if (mode === "live" || mailTo === null || isAmong(recipient, mailTo)) return true
    return isAmong(recipient, yield* directory.addresses(organizationId))
  })

  const act = Effect.fnUntraced(function* (mail: Mail) {
    if (mail.status === "sending") {
      return yield* settle(mail, MailCommand.Doubt({ reason: mailReasons.serverEnded }))
    }
    if (!(yield* mayLeave(mail))) return yield* settle(mail, MailCommand.Keep({ reason: mailReasons.strangers }))
    const sold = Option.getOrUndefined(yield* invoices.findSold(mail.invoiceId))
    if (sold === undefined) return yield* settle(mail, MailCommand.Drop({ reason: mailReasons.invoiceGone }))
    const { invoice, seller } = sold
    if (mail.kind === "invoice" && !isOpen(invoice.status)) {
      return yield* settle(mail, MailCommand.Drop({ reason: mailReasons.invoiceClosed }))
    }
    const letter = Letters.render({ mail, invoice, seller }, settings)
    const begun = yield* decide(mail, MailCommand.Begin())
    if (Result.isFailure(begun)) return
    if ((yield* store.begin(mail, yield* Clock.currentTimeMillis, perDay)) !== "Begun") return
    yield* settle(begun.success, commandOf(yield* mailer.send(letter)))
  })

  yield* Watcher.run({
    name: "MailDispatcher",
    pollMs,
    leaseMs,
    batchSize: concurrency,
    atOnce: concurrency,
    graceMs: stopGraceMs,
    claim: store.claim,
    fair: { tenantOf: (mail) => mail, waiting: store.waiting },
    act
  })
})

const letters = family(["outcome"], (attributes) =>
  Metric.counter("tolem_letters_total", {
    description: "Letters to customers by what became of them: sent, retry, failed, unknown or kept",
    incremental: true,
    attributes
  })
)

const countLetter = (outcome: Exclude<Mail["status"], "pending"> | "retry") => Metric.update(letters({ outcome }), 1)

/** `@example.kz` stands for all addresses there. */
const isAmong = (recipient: string, addresses: ReadonlyArray<string>): boolean => {
  const wanted = recipient.toLowerCase()
  return addresses
    .map((one) => one.toLowerCase())
    .some((one) => (one.startsWith("@") ? wanted.endsWith(one) : wanted === one))
}

const commandOf = HandOver.$match({
  Taken: () => MailCommand.Take(),
  Unknown: ({ reason }) => MailCommand.Doubt({ reason }),
  Rejected: ({ reason, retryable }) => MailCommand.Reject({ reason, retryable })
})
