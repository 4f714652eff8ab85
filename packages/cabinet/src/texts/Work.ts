/** The words of an organization's screens, a file for each language: no login has to wait for them. */
import type { Language } from "./Translation.ts"
import type { WorkTexts } from "./WorkTexts.ts"

const words: Readonly<Record<Language, () => Promise<WorkTexts>>> = {
  kk: () => import("./KazakhWork.ts").then(({ kazakhWork }) => kazakhWork),
  ru: () => import("./RussianWork.ts").then(({ russianWork }) => russianWork),
  en: () => import("./EnglishWork.ts").then(({ englishWork }) => englishWork)
}

const known = new Map<Language, Promise<WorkTexts>>()

/** The words of a language, loaded once. */
export const workTexts = (language: Language): Promise<WorkTexts> => {
  const found = known.get(language) ?? words[language]()
  known.set(language, found)
  // What could not be loaded now may be loaded the next time.
  found.catch(() => known.delete(language))
  return found
}
