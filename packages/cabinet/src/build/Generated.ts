/**
 * Modules of the cabinet that are made of what the server has: the tokens of its pages, the catalogue of errors,
 * the table of permissions, and samples of the documentation.
 */
import { readFileSync } from "node:fs"
import { catalog } from "@tolem/core/error/ErrorCatalog"
import { permissions } from "@tolem/core/merchant/Permission"
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

// The samples of the documentation, so that there is one text of them.
const samples = new URL("../../../http-server/src/docs/content/code/", import.meta.url)
const verifiersOf = (): string => {
  const names = { JavaScript: "verify.mjs", Python: "verify.py", PHP: "verify.php", Go: "verify.go", "C#": "verify.cs" }
  const all = Object.entries(names).map(([name, file]) => ({
    name,
    code: readFileSync(new URL(file, samples), "utf8")
  }))
  return `export const verifiers = ${JSON.stringify(all)}`
}

const made: Readonly<Record<string, () => string>> = {
  "virtual:tokens.css": () => tokensSheet(String(tokens)),
  "virtual:verifiers": verifiersOf,
  "virtual:permissions": () => `export const permissions = ${JSON.stringify(permissions)}`,
  "virtual:catalogue/kk": () => catalogueOf("kk"),
  "virtual:catalogue/ru": () => catalogueOf("ru"),
  "virtual:catalogue/en": () => catalogueOf("en")
}

/** Answers the modules `virtual:…`. */
export const generated: Plugin = {
  name: "tolem-generated",
  resolveId: (id) => (id in made ? `\0${id}` : undefined),
  load: (id) => made[id.slice(1)]?.()
}
