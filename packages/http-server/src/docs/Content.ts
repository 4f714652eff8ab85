/** The texts of the documentation: files beside this one, and what is made of the contract. As Markdown. */
import { readFileSync } from "node:fs"
import { type OpenApiDocument, openApiDocument } from "@tolem/api/OpenApiDocument"
import type { Settings } from "@tolem/core/engine/Settings"
import { factsOf, filled } from "./Facts.ts"
import { errorRows, stateTexts } from "./Lists.ts"
import { referencePage } from "./Reference.ts"
import type { DocLanguage, DocPage } from "./Site.ts"
import { machines } from "./States.ts"
import { type Terms, termsOf } from "./Terms.ts"

const fileOf = (path: string): string => readFileSync(new URL(`./content/${path}`, import.meta.url), "utf8")

/** Makes the Markdown of pages. */
export type Content = (page: DocPage, language: DocLanguage) => string

/** The texts of a service with these settings. `missing` hears of what has no translation. */
export const contentOf = (settings: Settings, missing?: (english: string) => void): Content => {
  const facts = factsOf(settings)
  // Made when the first page asks for it: a server that starts has no use for it.
  let document: OpenApiDocument | undefined
  const russian: Readonly<Record<string, string>> = JSON.parse(fileOf("ru/terms.json"))
  return (page, language) => {
    const terms = termsOf(language === "ru" ? russian : undefined, missing)
    if (page.tags !== undefined) {
      document ??= openApiDocument(settings)
      return referencePage(page, { document, baseUrl: settings.baseUrl, language, terms })
    }
    return filled(withIncludes(fileOf(`${language}/${page.slug}.md`), language, terms), facts)
  }
}

/** Lines that begin with `@` stand for what is not written in the file: code that tests run, and lists of facts. */
const withIncludes = (text: string, language: DocLanguage, terms: Terms): string =>
  text.replaceAll(/^@(\w+)(?: (\S+) (.+))?$/gm, (line, what: string, file?: string, title?: string) => {
    if (what === "code" && file !== undefined)
      return `\`\`\`${languageOf(file)} ${title}\n${fileOf(`code/${file}`).trimEnd()}\n\`\`\``
    if (what === "changes") return fileOf(`${what}.md`).trimEnd()
    if (what === "errors") return errorRows(language, terms)
    return what === "states" ? stateTexts(terms) : line
  })

const languageOf = (file: string): string => file.replace(/.*\.m?/, "")

/** The page for readers of Markdown: charts in the words of Mermaid. */
export const withCharts = (text: string): string =>
  text.replaceAll(/^@chart (.+)$/gm, (_, title: string) => {
    const { moves = [] } = machines.find((machine) => machine.title === title) ?? {}
    const lines = moves.map(([from, label, to]) => `  ${from} --> ${to}: ${label}`)
    return ["```mermaid", "stateDiagram-v2", ...lines, "```"].join("\n")
  })
