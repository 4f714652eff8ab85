/** The page of a payment link: what is paid for, and a form that works without scripts. Pure. */
import { amountsOf, type LinkFault, type LinkField, type TypedPayment } from "@tolem/core/paymentlink/LinkForm"
import { askable } from "@tolem/core/paymentlink/PaymentLink"
import type { PaymentLinkSettings } from "@tolem/core/paymentlink/PaymentLinkSettings"
import type { LinkOffer } from "@tolem/core/paymentlink/PaymentLinks"
import { type Html, html, verbatim } from "@tolem/core/value/Html"
import { money } from "@tolem/core/value/MoneyText"
import type { SellerFace } from "./Faces.ts"
import type { Language } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { amount, contactLines, sandboxBanner, sellerLine } from "./Parts.ts"
import { type LinkTexts, linkTextsOf } from "./texts/LinkTexts.ts"
import { textsOf } from "./texts/Translations.ts"

/** What the page is made of. */
export interface LinkView extends LinkOffer {
  /** Path of the picture of what is paid for; null: it has none. */
  readonly picturePath: string | null
  /** Address of the image that messengers show; null: none. */
  readonly previewUrl: string | null
  readonly face: SellerFace
  /** Of this rendering; see `PaymentLinks.pay`. */
  readonly ticket: string
  readonly typed: TypedPayment
  /** The offered amount that was chosen, in tiyn; empty: another one. Null: nothing was sent. */
  readonly preset: string | null
  /** What is wrong with what was typed. */
  readonly faults: ReadonlyArray<LinkFault>
  readonly settings: PaymentLinkSettings
  readonly language: Language
}

/** The page. It is sent to its own address. */
export const linkPage = (view: LinkView): Page => {
  const { link, seller, face, ticket, faults, language } = view
  const texts = linkTextsOf(language)
  const asked = askable.filter((field) => link.fields[field] !== "off")
  const typedAmount = link.presets.length > 0 ? presetsOf(view, texts) : fieldOf("amount", view, texts)
  const main = html`<main class="narrow calm">
${sellerLine(seller.name, face.logoPath)}
${pictureOf(view)}<div class="about"><h1><bdi>${link.title}</bdi></h1>${
    link.description === null ? null : html`<p class="quiet"><bdi>${link.description}</bdi></p>`
  }${link.amount === null ? null : amount(link.amount)}</div>
${problem(view, texts)}
<form class="fields" method="post" action="?lang=${language}" novalidate>
<input type="hidden" name="ticket" value="${ticket}">
${link.amount === null ? typedAmount : null}
${asked.map((field) => fieldOf(field, view, texts))}
<button class="button">${texts.pay}</button>
</form>
${contactLines(seller, textsOf(language))}
</main>`
  const name = [link.title, seller.name].filter((each) => each !== null && each.trim() !== "").join(" · ")
  return {
    title: faults.length === 0 ? name : `${texts.wrong} ${name}`,
    main,
    theme: face.theme,
    preview: {
      title: name,
      text: link.description ?? (link.amount === null ? texts.anyAmount : money(link.amount)),
      seller: seller.name,
      imageUrl: view.previewUrl
    },
    frames: seller.face.allowedOrigins,
    banner: sandboxBanner(link, textsOf(language)),
    hasForm: true,
    hasFields: true
  }
}

/** Its place on the page is kept until it is there. */
const pictureOf = ({ link: { picture, title }, picturePath }: LinkView): Html | null =>
  picture === null || picturePath === null
    ? null
    : html`<img class="picture" src="${picturePath}" alt="${title}" width="${picture.width}" height="${
        picture.height
      }" loading="lazy" decoding="async">
`

const problem = (view: LinkView, texts: LinkTexts): Html | null =>
  view.faults.length === 0
    ? null
    : html`<div class="problem" role="alert" tabindex="-1" autofocus><p><strong>${texts.wrong}</strong></p
      ><ul>${view.faults.map(
        (fault) =>
          html`<li><a href="#${fault.field}">${texts.fields[fault.field]}</a>: ${said(fault, view, texts)}</li>`
      )}</ul></div>`

const said = ({ code }: LinkFault, { link, settings }: LinkView, texts: LinkTexts): string => {
  const { min, max } = amountsOf(link, settings)
  return texts.faults[code](money(code === "amount_too_small" ? min : max))
}

/** Amounts that are offered: the last choice shows the field, and so does every browser that knows no `:has`. */
const presetsOf = (view: LinkView, texts: LinkTexts): Html => {
  const { link, typed, preset } = view
  const chosen = preset ?? (typed.amount === "" ? String(link.presets[0]) : "")
  const choice = (value: string, label: string) => {
    const checked = value === chosen ? verbatim` checked` : null
    return html`<label class="choice"><input type="radio" name="preset" value="${value}"${checked}
      ><span>${label}</span></label>`
  }
  return html`<fieldset class="field presets"><legend>${texts.choose}</legend><div class="choices">${link.presets.map(
    (each) => choice(String(each), money(each))
  )}${choice("", texts.other)}</div>${fieldOf("amount", view, texts)}</fieldset>`
}

const kinds: Readonly<Record<LinkField, Html>> = {
  amount: verbatim`type="text" inputmode="decimal" autocomplete="transaction-amount" maxlength="64"`,
  name: verbatim`type="text" autocomplete="name" maxlength="200"`,
  phone: verbatim`type="tel" autocomplete="tel" maxlength="40"`,
  email: verbatim`type="email" autocomplete="email" maxlength="254"`,
  comment: verbatim`rows="3" maxlength="300"`
}

const hintOf = (field: LinkField, { link, settings }: LinkView, texts: LinkTexts): string | null => {
  if (field === "phone") return texts.hints.phone
  if (field !== "amount") return null
  const { minAmount, maxAmount } = link
  const { min, max } = amountsOf(link, settings)
  if (maxAmount !== null) return texts.between(money(min), money(max))
  return minAmount === null ? texts.hints.amount : texts.from(money(min))
}

const fieldOf = (field: LinkField, view: LinkView, texts: LinkTexts): Html => {
  const { link, typed, faults } = view
  const fault = faults.find((one) => one.field === field)
  const hint = hintOf(field, view, texts)
  const described = [hint === null ? "" : `${field}-hint`, fault === undefined ? "" : `${field}-fault`].join(" ").trim()
  const isOptional = field !== "amount" && link.fields[field] === "optional"
  const attributes = html` id="${field}" name="${field}"${
    described === "" ? null : html` aria-describedby="${described}"`
  }${fault === undefined ? null : verbatim` aria-invalid="true"`}${
    isOptional ? null : verbatim` aria-required="true"`
  } ${kinds[field]}`
  const input =
    field === "comment"
      ? html`<textarea${attributes}>${typed.comment}</textarea>`
      : html`<input${attributes} value="${typed[field]}">`
  return html`<div class="field" data-field="${field}"><label for="${field}">${texts.fields[field]}${
    isOptional ? html` <span class="quiet">(${texts.optional})</span>` : null
  }</label>${hint === null ? null : html`<p class="quiet" id="${field}-hint">${hint}</p>`}${
    fault === undefined ? null : html`<p class="fault" id="${field}-fault">${said(fault, view, texts)}</p>`
  }${input}</div>`
}
