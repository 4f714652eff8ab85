/** Words that are loaded when they are wanted, a file for each language. */
import type { Language } from "./Translation.ts"

/** Words of every language. */
export interface LoadedTexts<T> {
  /** Loads the words of a language, once. */
  (language: Language): Promise<T>
  /** The words of a language, if they are loaded. */
  readonly now: (language: Language) => T | undefined
}

/** Loads the words of each language once. */
export const loadedOnce = <T>(words: Readonly<Record<Language, () => Promise<T>>>): LoadedTexts<T> => {
  const asked = new Map<Language, Promise<T>>()
  const loaded = new Map<Language, T>()
  const load = (language: Language) => {
    const found = asked.get(language) ?? words[language]()
    asked.set(language, found)
    found.then(
      (texts) => loaded.set(language, texts),
      // What could not be loaded now may be loaded the next time.
      () => asked.delete(language)
    )
    return found
  }
  return Object.assign(load, { now: (language: Language) => loaded.get(language) })
}
