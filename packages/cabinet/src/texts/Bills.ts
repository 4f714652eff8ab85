/** The words of the tariff and its bills, loaded with its screen. */
import type { BillsTexts } from "./BillsTexts.ts"
import { loadedOnce } from "./LoadedTexts.ts"

/** The words of a language, loaded once. */
export const billsTexts = loadedOnce<BillsTexts>({
  kk: () => import("./KazakhBills.ts").then(({ kazakhBills }) => kazakhBills),
  ru: () => import("./RussianBills.ts").then(({ russianBills }) => russianBills),
  en: () => import("./EnglishBills.ts").then(({ englishBills }) => englishBills)
})
