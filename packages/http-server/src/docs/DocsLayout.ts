/** What surrounds the text of a page of the documentation: head, menu, search, what comes next. Pure. */
import { tokens } from "../pages/Style.ts"
import { docsScript } from "./DocsScript.ts"
import { docsStyle } from "./DocsStyle.ts"
import { escaped, type Rendered } from "./Markdown.ts"
import { addressOf, type Both, type DocLanguage, type DocPage, docLanguages, pages, sections } from "./Site.ts"

/** A page and where it is. */
export interface Shown {
  readonly page: DocPage
  readonly language: DocLanguage
  /** The path that the service is under, without a slash at its end. */
  readonly base: string
  readonly content: Rendered
}

const words = {
  skip: { en: "To the text", ru: "К тексту" },
  menu: { en: "All pages", ru: "Все страницы" },
  search: { en: "Search (press /)", ru: "Поиск (клавиша /)" },
  contents: { en: "On this page", ru: "На этой странице" },
  languages: { en: "Language", ru: "Язык" },
  copy: { en: "Copy", ru: "Копировать" },
  copied: { en: "Copied", ru: "Скопировано" },
  none: { en: "Nothing found", ru: "Ничего не найдено" },
  markdown: { en: "This page as Markdown", ru: "Эта страница в Markdown" },
  console: { en: "Console to try calls", ru: "Консоль для пробных вызовов" },
  document: { en: "OpenAPI document", ru: "Документ OpenAPI" },
  docs: { en: "Documentation", ru: "Документация" }
} as const satisfies Readonly<Record<string, Both>>

const names: Both = { en: "English", ru: "Русский" }

/** The inline script and style of every page. */
export const inline = { script: String(docsScript), style: `${tokens}${docsStyle}` }

/** The whole document. */
export const docsDocument = ({ page, language, base, content }: Shown): string => {
  const said = (word: keyof typeof words) => escaped(words[word][language])
  const at = (slug: string, other: DocLanguage = language) => escaped(addressOf(base, other, slug))
  const title = escaped(page.title[language])
  const place = pages.findIndex(({ slug }) => slug === page.slug)
  const link = (to: DocPage | undefined, arrow: (title: string) => string) =>
    to === undefined ? "<span></span>" : `<a href="${at(to.slug)}">${arrow(escaped(to.title[language]))}</a>`
  const menu = menuOf(page, language, at)
  const text = `${base}/docs/${language}/${page.slug}.md`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tölem</title>
${docLanguages.map((other) => `<link rel="alternate" hreflang="${other}" href="${at(page.slug, other)}">`).join("\n")}
<link rel="alternate" type="text/markdown" href="${escaped(text)}">
<link rel="icon" href="${escaped(base)}/favicon.ico">
<style>${inline.style}</style>
</head>
<body data-copy="${said("copy")}" data-copied="${said("copied")}" data-none="${said("none")}">
<a class="skip" href="#text">${said("skip")}</a>
<header>
<a class="brand" href="${at("index")}"><b>T</b>Tölem</a>
${searchOf(`${base}/docs/${language}/search.json`, base, said("search"))}
<nav class="languages" aria-label="${said("languages")}">${docLanguages
    .map((other) => {
      const current = other === language ? ' aria-current="true"' : ""
      return `<a href="${at(page.slug, other)}" lang="${other}" hreflang="${other}"${current}>${names[other]}</a>`
    })
    .join("")}</nav>
</header>
<div class="columns">
<nav class="menu" aria-label="${said("menu")}"><details><summary>${said("menu")}</summary>${menu}</details></nav>
<main id="text">
${content.markup}
<div class="next">${link(pages[place - 1], (text) => `← ${text}`)}${link(pages[place + 1], (text) => `${text} →`)}</div>
</main>
${contentsOf(content, said("contents"))}
</div>
<footer><a href="${escaped(text)}">${said("markdown")}</a
><a href="${escaped(base)}/docs/console" hreflang="en">${said("console")}</a
><a href="${escaped(base)}/api/v1/openapi.json">${said("document")}</a
><a href="${escaped(base)}/llms.txt">llms.txt</a></footer>
<script>${inline.script}</script>
</body>
</html>
`
}

const searchOf = (index: string, base: string, label: string): string =>
  `<div class="find" role="search" hidden data-index="${escaped(index)}" data-base="${escaped(base)}"
><input type="search" aria-label="${label}" placeholder="${label}"><ul class="found" hidden></ul></div>`

const menuOf = (current: DocPage, language: DocLanguage, at: (slug: string) => string): string =>
  sections
    .map(({ title, pages: own }) => {
      const items = own.map((page) => {
        const mark = page.slug === current.slug ? ' aria-current="page"' : ""
        return `<li><a href="${at(page.slug)}"${mark}>${escaped(page.title[language])}</a></li>`
      })
      return `<h2>${escaped(title[language])}</h2><ul>${items.join("")}</ul>`
    })
    .join("")

const contentsOf = ({ headings }: Rendered, title: string): string => {
  if (headings.length < 2) return ""
  const items = headings.map(({ id, text }) => `<li><a href="#${escaped(id)}">${escaped(text)}</a></li>`)
  return `<div class="contents"><nav aria-label="${title}"><h2>${title}</h2><ul>${items.join("")}</ul></nav></div>`
}
