/** The words of the screen, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { billsTexts } from "../../texts/Bills.ts"
import type { BillsTexts } from "../../texts/BillsTexts.ts"

/** The words. What is inside waits for them. */
export const useBillsTexts = (): BillsTexts => useLoadedTexts(billsTexts)
