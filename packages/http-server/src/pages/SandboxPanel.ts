/** What plays the customer's bank in the sandbox: a panel on the pay page, and a page like a bank's app. Pure. */
import { type Invoice, isLatePayable, isOpen } from "@tolem/core/invoice/Invoice"
import { type Html, html } from "@tolem/core/value/Html"
import { money } from "@tolem/core/value/MoneyText"
import * as Icons from "./Icons.ts"
import type { Language } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { amount, sandboxBanner, sellerLine } from "./Parts.ts"
import { type SandboxOutcome, sandboxOutcomes } from "./PayState.ts"
import { textsOf } from "./texts/Translations.ts"

/** What the panel leads to: paths on this server. */
export interface PanelPaths {
  readonly simulatePath: string
  readonly bankPath: string
}

/** Buttons that end a sandbox payment, and what a program does for the same; null where nothing can be done. */
export const sandboxPanel = (invoice: Invoice, paths: PanelPaths, language: Language): Html | null => {
  if (invoice.mode !== "sandbox" || !(isOpen(invoice.status) || isLatePayable(invoice.status))) return null
  const texts = textsOf(language)
  const { panel } = texts
  const possible = isOpen(invoice.status) ? sandboxOutcomes : (["paid"] as const)
  const bank = invoice.kind === "qr" && isOpen(invoice.status)
  return html`<section class="hint panel" aria-label="${panel.title}"><h2>${panel.title}</h2>${
    bank ? html`<a class="button second" href="${paths.bankPath}?lang=${language}" data-out>${panel.bank}</a>` : null
  }<form method="post" action="${paths.simulatePath}?lang=${language}">${possible.map(
    (outcome) => html`<button class="chip" formaction="${paths.simulatePath}?outcome=${outcome}&lang=${language}"
      >${panel.outcomes[isOpen(invoice.status) ? outcome : "late"]}</button>`
  )}</form><p>${texts.simulate} <code>POST /api/v1/invoices/${invoice.id}/simulate</code></p></section>`
}

/** What the test bank's page is made of. */
export interface BankView {
  readonly invoice: Invoice
  readonly sellerName: string | null
  readonly simulatePath: string
  readonly payPath: string
  readonly language: Language
}

/** The page that codes and links of the sandbox lead to: it looks like the app that a customer confirms payments in. */
export const bankPage = ({ invoice, sellerName, simulatePath, payPath, language }: BankView): Page => {
  const texts = textsOf(language)
  const { bank } = texts
  const open = isOpen(invoice.status)
  const title = open ? bank.question : bank.over[invoice.status === "paid" ? "paid" : "other"]
  const path = (outcome: SandboxOutcome) => `${simulatePath}?outcome=${outcome}&from=bank&lang=${language}`
  const answer = (outcome: SandboxOutcome, text: string, look: string) =>
    html`<button class="button${look}" formaction="${path(outcome)}">${text}</button>`
  const icon = invoice.status === "paid" ? Icons.check : Icons.phone
  const sum = amount(invoice.amount)
  const main = html`<main class="narrow bank ${invoice.status === "paid" ? "good" : "calm"}">
${sellerLine(bank.name)}
<div class="state"><span class="badge">${icon}</span><h1>${title}</h1>${sum}
<p class="quiet"><bdi>${sellerName}</bdi></p></div>
${
  open
    ? html`<form class="actions" method="post" action="${path("paid")}">${answer(
        "paid",
        bank.pay,
        ""
      )}${answer("failed", bank.decline, " second")}</form>`
    : html`<div class="actions"><a class="button second" href="${payPath}?lang=${language}">${bank.back}</a></div>`
}
</main>`
  const banner = sandboxBanner(invoice, texts)
  return {
    title: `${bank.name} · ${money(invoice.amount)}`,
    main,
    banner,
    hasForm: open
  }
}
