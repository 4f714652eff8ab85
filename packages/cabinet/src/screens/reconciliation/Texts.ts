/** The words of the screen, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { reconciliationTexts } from "../../texts/Reconciliation.ts"
import type { ReconciliationTexts } from "../../texts/ReconciliationTexts.ts"

/** The words. What is inside waits for them. */
export const useReconciliationTexts = (): ReconciliationTexts => useLoadedTexts(reconciliationTexts)
