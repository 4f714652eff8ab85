/** What surrounds every page: head, sandbox banner, language switch. Pure. */
import { type Html, html, verbatim } from "@tolem/core/value/Html"
import { type Language, languages } from "./Language.ts"
import { script } from "./MinifiedScript.ts"
import type { Sheet } from "./PolicySource.ts"
import { fieldStyle, style } from "./Style.ts"
import type { Theme } from "./Themes.ts"
import { textsOf } from "./texts/Translations.ts"

/** A page before it becomes a document. */
export interface Page {
  readonly title: string
  /** The element `main`. */
  readonly main: Html
  /** What the page does by itself without its script. */
  readonly refresh?: Refresh | null
  /** Whether it needs the script; the refresh is for all visitors if it does not. */
  readonly scripted?: boolean
  /** In front of everything else. */
  readonly banner?: Html | null
  /** Whether it has a form that is sent to this server. */
  readonly hasForm?: boolean
  /** Whether there is something to fill in. */
  readonly hasFields?: boolean
  /** The form that is sent along to see the page in another language; else the address is opened anew. */
  readonly languageForm?: { readonly id: string; readonly query: string }
  /** What stands before the language where the page is opened in another one. */
  readonly languageQuery?: string
  /** A style of its own, behind all others. */
  readonly sheet?: Sheet
  /** The merchant's colour; without it the page has its own. */
  readonly theme?: Theme | null
  /** What is shown where its address is sent to people. */
  readonly preview?: Preview | null
  /** Origins of sites that may show it in a frame; without any it is framed nowhere. */
  readonly frames?: ReadonlyArray<string>
  /** Where the site begins, for its icons. */
  readonly root?: string
}

/** What messengers show of an address. Nothing of a customer is in it. */
export interface Preview {
  readonly title: string
  readonly text: string
  readonly seller: string | null
  /** The address of an image; null: none. */
  readonly imageUrl: string | null
}

/** Loads the page anew, or another one, after some seconds. */
export interface Refresh {
  readonly afterSeconds: number
  /** Checked: http or https. Null: the same page. */
  readonly url: string | null
}

/** The whole document. */
export const documentOf = (page: Page, language: Language): string => {
  const refresh = page.refresh ? refreshOf(page.refresh) : null
  return String(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${page.theme?.colour ?? "#d3e9ec"}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#091215" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${page.root ?? ""}/favicon.svg" type="image/svg+xml">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${page.title}</title>
${page.preview ? previewOf(page.preview) : null}
${refresh !== null && page.scripted ? html`<noscript>${refresh}</noscript>` : refresh}
<style>${style}</style>
${page.hasFields === true ? html`<style>${fieldStyle}</style>` : null}
${page.theme ? html`<style>${page.theme.style}</style>` : null}
${page.sheet ? html`<style>${page.sheet.style}</style>` : null}
</head>
<body${page.frames?.length ? html` data-sites="${page.frames.join(" ")}"` : null}>
${page.banner ?? null}
<div class="place">${page.main}</div>
<footer>${languageSwitch(language, page)}</footer>
${page.scripted || page.frames?.length ? html`<script>${script}</script>` : null}
</body>
</html>
`)
}

const previewOf = ({ title, text, seller, imageUrl }: Preview): Html =>
  html`<meta property="og:title" content="${title}"><meta property="og:description" content="${text}">${
    seller === null ? null : html`<meta property="og:site_name" content="${seller}">`
  }${
    imageUrl === null
      ? null
      : html`<meta property="og:image" content="${imageUrl}"><meta name="twitter:card" content="summary_large_image">`
  }`

const refreshOf = ({ afterSeconds, url }: Refresh): Html =>
  url === null
    ? html`<meta http-equiv="refresh" content="${afterSeconds}">`
    : html`<meta http-equiv="refresh" content="${afterSeconds};url=${url}">`

const languageSwitch = (current: Language, { languageForm: form, languageQuery = "" }: Page): Html =>
  html`<nav aria-label="${textsOf(current).languages}">${languages.map((language) => {
    const chosen = language === current ? verbatim` aria-current="true"` : null
    const { name } = textsOf(language)
    if (form !== undefined) {
      return html`<button form="${form.id}" formaction="?${form.query}&lang=${language}" lang="${language}"${chosen}
        >${name}</button>`
    }
    const address = `?${languageQuery}lang=${language}`
    return html`<a href="${address}" lang="${language}" hreflang="${language}" rel="nofollow"${chosen}
      >${name}</a>`
  })}</nav>`
