/** A sheet to be printed and put up, which leads to a payment link: by its code, or by its address in letters. Pure. */
import type { LinkOffer } from "@tolem/core/paymentlink/PaymentLinks"
import { type Html, html, tightStyle, verbatim } from "@tolem/core/value/Html"
import { money } from "@tolem/core/value/MoneyText"
import type { SellerFace } from "./Faces.ts"
import type { Language } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { sandboxBanner, sellerLine } from "./Parts.ts"
import type { Sheet } from "./PolicySource.ts"
import { linkTextsOf } from "./texts/LinkTexts.ts"
import { textsOf } from "./texts/Translations.ts"

/** The sheets that there are. */
export const posterSizes = ["a4", "a6"] as const
/** See `posterSizes`. */
export type PosterSize = (typeof posterSizes)[number]

/** What the sheet is made of. */
export interface PosterView extends LinkOffer {
  readonly face: SellerFace
  readonly size: PosterSize
  readonly sheet: Sheet
  /** The code of `address`. */
  readonly qr: Html | null
  /** Where the link's page is. */
  readonly address: string
  readonly language: Language
}

/** The page: on a screen the sheet as it will be, in print nothing else. */
export const posterPage = (view: PosterView): Page => {
  const { link, seller, face, size, qr, address, language } = view
  const texts = linkTextsOf(language)
  const choices = posterSizes.map((each) => {
    const current = each === size ? verbatim` aria-current="true"` : null
    return html`<a href="?size=${each}&amp;lang=${language}"${current}>${each.toUpperCase()}</a>`
  })
  const main = html`<nav class="sizes" aria-label="${texts.poster.print}">${choices}</nav
><main class="poster${link.title.length > 36 ? " long" : ""}">
${sellerLine(seller.name, face.logoPath)}
<h1><bdi>${link.title}</bdi></h1>
<p class="sum">${link.amount === null ? texts.anyAmount : money(link.amount)}</p>
<div class="code">${qr}</div>
<p class="scan">${texts.poster.scan}</p>
<p class="typed">${texts.poster.typed} <b><bdi>${address.replace(/^https?:\/\//, "")}</bdi></b></p>
</main>`
  return {
    title: [texts.poster.title, link.title, seller.name].filter((each) => each !== null && each !== "").join(" · "),
    main,
    banner: sandboxBanner(link, textsOf(language)),
    languageQuery: `size=${size}&`,
    theme: face.theme === null ? null : { ...face.theme, ...face.theme.onPaper },
    sheet: view.sheet
  }
}

/** Inside, 35 units are the width of either sheet. */
const units = {
  a4: { paper: "210mm 297mm", unit: "6mm", height: "49.5rem" },
  a6: { paper: "105mm 148mm", unit: "3mm", height: "49.33rem" }
} as const

// Always by day: paper is white, whatever the screen is.
const light = verbatim`:root { color-scheme: light; --ground: #e9f0f1; --glow: #d3e9ec; --card: #fff; --ink: #10262b;
  --quiet: #52676c; --line: #dbe6e8; --accent: #00737f; --accent-soft: #e0f2f4; --stripe: #ffe6a8; --warn: #855300;
  --warn-soft: #fff1cf; }`

const layout = verbatim`.sizes { display: flex; gap: 1rem; justify-content: center; font-size: 16px; }
.place { flex-direction: column; gap: 12px; }
.poster { width: 35rem; max-width: none; margin: 0 auto; padding: 2.5rem; background: #fff; color: #000; display: flex;
  flex-direction: column; align-items: center; text-align: center; border: 1px solid var(--line); border-radius: 0;
  box-shadow: none; overflow: hidden; gap: 0; }
.poster > * { max-width: 100%; margin: 0; }
.poster .seller { font-size: 1.5rem; color: #000; justify-content: center; }
.poster .mark { width: 3.5rem; height: 3.5rem; font-size: 1.6rem; }
.poster h1 { font-size: 2.6rem; line-height: 1.15; margin-top: 1.2rem; }
.poster.long h1 { font-size: 1.8rem; }
.poster .sum { font-size: 2.4rem; font-weight: 700; margin-top: .6rem; }
.poster .code { flex: 1; min-height: 0; display: flex; align-items: center; margin: .8rem 0; }
.poster .code svg { display: block; width: auto; height: 100%; max-height: 26rem; }
.poster .scan { font-size: 1.5rem; font-weight: 600; }
.poster .typed { font-size: 1.1rem; margin-top: .5rem; overflow-wrap: anywhere; }`

/** The style of a sheet, behind that of all pages. */
export const posterStyle = (size: PosterSize): Html => {
  const { paper, unit, height } = units[size]
  const own = html`@page { size: ${paper}; margin: 0; }
.poster { height: ${height}; }
@media screen { html { font-size: min(${unit}, calc((100vw - 32px) / 35)); } footer, .sandbox { font-size: 16px; } }
@media print { html { font-size: ${unit}; } body { min-height: 0; background: #fff; display: block; }
  footer, .sizes { display: none; } .place { display: block; padding: 0; } .poster { border: 0; }
  .sandbox { position: absolute; top: 0; left: 0; right: 0; padding: .2rem 1rem; font-size: .9rem; } }`
  return tightStyle(html`${light}${layout}${own}`)
}
