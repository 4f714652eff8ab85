/** What letters there are about an invoice, and what became of each; also of those that were kept and not sent. */
import { Context, Effect, Layer, Option } from "effect"
import { InvoiceNotFound } from "../error/Refusals.ts"
import { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import { InvoiceStore } from "../invoice/InvoiceStore.ts"
import type { Mail } from "../mail/Mail.ts"
import type { Letter } from "../mail/Mailer.ts"
import { MailStore } from "../mail/MailStore.ts"
import { toIso } from "../value/Calendar.ts"
import type { InvoiceId, OrganizationId } from "../value/Ids.ts"
import * as Letters from "./Letters.ts"

/** A letter as it stands, and as it reads. */
export interface InvoiceLetter {
  readonly mail: Mail
  readonly letter: Letter
}

const make = Effect.gen(function* () {
  const invoices = yield* InvoiceStore
  const mails = yield* MailStore
  const settings = yield* InvoiceSettings

  return {
    /** Those about an invoice of the organization, of either mode, oldest first. */
    list: Effect.fn("InvoiceLetters.list")(function* (organizationId: OrganizationId, invoiceId: InvoiceId) {
      const sold = Option.getOrUndefined(yield* invoices.findSold(invoiceId))
      if (sold?.invoice.organizationId !== organizationId) return yield* new InvoiceNotFound()
      const { invoice, seller } = sold
      const subject = { invoice, seller }
      const found = yield* mails.list(organizationId, invoiceId)
      return found.map((mail) => ({ mail, letter: Letters.render({ mail, ...subject }, settings) }))
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
const letterJson = ({ mail, letter }: InvoiceLetter) => ({
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
  nextAttemptAt: isoOrNull(mail.dueAt),
  createdAt: toIso(mail.createdAt),
  completedAt: isoOrNull(mail.completedAt)
})

/** The letters as answers show them. */
export const lettersJson = (letters: ReadonlyArray<InvoiceLetter>) => ({ letters: letters.map(letterJson) })

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))
