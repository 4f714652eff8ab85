/** The words of developers, loaded with their screen: no other screen has to wait for them. */
import type { DevelopersTexts } from "./DevelopersTexts.ts"
import { loadedOnce } from "./LoadedTexts.ts"

/** The words of a language, loaded once. */
export const developersTexts = loadedOnce<DevelopersTexts>({
  kk: () => import("./KazakhDevelopers.ts").then(({ kazakhDevelopers }) => kazakhDevelopers),
  ru: () => import("./RussianDevelopers.ts").then(({ russianDevelopers }) => russianDevelopers),
  en: () => import("./EnglishDevelopers.ts").then(({ englishDevelopers }) => englishDevelopers)
})
