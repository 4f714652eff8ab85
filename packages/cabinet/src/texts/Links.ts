/** The words of payment links, loaded with their screens. */
import type { LinksTexts } from "./LinksTexts.ts"
import { loadedOnce } from "./LoadedTexts.ts"

/** The words of a language, loaded once. */
export const linksTexts = loadedOnce<LinksTexts>({
  kk: () => import("./KazakhLinks.ts").then(({ kazakhLinks }) => kazakhLinks),
  ru: () => import("./RussianLinks.ts").then(({ russianLinks }) => russianLinks),
  en: () => import("./EnglishLinks.ts").then(({ englishLinks }) => englishLinks)
})
