/** What surrounds every page: head, sandbox banner, language switch. Pure. */
import { type Html, html, verbatim } from "@tolem/core/value/Html"
import { type Language, languages } from "./Language.ts"
import { script } from "./Script.ts"
import { style } from "./Style.ts"
import { textsOf } from "./texts/Translations.ts"

/** A page before it becomes a document. */
export interface Page {
  readonly title: string
  /** The element `main`. */
  readonly main: Html
  /** What the page does by itself without its script; null: nothing. */
  readonly refresh: Refresh | null
  /** Whether it needs the script; the refresh is for all visitors if it does not. */
  readonly scripted: boolean
  /** In front of everything else; null: none. */
  readonly banner: Html | null
  /** Whether it has a form that is sent to this server. */
  readonly hasForm?: boolean
  /** The form that is sent along to see the page in another language; else the address is opened anew. */
  readonly languageForm?: { readonly id: string; readonly query: string }
}

/** Loads the page anew, or another one, after some seconds. */
export interface Refresh {
  readonly afterSeconds: number
  /** Checked: http or https. Null: the same page. */
  readonly url: string | null
}

/** The whole document. */
export const documentOf = (page: Page, language: Language): string => {
  const refresh = page.refresh === null ? null : refreshOf(page.refresh)
  return String(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#e9f0f1" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#091215" media="(prefers-color-scheme: dark)">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${page.title}</title>
${refresh !== null && page.scripted ? html`<noscript>${refresh}</noscript>` : refresh}
<style>${style}</style>
</head>
<body>
${page.banner}
<div class="place">${page.main}</div>
<footer>${languageSwitch(language, page.languageForm)}</footer>
${page.scripted ? html`<script>${script}</script>` : null}
</body>
</html>
`)
}

const refreshOf = ({ afterSeconds, url }: Refresh): Html =>
  url === null
    ? html`<meta http-equiv="refresh" content="${afterSeconds}">`
    : html`<meta http-equiv="refresh" content="${afterSeconds};url=${url}">`

const languageSwitch = (current: Language, form: Page["languageForm"]): Html =>
  html`<nav aria-label="${textsOf(current).languages}">${languages.map((language) => {
    const chosen = language === current ? verbatim` aria-current="true"` : null
    const { name } = textsOf(language)
    if (form !== undefined) {
      return html`<button form="${form.id}" formaction="?${form.query}&lang=${language}" lang="${language}"${chosen}
        >${name}</button>`
    }
    return html`<a href="?lang=${language}" lang="${language}" hreflang="${language}" rel="nofollow"${chosen}
      >${name}</a>`
  })}</nav>`
