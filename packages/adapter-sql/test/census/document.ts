/** The document that says what is found. */
import { type Found, keyed } from "./Census.ts"

/** Rules of one damage that are named; the others say the same. */
const named = 3

/** The text of `docs/integrity.md`. */
export const documentOf = (found: ReadonlyArray<Found>): string => {
  const seen = found.filter(({ rules }) => rules.length > 0)
  const keyless = seen.filter((one) => withoutKey(one).length > 0)
  const sections = Array.from(
    Map.groupBy(found, ({ about }) => about),
    ([about, all]) => [
      `## ${about}`,
      "",
      "| What is done with SQL alone | With the key it is found by | Without the key by |",
      "|---|---|---|",
      ...all.map(rowOf),
      ""
    ]
  )
  return [
    "<!-- Generated: `npx vitest run packages/adapter-sql/test/census.test.ts -u`. Change the test, not this file. -->",
    "# What `tolem verify` finds",
    "",
    "What a writer to the database may do who has no secret key. Each line was planted with SQL into a",
    "database that holds everything in many states, and the rules are those that found it. Where no stored data can",
    "show a damage, the line says why.",
    "",
    `Of ${found.length} kinds of damage ${seen.length} are found with the key and ${keyless.length} also without it; ` +
      `${found.length - seen.length} are not shown.`,
    "The list is of SQLite; on PostgreSQL the same are found. So is an overwritten page of a SQLite file, or the file",
    "does not open: [pages.test.ts](../packages/adapter-sql/test/pages.test.ts).",
    "",
    ...sections.flat()
  ].join("\n")
}

const withoutKey = ({ rules }: Found) => rules.filter((rule) => !keyed.includes(rule))

const rowOf = (one: Found): string => {
  const { what, rules, unseen } = one
  if (unseen !== undefined) return `| ${what} | not shown by the stored data: ${unseen} | – |`
  const without = withoutKey(one)
  return `| ${what} | ${told(rules)} | ${without.length === 0 ? "nothing" : told(without)} |`
}

const told = (rules: ReadonlyArray<string>): string => {
  const names = rules.slice(0, named).map((rule) => `\`${rule}\``)
  return names.join(", ") + (rules.length > named ? ` and ${rules.length - named} more` : "")
}

/** The rules that a document names for each kind of damage. */
export const rulesIn = (document: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const rules = new Map<string, ReadonlyArray<string>>()
  let about = ""
  for (const line of document.split("\n")) {
    if (line.startsWith("## ")) about = line.slice(3)
    const [, what = "", told = ""] = line.split(" | ").length > 2 ? (/^\| (.*?) \| (.*?) \|/.exec(line) ?? []) : []
    if (what !== "")
      rules.set(
        `${about}: ${what}`,
        Array.from(told.matchAll(/`(\w+)`/g), ([, name = ""]) => name)
      )
  }
  return rules
}
