/** Pages that are lists of facts: error codes, states. As Markdown. */
import { type Code, catalog, entry } from "@tolem/core/error/ErrorCatalog"
import type { DocLanguage } from "./Site.ts"
import { machines } from "./States.ts"
import type { Terms } from "./Terms.ts"

/** All error codes, by status. */
export const errorRows = (language: DocLanguage, terms: Terms): string => {
  const rows = (Object.keys(catalog) as ReadonlyArray<Code>)
    .toSorted((a, b) => entry(a).status - entry(b).status || (a < b ? -1 : 1))
    .map((code) => {
      const { status, retryable, kk, ...texts } = entry(code)
      return `| ${status} | \`${code}\` | ${texts[language]} | ${retryable ? terms("yes") : terms("no")} | ${kk} |`
    })
  const head = ["HTTP", terms("Code"), terms("Meaning"), terms("Again?"), "`message`"]
  return [`| ${head.join(" | ")} |`, "|---|---|---|---|---|", ...rows].join("\n")
}

/** All machines, each with its chart and its moves. */
export const stateTexts = (terms: Terms): string =>
  machines
    .map(({ title, moves }) => {
      const rows = moves.map(([from, label, to]) => `| ${stateOf(from)} | ${terms(label)} | ${stateOf(to)} |`)
      const head = [`| ${terms("From")} | ${terms("What happens")} | ${terms("To")} |`, "|---|---|---|"]
      return [`## ${terms(title)}`, "", `@chart ${title}`, "", ...head, ...rows].join("\n")
    })
    .join("\n\n")

const stateOf = (name: string): string => (name === "[*]" ? "" : `\`${name}\``)
