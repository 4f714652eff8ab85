/** The words of the screen, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { reportsTexts } from "../../texts/Reports.ts"
import type { ReportsTexts } from "../../texts/ReportsTexts.ts"

/** The words. What is inside waits for them. */
export const useReportsTexts = (): ReportsTexts => useLoadedTexts(reportsTexts)
