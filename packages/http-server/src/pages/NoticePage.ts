/** Pages that say why there is no other one. Pure. */
import { type Html, html } from "@tolem/core/value/Html"
import type { SellerFace } from "./Faces.ts"
import * as Icons from "./Icons.ts"
import type { Language } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { contactLines, sellerLine, type Tone } from "./Parts.ts"
import type { Message } from "./texts/Texts.ts"
import { textsOf } from "./texts/Translations.ts"

/** Nothing is here, for whatever reason. */
export const notFoundPage = (message: Message): Page => notice(message, "calm", Icons.search, null)

/** The seller takes no payment now, for a reason that is no customer's business. */
export const closedPage = (message: Message): Page => notice(message, "warn", Icons.cross, null)

/** Something about a seller's form, which needs no more than words. */
export const formNotice = (message: Message, tone: Tone, face: SellerFace | null, language: Language): Page =>
  notice(message, tone, tone === "calm" ? Icons.search : Icons.closed, null, face, language)

/** The visitor came too often, and may come back after some seconds: the page does by itself. */
export const tooManyPage = (message: Message, afterSeconds: number): Page =>
  notice(message, "warn", Icons.clock, afterSeconds)

/** The storage is away; the page tries again by itself after some seconds. */
export const unavailablePage = (message: Message, afterSeconds: number): Page =>
  notice(message, "warn", Icons.cross, afterSeconds)

/** A link or form of a seller cannot be paid now. */
export const refusedLinkPage = (message: Message, face: SellerFace | null, language: Language): Page =>
  notice(message, "warn", Icons.closed, null, face, language)

const notice = (
  { title, text }: Message,
  tone: Tone,
  icon: Html,
  afterSeconds: number | null,
  face: SellerFace | null = null,
  language: Language = "kk"
): Page => ({
  title,
  main: html`<main class="narrow ${tone}">${face && sellerLine(face.seller.name, face.logoPath)}<div class="state"
    ><span class="badge">${icon}</span><h1>${title}</h1><p>${text}</p></div>${
      face && contactLines(face.seller, textsOf(language))
    }</main>`,
  refresh: afterSeconds === null ? null : { afterSeconds, url: null },
  ...(face !== null && { theme: face.theme })
})
