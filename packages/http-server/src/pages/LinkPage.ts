/** The page of a payment link: what is paid for, and a form that works without scripts. Pure. */
import { type LinkFault, type LinkField, missedBound, type TypedPayment } from "@tolem/core/paymentlink/LinkForm"
import type { PaymentLinkSettings } from "@tolem/core/paymentlink/PaymentLinkSettings"
import type { LinkOffer } from "@tolem/core/paymentlink/PaymentLinks"
import { type Html, html, verbatim } from "@tolem/core/value/Html"
import { money } from "@tolem/core/value/MoneyText"
import type { Language } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { amount, sandboxBanner, sellerLine } from "./Parts.ts"
import { type LinkTexts, linkTextsOf } from "./texts/LinkTexts.ts"
import { textsOf } from "./texts/Translations.ts"

/** What the page is made of. */
export interface LinkView extends LinkOffer {
  /** Of this rendering; see `PaymentLinks.pay`. */
  readonly ticket: string
  readonly typed: TypedPayment
  /** What is wrong with what was typed. */
  readonly faults: ReadonlyArray<LinkFault>
  readonly settings: PaymentLinkSettings
  readonly language: Language
}

/** The page. It is sent to its own address. */
export const linkPage = (view: LinkView): Page => {
  const { link, sellerName, ticket, faults, language } = view
  const texts = linkTextsOf(language)
  const asked: ReadonlyArray<LinkField> = link.amount === null ? ["amount"] : []
  const main = html`<main class="narrow calm">
${sellerLine(sellerName)}
<div class="about"><h1><bdi>${link.title}</bdi></h1>${
    link.description === null ? null : html`<p class="quiet"><bdi>${link.description}</bdi></p>`
  }${link.amount === null ? null : amount(link.amount)}</div>
${problem(view, texts)}
<form class="fields" method="post" action="?lang=${language}" novalidate>
<input type="hidden" name="ticket" value="${ticket}">
${asked.map((field) => fieldOf(field, view, texts))}
<button class="button">${texts.pay}</button>
</form>
</main>`
  const name = sellerName.trim() === "" ? link.title : `${link.title} · ${sellerName}`
  return {
    title: faults.length === 0 ? name : `${texts.wrong} ${name}`,
    main,
    refresh: null,
    scripted: false,
    banner: sandboxBanner(link, textsOf(language)),
    hasForm: true
  }
}

const problem = ({ faults, settings }: LinkView, texts: LinkTexts): Html | null =>
  faults.length === 0
    ? null
    : html`<div class="problem" role="alert" tabindex="-1" autofocus><p><strong>${texts.wrong}</strong></p
      ><ul>${faults.map(
        (fault) =>
          html`<li><a href="#${fault.field}">${texts.fields[fault.field]}</a>: ${said(fault, settings, texts)}</li>`
      )}</ul></div>`

const said = ({ code }: LinkFault, settings: PaymentLinkSettings, texts: LinkTexts): string => {
  const bound = missedBound(code, settings)
  return texts.faults[code](bound === null ? "" : money(bound))
}

const kinds: Readonly<Record<LinkField, Html>> = {
  amount: verbatim`type="text" inputmode="decimal" autocomplete="transaction-amount" maxlength="64" required`,
  name: verbatim`type="text" autocomplete="name" maxlength="200"`,
  phone: verbatim`type="tel" autocomplete="tel" maxlength="40"`,
  email: verbatim`type="email" autocomplete="email" maxlength="254"`
}

const fieldOf = (field: LinkField, { typed, faults, settings }: LinkView, texts: LinkTexts): Html => {
  const fault = faults.find((one) => one.field === field)
  const hint = field === "amount" || field === "phone" ? texts.hints[field] : null
  const described = [hint === null ? "" : `${field}-hint`, fault === undefined ? "" : `${field}-fault`].join(" ").trim()
  const aria = described === "" ? null : html` aria-describedby="${described}"`
  return html`<div class="field"><label for="${field}">${texts.fields[field]}</label>${
    hint === null ? null : html`<p class="quiet" id="${field}-hint">${hint}</p>`
  }${fault === undefined ? null : html`<p class="fault" id="${field}-fault">${said(fault, settings, texts)}</p>`}<input
    id="${field}" name="${field}" value="${typed[field]}"${aria}${
      fault === undefined ? null : verbatim` aria-invalid="true"`
    } ${kinds[field]}></div>`
}
