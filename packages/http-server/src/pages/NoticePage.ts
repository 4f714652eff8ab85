/** Pages that say why there is no other one. Pure. */
import { type Html, html } from "@tolem/core/value/Html"
import * as Icons from "./Icons.ts"
import type { Page } from "./Layout.ts"
import type { Tone } from "./Parts.ts"
import type { Message } from "./texts/Texts.ts"

/** Nothing is here, for whatever reason. */
export const notFoundPage = (message: Message): Page => notice(message, "calm", Icons.search, null)

/** The seller takes no payment now, for a reason that is no customer's business. */
export const closedPage = (message: Message): Page => notice(message, "warn", Icons.cross, null)

/** Something about a seller's form, which needs no more than words. */
export const formNotice = (message: Message, tone: Tone, seller: Html | null): Page =>
  notice(message, tone, tone === "calm" ? Icons.search : Icons.closed, null, seller)

/** The visitor came too often, and may come back after some seconds: the page does by itself. */
export const tooManyPage = (message: Message, afterSeconds: number): Page =>
  notice(message, "warn", Icons.clock, afterSeconds)

/** The storage is away; the page tries again by itself after some seconds. */
export const unavailablePage = (message: Message, afterSeconds: number): Page =>
  notice(message, "warn", Icons.cross, afterSeconds)

/** A link of a seller cannot be paid now. */
export const refusedLinkPage = (message: Message, seller: Html | null): Page =>
  notice(message, "warn", Icons.closed, null, seller)

const notice = (
  { title, text }: Message,
  tone: Tone,
  icon: Html,
  afterSeconds: number | null,
  seller: Html | null = null
): Page => ({
  title,
  main: html`<main class="narrow ${tone}">${seller}<div class="state"
    ><span class="badge">${icon}</span><h1>${title}</h1><p>${text}</p></div></main>`,
  refresh: afterSeconds === null ? null : { afterSeconds, url: null }
})
