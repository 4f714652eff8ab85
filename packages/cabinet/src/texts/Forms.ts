/** The words of form hooks, loaded with their screens. */
import type { FormsTexts } from "./FormsTexts.ts"
import { loadedOnce } from "./LoadedTexts.ts"

/** The words of a language, loaded once. */
export const formsTexts = loadedOnce<FormsTexts>({
  kk: () => import("./KazakhForms.ts").then(({ kazakhForms }) => kazakhForms),
  ru: () => import("./RussianForms.ts").then(({ russianForms }) => russianForms),
  en: () => import("./EnglishForms.ts").then(({ englishForms }) => englishForms)
})
