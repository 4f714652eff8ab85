/** What letters there are about an invoice, and what became of each; also of those that were kept and not sent. */
import { Context, Effect, Layer, Option, Result } from "effect"
import { recordOf } from "../audit/Audit.ts"
import { refusal } from "../error/Refusal.ts"
import { InvoiceNotFound } from "../error/Refusals.ts"
import { isOpen } from "../invoice/Invoice.ts"
import { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import { InvoiceStore } from "../invoice/InvoiceStore.ts"
import { decideMail, type Mail, MailCommand, maxResent } from "../mail/Mail.ts"
import type { Letter } from "../mail/Mailer.ts"
import { MailStore } from "../mail/MailStore.ts"
import { realNow } from "../time/SandboxClocks.ts"
import { toIso } from "../value/Calendar.ts"
import { Ids, type InvoiceId, type MailId, type OrganizationId } from "../value/Ids.ts"
import * as Letters from "./Letters.ts"

/** A letter as it stands, and as it reads. */
export interface InvoiceLetter {
  readonly mail: Mail
  readonly letter: Letter
}

/** The invoice has no such letter. */
export class LetterNotFound extends refusal("LetterNotFound", "letter_not_found") {}

/** The letter asks for a payment that the invoice does not wait for any more. */
export class LetterOutdated extends refusal("LetterOutdated", "letter_outdated") {}

/** The letter was sent again as often as may be. */
export class LetterLimit extends refusal("LetterLimit", "letter_limit") {}

/** A letter that was sent so short ago is what another request asks for, too. */
const justMs = 60_000

const make = Effect.gen(function* () {
  const invoices = yield* InvoiceStore
  const mails = yield* MailStore
  const ids = yield* Ids
  const settings = yield* InvoiceSettings

  const soldBy = Effect.fnUntraced(function* (organizationId: OrganizationId, invoiceId: InvoiceId) {
    const sold = Option.getOrUndefined(yield* invoices.findSold(invoiceId))
    return sold?.invoice.organizationId === organizationId ? sold : yield* new InvoiceNotFound()
  })

  const list = Effect.fn("InvoiceLetters.list")(function* (organizationId: OrganizationId, invoiceId: InvoiceId) {
    const { invoice, seller } = yield* soldBy(organizationId, invoiceId)
    const found = yield* mails.list(organizationId, invoiceId)
    return found.map((mail): InvoiceLetter => ({ mail, letter: Letters.render({ mail, invoice, seller }, settings) }))
  })

  /** The letter as it is to be shown then; none if it has changed meanwhile. */
  const tryAgain = Effect.fnUntraced(function* (organizationId: OrganizationId, invoiceId: InvoiceId, id: MailId) {
    const { invoice, seller } = yield* soldBy(organizationId, invoiceId)
    const mail = (yield* mails.list(organizationId, invoiceId)).find((each) => each.id === id)
    if (mail === undefined) return yield* new LetterNotFound()
    const now = yield* realNow
    const shown = (each: Mail): InvoiceLetter => ({
      mail: each,
      letter: Letters.render({ mail: each, invoice, seller }, settings)
    })
    if (mail.status === "sent" && (mail.completedAt ?? 0) > now - justMs) return Option.some(shown(mail))
    const decided = decideMail(mail, MailCommand.Again(), { now, retryWaitsMs: settings.mail.retryWaitsMs })
    // It is on its way.
    if (Result.isFailure(decided)) return Option.some(shown(mail))
    if (mail.kind === "invoice" && !isOpen(invoice.status)) return yield* new LetterOutdated()
    if (mail.resent >= maxResent) return yield* new LetterLimit()
    const deed = { action: "letter.resent", organizationId, subject: mail.id, detail: invoiceId } as const
    const isWritten = yield* mails.sendAgain(mail, decided.success, yield* recordOf(ids, deed))
    return isWritten ? Option.some(shown(decided.success)) : Option.none()
  })

  return {
    /** Those about an invoice of the organization, of either mode, oldest first. */
    list,
    /**
     * Has a letter sent again, to the address that it was for. One that is on its way, or was sent within the last
     * minute, stands for it, so that a request may be repeated.
     */
    sendAgain: Effect.fn("InvoiceLetters.sendAgain")(function* (
      organizationId: OrganizationId,
      invoiceId: InvoiceId,
      id: MailId
    ) {
      const done = yield* Effect.repeat(tryAgain(organizationId, invoiceId, id), { until: Option.isSome })
      return Option.getOrThrow(done)
    })
  }
})

/** Shows letters to those who act for the organization. */
export class InvoiceLetters extends Context.Service<InvoiceLetters, Effect.Success<typeof make>>()(
  "@tolem/core/InvoiceLetters"
) {
  /** The use-case over the stores. */
  static readonly layer = Layer.effect(InvoiceLetters, make)
}

/** A letter as answers show it: what became of it, and what it says. */
export const letterJson = ({ mail, letter }: InvoiceLetter) => ({
  id: mail.id,
  kind: mail.kind,
  mode: mail.mode,
  invoiceId: mail.invoiceId,
  recipient: mail.recipient,
  subject: letter.subject,
  text: letter.text,
  status: mail.status,
  reason: mail.reason,
  attempts: mail.attempts,
  resent: mail.resent,
  nextAttemptAt: isoOrNull(mail.dueAt),
  createdAt: toIso(mail.createdAt),
  completedAt: isoOrNull(mail.completedAt)
})

/** The letters as answers show them. */
export const lettersJson = (letters: ReadonlyArray<InvoiceLetter>) => ({ letters: letters.map(letterJson) })

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))
