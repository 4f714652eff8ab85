/**
 * What the letters say: in Kazakh and in Russian, as text and as HTML, in one letter. Nothing is loaded but the logo of
 * the seller, whose address is the same in all of their letters and so tells of none that it is opened. Pure.
 */
import { DateTime } from "effect"
import type { Seller } from "../face/MerchantFace.ts"
import { pictureUrl } from "../face/Profiles.ts"
import { shadesOf } from "../face/Shades.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import { payUrl, receiptUrl } from "../invoice/InvoiceJson.ts"
import type { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import type { Mail } from "../mail/Mail.ts"
import type { Letter } from "../mail/Mailer.ts"
import { zone } from "../value/Calendar.ts"
import { type Html, html } from "../value/Html.ts"
import { money } from "../value/MoneyText.ts"

/** What a letter is about. */
export interface Subject {
  readonly mail: Mail
  readonly invoice: Invoice
  readonly seller: Seller
}

/** The letter, ready to be handed over. */
export const render = (subject: Subject, settings: InvoiceSettings): Letter => {
  const { mail, invoice } = subject
  const words = texts[mail.kind]
  const sender = senderOf(subject.seller, settings)
  const { name } = sender
  const link = mail.kind === "invoice" ? payUrl(invoice.id, settings) : receiptUrl(invoice.id, settings)
  const facts = factsOf(invoice, mail.kind)
  const test = invoice.mode === "sandbox"
  const title = `${words.kk.title} / ${words.ru.title}: ${name}, ${money(invoice.amount)}`
  const parts = languages.map((language) => ({
    ...words[language],
    facts: facts[language],
    test: tests[language],
    contact: contactOf(subject.seller, language)
  }))
  return {
    id: mail.resent === 0 ? mail.id : `${mail.id}.${mail.resent}`,
    to: mail.recipient,
    subject: `${test ? "[sandbox] " : ""}${title}`.slice(0, maxSubject),
    text: parts.map((part) => asText(part, name, link, test)).join("\n\n— — —\n\n"),
    html: String(page(parts, sender, link, test))
  }
}

const maxSubject = 180
const languages = ["kk", "ru"] as const
type Language = (typeof languages)[number]

interface Words {
  readonly title: string
  readonly text: string
  readonly action: string
}

const texts: Readonly<Record<Mail["kind"], Readonly<Record<Language, Words>>>> = {
  invoice: {
    kk: { title: "Төлем шоты", text: "Сізге төлем шоты жіберілді.", action: "Төлеу" },
    ru: { title: "Счёт на оплату", text: "Вам выставлен счёт на оплату.", action: "Оплатить" }
  },
  receipt: {
    kk: { title: "Төлем түбіртегі", text: "Рақмет! Төлеміңіз қабылданды.", action: "Түбіртекті ашу" },
    ru: { title: "Квитанция об оплате", text: "Спасибо! Ваш платёж принят.", action: "Открыть квитанцию" }
  }
}

const tests: Readonly<Record<Language, string>> = {
  kk: "Бұл тест хаты: ақша аударылмайды.",
  ru: "Это тестовое письмо: деньги не списываются."
}

const labels = {
  kk: { amount: "Сома", description: "Сипаттама", number: "Түбіртек нөмірі", paidAt: "Төленген уақыты (Алматы)" },
  ru: { amount: "Сумма", description: "Описание", number: "Номер квитанции", paidAt: "Оплачено (время Алматы)" }
} as const

type Fact = readonly [label: string, value: string]

const factsOf = (
  { amount, description, receiptNumber, paidAt }: Invoice,
  kind: Mail["kind"]
): Readonly<Record<Language, ReadonlyArray<Fact>>> => {
  const of = (language: Language): ReadonlyArray<Fact> => {
    const label = labels[language]
    const all: ReadonlyArray<readonly [string, string | null]> = [
      [label.amount, money(amount)],
      [label.description, description],
      ...(kind === "receipt"
        ? ([
            [label.number, receiptNumber],
            [label.paidAt, paidAt === null ? null : minuteOf(paidAt)]
          ] as const)
        : [])
    ]
    return all.flatMap(([name, value]) => (value === null || value === "" ? [] : [[name, oneLine(value)] as const]))
  }
  return { kk: of("kk"), ru: of("ru") }
}

/** `31.12.2026 18:05` in Almaty. */
const minuteOf = (at: number): string => {
  const { day, month, year, hour, minute } = DateTime.toParts(DateTime.makeZonedUnsafe(at, { timeZone: zone() }))
  const two = (value: number) => String(value).padStart(2, "0")
  return `${two(day)}.${two(month)}.${year} ${two(hour)}:${two(minute)}`
}

// Neither a header nor a line of text may be broken by what a merchant typed, nor its direction be turned.
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim()

interface Part extends Words {
  readonly facts: ReadonlyArray<Fact>
  readonly test: string
  readonly contact: ReadonlyArray<string>
}

/** How the seller looks in a letter. */
interface Sender {
  readonly name: string
  readonly logoUrl: string | null
  readonly button: string
}

const senderOf = ({ name, logo, face }: Seller, { baseUrl }: InvoiceSettings): Sender => {
  const colours = face.colour === null ? { button: "#0f766e", onButton: "#ffffff" } : shadesOf(face.colour, "light")
  return {
    name: oneLine(name ?? ""),
    logoUrl: logo === null ? null : pictureUrl(logo, baseUrl),
    button: `display:inline-block;padding:12px 24px;border-radius:8px;background:${colours.button};color:${
      colours.onButton
    };text-decoration:none`
  }
}

const numberLabels = { kk: "БСН/ЖСН", ru: "БИН/ИИН" } as const

/** Who sells, as the register knows them, and how they are reached. */
const contactOf = ({ name, legalName, idn, face: { contact } }: Seller, language: Language): ReadonlyArray<string> => {
  const { phone, whatsapp, email, web, address } = contact
  const lines = [
    legalName === name ? null : legalName,
    idn === null ? null : `${numberLabels[language]}: ${idn}`,
    phone === null ? null : `+${phone}`,
    whatsapp === null ? null : `WhatsApp: +${whatsapp}`,
    email,
    web,
    address
  ]
  return lines.flatMap((line) => (line === null || line.trim() === "" ? [] : [oneLine(line)]))
}

const asText = (
  { title, text, action, facts, test, contact }: Part,
  seller: string,
  link: string,
  isTest: boolean
): string =>
  [
    `${title}: ${seller}`,
    ...(isTest ? [test] : []),
    text,
    ...facts.map(([label, value]) => `${label}: ${value}`),
    `${action}: ${link}`,
    ...(contact.length === 0 ? [] : ["", ...contact])
  ].join("\n")

const page = (parts: ReadonlyArray<Part>, sender: Sender, link: string, isTest: boolean): Html => html`<!doctype html>
<html lang="kk"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${parts[0]?.title ?? ""}</title></head>
<body style="margin:0;padding:24px 12px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:480px;margin:0 auto">
${sender.logoUrl === null ? null : html`<img src="${sender.logoUrl}" alt="" width="56" style="${logoStyle}">`}
<p style="margin:0 0 16px;font-size:20px;font-weight:600">${sender.name}</p>
${parts.map((part, index) => section(part, { link, isTest, ruled: index > 0, button: sender.button }))}
</div></body></html>`

const logoStyle =
  "display:block;width:56px;height:auto;max-height:56px;margin:0 0 8px;border-radius:8px;background:#ffffff"

const section = (
  { title, text, action, facts, test, contact }: Part,
  { link, isTest, ruled, button }: Record<"link" | "button", string> & Record<"isTest" | "ruled", boolean>
): Html => html`
<div style="${ruled ? "border-top:1px solid #8886;margin-top:24px;padding-top:16px" : ""}">
<p style="margin:0 0 4px;font-weight:600">${title}</p>
${isTest ? html`<p style="margin:0 0 4px;color:#b45309">${test}</p>` : null}
<p style="margin:0 0 12px">${text}</p>
<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${facts.map(
  ([label, value]) => html`<tr><td style="padding:2px 16px 2px 0;opacity:.7;vertical-align:top">${label}</td>
<td style="padding:2px 0;overflow-wrap:anywhere">${value}</td></tr>`
)}</table>
<p style="margin:0"><a href="${link}" style="${button}">${action}</a></p>
${
  contact.length === 0
    ? null
    : html`<p style="margin:16px 0 0;font-size:13px;opacity:.75;overflow-wrap:anywhere">${contact.map(
        (line, index) => html`${index === 0 ? null : html`<br>`}${line}`
      )}</p>`
}
</div>`
