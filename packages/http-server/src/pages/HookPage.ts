/** A form that came back: what a person has to mend, with what they filled in. It works without scripts. Pure. */
import { entry } from "@tolem/core/error/ErrorCatalog"
import { type FormField, type FormFields, fieldNames, typedIn } from "@tolem/core/formhook/FormFields"
import type { HookOffer } from "@tolem/core/formhook/FormHooks"
import type { FieldProblem } from "@tolem/core/formhook/FormProblems"
import type { InvoiceSettings } from "@tolem/core/invoice/InvoiceSettings"
import { type Html, html, verbatim } from "@tolem/core/value/Html"
import { money } from "@tolem/core/value/MoneyText"
import type { SellerFace } from "./Faces.ts"
import type { Language } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { contactLines, sandboxBanner, sellerLine } from "./Parts.ts"
import { type HookTexts, hookTextsOf } from "./texts/HookTexts.ts"
import { textsOf } from "./texts/Translations.ts"

/** What the page is made of. */
export interface HookView extends HookOffer {
  readonly face: SellerFace
  readonly fields: FormFields
  readonly problems: ReadonlyArray<FieldProblem>
  readonly settings: InvoiceSettings
  readonly language: Language
}

/** The page. It is sent to its own address, and leads on to the pay page then; another language makes nothing. */
export const hookPage = (view: HookView): Page => {
  const { hook, seller, face, problems, language } = view
  const texts = hookTextsOf(language)
  const shown = order.filter((field) => isShown(field, view))
  const main = html`<main class="narrow calm">
${sellerLine(seller.name, face.logoPath)}
<div class="about"><h1>${texts.mend.title}</h1><p class="quiet">${texts.mend.text}</p></div>
<form class="fields" id="${formId}" method="post" action="?redirect=1&lang=${language}" novalidate>
${shown.map((field) => fieldOf(field, view, texts, problems[0]?.field === field))}
<button class="button">${texts.send}</button>
</form>
${contactLines(seller, textsOf(language))}
</main>`
  return {
    title: `${texts.mend.title} · ${seller.name}`,
    main,
    theme: face.theme,
    banner: sandboxBanner(hook, textsOf(language)),
    hasForm: true,
    hasFields: true,
    languageForm: { id: formId, query: "redirect=1&draft=1" }
  }
}

const formId = "sent"

const order = ["amount", "name", "phone", "email", "comment"] as const

/** The amount, what was filled in, and what has to be mended. */
const isShown = (field: FormField, { fields, problems }: HookView): boolean =>
  field === "amount" || typedIn(fields, field) !== undefined || problems.some((problem) => problem.field === field)

const kinds: Readonly<Record<FormField, Html>> = {
  amount: verbatim`type="text" inputmode="decimal" autocomplete="transaction-amount" maxlength="64" required`,
  name: verbatim`type="text" autocomplete="name"`,
  phone: verbatim`type="tel" autocomplete="tel"`,
  email: verbatim`type="email" autocomplete="email"`,
  comment: verbatim`type="text"`
}

const fieldOf = (field: FormField, view: HookView, texts: HookTexts, isFirst: boolean): Html => {
  const problem = view.problems.find((one) => one.field === field)
  const wrong = problem === undefined ? null : html`<p class="fault" id="${field}-fault">${said(problem, view)}</p>`
  const aria =
    problem === undefined
      ? null
      : html` aria-invalid="true" aria-describedby="${field}-fault"${isFirst ? verbatim` autofocus` : null}`
  return html`<div class="field"><label for="${field}">${texts.fields[field]}</label>${wrong}<input id="${field}"
    name="${fieldNames[field][0] ?? field}" value="${typedIn(view.fields, field) ?? ""}"${aria} ${kinds[field]}></div>`
}

const said = ({ code }: FieldProblem, { settings, language }: HookView): string => {
  const texts = hookTextsOf(language)
  if (code === "amount_too_small") return texts.least(money(settings.amount.min))
  if (code === "amount_too_large") return texts.most(money(settings.amount.maxQr))
  return texts.faults[code] ?? entry(code)[language]
}
