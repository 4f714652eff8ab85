/** What the search of the documentation looks in: each section of each page. Pure. */
import type { DocLanguage, DocPage } from "./Site.ts"

/** A section: its title, the page that it is on, its address behind the base path, and what it says. */
interface Entry {
  readonly t: string
  readonly p: string
  readonly u: string
  readonly x: string
}

/** How much of a section is looked in. */
const mostText = 100
const mostNames = 200

/** The sections of a page with this Markdown. `ids` are those of its headings, in order. */
export const entriesOf = (
  page: DocPage,
  language: DocLanguage,
  text: string,
  ids: ReadonlyArray<string>
): ReadonlyArray<Entry> => {
  const address = `/docs/${language}${page.slug === "index" ? "" : `/${page.slug}`}`
  const title = page.title[language]
  const [intro = "", ...sections] = withoutCode(text).split(/^## /m)
  return [
    { t: title, p: "", u: address, x: textOf(intro) },
    ...sections.map((section, at) => {
      const [heading = "", ...rest] = section.split("\n")
      return { t: plain(heading), p: title, u: `${address}#${ids[at] ?? ""}`, x: textOf(rest.join("\n")) }
    })
  ]
}

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, "")

/** The beginning, and all names in it: error codes, members, events. The reference repeats them too often. */
const textOf = (text: string): string => {
  const names = [...text.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name)
  const beginning = plain(text).slice(0, mostText)
  const others = [...new Set(names)].filter((name) => !beginning.includes(name))
  return [beginning, ...others.slice(0, mostNames)].join(" ")
}

const plain = (text: string): string =>
  text
    .replaceAll(/\]\([^)]*\)/g, "")
    .replaceAll(/[`*|[\]#>-]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
