/** Parts that several pages have. Pure. */
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { type Html, html } from "@tolem/core/value/Html"
import type { Tiyn } from "@tolem/core/value/Money"
import { money } from "@tolem/core/value/MoneyText"
import type { Texts } from "./texts/Texts.ts"

/** Tone of a state. */
export type Tone = "good" | "bad" | "warn" | "calm"

/** The seller's name with a mark of its first letter; null if there is no name. */
export const sellerLine = (name: string | null): Html | null => {
  if (name === null || name.trim() === "") return null
  const first = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? ""
  return html`<header class="seller"><span class="mark" aria-hidden="true">${first.toUpperCase()}</span
    ><bdi>${name}</bdi></header>`
}

/** The amount, large. */
export const amount = (value: Tiyn): Html => {
  const text = money(value)
  const [whole, minor] = text.split(",")
  return html`<p class="amount${text.length > 11 ? " long" : ""}">${whole ?? ""}<small>,${minor ?? ""}</small></p>`
}

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
