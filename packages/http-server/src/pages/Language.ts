/** The language of a page: the one that was asked for, else the visitor's, else Kazakh. Pure. */

/** The languages of the pages, the default first. */
export const languages = ["kk", "ru", "en"] as const

/** A language of the pages. */
export type Language = (typeof languages)[number]

const isLanguage = (text: string): text is Language => languages.some((language) => language === text)

/**
 * `asked` is the parameter `lang` of the address, `accepted` the header Accept-Language. What is unknown or malformed
 * is
 * passed over.
 */
export const choose = (asked: string | undefined, accepted: string | undefined): Language => {
  if (asked !== undefined && isLanguage(asked)) return asked
  let best: Language = languages[0]
  let bestQuality = 0
  for (const range of (accepted ?? "").split(",")) {
    const [, language, quality = "1"] = rangeForm.exec(range) ?? []
    // Of equals the first counts.
    if (language !== undefined && isLanguage(language.toLowerCase()) && Number(quality) > bestQuality) {
      best = language.toLowerCase() as Language
      bestQuality = Number(quality)
    }
  }
  return best
}

const rangeForm = /^\s*([a-z]{2,3})(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

/** Whether the header Accept asks for a page rather than for JSON: programs, which take anything, ask for none. */
export const asksForHtml = (accepted = ""): boolean => {
  const html = qualityOf(accepted, /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i)
  return html > 0 && html >= qualityOf(accepted, /^\s*application\/json\s*(?:;|$)/i)
}

/** How much a type is wanted, from 0 to 1. */
const qualityOf = (accepted: string, type: RegExp): number => {
  const ranges = accepted.split(",").filter((range) => type.test(range))
  const qualities = ranges.map((range) => Number(/;\s*q=([01](?:\.\d{0,3})?)\s*(?:;|$)/i.exec(range)?.[1] ?? 1))
  return Math.max(0, ...qualities)
}
