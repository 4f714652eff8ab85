/** The words of refunds, loaded with its screen. */
import { loadedOnce } from "./LoadedTexts.ts"
import type { RefundsTexts } from "./RefundsTexts.ts"

/** The words of a language, loaded once. */
export const refundsTexts = loadedOnce<RefundsTexts>({
  kk: () => import("./KazakhRefunds.ts").then(({ kazakhRefunds }) => kazakhRefunds),
  ru: () => import("./RussianRefunds.ts").then(({ russianRefunds }) => russianRefunds),
  en: () => import("./EnglishRefunds.ts").then(({ englishRefunds }) => englishRefunds)
})
