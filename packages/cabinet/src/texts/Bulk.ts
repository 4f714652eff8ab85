/** The words of invoices that are made of a file, loaded with their screen. */
import type { BulkTexts } from "./BulkTexts.ts"
import { loadedOnce } from "./LoadedTexts.ts"

/** The words of a language, loaded once. */
export const bulkTexts = loadedOnce<BulkTexts>({
  kk: () => import("./KazakhBulk.ts").then(({ kazakhBulk }) => kazakhBulk),
  ru: () => import("./RussianBulk.ts").then(({ russianBulk }) => russianBulk),
  en: () => import("./EnglishBulk.ts").then(({ englishBulk }) => englishBulk)
})
