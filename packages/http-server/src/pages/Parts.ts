/** Parts that several pages have. Pure. */
import type { MerchantFace, Seller } from "@tolem/core/face/MerchantFace"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { type Html, html } from "@tolem/core/value/Html"
import type { Tiyn } from "@tolem/core/value/Money"
import { money } from "@tolem/core/value/MoneyText"
import { webLink } from "./Links.ts"
import type { Texts } from "./texts/Texts.ts"

/** Tone of a state. */
export type Tone = "good" | "bad" | "warn" | "calm"

/** The seller's name with their logo, or a mark of its first letter; null if there is no name. */
export const sellerLine = (name: string | null, logoPath: string | null = null): Html | null => {
  if (name === null || name.trim() === "") return null
  if (logoPath !== null) {
    return html`<header class="seller"><img class="mark logo" src="${logoPath}" alt="" width="40" height="40"><bdi>${
      name
    }</bdi></header>`
  }
  const first = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? ""
  return html`<header class="seller"><span class="mark" aria-hidden="true">${first.toUpperCase()}</span
    ><bdi>${name}</bdi></header>`
}

/** The amount, large. */
export const amount = (value: Tiyn): Html => {
  const text = money(value)
  const [, whole = "", minor = ""] = /^([^,\u00a0]*(?:\u00a0\d+)*)(.*)$/.exec(text) ?? []
  return html`<p class="amount${text.length > 11 ? " long" : ""}">${whole}<small>${minor}</small></p>`
}

/** What the seller says to who has paid, in lines as they wrote it. */
export const thanks = (text: string | null | undefined): Html | null =>
  text ? html`<p class="thanks"><bdi>${text}</bdi></p>` : null

/** Who sells, as the register knows them, and how they are reached; null if nothing is known. */
export const contactLines = ({ name, legalName, idn, face }: Seller, texts: Texts): Html | null => {
  const { phone, whatsapp, email, web, address } = face.contact
  const site = webLink(web)
  const own = legalName === name ? null : legalName
  const registered = [own, idn === null ? null : `${texts.idn} ${idn}`].filter((each) => each !== null).join(", ")
  const lines = [
    registered === "" ? null : html`<bdi>${registered}</bdi>`,
    phone === null ? null : html`<a href="tel:+${phone}">${phoneText(phone)}</a>`,
    whatsapp === null ? null : html`<a href="https://wa.me/${whatsapp}" rel="noopener">WhatsApp</a>`,
    email === null ? null : html`<a href="mailto:${email}"><bdi>${email}</bdi></a>`,
    site === null ? null : html`<a href="${site}" rel="noopener"><bdi>${URL.parse(site)?.host ?? site}</bdi></a>`,
    address === null ? null : html`<bdi>${address}</bdi>`
  ].filter((each) => each !== null)
  return lines.length === 0 ? null : html`<address class="contact quiet">${lines}</address>`
}

/** Ways to ask the seller, for who cannot go on: WhatsApp, else a call. Null: neither is known. */
export const askSeller = ({ contact: { phone, whatsapp } }: MerchantFace, texts: Texts): Html | null => {
  const written = whatsapp && html`<a class="button second" href="https://wa.me/${whatsapp}">WhatsApp</a>`
  const called = phone && html`<a class="button second" href="tel:+${phone}">${texts.call}</a>`
  return written || called ? html`${written || null}${called || null}` : null
}

/** `+7 700 123 45 67`, which does not break. */
const phoneText = (phone: string): string =>
  phone.replace(/^7(\d{3})(\d{3})(\d{2})(\d{2})$/, "+7\u00a0$1\u00a0$2\u00a0$3\u00a0$4")

/** Names and values; without a value there is no row. Null if no row is left. */
export const facts = (rows: ReadonlyArray<readonly [name: string, value: string | Html | null]>): Html | null => {
  const given = rows.filter(([, value]) => value !== null)
  if (given.length === 0) return null
  return html`<dl class="facts">${given.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`
  )}</dl>`
}

/** An instant for people and machines. */
export const time = (iso: string, text: string): Html => html`<time datetime="${iso}">${text}</time>`

/** Says that no money moves; null for a live invoice. */
export const sandboxBanner = ({ mode }: Pick<Invoice, "mode">, { sandbox }: Texts): Html | null =>
  mode === "sandbox" ? html`<aside class="sandbox"><strong>${sandbox.title}</strong>: ${sandbox.text}</aside>` : null
