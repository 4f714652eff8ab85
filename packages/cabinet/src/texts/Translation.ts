/** The language of the page: chosen on this device, else the first of the browser's that there is, else Kazakh. */
import { prefer, preferences } from "../browser/Preferences.ts"
import type { Texts } from "./Texts.ts"

/** The languages of the cabinet, the default first. */
export const languages = ["kk", "ru", "en"] as const

/** A language of the cabinet. */
export type Language = (typeof languages)[number]

/** A language with its first words. */
export interface Translation {
  readonly language: Language
  readonly texts: Texts
  /** What the codes of refusals mean. */
  readonly refusals: Readonly<Record<string, string>>
}

/** How each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { kk: "Қазақша", ru: "Русский", en: "English" }

// Each is a file of its own, of which a browser loads one.
const words: Readonly<Record<Language, () => Promise<Omit<Translation, "language">>>> = {
  kk: () => import("./Kazakh.ts").then(({ kazakh, kazakhRefusals }) => ({ texts: kazakh, refusals: kazakhRefusals })),
  ru: () =>
    import("./Russian.ts").then(({ russian, russianRefusals }) => ({ texts: russian, refusals: russianRefusals })),
  en: () =>
    import("./English.ts").then(({ english, englishRefusals }) => ({ texts: english, refusals: englishRefusals }))
}

/** The language to begin with. */
export const firstLanguage = (accepted: ReadonlyArray<string>): Language => {
  const wanted = [preferences().language ?? "", ...accepted.map((tag) => tag.toLowerCase().split("-")[0] ?? "")]
  return wanted.flatMap((tag) => languages.filter((language) => language === tag))[0] ?? languages[0]
}

/** The language that the page is in. */
export const languageNow = (): Language =>
  languages.find((language) => language === document.documentElement.lang) ?? languages[0]

/** Loads a language's words, and says to the browser in which language the page is now. */
export const translationOf = async (language: Language): Promise<Translation> => {
  const loaded = await words[language]()
  document.documentElement.lang = language
  return { language, ...loaded }
}

/** Loads a language that a person has chosen, and remembers it. */
export const chooseLanguage = (language: Language): Promise<Translation> => {
  prefer({ language })
  return translationOf(language)
}
