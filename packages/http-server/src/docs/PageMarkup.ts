/** The text of a page as markup, with its links and charts. Pure. */
import { chartSvg } from "./ChartSvg.ts"
import { type Rendered, render } from "./Markdown.ts"
import { addressOf, type DocLanguage } from "./Site.ts"
import { machines } from "./States.ts"

/** The markup. Links to other pages name their files, those into the service begin with a slash. */
export const pageMarkup = (text: string, base: string, language: DocLanguage): Rendered => {
  const linkOf = (href: string): string => {
    const [, slug, anchor = ""] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? []
    if (slug !== undefined) return `${addressOf(base, language, slug)}${anchor}`
    return href.startsWith("/") ? `${base}${href}` : href
  }
  const { markup, headings } = render(text, linkOf)
  const drawn = markup.replaceAll(/<p>@chart (.+?)<\/p>/g, (line, title: string) => {
    const machine = machines.find((each) => each.title === title)
    return machine === undefined ? line : chartSvg(machine)
  })
  return { markup: drawn, headings }
}
