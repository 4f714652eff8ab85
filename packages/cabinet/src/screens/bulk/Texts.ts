/** The words of the screen, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { bulkTexts } from "../../texts/Bulk.ts"
import type { BulkTexts } from "../../texts/BulkTexts.ts"

/** The words. What is inside waits for them. */
export const useBulkTexts = (): BulkTexts => useLoadedTexts(bulkTexts)
