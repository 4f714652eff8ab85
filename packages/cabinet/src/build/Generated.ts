/**
 * Modules of the cabinet that are made of what the server has: the tokens of its pages, and the catalogue of
 * errors.
 */
import { catalog } from "@tolem/core/error/ErrorCatalog"
import { tokens } from "@tolem/http-server/pages/Style"
import type { Plugin } from "vite"

/** The tokens of the pages, with a theme that a person may choose against that of their system. Pure. */
const tokensSheet = (pages: string): string => {
  const [, light, dark] =
    /:root \{(.*?)\}\s*@media \(prefers-color-scheme: dark\) \{\s*:root \{(.*?)\}/s.exec(pages) ?? []
  if (light === undefined || dark === undefined) throw new Error("the tokens of the pages have another form")
  return [
    `:root {${light}}`,
    `@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {${dark}} }`,
    `:root[data-theme="dark"] { color-scheme: dark; ${dark}}`,
    `:root[data-theme="light"] { color-scheme: light; }`
  ].join("\n")
}

type CatalogueLanguage = "kk" | "ru" | "en"

const catalogueOf = (language: CatalogueLanguage): string => {
  const rows = Object.entries(catalog).map(([code, row]) => [code, row[language]] as const)
  return `export const catalogue = ${JSON.stringify(Object.fromEntries(rows))}`
}

const made: Readonly<Record<string, () => string>> = {
  "virtual:tokens.css": () => tokensSheet(String(tokens)),
  "virtual:catalogue/kk": () => catalogueOf("kk"),
  "virtual:catalogue/ru": () => catalogueOf("ru"),
  "virtual:catalogue/en": () => catalogueOf("en")
}

/** Answers the modules `virtual:tokens.css` and `virtual:catalogue/…`. */
export const generated: Plugin = {
  name: "tolem-generated",
  resolveId: (id) => (id in made ? `\0${id}` : undefined),
  load: (id) => made[id.slice(1)]?.()
}
