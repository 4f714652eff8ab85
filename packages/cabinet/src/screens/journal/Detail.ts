/** What else is known of a deed, in words. Pure. */
import { day } from "@tolem/http-server/pages/Formats"
import { tenge } from "../../parts/MoneyWords.ts"
import type { JournalTexts } from "../../texts/JournalTexts.ts"
import type { Language } from "../../texts/Translation.ts"

/** What members and values of details are called. */
type DetailTexts = Pick<JournalTexts, "labels" | "values">

/** A detail in words; null: there is nothing to say. */
export const detailWords = (detail: string | null, texts: DetailTexts, language: Language): string | null => {
  if (detail === null || detail === "") return null
  const members = membersOf(detail)
  if (members === null)
    return detail
      .split(" ")
      .map((word) => texts.values[word] ?? word)
      .join(" ")
  const said = Object.entries(members).flatMap(([name, value]) => {
    const label = texts.labels[name]
    // What has no word is for programs.
    return label === undefined || value === null ? [] : [`${label}: ${valueWords(name, value, texts, language)}`]
  })
  return said.length === 0 ? null : said.join(" · ")
}

const membersOf = (detail: string): Readonly<Record<string, unknown>> | null => {
  if (!detail.startsWith("{")) return null
  try {
    return JSON.parse(detail) as Record<string, unknown>
  } catch {
    return null
  }
}

const valueWords = (name: string, value: unknown, { values }: DetailTexts, language: Language): string => {
  if (typeof value === "number" && name === "tariffUntil") return day(value, language)
  if (typeof value === "number" && name.startsWith("amount")) return tenge(value)
  const text = typeof value === "object" ? JSON.stringify(value) : String(value)
  return values[text] ?? text
}
