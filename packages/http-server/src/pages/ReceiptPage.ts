/** The receipt of a paid invoice, to be kept or printed. Pure. */
import type { Seller } from "@tolem/core/face/MerchantFace"
import { type Invoice, remainder } from "@tolem/core/invoice/Invoice"
import type { Refund } from "@tolem/core/invoice/Refund"
import { toIso } from "@tolem/core/value/Calendar"
import { type Html, html } from "@tolem/core/value/Html"
import { money } from "@tolem/core/value/MoneyText"
import { instant } from "./Formats.ts"
import * as Icons from "./Icons.ts"
import type { Language } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { webLink } from "./Links.ts"
import { amount, contactLines, facts, sandboxBanner, sellerLine, thanks, time } from "./Parts.ts"
import type { Theme } from "./Themes.ts"
import { textsOf } from "./texts/Translations.ts"

/** What the page is made of. Names that are null are left out. */
export interface ReceiptView {
  readonly invoice: Invoice
  readonly seller: Seller
  /** Path of the seller's logo; null: none. */
  readonly logoPath: string | null
  readonly theme: Theme | null
  /** Of the payment link that it was paid at; null: none. */
  readonly thankYou: string | null
  /** Those that succeeded, oldest first. */
  readonly refunds: ReadonlyArray<Refund>
  readonly language: Language
}

/** The receipt, or null if there is none because the invoice was never paid. Nothing of the customer is shown. */
export const receiptPage = (view: ReceiptView): Page | null => {
  const { invoice, seller, language } = view
  const { status, paidAt, receiptNumber, refunded } = invoice
  const settled = status === "paid" || status === "refunded" || status === "partially_refunded"
  if (!settled || receiptNumber === null) return null
  const texts = textsOf(language)
  const paid = paidAt === null ? null : instant(paidAt, language)
  const rows = facts([
    [texts.receiptNumber, receiptNumber],
    [texts.status, texts.receiptStates[status]],
    [texts.paidAt, paidAt === null || paid === null ? null : time(toIso(paidAt), `${paid} (${texts.almatyTime})`)],
    [texts.seller, seller.legalName ?? seller.name],
    [texts.idn, seller.idn],
    [texts.purpose, invoice.description],
    [texts.order, invoice.externalOrderId],
    [texts.amount, money(invoice.amount)],
    ...history(view),
    [texts.refunded, refunded > 0 ? money(refunded) : null],
    [texts.remaining, refunded > 0 ? money(remainder(invoice)) : null]
  ])
  const main = html`<main class="narrow ${status === "paid" ? "good" : "calm"}">
${sellerLine(seller.name, view.logoPath)}
<div class="state"><span class="badge">${status === "paid" ? Icons.check : Icons.backwards}</span><h1>${
    texts.receipt
  }</h1>${amount(invoice.amount)}</div>
<hr>${rows}<hr>
${status === "paid" ? thanks(view.thankYou) : null}
${contactLines({ ...seller, legalName: null, idn: null }, texts)}
<p class="caption quiet">${texts.notFiscal}</p>
<div class="actions"><button class="button second" type="button" data-print hidden>${texts.print}</button
  ><button class="button second" type="button" data-share="${texts.copied}" aria-live="polite" hidden
  >${texts.share}</button>${theirs(invoice, texts.providerReceipt)}</div>
</main>`
  return {
    title: `${texts.receipt} ${receiptNumber} · ${money(invoice.amount)}`,
    main,
    scripted: true,
    banner: sandboxBanner(invoice, texts),
    theme: view.theme,
    preview: { title: texts.receipt, text: texts.receiptStates[status], seller: seller.name, imageUrl: null }
  }
}

/** What was given back when: a row of each refund, if there were several. */
const history = ({ refunds, language }: ReceiptView): ReadonlyArray<readonly [string, Html]> => {
  const { refundedAt } = textsOf(language)
  return refunds.map(({ amount, completedAt, createdAt }) => {
    const at = completedAt ?? createdAt
    return [refundedAt, html`${time(toIso(at), instant(at, language))}: ${money(amount)}`] as const
  })
}

const theirs = ({ providerReceiptUrl }: Invoice, text: string): Html | null => {
  const link = webLink(providerReceiptUrl)
  return link === null ? null : html`<a class="button second" href="${link}">${Icons.receipt}<span>${text}</span></a>`
}
