/** The words of reports, loaded with their screen: no other screen has to wait for them. */
import { loadedOnce } from "./LoadedTexts.ts"
import type { ReportsTexts } from "./ReportsTexts.ts"

/** The words of a language, loaded once. */
export const reportsTexts = loadedOnce<ReportsTexts>({
  kk: () => import("./KazakhReports.ts").then(({ kazakhReports }) => kazakhReports),
  ru: () => import("./RussianReports.ts").then(({ russianReports }) => russianReports),
  en: () => import("./EnglishReports.ts").then(({ englishReports }) => englishReports)
})
