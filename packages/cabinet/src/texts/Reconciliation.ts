/** The words of reconciliation, loaded with its screen. */
import { loadedOnce } from "./LoadedTexts.ts"
import type { ReconciliationTexts } from "./ReconciliationTexts.ts"

/** The words of a language, loaded once. */
export const reconciliationTexts = loadedOnce<ReconciliationTexts>({
  kk: () => import("./KazakhReconciliation.ts").then(({ kazakhReconciliation }) => kazakhReconciliation),
  ru: () => import("./RussianReconciliation.ts").then(({ russianReconciliation }) => russianReconciliation),
  en: () => import("./EnglishReconciliation.ts").then(({ englishReconciliation }) => englishReconciliation)
})
