/**
 * Agent: hands letters over that are due. None is handed over twice: what it is about to do is written before it is
 * done, and a letter that somebody left in the middle of it is given up, since nobody can know whether it has gone.
 */
import { Clock, Effect, Layer, Option } from "effect"
import { isOpen } from "../invoice/Invoice.ts"
import { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import { InvoiceStore } from "../invoice/InvoiceStore.ts"
import type { Mail } from "../mail/Mail.ts"
import { type HandOver, Mailer } from "../mail/Mailer.ts"
import { MailStore } from "../mail/MailStore.ts"
import { keptBecause } from "../mail/NewMail.ts"
import * as Watcher from "../work/Watcher.ts"
import * as Letters from "./Letters.ts"

const stopGraceMs = 3_000

/** Runs for as long as the layer is open; without a `Mailer` there is nothing to run. */
export const layer: Layer.Layer<never, never, MailStore | InvoiceStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const mailer = yield* Effect.serviceOption(Mailer)
    if (Option.isSome(mailer)) yield* dispatch(mailer.value)
  })
)

const dispatch = Effect.fnUntraced(function* (mailer: Mailer["Service"]) {
  const store = yield* MailStore
  const invoices = yield* InvoiceStore
  const settings = yield* InvoiceSettings
  const { retryWaitsMs, pollMs, leaseMs, concurrency, perDay } = settings.mail

  const settle = Effect.fnUntraced(function* (mail: Mail, members: Pick<Mail, "status" | "reason" | "dueAt">) {
    const completedAt = members.dueAt === null ? yield* Clock.currentTimeMillis : null
    yield* store.settle({ ...mail, ...members, completedAt })
  })
  const giveUp = (mail: Mail, status: "failed" | "unknown", reason: string) =>
    Effect.andThen(
      Effect.logWarning(`MailDispatcher: ${status}: ${reason}`).pipe(Effect.annotateLogs({ mail: mail.id })),
      settle(mail, { status, reason, dueAt: null })
    )

  const after = Effect.fnUntraced(function* (mail: Mail, outcome: HandOver) {
    switch (outcome._tag) {
      case "Taken":
        return yield* settle(mail, { status: "sent", reason: null, dueAt: null })
      case "Unknown":
        return yield* giveUp(mail, "unknown", outcome.reason)
      case "Rejected": {
        const waitMs = outcome.retryable ? retryWaitsMs[mail.attempts] : undefined
        if (waitMs === undefined) return yield* giveUp(mail, "failed", outcome.reason)
        const dueAt = (yield* Clock.currentTimeMillis) + waitMs
        return yield* settle(mail, { status: "pending", reason: outcome.reason, dueAt })
      }
    }
  })

  const act = Effect.fnUntraced(function* (mail: Mail) {
    if (mail.status === "sending") return yield* giveUp(mail, "unknown", "the server ended while handing it over")
    const kept = keptBecause(mail, settings.sandbox)
    if (kept !== null) return yield* settle(mail, { status: "kept", reason: kept, dueAt: null })
    const sold = Option.getOrUndefined(yield* invoices.findSold(mail.invoiceId))
    if (sold === undefined) return yield* giveUp(mail, "failed", "its invoice is gone")
    const { invoice, seller } = sold
    if (mail.kind === "invoice" && !isOpen(invoice.status)) {
      return yield* giveUp(mail, "failed", `its invoice is ${invoice.status}`)
    }
    const letter = Letters.render({ mail, invoice, seller: seller.name ?? "" }, settings)
    if ((yield* store.begin(mail, yield* Clock.currentTimeMillis, perDay)) !== "Begun") return
    yield* after(mail, yield* mailer.send(letter))
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
