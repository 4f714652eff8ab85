/** Words that are loaded when they are wanted, a file for each language. */
import type { Language } from "./Translation.ts"

/** Loads the words of a language, once. */
export const loadedOnce = <T>(
  words: Readonly<Record<Language, () => Promise<T>>>
): ((language: Language) => Promise<T>) => {
  const known = new Map<Language, Promise<T>>()
  return (language) => {
    const found = known.get(language) ?? words[language]()
    known.set(language, found)
    // What could not be loaded now may be loaded the next time.
    found.catch(() => known.delete(language))
    return found
  }
}
