/** The words of an organization's screens, a file for each language: no login has to wait for them. */
import { loadedOnce } from "./LoadedTexts.ts"
import type { WorkTexts } from "./WorkTexts.ts"

/** The words of a language, loaded once. */
export const workTexts = loadedOnce<WorkTexts>({
  kk: () => import("./KazakhWork.ts").then(({ kazakhWork }) => kazakhWork),
  ru: () => import("./RussianWork.ts").then(({ russianWork }) => russianWork),
  en: () => import("./EnglishWork.ts").then(({ englishWork }) => englishWork)
})
